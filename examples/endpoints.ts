/**
 * The platform's endpoints in Fastify: wayzone decides, the host keeps the rows. `npx tsx examples/endpoints.ts` listens on port 3000
 * and describes itself at /openapi.json.
 */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import swagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type RawServerDefault } from 'fastify';
import { Type } from 'typebox';
import { completeGeozone, type Geozone, lineToPolygon, notFound, WayzoneError, ZoneIndex } from 'wayzone';
import { toFeatureCollection, toKml } from 'wayzone/interchange';
import { filterGeozones } from 'wayzone/listing';
import { buildRouting } from 'wayzone/routing';
import {
  FilterQuerySchema,
  filterAnswerSchema,
  GeozoneInputSchema,
  GeozoneSchema,
  MapFeatureCollectionSchema,
  RoutingAnswerSchema,
  validateGeozone,
  WireErrorSchema,
} from 'wayzone/schemas';

type Host = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export async function endpoints(): Promise<Host> {
  const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();
  const zones = new Map<string, Geozone>();
  const index = new ZoneIndex<Geozone>([]);

  await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Geozones', version: '1' } } });
  // The schemas describe; wayzone's validators judge, so that every field error comes in the platform's form.
  app.setValidatorCompiler(() => (value) => ({ value }));
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof WayzoneError) return reply.code(error.status).send(error.toJSON());
    throw error;
  });

  app.post(
    '/geozones',
    { schema: { body: GeozoneInputSchema, response: { 200: GeozoneSchema } } },
    ({ body }) => {
      const id = randomUUID();
      const zone = completeGeozone({ ...validateGeozone(body), id, created: new Date().toISOString() });
      index.add(zone);
      zones.set(id, zone);
      return zone;
    },
  );

  app.post(
    '/geozones/filter',
    { schema: { body: FilterQuerySchema, response: { 200: filterAnswerSchema(GeozoneSchema) } } },
    (request) => filterGeozones([...zones.values()], request.body, { language: 'ru' }),
  );

  app.delete(
    '/geozones/:id',
    {
      schema: {
        params: Type.Object({ id: Type.String() }),
        response: { 200: GeozoneSchema, 400: WireErrorSchema },
      },
    },
    ({ params: { id } }) => {
      const zone = zones.get(id);
      if (zone === undefined) throw notFound('geozone', id);
      const deleted = { ...zone, is_delete: true };
      zones.set(id, deleted);
      index.remove(id);
      return deleted;
    },
  );

  app.post('/line-to-polygon', (request) =>
    lineToPolygon(request.body as Parameters<typeof lineToPolygon>[0]),
  );

  app.get('/geozones/map', { schema: { response: { 200: MapFeatureCollectionSchema } } }, () =>
    toFeatureCollection([...zones.values()]),
  );

  app.get('/geozones/export.kml', (_request, reply) =>
    reply.type('application/vnd.google-earth.kml+xml').send(toKml([...zones.values()])),
  );

  app.get(
    '/positions/:lon/:lat/geozones',
    { schema: { params: Type.Object({ lon: Type.String(), lat: Type.String() }) } },
    ({ params }) => index.at([Number(params.lon), Number(params.lat)]),
  );

  app.get(
    '/routing/:points',
    { schema: { params: Type.Object({ points: Type.String() }), response: { 200: RoutingAnswerSchema } } },
    ({ params }) => buildRouting(params.points, { optimize: true, language: 'ru', axisOrder: 'latlon' }),
  );

  app.get('/openapi.json', () => app.swagger());
  await app.ready();
  return app;
}

if (process.argv[1] === import.meta.filename) {
  const app = await endpoints();
  console.log(await app.listen({ port: 3000 }));
}
