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

/** A head with the names of the geozone's fields. Of dictionary entries lists read the key alone. */
export function headOf([id, name, created, isDelete, companies, icon, color, type]: HeadCells): ZoneHead {
  return {
    id,
    ...(name === null ? {} : { name }),
    ...(created === null ? {} : { created }),
    ...(isDelete === null ? {} : { is_delete: isDelete }),
    ...(companies === null ? {} : { companies }),
    ...(icon === null ? {} : { icon: { key: icon } }),
    ...(color === null ? {} : { color: { key: color } }),
    ...(type === null ? {} : { type: { key: type } }),
  };
}
