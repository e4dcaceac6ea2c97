/** Heads of geozones: the fields by which lists are filtered and sorted. */

/** The head of a geozone as the database writes it; null for a field that the row lacks. */
export type HeadCells = readonly [
  id: string,
  name: unknown,
  created: unknown,
  isDelete: unknown,
  companies: unknown,
  icon: unknown,
  color: unknown,
  type: unknown,
];

export type ZoneHead = { readonly id: string } & Readonly<Record<string, unknown>>;

/**
 * Returns a function that gives heads the names of the geozone's fields. Of dictionary entries lists read the key alone; those of one key are one object,
 * and a field that the row lacks is null: a million heads of one form take half the time and memory of others.
 */
export function headReader(): (cells: HeadCells) => ZoneHead {
  const entries = new Map<unknown, object | null>([[null, null]]);
  const entryOf = (key: unknown): object | null => {
    const known = entries.get(key);
    if (known !== undefined) return known;
    const entry = { key };
    entries.set(key, entry);
    return entry;
  };
  return ([id, name, created, isDeleted, companies, icon, color, type]) => ({
    id,
    name,
    created,
    is_delete: isDeleted,
    companies,
    icon: entryOf(icon),
    color: entryOf(color),
    type: entryOf(type),
  });
}
