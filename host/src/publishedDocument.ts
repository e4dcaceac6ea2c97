/**
 * The published OpenAPI document: the declarations of the routes, with the error answers and headers defined once, and the examples of
 * `examples.json`, which `test/document.test.ts` records.
 */

import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import {
  ExportRequestSchema,
  FilterQuerySchema,
  GeozoneGroupInputSchema,
  GeozoneGroupSchema,
  RouteInputSchema,
  RouteSchema,
  TripReportSchema,
  TripSchema,
  WireErrorSchema,
} from 'wayzone/schemas';
import { HOST_FOLDER } from './jobs/jobProcesses.js';
import { EVENT_SCHEMA } from './live/eventSchema.js';
import { CUSTOM_GEOZONE_TYPE, GEOZONE, GEOZONE_INPUT } from './resources/geozoneInput.js';
import { TRIP_INPUT } from './resources/tripInput.js';
import { TEXT } from './schemaParts.js';
import { settableSchema } from './work/completeRow.js';

/** Ordered so that a schema precedes each schema that contains it. */
const COMPONENTS: Readonly<Record<string, object>> = {
  Error: WireErrorSchema,
  FilterQuery: FilterQuerySchema,
  Geozone: GEOZONE,
  GeozoneInput: settableSchema(GEOZONE_INPUT),
  GeozoneGroup: GeozoneGroupSchema,
  GeozoneGroupInput: settableSchema(GeozoneGroupInputSchema),
  CustomGeozoneType: CUSTOM_GEOZONE_TYPE,
  CustomGeozoneTypeInput: settableSchema(CUSTOM_GEOZONE_TYPE),
  ExportRequest: ExportRequestSchema,
  Route: RouteSchema,
  RouteInput: settableSchema(RouteInputSchema),
  Trip: TripSchema,
  TripInput: settableSchema(TRIP_INPUT, ['changes']),
  TripReport: TripReportSchema,
  Event: EVENT_SCHEMA,
};
const NAMES = new Map(
  Object.entries(COMPONENTS).map(([name, schema]) => [JSON.stringify(schema), name] as const),
);
/** Results of `referred`: most schemas are parts of many operations. */
const REFERRED = new WeakMap<object, unknown>();

type Responses = Readonly<Record<string, object>>;

interface Content {
  readonly content?: Readonly<Record<string, object>>;
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly responses: Responses;
  readonly requestBody?: Content;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

/** A recorded request and answer of an operation. */
export interface Example {
  readonly body?: unknown;
  readonly answer?: unknown;
}

const REQUEST_ID = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
/** Headers that the document defines once. */
const HEADERS = {
  RequestId: { description: 'The id of the request in the host’s log', schema: TEXT },
  Etag: {
    description: 'The version of the answer, for If-None-Match and If-Match',
    schema: TEXT,
  },
  RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer' } },
  Authenticate: { description: '`Bearer`', schema: TEXT },
  Disposition: { description: 'The name of the file', schema: TEXT },
};
/** Media types of answers that are written row by row, without a tag. */
const STREAMED: ReadonlySet<string> = new Set(['text/event-stream', 'application/x-ndjson']);
const REFUSAL = 'Why the request was refused';
const FAILURE = 'The host failed; the request may be sent again';

/** The name of the defined answer of an error status. */
function refusalOf(status: number): string {
  if (status === 401) return 'Unauthorized';
  if (status === 429) return 'TooMany';
  return status >= 500 ? 'Failure' : 'Refusal';
}

/** The document of an application whose routes are all declared. `servers`: its base addresses. */
export function publishedDocument(app: FastifyInstance, servers: readonly string[]): object {
  const document = app.swagger() as unknown as Document;
  const examples = recordedExamples();
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, one]) => [
        method,
        completed(method, one, examples[one.operationId]),
      ]),
    ),
  ]);
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const answerOf = (description: string, headers: object = {}): object => ({
    description,
    headers: { ...REQUEST_ID, ...headers },
    content,
  });
  return {
    ...document,
    servers: servers.map((url) => ({ url })),
    paths: Object.fromEntries(paths) as object,
    components: {
      ...document.components,
      headers: HEADERS,
      responses: {
        Refusal: answerOf(REFUSAL),
        Unauthorized: answerOf('The credential is missing, unknown or expired', {
          'www-authenticate': { $ref: '#/components/headers/Authenticate' },
        }),
        TooMany: answerOf('More requests than the limit', {
          'retry-after': { $ref: '#/components/headers/RetryAfter' },
        }),
        Failure: answerOf(FAILURE),
        NotModified: {
          description: 'The client’s version (If-None-Match) is the present one',
          headers: { ...REQUEST_ID, etag: { $ref: '#/components/headers/Etag' } },
        },
      },
    },
  };
}

function recordedExamples(): Readonly<Record<string, Example>> {
  return JSON.parse(readFileSync(new URL('examples.json', HOST_FOLDER), 'utf8')) as Record<string, Example>;
}

function completed(method: string, operation: Operation, example: Example = {}): object {
  const { responses, requestBody } = operation;
  const isRead = method === 'get';
  const named = Object.entries(responses).map(([status, response]) => [
    status,
    Number(status) >= 400
      ? { $ref: `#/components/responses/${refusalOf(Number(status))}` }
      : success(response as Content, example.answer),
  ]);
  return {
    ...operation,
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, ...withExample(requestBody, example.body) } }),
    responses: {
      ...Object.fromEntries(named),
      ...(isRead ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
    },
  };
}

function success(response: Content, example: unknown): object {
  const types = Object.keys(response.content ?? {});
  const isFile = types.some((type) => type.startsWith('application/vnd.'));
  const isTagged = types.every((type) => !STREAMED.has(type));
  return {
    ...response,
    headers: {
      ...REQUEST_ID,
      ...(isTagged ? { etag: { $ref: '#/components/headers/Etag' } } : {}),
      ...(isFile ? { 'content-disposition': { $ref: '#/components/headers/Disposition' } } : {}),
    },
    ...withExample(response, example),
  };
}

function withExample({ content = {} }: Content, example: unknown): Content {
  if (example === undefined) return { content };
  const json = content['application/json'];
  return json === undefined
    ? { content }
    : { content: { ...content, 'application/json': { ...json, example } } };
}

/** Tags of operations, each with a description. */
const TAGS: Readonly<Record<string, string>> = {
  geozones: 'Areas on the map: read, write, list, import, export, hours',
  'geozone groups': 'Named sets of geozones',
  'custom geozone types': 'A company’s own kinds of geozones, with their pictures',
  routes: 'Sequences of points, and tracks matched to them',
  trips: 'Planned passages of units, and their reports',
  tiles: 'Geozones as vector tiles',
  fleet: 'What all units of a company did in a period',
  tracks: 'Computations on tracks that the request carries',
  routing: 'A way through points',
  dictionaries: 'Closed lists of values in the caller’s language',
  access: 'The caller: role, companies, allowed actions',
  company: 'Properties and roles of a company',
  history: 'Who changed what and when',
  keys: 'API keys of a company',
  units: 'Tracked objects: fields, tracks, visits, movement',
  positions: 'Fixes of units',
  events: 'Live events of a company',
  deliveries: 'Events sent to other systems, and rules that choose them',
  locators: 'The position of a unit, shared for a limited time',
};
export const OPENAPI: object = {
  openapi: '3.1.0',
  info: {
    title: 'Geozones, routes and trips',
    version: '1.5.0',
    summary: 'Geozones, routes and trips of a fleet',
    description:
      'Operations of the fleet platform. Every error has the form `Error`. Times are `yyyy-MM-dd HH:mm:ss` on the company’s clock, or epoch milliseconds where the field says so. `GET` answers have an `ETag`; with `If-None-Match` an unchanged answer is 304.',
    contact: { name: 'wayzone', url: 'https://git.example.org/wayzone/issues' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A signed token' },
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'user_company_api_key',
        description: 'A key of POST /users/{id}/create_token',
      },
      ticket: {
        type: 'apiKey',
        in: 'query',
        name: 'ticket',
        description: 'A ticket of POST /tickets; opens one stream',
      },
    },
  },
};

export function addComponents(app: FastifyInstance): void {
  for (const [name, schema] of Object.entries(COMPONENTS)) app.addSchema({ ...schema, $id: name });
}

/** The schema with references to components in place of their copies. */
export function referred(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (!REFERRED.has(schema)) REFERRED.set(schema, withReferences(schema));
  return REFERRED.get(schema);
}

function withReferences(schema: object): unknown {
  if (Array.isArray(schema)) return schema.map(referred);
  const name = NAMES.get(JSON.stringify(schema));
  if (name !== undefined) return { $ref: `${name}#` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referred(value)]));
}
