/** Routes. */

import type { FastifyInstance } from 'fastify';
import { RouteInputSchema, RouteReportSchema, RouteSchema } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { bodyTextOf, declare } from '../operation.js';
import { NUMBER, WITH_ID } from '../schemaParts.js';
import { liveRow } from '../storage/rows.js';
import { REJECTED } from '../unitSchemas.js';
import { TRACK_BODIES } from '../work/trackBodies.js';
import { declareList, declareRead, declareWrites, type Kind } from './crud.js';
import { sendJson } from './sendTexts.js';

const { properties } = RouteReportSchema as unknown as { readonly properties: object };

const MATCH = {
  ...properties,
  lengthMeters: NUMBER,
  rejected: REJECTED,
  along: {
    type: 'array',
    items: NUMBER,
    description: 'metres along the route of each fix that was read; -1 off the route',
  },
};

export function routesResource(app: FastifyInstance, context: Context): void {
  const kind: Kind & { readonly table: 'routes' } = {
    table: 'routes',
    url: '/routes',
    tag: 'routes',
    inputSchema: RouteInputSchema,
    schema: RouteSchema,
    hasCompany: true,
    complete: 'route',
  };
  declareRead(app, context, kind);
  declareWrites(app, context, kind);
  declareList(app, context, kind);
  declareRouteMatch(app, context);
}

/** Declares the operation that tells which parts of a route a track covers. Nothing is stored. */
function declareRouteMatch(app: FastifyInstance, { storage, compute }: Context): void {
  declare(app, {
    method: 'POST',
    url: '/routes/:id/match',
    summary:
      'Which parts of a route a track covers. The line runs through points and centres of circles and along lines, in their order',
    tags: ['routes'],
    params: WITH_ID,
    body: TRACK_BODIES.match,
    answer: { type: 'object', required: Object.keys(MATCH), properties: MATCH },
    hasTextBody: true,
    async handler({ access, params, body }, reply) {
      const { row: route } = await liveRow(storage.db, 'routes', access.companyId, params.id);
      const input = { body: bodyTextOf(body), route };
      return sendJson(reply, await compute.run(access.companyId, 'match', input));
    },
  });
}
