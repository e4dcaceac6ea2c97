/** Compares two computations of items that last: visits and movement. */

import { type Change, changesOf } from './changesOf.js';

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
  return changesOf(before, after, textOf, isPair).sort(byStart(({ was, is }) => spanOf((is ?? was)!)));
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
