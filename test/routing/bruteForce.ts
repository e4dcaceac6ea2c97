/** The oracle of sequencing: tries every permutation in index order and keeps the first of the cheapest. */

export interface Ends {
  readonly start?: number;
  readonly end?: number;
  readonly roundTrip?: boolean;
}

export interface Best {
  readonly order: number[];
  readonly missing: number;
  readonly cost: number;
}

export function bruteForce(matrix: readonly (readonly number[])[], ends: Ends): Best {
  const n = matrix.length;
  let best: Best = { order: [], missing: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY };
  for (const order of permutations(n)) {
    if (ends.start !== undefined && order[0] !== ends.start) continue;
    if (ends.end !== undefined && order[n - 1] !== ends.end) continue;
    const { missing, cost } = priceOf(matrix, ends.roundTrip ? [...order, order[0]!] : order);
    if (missing < best.missing || (missing === best.missing && cost < best.cost))
      best = { order, missing, cost };
  }
  return best;
}

export function priceOf(
  matrix: readonly (readonly number[])[],
  stops: readonly number[],
): { missing: number; cost: number } {
  const ways = stops.slice(1).map((to, i) => matrix[stops[i]!]![to]!);
  const driven = ways.filter((way) => way !== Number.POSITIVE_INFINITY);
  return { missing: ways.length - driven.length, cost: driven.reduce((sum, way) => sum + way, 0) };
}

/** Permutations of 0 … n-1 in lexicographic order. */
function* permutations(n: number, taken: readonly number[] = []): Generator<number[]> {
  if (taken.length === n) yield [...taken];
  else for (let i = 0; i < n; i++) if (!taken.includes(i)) yield* permutations(n, [...taken, i]);
}
