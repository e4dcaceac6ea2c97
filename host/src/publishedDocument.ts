/**
 * The published OpenAPI document: the declarations of the routes, with the error answers and headers defined once, and the examples of
 * `examples.json`, which `test/document.test.ts` records.
 */

import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { HOST_FOLDER } from './jobs/hostFolder.js';
import { TEXT } from './schemaParts.js';

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
