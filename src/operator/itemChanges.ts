/** Items of a unit: differences between two computations of them, and those that events describe after all revisions. */

/** One difference: `is` replaces `was`. */
interface ItemChange<Item> {
  readonly was: Item | null;
  readonly is: Item | null;
}

/** Comparison of items. */
interface ItemRules<Item> {
  /** All compared fields as one text. */
  readonly textOf: (item: Item) => string;
  /** The key by which later events name the item: unique within one computation. */
  readonly keyOf: (item: Item) => string;
  /** Whether `is` can be the new version of `was`. */
  readonly isPair: (was: Item, is: Item) => boolean;
}

/**
 * The items whose text differs: first in the order of `before`, then of `after`. Two items with one key form one change, so that no change
 * withdraws an item that another one added; the other items are paired by `isPair`.
 */
export function itemChanges<Item>(
  before: readonly Item[],
  after: readonly Item[],
  { textOf, keyOf, isPair }: ItemRules<Item>,
): ItemChange<Item>[] {
  const known = new Set(before.map(textOf));
  const same = new Set(after.map(textOf).filter((text) => known.has(text)));
  const gone = before.filter((item) => !same.has(textOf(item)));
  const byKey = new Map(gone.map((was) => [keyOf(was), was]));
  const became = new Map<Item, Item>();
  const added: Item[] = [];
  for (const is of after) {
    if (same.has(textOf(is))) continue;
    const was = byKey.get(keyOf(is));
    if (was === undefined) added.push(is);
    else became.set(was, is);
  }
  const changes = gone.map((was): ItemChange<Item> => {
    const own = became.get(was);
    if (own !== undefined) return { was, is: own };
    const at = added.findIndex((is) => isPair(was, is));
    return { was, is: at === -1 ? null : added.splice(at, 1)[0]! };
  });
  for (const is of added) changes.push({ was: null, is });
  return changes;
}

/** An item with a duration: its name, its start, and its end (`null` while it is open). */
export interface ItemSpan {
  readonly name: string;
  readonly from: number;
  readonly to: number | null;
}

/** Changes of items with a duration, sorted by start, then by name. Two overlapping items of one name form one change. */
export function spanChanges<Item>(
  before: readonly Item[],
  after: readonly Item[],
  { textOf, keyOf, spanOf }: Omit<ItemRules<Item>, 'isPair'> & { readonly spanOf: (item: Item) => ItemSpan },
): ItemChange<Item>[] {
  const isPair = (was: Item, is: Item): boolean => overlap(spanOf(was), spanOf(is));
  const changes = itemChanges(before, after, { textOf, keyOf, isPair });
  const startOf = ({ was, is }: ItemChange<Item>): ItemSpan => spanOf((is ?? was)!);
  return changes.sort((a, b) => compareSpans(startOf(a), startOf(b)));
}

/** Compares by start, then by name. */
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

type Named = { readonly type: string };

type Revision = { readonly type: 'revised' };

type ItemOf<Event> = NonNullable<Extract<Event, Revision & { readonly is: unknown }>['is']>;

/** `events`: in the order of their numbers. `itemOf`: the item of an event that is not a revision; `null` if it describes none. */
export function describedItems<Event extends Named>(
  events: Iterable<Event>,
  keyOf: (item: ItemOf<Event>) => string,
  itemOf: (event: Exclude<Event, Revision>) => ItemOf<Event> | null,
): ItemOf<Event>[] {
  const described = new Map<string, ItemOf<Event>>();
  for (const event of events) {
    let is: ItemOf<Event> | null;
    if (event.type === 'revised') {
      const revision = event as unknown as { readonly [Side in 'was' | 'is']: ItemOf<Event> | null };
      if (revision.was !== null) described.delete(keyOf(revision.was));
      is = revision.is;
    } else is = itemOf(event as Exclude<Event, Revision>);
    if (is !== null) described.set(keyOf(is), is);
  }
  return [...described.values()];
}
