/** Trips, their reports and the work types that they name. */

import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { notFound, WayzoneError } from 'wayzone';
import { changedWindow, chargesOf, rowChanges } from 'wayzone/operator';
import { type Trip, TripReportSchema, TripSchema } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { fixTexts, unitOf } from '../live/fixes.js';
import { declare } from '../operation.js';
import { MOST_INDEXED, WITH_ID } from '../schemaParts.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { readRow, type WireRow } from '../storage/rows.js';
import { spanOf } from '../stream/spanOf.js';
import { declareList, declareRead, declareWrites, type Kind } from './crud.js';
import { checkKeptChanges, declareTripChanges } from './declareTripChanges.js';
import { sendJson } from './sendTexts.js';
import { checkTripIds, TRIP_INPUT } from './tripInput.js';

export function tripsResource(app: FastifyInstance, context: Context): void {
  const kind: Kind & { readonly table: 'trips' } = {
    table: 'trips',
    url: '/trips',
    tag: 'trips',
    inputSchema: TRIP_INPUT,
    schema: TripSchema,
    hasCompany: true,
    complete: 'trip',
    kept: ['changes'],
    checkKept: (companyId, row) => checkKeptChanges(context, companyId, row),
    async within({ trx, companyId }, row) {
      const { unit, work_types: workTypes, is_delete: isDeleted } = row as unknown as Trip & WireRow;
      if (isDeleted === true) return;
      await unitOf({ db: trx }, companyId, unit.id, 'unit.id');
      if ((workTypes ?? []).length === 0) return;
      const long = workTypes!.findIndex((name) => name.length > MOST_INDEXED);
      if (long !== -1)
        throw new WayzoneError(
          'option-value',
          `work_types[${long}]`,
          `expected at most ${MOST_INDEXED} characters, received ${workTypes![long]!.length}`,
        );
      // One statement: a list may have some ten thousand.
      await sql`
        insert into work_types (company_id, name)
        select ${companyId}, name from jsonb_array_elements_text(${JSON.stringify(workTypes)}::jsonb)
          with ordinality as used(name, place)
        order by place on conflict do nothing`.execute(trx);
    },
  };
  declareRead(app, context, kind);
  declareWrites(app, context, {
    ...kind,
    async within(writer, row, access) {
      if (row.is_delete !== true) await checkTripIds(writer.trx, writer.companyId, row);
      await kind.within!(writer, row, access);
    },
  });
  declareList(app, context, kind);
  declareTripChanges(app, context, kind);

  declare(app, {
    method: 'GET',
    url: '/trips/:id/report',
    summary: 'The report of a trip on one of its dates',
    tags: [kind.tag],
    params: WITH_ID,
    querystring: { type: 'object', required: ['date'], properties: { date: { type: 'string' } } },
    answer: TripReportSchema,
    async handler({ access, params, query }, reply) {
      const { id } = params;
      const stored = await readRow(context.storage.db, 'trips', access.companyId, id);
      if (stored === null) throw notFound('trip', id);
      const trip = stored.row as unknown as Trip;
      const timeZone = await timeZoneOf(context.storage, access.companyId);
      const { date } = query;
      const window = changedWindow(trip, date, { timeZone });
      // Uses the same fixes as the stream, so that its events equal those of the report.
      const { from, to } = spanOf(window);
      const charges = chargesOf(trip.unit.id, rowChanges(trip, date));
      const fixesOf = async function* (wanted: string): AsyncGenerator<string> {
        for (const { unitId, ...charge } of charges) {
          const [first, last] = [Math.max(from, charge.from), Math.min(to, charge.to - 1)];
          if (unitId === wanted && first <= last)
            yield* fixTexts(context.storage, access.companyId, unitId, first, last);
        }
      };
      const pages = Object.fromEntries(charges.map(({ unitId }) => [unitId, () => fixesOf(unitId)]));
      const input = { trip, date, timeZone, now: Math.min(context.now(), window.to) };
      const text = await context.compute.run(access.companyId, 'report', input, { pages });
      return sendJson(reply, text);
    },
  });

  declare(app, {
    method: 'GET',
    url: '/work_types',
    summary: 'The work types that trips have ever named, in the order of their first use',
    tags: [kind.tag],
    answer: { type: 'array', items: { type: 'string' } },
    async handler({ access }) {
      const rows = await context.storage.db
        .selectFrom('work_types')
        .select('name')
        .where('company_id', '=', access.companyId)
        .orderBy('ordinal')
        .execute();
      return rows.map(({ name }) => name);
    },
  });
}
