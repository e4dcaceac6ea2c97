/** Items that the events of one kind describe after all revisions. */

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
