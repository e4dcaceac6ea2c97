/** Visits and speeding on a track that the request carries, in the company's geozones. Nothing is stored. */

import type { FastifyInstance } from 'fastify';
import {
  MeasuredVisitSchema,
  MeasureSchema,
  SpeedingSchema,
  ZoneRunSchema,
  ZoneSumSchema,
} from 'wayzone/schemas';
import type { Context } from '../context.js';
import type { Given } from '../jobs/compute.js';
import { bodyTextOf, declare } from '../operation.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { readTextsSince } from '../storage/rowTexts.js';
import { REJECTED } from '../unitSchemas.js';
import { TRACK_BODIES } from '../work/trackBodies.js';
import { isSpeedLimit, readZoneRules, thresholdsOf } from '../zones/zoneRules.js';
import { sendJson } from './sendTexts.js';

const TAG = 'tracks';
const listOf = (items: object): object => ({ type: 'array', items });

export function tracksResource(app: FastifyInstance, context: Context): void {
  declare(app, {
    method: 'POST',
    url: '/tracks/ledger',
    summary: 'What a unit did in the company’s geozones: measured visits, and mileage by zone and local day',
    tags: [TAG],
    body: TRACK_BODIES.ledger,
    answer: {
      type: 'object',
      required: ['total', 'visits', 'runs', 'sums', 'rejected'],
      properties: {
        total: MeasureSchema,
        visits: listOf(MeasuredVisitSchema),
        runs: listOf(ZoneRunSchema),
        sums: listOf(ZoneSumSchema),
        rejected: REJECTED,
      },
    },
    hasTextBody: true,
    async handler({ access: { companyId }, body }, reply) {
      const timeZone = await timeZoneOf(context.storage, companyId);
      const input = { body: bodyTextOf(body), timeZone };
      const zones = await givenIndexOf(context, companyId);
      return sendJson(reply, await context.compute.run(companyId, 'ledger', input, zones));
    },
  });

  declare(app, {
    method: 'POST',
    url: '/tracks/speeding',
    summary:
      'Where a unit exceeded its limit or that of a geozone: its field speed_limit, or zoneLimits of the request',
    tags: [TAG],
    description: 'Fixes that cannot be used are left out; `/tracks/ledger` counts them.',
    body: TRACK_BODIES.speeding,
    answer: listOf(SpeedingSchema),
    hasTextBody: true,
    async handler({ access: { companyId }, body }, reply) {
      const zones = await givenIndexOf(context, companyId);
      const { version } = await context.zones.zonesOf(companyId);
      const { plain } = await readZoneRules(context.storage.db, companyId, version);
      const limits = plain.zones.flatMap(({ id, speed_limit: kph }) =>
        isSpeedLimit(kph) ? [[id, kph]] : [],
      );
      const input = {
        body: bodyTextOf(body),
        limits: Object.fromEntries(limits),
        thresholds: thresholdsOf(plain.strictness.company),
      };
      return sendJson(reply, await context.compute.run(companyId, 'speeding', input, zones));
    },
  });
}

/** The company's index as computations take it. */
export async function givenIndexOf({ storage, zones }: Context, companyId: string): Promise<Given> {
  const { base } = await zones.zonesOf(companyId);
  const changes = (): AsyncIterable<string> => readTextsSince(storage.db, companyId, base.version);
  return { buffer: base.index, pages: { changes } };
}
