import type { Geozone, ZoneIndex, ZoneRow } from 'wayzone';

/** Adds, updates or removes the zone of a row in an index. */
export function applyRow<Row extends Geozone | ZoneRow>(
  index: ZoneIndex<Row>,
  row: Row & { readonly id: string },
): void {
  if (row.is_delete === true) index.remove(row.id);
  else if (index.has(row.id)) index.update(row);
  else index.add(row);
}
