/** Routes. */

import type { FastifyInstance } from 'fastify';
import { type FilterQuery, filterRoutes } from 'wayzone/listing';
import {
  FilterQuerySchema,
  filterAnswerSchema,
  RouteInputSchema,
  RouteSchema,
  validateRoute,
} from 'wayzone/schemas';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { declareRead, declareWrites, type Kind, languageOf, storedRows } from './crud.js';

export function routesResource(app: FastifyInstance, context: Context): void {
  const kind: Kind = {
    table: 'routes',
    url: '/routes',
    tag: 'routes',
    notFound: 'route',
    inputSchema: RouteInputSchema,
    schema: RouteSchema,
    readRole: 'VIEWER',
    writeRole: 'MANAGER',
    complete: (body) => validateRoute(body),
  };
  const rowsOf = storedRows(context, kind.table);
  declareRead(app, context, kind);
  declareWrites(app, context, kind);
  declare(app, {
    method: 'POST',
    url: '/routes/filter',
    summary: 'A page of the routes that match',
    tags: [kind.tag],
    minRole: 'VIEWER',
    body: FilterQuerySchema,
    answer: filterAnswerSchema(RouteSchema),
    handler: async (request) =>
      filterRoutes(
        (await rowsOf(request.access)).map(({ row }) => row),
        (request.body ?? {}) as FilterQuery,
        { language: languageOf(request) },
      ),
  });
}
