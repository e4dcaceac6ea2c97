/** `/routing`: a route through points in their best order, along roads if a router is configured. */

import type { FastifyInstance } from 'fastify';
import { buildRouting, osrmEngine, straightLineEngine, valhallaEngine } from 'wayzone/routing';
import { RoutingAnswerSchema } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { languageOf } from './crud.js';

export function routingResource(app: FastifyInstance, { settings }: Context): void {
  const { routerUrl: url, routerKind } = settings;
  const engine =
    url === null
      ? straightLineEngine()
      : routerKind === 'osrm'
        ? osrmEngine({ url, fetch })
        : valhallaEngine({ url, fetch });
  declare(app, {
    method: 'GET',
    url: '/routing/:points',
    summary: 'The route through up to ten points, `lat,lon;lat,lon`',
    tags: ['routing'],
    params: { type: 'object', required: ['points'], properties: { points: { type: 'string' } } },
    querystring: {
      type: 'object',
      properties: { optimize: { type: 'boolean', default: false }, language: { type: 'string' } },
    },
    answer: RoutingAnswerSchema,
    handler: (request) =>
      buildRouting(request.params.points, {
        engine,
        optimize: request.query.optimize === true,
        language: request.query.language ?? languageOf(request),
        axisOrder: 'latlon',
      }),
  });
}
