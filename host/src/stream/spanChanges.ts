/** Compares two computations of items that last. */

export interface ItemSpan {
  /** What the item is an interval of, for example the id of a zone. */
  readonly name: string;
  readonly from: number;
  /** null while the item is open. */
  readonly to: number | null;
}

/** The changes between two computations, sorted by start. Two items of one name that overlap are one change. */
export function spanChanges<T>(
  before: readonly T[],
  after: readonly T[],
  textOf: (item: T) => string,
  spanOf: (item: T) => ItemSpan,
): Change<T>[] {
  const isPair = (was: T, is: T): boolean => overlap(spanOf(was), spanOf(is));
  const keyOf = (item: T): string => `${spanOf(item).name} ${spanOf(item).from}`;
  return changesOf(before, after, textOf, keyOf, isPair).sort(byStart(({ was, is }) => spanOf((is ?? was)!)));
}

/** An order by start, then by name. */
export function byStart<T>(spanOf: (item: T) => ItemSpan): (a: T, b: T) => number {
  return (one, other) => {
    const [a, b] = [spanOf(one), spanOf(other)];
    return a.from - b.from || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  };
}

function overlap(a: ItemSpan, b: ItemSpan): boolean {
  return (
    a.name === b.name &&
    a.from <= (b.to ?? Number.POSITIVE_INFINITY) &&
    b.from <= (a.to ?? Number.POSITIVE_INFINITY)
  );
}

interface Change<T> {
  readonly was: T | null;
  readonly is: T | null;
}

/**
 * The items whose `textOf` differs. Two items of one `keyOf` are one change, so that no change withdraws what another has put in its place; else two
 * that `isPair` matches; the others are withdrawn or added.
 */
function changesOf<T>(
  before: readonly T[],
  after: readonly T[],
  textOf: (item: T) => string,
  keyOf: (item: T) => string,
  isPair: (was: T, is: T) => boolean,
): Change<T>[] {
  const known = new Set(before.map(textOf));
  const same = new Set(after.map(textOf).filter((text) => known.has(text)));
  const gone = before.filter((item) => !same.has(textOf(item)));
  const come = after.filter((item) => !same.has(textOf(item)));
  const keys = new Set(gone.map(keyOf));
  const changes = gone.map((was): Change<T> => {
    const isSame = (is: T): boolean => keyOf(is) === keyOf(was);
    const own = come.findIndex(isSame);
    const at = own === -1 ? come.findIndex((is) => !keys.has(keyOf(is)) && isPair(was, is)) : own;
    return { was, is: at === -1 ? null : come.splice(at, 1)[0]! };
  });
  for (const is of come) changes.push({ was: null, is });
  return changes;
}
