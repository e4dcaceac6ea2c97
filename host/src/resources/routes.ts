/** Routes. */

import type { FastifyInstance } from 'fastify';
import { filterRoutes } from 'wayzone/listing';
import { RouteInputSchema, RouteSchema, validateRoute } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { declareList, declareRead, declareWrites, type Kind } from './crud.js';

export function routesResource(app: FastifyInstance, context: Context): void {
  const kind: Kind = {
    table: 'routes',
    url: '/routes',
    tag: 'routes',
    notFound: 'route',
    inputSchema: RouteInputSchema,
    schema: RouteSchema,
    hasCompany: true,
    complete: (body) => validateRoute(body),
  };
  declareRead(app, context, kind);
  declareWrites(app, context, kind);
  declareList(app, context, kind, filterRoutes);
}
