/** Which parts of a route a track covers. Nothing is stored. */

import type { FastifyInstance } from 'fastify';
import { notFound, type Pair, type Route, WayzoneError } from 'wayzone';
import { RouteReportSchema } from 'wayzone/schemas';
import { type Fix, matchRoute, prepareRoute, readTrack } from 'wayzone/tracks';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { readRow, type WireRow } from '../storage/rows.js';
import { lineOfRoute } from '../stream/lineOfRoute.js';

const NUMBER = { type: 'number' };
const { properties } = RouteReportSchema as unknown as { readonly properties: object };
const MATCH = {
  ...properties,
  lengthMeters: NUMBER,
  along: {
    type: 'array',
    items: NUMBER,
    description: 'metres along the route of each fix that was read; -1 off the route',
  },
};

export function declareRouteMatch(app: FastifyInstance, { storage }: Context): void {
  declare(app, {
    method: 'POST',
    url: '/routes/:id/match',
    summary:
      'Which parts of a route a track covers. The line runs through points and centres of circles and along lines, in their order',
    tags: ['routes'],
    params: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    body: {
      type: 'object',
      required: ['fixes', 'width'],
      properties: {
        fixes: { type: 'array', items: { type: 'object' } },
        width: { ...NUMBER, description: 'metres, the whole width of the corridor' },
      },
    },
    answer: { type: 'object', required: Object.keys(MATCH), properties: MATCH },
    async handler({ access, params, body }) {
      const id = params['id']!;
      const stored = await readRow<Route & WireRow>(storage.db, 'routes', access.companyId, id);
      if (stored === null || stored.row.is_delete === true) throw notFound('route', id);
      const { fixes, width } = body as { readonly fixes: readonly Fix[]; readonly width: number };
      const route = prepareRoute(lineOf(stored.row));
      const match = matchRoute(readTrack(fixes), route, { widthMeters: width });
      return { ...match, along: Array.from(match.along), lengthMeters: route.lengthMeters };
    },
  });
}

/** Errors: `route-type` for a polygon. */
function lineOf(route: Route): Pair[] {
  const found = lineOfRoute(route);
  if ('line' in found) return found.line;
  const message = 'expected a route of points, circles and lines, received a polygon';
  throw new WayzoneError('route-type', `points[${found.polygon}].type.key`, message);
}
