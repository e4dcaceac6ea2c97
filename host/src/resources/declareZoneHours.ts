/** When a geozone is open: its field `hours` on the company's clock and holidays. */

import type { FastifyInstance } from 'fastify';
import { type Geozone, WayzoneError } from 'wayzone';
import { type Hours, prepareHours } from 'wayzone/hours';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { TIME, WITH_ID } from '../schemaParts.js';
import { companyOf } from '../storage/companyOf.js';
import { liveRow, type WireRow } from '../storage/rows.js';
import { readSpan, SPAN_QUERY } from './times.js';

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
      const { row } = await liveRow<ZoneRow>(db, 'geozones', companyId, params.id);
      const { timeZone, holidays } = await companyOf(db, companyId);
      const { from, to } = readSpan(query, timeZone);
      if (to - from > MAX_SPAN_MS)
        throw new WayzoneError('option-value', 'to', 'expected at most 366 days after from, received more');
      return prepareHours(row.hours ?? {}, { timeZone, holidays }).spans(from, to);
    },
  });
}
