/** Trips, their reports and the work types that they name. */

import type { FastifyInstance } from 'fastify';
import { notFound } from 'wayzone';
import { type FilterQuery, filterTrips, listWorkTypes } from 'wayzone/listing';
import {
  FilterQuerySchema,
  filterAnswerSchema,
  type Trip,
  TripInputSchema,
  TripReportSchema,
  TripSchema,
  validateTrip,
} from 'wayzone/schemas';
import { readTrack } from 'wayzone/tracks';
import { evaluateTrip, planTrip } from 'wayzone/trips';
import type { Context } from '../context.js';
import { fixesOf } from '../live/fixes.js';
import { declare } from '../operation.js';
import { readRow } from '../storage/rows.js';
import { declareRead, declareWrites, type Kind, languageOf, storedRows, timeZoneOf } from './crud.js';

export function tripsResource(app: FastifyInstance, context: Context): void {
  const kind: Kind = {
    table: 'trips',
    url: '/trips',
    tag: 'trips',
    notFound: 'trip',
    inputSchema: TripInputSchema,
    schema: TripSchema,
    readRole: 'VIEWER',
    writeRole: 'MANAGER',
    complete: (body) => validateTrip(body),
  };
  const rowsOf = storedRows(context, kind.table);
  declareRead(app, context, kind);
  declareWrites(app, context, kind);

  declare(app, {
    method: 'POST',
    url: '/trips/filter',
    summary: 'A page of the trips that match',
    tags: [kind.tag],
    minRole: 'VIEWER',
    body: FilterQuerySchema,
    answer: filterAnswerSchema(TripSchema),
    handler: async (request) =>
      filterTrips(
        (await rowsOf(request.access)).map(({ row }) => row),
        (request.body ?? {}) as FilterQuery,
        { language: languageOf(request) },
      ),
  });

  declare(app, {
    method: 'GET',
    url: '/trips/:id/report',
    summary: 'What became of one of a trip’s dates',
    tags: [kind.tag],
    minRole: 'VIEWER',
    params: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    querystring: { type: 'object', required: ['date'], properties: { date: { type: 'string' } } },
    answer: TripReportSchema,
    async handler({ access, params, query }) {
      const id = params['id']!;
      const stored = await readRow(context.storage.db, 'trips', access.companyId, id);
      if (stored === null) throw notFound('trip', id);
      const trip = stored.row as unknown as Trip;
      const timeZone = await timeZoneOf(context, access.companyId);
      const date = query['date'] ?? '';
      const { window } = planTrip(trip, date, { timeZone });
      const fixes = await fixesOf(context.storage, access.companyId, trip.unit.id, window.from, window.to);
      return evaluateTrip(trip, date, readTrack(fixes), {
        timeZone,
        now: Math.min(context.now(), window.to),
      });
    },
  });

  declare(app, {
    method: 'GET',
    url: '/work_types',
    summary: 'The work types that trips name',
    tags: [kind.tag],
    minRole: 'VIEWER',
    answer: { type: 'array', items: { type: 'string' } },
    handler: async ({ access }) => listWorkTypes((await rowsOf(access)).map(({ row }) => row as object)),
  });
}
