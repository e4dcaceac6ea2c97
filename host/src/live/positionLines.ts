/** The latest positions of a company's units as server-sent events, for clients that ask `/events` for them. */

import { sql } from 'kysely';
import type { Context } from '../context.js';
import { type FixRow, fixOfRow } from './fixes.js';

/** A unit whose last fix is older has no position. */
const SHOWN_MS = 30 * 86_400_000;

type PositionRow = FixRow & { readonly unit_id: string };

/**
 * A function that returns what is new since its last call, as lines of the stream: `positions` with the units that have a later fix, `zones`
 * with the version of the geozones. Neither has an id, so a client that reconnects gets all positions again.
 */
export function positionLines(
  { storage: { db }, zones, now }: Pick<Context, 'storage' | 'zones' | 'now'>,
  companyId: string,
): () => Promise<string> {
  const sent = new Map<string, number>();
  let version = -1;

  return async () => {
    let lines = '';
    const { rows } = await sql<PositionRow>`
      select units.id as unit_id, last.time, last.lon, last.lat, last.accuracy, last.more
      from units cross join lateral (
        select time, lon, lat, accuracy, more from fixes
        where fixes.unit_id = units.id and fixes.time > ${String(now() - SHOWN_MS)}::bigint
        order by fixes.time desc limit 1
      ) as last
      where units.company_id = ${companyId} and not units.is_delete`.execute(db);
    const changed = rows.filter(({ unit_id: id, time }) => sent.get(id) !== Number(time));
    const held = await zones.zonesOf(companyId);
    const isNewVersion = held.version !== version;
    // After an edit of zones the units of all zones may be others.
    const shown = isNewVersion ? rows : changed;
    if (shown.length > 0) {
      const units = shown.map((row) => {
        const { time, lon, lat, speedKph, courseDegrees, ignition } = fixOfRow(row);
        sent.set(row.unit_id, time);
        return {
          unitId: row.unit_id,
          time,
          lon,
          lat,
          speedKph: speedKph ?? null,
          courseDegrees: courseDegrees ?? null,
          ignition: ignition ?? null,
          zoneIds: held.index.at([lon, lat]),
        };
      });
      lines += `event: positions\ndata: ${JSON.stringify({ type: 'positions', units })}\n\n`;
    }
    if (isNewVersion) {
      version = held.version;
      lines += `event: zones\ndata: ${JSON.stringify({ type: 'zones', version })}\n\n`;
    }
    return lines;
  };
}
