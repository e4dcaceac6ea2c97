import { type WireRow, write } from '../src/storage/rows.js';
import type { Storage } from '../src/storage/storage.js';

export interface CompanyRows {
  readonly timeZone?: string;
  /** Zones of version 1. Without zones the company has version 0. */
  readonly zones?: readonly object[];
  /** The id serves as name and device key. */
  readonly units?: readonly { readonly id: string; readonly settings?: object }[];
}

/** Writes a company with its zones and units to the tables, without a server. Its name is the id. */
export async function addCompany(
  storage: Storage,
  id: string,
  { timeZone = 'UTC', zones = [], units = [] }: CompanyRows = {},
): Promise<void> {
  await storage.db
    .insertInto('companies')
    .values({ id, name: id, time_zone: timeZone, zones_version: 0, properties: '{}' })
    .execute();
  if (zones.length > 0)
    await write(storage, id, (writer) => writer.insert('geozones', zones as readonly WireRow[]));
  for (let from = 0; from < units.length; from += 1000)
    await storage.db
      .insertInto('units')
      .values(
        units.slice(from, from + 1000).map(({ id: unitId, settings = {} }) => ({
          id: unitId,
          company_id: id,
          name: unitId,
          device_key: unitId,
          settings: JSON.stringify(settings),
        })),
      )
      .execute();
}
