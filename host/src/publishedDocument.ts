/** The published OpenAPI document: the declarations of the routes, with the error answers defined once. */

import type { FastifyInstance } from 'fastify';

const REFUSAL = { $ref: '#/components/responses/Refusal' } as const;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: object;
}

export function publishedDocument(app: FastifyInstance): Document {
  const document = app.swagger() as unknown as Document;
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, one]) => [method, refer(one)])),
  ]);
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const responses = { Refusal: { description: 'Why the request was refused', content } };
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, responses },
  };
}

function refer(operation: unknown): unknown {
  const { responses, ...rest } = operation as { readonly responses: Readonly<Record<string, unknown>> };
  const named = Object.entries(responses).map(([status, response]) => [
    status,
    Number(status) >= 400 ? REFUSAL : response,
  ]);
  return { ...rest, responses: Object.fromEntries(named) };
}
