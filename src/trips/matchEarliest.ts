/**
 * Optimal assignment of columns to rows; of several, the earliest.
 *
 * Shortest augmenting paths with potentials (the Hungarian method; Kuhn 1955, doi:10.1002/nav.3800020109, in the O(rows² · columns)
 * form of Jonker & Volgenant 1987, doi:10.1007/BF02278710). A pair is in some optimal assignment only if its reduced cost is 0, and
 * any exchange along a cycle of such pairs keeps the optimum; so the rows are settled in order, each on its first column that a
 * cycle reaches without moving a settled row. Exact for whole costs below 2^53 in sum.
 */

const NONE = -1;

/**
 * The column of each row, or −1: the most rows with a column, then the least total cost, then row by row the first column (−1 counts as
 * the last). `costs[row][column]` is `null` for a forbidden pair.
 */
export function matchEarliest(costs: readonly (readonly (number | null)[])[]): number[] {
  const rows = costs.length;
  const real = costs[0]?.length ?? 0;
  // Each row has a private column that means −1, at a cost above all possible savings.
  const without =
    1 + costs.reduce((sum, row) => sum + row.reduce<number>((a, b) => Math.max(a, b ?? 0), 0), 0);
  const cost = (row: number, column: number): number => {
    if (column < real) return costs[row]![column] ?? Number.POSITIVE_INFINITY;
    return column - real === row ? without : Number.POSITIVE_INFINITY;
  };
  const matching = new Matching(rows, real + rows, cost);
  for (let row = 0; row < rows; row++) matching.augment(row);
  for (let row = 0; row < rows; row++) matching.settle(row);
  return matching.columnOf.map((column) => (column < real ? column : NONE));
}

class Matching {
  readonly columnOf: number[];
  readonly #rowOf: number[];
  readonly #rowPotential: Float64Array;
  readonly #columnPotential: Float64Array;
  readonly #columns: number;
  readonly #cost: (row: number, column: number) => number;

  constructor(rows: number, columns: number, cost: (row: number, column: number) => number) {
    this.columnOf = new Array<number>(rows).fill(NONE);
    this.#rowOf = new Array<number>(columns).fill(NONE);
    this.#rowPotential = new Float64Array(rows);
    this.#columnPotential = new Float64Array(columns);
    this.#columns = columns;
    this.#cost = cost;
  }

  /** Gives a row a column, moving others along the cheapest path. */
  augment(start: number): void {
    const distance = new Float64Array(this.#columns).fill(Number.POSITIVE_INFINITY);
    const via = new Int32Array(this.#columns).fill(NONE);
    const done = new Uint8Array(this.#columns);
    const reached: number[] = [];
    let [row, walked, end] = [start, 0, NONE];
    while (end === NONE) {
      let next = NONE;
      for (let column = 0; column < this.#columns; column++) {
        if (done[column]) continue;
        const length = walked + this.#reduced(row, column);
        if (length < distance[column]!) {
          distance[column] = length;
          via[column] = row;
        }
        if (next === NONE || distance[column]! < distance[next]!) next = column;
      }
      walked = distance[next]!;
      done[next] = 1;
      reached.push(next);
      if (this.#rowOf[next] === NONE) end = next;
      else row = this.#rowOf[next]!;
    }
    for (const column of reached) {
      const shift = walked - distance[column]!;
      this.#columnPotential[column]! -= shift;
      const holder = this.#rowOf[column]!;
      if (holder !== NONE) this.#rowPotential[holder]! += shift;
    }
    this.#rowPotential[start]! += walked;
    for (let column = end; ; ) {
      const taker = via[column]!;
      const freed = this.columnOf[taker]!;
      this.columnOf[taker] = column;
      this.#rowOf[column] = taker;
      if (taker === start) return;
      column = freed;
    }
  }

  /** Moves a row to its first column in any optimal assignment that keeps the settled rows (all rows before it). */
  settle(row: number): void {
    const current = this.columnOf[row]!;
    for (let column = 0; column < current; column++) {
      if (this.#reduced(row, column) !== 0) continue;
      const holder = this.#rowOf[column]!;
      if (holder !== NONE && holder < row) continue;
      if (this.#exchange(row, column)) return;
    }
  }

  /**
   * Gives `row` the column `target`. Its former row moves on, until a row takes the column that `row` leaves. Free columns belong to
   * the row `NONE`, which may take any column without potential.
   */
  #exchange(row: number, target: number): boolean {
    const goal = this.columnOf[row]!;
    const via = new Map<number, number>([[target, NONE]]);
    const seen = new Set<number>();
    const queue = [target];
    for (const column of queue) {
      const holder = this.#rowOf[column]!;
      if (seen.has(holder)) continue;
      seen.add(holder);
      for (let next = 0; next < this.#columns; next++) {
        const isTight =
          holder === NONE ? this.#columnPotential[next] === 0 : this.#reduced(holder, next) === 0;
        if (!isTight || via.has(next)) continue;
        if (next !== goal && this.#rowOf[next]! !== NONE && this.#rowOf[next]! <= row) continue;
        via.set(next, column);
        if (next !== goal) {
          queue.push(next);
          continue;
        }
        this.#shift(row, target, goal, via);
        return true;
      }
    }
    return false;
  }

  /** Shifts the columns along the path from `goal` back to `target`, which `row` gets. */
  #shift(row: number, target: number, goal: number, via: ReadonlyMap<number, number>): void {
    for (let column = goal; column !== target; ) {
      const before = via.get(column)!;
      const holder = this.#rowOf[before]!;
      this.#rowOf[column] = holder;
      if (holder !== NONE) this.columnOf[holder] = column;
      column = before;
    }
    this.#rowOf[target] = row;
    this.columnOf[row] = target;
  }

  #reduced(row: number, column: number): number {
    return this.#cost(row, column) - this.#rowPotential[row]! - this.#columnPotential[column]!;
  }
}
