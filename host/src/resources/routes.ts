/** Routes. */

import type { FastifyInstance } from 'fastify';
import { RouteInputSchema, RouteSchema } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { declareList, declareRead, declareWrites, type Kind } from './crud.js';
import { declareRouteMatch } from './declareRouteMatch.js';

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
