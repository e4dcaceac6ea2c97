/** Compares two computations of a unit's items. */

export interface Change<T> {
  readonly was: T | null;
  readonly is: T | null;
}

/** The items whose `textOf` differs. Two items that `isPair` matches are one change; the others are withdrawn or added. */
export function changesOf<T>(
  before: readonly T[],
  after: readonly T[],
  textOf: (item: T) => string,
  isPair: (was: T, is: T) => boolean,
): Change<T>[] {
  const known = new Set(before.map(textOf));
  const same = new Set(after.map(textOf).filter((text) => known.has(text)));
  const come = after.filter((item) => !same.has(textOf(item)));
  const changes: Change<T>[] = [];
  for (const was of before) {
    if (same.has(textOf(was))) continue;
    const at = come.findIndex((is) => isPair(was, is));
    changes.push({ was, is: at === -1 ? null : come.splice(at, 1)[0]! });
  }
  for (const is of come) changes.push({ was: null, is });
  return changes;
}
