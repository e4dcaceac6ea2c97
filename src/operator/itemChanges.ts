/** The differences between two computations of a unit's items. */

/** `is` replaces `was`. */
export interface Change<Item> {
  readonly was: Item | null;
  readonly is: Item | null;
}

/** The items whose text differs, in the order of `before`, then of `after`. Two items that `isPair` matches are one change. */
export function itemChanges<Item>(
  before: readonly Item[],
  after: readonly Item[],
  textOf: (item: Item) => string,
  isPair: (was: Item, is: Item) => boolean,
): Change<Item>[] {
  const known = new Set(before.map(textOf));
  const same = new Set(after.map(textOf).filter((text) => known.has(text)));
  const added = after.filter((item) => !same.has(textOf(item)));
  const changes: Change<Item>[] = [];
  for (const was of before) {
    if (same.has(textOf(was))) continue;
    const at = added.findIndex((is) => isPair(was, is));
    changes.push({ was, is: at === -1 ? null : added.splice(at, 1)[0]! });
  }
  for (const is of added) changes.push({ was: null, is });
  return changes;
}

/** An item that lasts: its name, its start, and its end (`null` while it is open). */
export interface ItemSpan {
  readonly name: string;
  readonly from: number;
  readonly to: number | null;
}

/** The changes of items that last, sorted by start, then by name. Two items of one name that overlap are one change. */
export function spanChanges<Item>(
  before: readonly Item[],
  after: readonly Item[],
  textOf: (item: Item) => string,
  spanOf: (item: Item) => ItemSpan,
): Change<Item>[] {
  const changes = itemChanges(before, after, textOf, (was, is) => overlap(spanOf(was), spanOf(is)));
  const startOf = ({ was, is }: Change<Item>): ItemSpan => spanOf((is ?? was)!);
  return changes.sort((a, b) => compareSpans(startOf(a), startOf(b)));
}

/** By start, then by name. */
export function compareSpans(a: ItemSpan, b: ItemSpan): number {
  return a.from - b.from || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

function overlap(a: ItemSpan, b: ItemSpan): boolean {
  return (
    a.name === b.name &&
    a.from <= (b.to ?? Number.POSITIVE_INFINITY) &&
    b.from <= (a.to ?? Number.POSITIVE_INFINITY)
  );
}
