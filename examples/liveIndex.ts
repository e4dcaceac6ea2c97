/**
 * A table of zones in PostgreSQL and an index that follows it: a trigger tells which row changed, LISTEN hears it. Nothing is missed, since
 * listening begins before the table is read, and a row that is read twice is put in twice.
 */

import type { Client } from 'pg';
import { type Geozone, ZoneIndex } from 'wayzone';

export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS geozones (id text PRIMARY KEY, body jsonb NOT NULL);
  CREATE OR REPLACE FUNCTION geozone_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- An id that was changed is both: the old one is gone, the new one has come.
    PERFORM pg_notify('geozones', id) FROM (SELECT NEW.id UNION SELECT OLD.id) AS changed(id) WHERE id IS NOT NULL;
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER geozone_changed AFTER INSERT OR UPDATE OR DELETE ON geozones
    FOR EACH ROW EXECUTE FUNCTION geozone_changed();`;

/** `onError` gets what goes wrong with a changed row: the connection, or a zone that cannot be indexed. */
export async function liveIndex(
  client: Client,
  onError: (error: unknown) => void,
): Promise<ZoneIndex<Geozone>> {
  const index = new ZoneIndex<Geozone>([]);
  // One row after another, in the order in which they changed.
  let last = Promise.resolve();
  client.on('notification', ({ payload: id = '' }) => {
    last = last.then(() => follow(client, index, id)).catch(onError);
  });
  await client.query('LISTEN geozones');
  const { rows } = await client.query<{ body: Geozone }>('SELECT body FROM geozones ORDER BY id');
  for (const { body } of rows) put(index, body);
  return index;
}

async function follow(client: Client, index: ZoneIndex<Geozone>, id: string): Promise<void> {
  const { rows } = await client.query<{ body: Geozone }>('SELECT body FROM geozones WHERE id = $1', [id]);
  if (rows[0] === undefined) index.remove(id);
  else put(index, rows[0].body);
}

function put(index: ZoneIndex<Geozone>, zone: Geozone): void {
  if (!index.update(zone)) index.add(zone);
}
