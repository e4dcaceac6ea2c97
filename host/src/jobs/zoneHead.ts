/** Heads of geozones: the fields by which lists are filtered and sorted. */

import type { Geozone } from 'wayzone';

/** The fields that the library's lists read of a geozone. */
const FIELDS = ['name', 'created', 'is_delete', 'companies'] as const;
/** Dictionary entries. Lists read only their key. */
const ENTRIES = ['icon', 'color', 'type'] as const;

export type ZoneHead = { readonly id: string } & Readonly<Record<string, unknown>>;

export function headOf(row: Geozone & { readonly id: string }): ZoneHead {
  const head: Record<string, unknown> = {};
  const fields = row as unknown as Readonly<Record<string, unknown>>;
  for (const name of FIELDS) if (Object.hasOwn(fields, name)) head[name] = fields[name];
  for (const name of ENTRIES) {
    if (!Object.hasOwn(fields, name)) continue;
    const { key } = Object(fields[name]) as Readonly<Record<string, unknown>>;
    if (key !== undefined) head[name] = { key };
  }
  return { ...head, id: row.id };
}
