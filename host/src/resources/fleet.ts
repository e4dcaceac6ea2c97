/** Data for a map of the whole fleet: the positions of a day, and the last visits to a geozone. */

import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import type { Context } from '../context.js';
import { ownUnit } from '../live/fixes.js';
import { declare } from '../operation.js';
import { NUMBER, TEXT, TIME, WITH_ID } from '../schemaParts.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { liveRow } from '../storage/rows.js';
import { sendJson } from './sendTexts.js';
import { readSpan, SPAN_QUERY } from './times.js';

/** Longest span of `/fleet/day`: a day of 25 hours, with room. */
const MAX_SPAN_MS = 26 * 3_600_000;
const STEP_SECONDS = 30;
/** Number of the latest events of each cell in which visits are looked for. */
const SEARCHED = 20_000;
/** The same of all cells of a company together. */
const SEARCHED_IN_ALL = 200_000;
/** Number of events in one query. */
const PAGE = 4000;
const MOST_VISITS = 20;

const DAY_LINE = {
  type: 'object',
  required: ['unitId', 'fixes'],
  properties: {
    unitId: TEXT,
    fixes: {
      type: 'array',
      items: { type: 'array', items: NUMBER, minItems: 3, maxItems: 3, description: '[time, lon, lat]' },
    },
  },
};
const VISIT = {
  type: 'object',
  required: ['unitId', 'enter', 'exit'],
  properties: { unitId: TEXT, enter: TIME, exit: { type: ['integer', 'null'] } },
};

export function fleetResource(app: FastifyInstance, context: Context): void {
  const { storage, compute } = context;
  const { db } = storage;

  declare(app, {
    method: 'GET',
    url: '/fleet/day',
    summary: 'The positions of all units from `from` to `to`, one of each `seconds`, a unit a line (NDJSON)',
    tags: ['fleet'],
    querystring: {
      ...SPAN_QUERY,
      properties: {
        ...SPAN_QUERY.properties,
        seconds: { type: 'integer', minimum: 1, maximum: 3600, default: STEP_SECONDS },
      },
    },
    answer: { type: 'string', contentMediaType: 'application/json', contentSchema: DAY_LINE },
    produces: ['application/x-ndjson'],
    async handler({ access: { companyId }, query }, reply) {
      const timeZone = await timeZoneOf(storage, companyId);
      const { from, to } = readSpan(query, timeZone);
      if (to - from > MAX_SPAN_MS || to < from)
        throw new WayzoneError('option-value', 'to', 'expected at most 26 hours after from, received more');
      const step = 1000 * (query.seconds ?? STEP_SECONDS);
      const units = await db
        .selectFrom('units')
        .select('id')
        .where('company_id', '=', companyId)
        .where('is_delete', '=', false)
        .orderBy('name')
        .orderBy('id')
        .execute();
      const lines = Readable.from(linesOf(companyId, units, from, to, step), { objectMode: false });
      return reply.type('application/x-ndjson').send(lines);
    },
  });

  async function* linesOf(
    companyId: string,
    units: readonly { readonly id: string }[],
    from: number,
    to: number,
    step: number,
  ): AsyncGenerator<string> {
    // The first fix of each step.
    for (const { id } of units) {
      const { rows } = await sql<{ fixes: string | null }>`
        select json_agg(json_build_array(time, lon, lat) order by time)::text as fixes from (
          select distinct on (step) time, lon, lat from (
            select div(time::numeric, ${step}::numeric) as step, time, lon, lat from fixes
            where unit_id = ${ownUnit(companyId, id)} and time >= ${String(from)}::bigint and time <= ${String(to)}::bigint
          ) as spanned
          order by step, time
        ) as stepped`.execute(db);
      const fixes = rows[0]?.fixes ?? null;
      if (fixes !== null) yield `{"unitId":${JSON.stringify(id)},"fixes":${fixes}}\n`;
    }
  }

  declare(app, {
    method: 'GET',
    url: '/geozones/:id/visits',
    summary: `The last ${MOST_VISITS} visits to a geozone among the company’s latest events, the newest first`,
    tags: ['geozones'],
    params: WITH_ID,
    answer: { type: 'array', items: VISIT },
    async handler({ access: { companyId }, params }, reply) {
      const { id } = params;
      await liveRow(db, 'geozones', companyId, id);
      const events = (): AsyncIterable<string> => eventsOf(companyId, id);
      const text = await compute.run(companyId, 'zoneVisits', { most: MOST_VISITS }, { pages: { events } });
      return sendJson(reply, text);
    },
  });

  /** Yields pages of `[seq, ordinal, event]`: the events of the zone among the latest ones of each cell. */
  async function* eventsOf(companyId: string, zoneId: string): AsyncGenerator<string> {
    // Events of earlier versions are of other cells, which had no company.
    const { rows: cells } = await sql<{ cell: number }>`
      with recursive found as (
        (select cell from events where company_id = ${companyId} order by cell limit 1)
        union all
        select (select e.cell from events e where e.company_id = ${companyId} and e.cell > f.cell order by e.cell limit 1)
        from found f where f.cell is not null
      ) select cell as cell from found where cell is not null order by cell desc`.execute(db);
    for (const { cell } of cells) {
      let before = sql`true`;
      for (let left = Math.min(SEARCHED, Math.ceil(SEARCHED_IN_ALL / cells.length)); left > 0; left -= PAGE) {
        const { rows } = await sql<{ texts: string | null; last: readonly [string, number] | null }>`
          select string_agg(json_build_array(seq, ordinal, event)::text, ',') filter (where event->>'zoneId' = ${zoneId}) as texts,
            (array_agg(json_build_array(seq::text, ordinal) order by seq, ordinal))[1] as last
          from (
            select seq, ordinal, event from events
            where company_id = ${companyId} and cell = ${cell} and ${before}
            order by seq desc, ordinal desc limit ${Math.min(PAGE, left)}
          ) as page having count(*) > 0`.execute(db);
        const { texts, last } = rows[0] ?? { texts: null, last: null };
        if (texts !== null) yield texts;
        if (last === null) break;
        before = sql`(seq, ordinal) < (${last[0]}::bigint, ${last[1]}::integer)`;
      }
    }
  }
}
