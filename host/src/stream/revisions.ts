/** What changes one reckoning of a unit into a later one. */

export interface Change<T> {
  readonly was: T | null;
  readonly is: T | null;
}

/** Items of which `textOf` differs. An item that was moved, as `isPair` decides, is one change; others are withdrawn or added. */
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
