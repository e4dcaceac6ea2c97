/** Fills an empty database with the example city: the zones and units of `fixtures/` as one company. */

import { randomUUID } from 'node:crypto';
import { completeGeozone } from 'wayzone';
import { fromGeoJson, fromKml } from 'wayzone/interchange';
import { formatPlatformTime, keepKeys } from 'wayzone/schemas';
import { type WireRow, write } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { cityDay, cityFile, TIME_ZONE } from './cityDay.js';

const NAME = 'Example city';

/** Returns the id of the company; null if the database already has companies. */
export async function seed(storage: Storage, now: number): Promise<string | null> {
  const known = await storage.db.selectFrom('companies').select('id').limit(1).executeTakeFirst();
  if (known !== undefined) return null;
  const id = randomUUID();
  await storage.db
    .insertInto('companies')
    .values({ id, name: NAME, time_zone: TIME_ZONE, zones_version: 0, properties: '{}' })
    .execute();
  const { value } = fromGeoJson(cityFile('city-zones.geojson'));
  const { value: more } = fromKml(cityFile('city-zones.kml'));
  const created = formatPlatformTime(now, { timeZone: TIME_ZONE });
  const zones = [...value.zones, ...more.zones].map(
    (zone) => ({ ...keepKeys('geozone', completeGeozone(zone)), id: randomUUID(), created }) as WireRow,
  );
  await write(storage, id, (writer) => writer.insert('geozones', zones));
  for (const { name } of cityDay())
    await storage.db
      .insertInto('units')
      .values({ id: randomUUID(), company_id: id, name, device_key: randomUUID(), settings: '{}' })
      .execute();
  return id;
}

/** The id of the example's company; null if the database has none. */
export async function exampleCompany({ db }: Storage): Promise<string | null> {
  const found = await db
    .selectFrom('companies')
    .select('id')
    .where('name', '=', NAME)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return found?.id ?? null;
}
