/** When a geozone is open: its field `hours` on the company's clock and holidays. */

import type { FastifyInstance } from 'fastify';
import { type Geozone, notFound, WayzoneError } from 'wayzone';
import { type Hours, prepareHours, type YearHolidays } from 'wayzone/hours';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { TIME, WITH_ID } from '../schemaParts.js';
import { readRow, type WireRow } from '../storage/rows.js';
import { timeZoneOf } from './crud.js';
import { SPAN_QUERY, timeOf } from './times.js';

/** Longest span of an answer. */
const MAX_SPAN_MS = 366 * 86_400_000;

type ZoneRow = Geozone & WireRow & { readonly hours?: Hours | null };

const SPAN = { type: 'object', required: ['from', 'to'], properties: { from: TIME, to: TIME } };

export function declareZoneHours(app: FastifyInstance, context: Context): void {
  declare(app, {
    method: 'GET',
    url: '/geozones/:id/hours',
    summary:
      'The spans in which a geozone is open, by its field hours and the company’s time zone and holidays; without hours always',
    tags: ['geozones'],
    params: WITH_ID,
    querystring: SPAN_QUERY,
    answer: { type: 'array', items: SPAN },
    async handler({ access: { companyId }, params, query }) {
      const { db } = context.storage;
      const id = params.id;
      const stored = await readRow<ZoneRow>(db, 'geozones', companyId, id);
      if (stored === null || stored.row.is_delete === true) throw notFound('geozone', id);
      const timeZone = await timeZoneOf(context, companyId);
      const from = timeOf(query.from, 'from', timeZone);
      const to = timeOf(query.to, 'to', timeZone);
      if (to - from > MAX_SPAN_MS)
        throw new WayzoneError('option-value', 'to', 'expected at most 366 days after from, received more');
      const company = await db
        .selectFrom('companies')
        .select('properties')
        .where('id', '=', companyId)
        .executeTakeFirst();
      const holidays = (company?.properties?.['holidays'] ?? []) as readonly YearHolidays[];
      return prepareHours(stored.row.hours ?? {}, { timeZone, holidays }).spans(from, to);
    },
  });
}
