/** Checks every response that a test receives against the published document. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';

export interface ApiOperation {
  readonly 'x-min-role': string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface Checker {
  readonly document: ApiDocument;
  readonly patterns: readonly (readonly [RegExp, string])[];
  readonly ajv: Ajv2020;
}

const checkers = new WeakMap<FastifyInstance, Promise<Checker>>();
/** By the text of the document: most hosts of a worker publish the same one, and to compile its schemas takes seconds. */
const byText = new Map<string, Checker>();

export async function documentOf(app: FastifyInstance): Promise<ApiDocument> {
  return (await checkerOf(app)).document;
}

function checkerOf(app: FastifyInstance): Promise<Checker> {
  const made = checkers.get(app) ?? make(app);
  checkers.set(app, made);
  return made;
}

async function make(app: FastifyInstance): Promise<Checker> {
  const { body } = await app.inject({ url: '/api_v1/openapi.json' });
  const known = byText.get(body);
  if (known !== undefined) return known;
  const document = JSON.parse(body) as ApiDocument;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema(document, 'api');
  // Fixed paths come before paths with parameters, so that `map` in `/geozones/map` is not an id.
  const patterns = Object.keys(document.paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => [new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), path] as const);
  const made = { document, patterns, ajv };
  byText.set(body, made);
  return made;
}

/** Throws if the status or the body does not match the document. An undocumented path may only be answered 401 or 404. */
export async function checkAnswer(
  app: FastifyInstance,
  method: string,
  url: string,
  answer: {
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: string;
  },
): Promise<void> {
  const { document, patterns, ajv } = await checkerOf(app);
  const address = `/api_v1${url.split('?')[0]}`;
  const path = patterns.find(
    ([pattern, known]) => pattern.test(address) && document.paths[known]?.[method.toLowerCase()],
  )?.[1];
  const { statusCode: status } = answer;
  const type = answer.headers['content-type'];
  const mediaType = typeof type === 'string' ? type.split(';')[0]! : '';
  const at = `${method} ${url} answered ${status} ${mediaType} ${answer.body.slice(0, 500)}`;
  if (path !== undefined) {
    const response = document.paths[path]![method.toLowerCase()]!.responses[status];
    if (response === undefined) throw new Error(`expected a documented status: ${at}`);
    if (status === 200) {
      if (response.content?.[mediaType] === undefined)
        throw new Error(`expected a documented media type: ${at}`);
      if (mediaType !== 'application/json') return;
      const schema = [path, method.toLowerCase(), 'responses', '200', 'content', mediaType, 'schema']
        .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
        .join('/');
      return check(validatorOf(ajv, `api#/paths/${schema}`), answer.body, at);
    }
  }
  if (status >= 400) {
    if (mediaType !== 'application/json') throw new Error(`expected the error's form: ${at}`);
    check(validatorOf(ajv, 'api#/components/schemas/Error'), answer.body, at);
  }
}

const compiled = new WeakMap<Ajv2020, Map<string, ValidateFunction>>();

function validatorOf(ajv: Ajv2020, ref: string): ValidateFunction {
  const known = compiled.get(ajv) ?? new Map<string, ValidateFunction>();
  compiled.set(ajv, known);
  const validator = known.get(ref) ?? ajv.compile({ $ref: encodeURI(ref) });
  known.set(ref, validator);
  return validator;
}

function check(validator: ValidateFunction, body: string, at: string): void {
  if (!validator(JSON.parse(body)))
    throw new Error(`expected the documented shape: ${at}\n${JSON.stringify(validator.errors?.slice(0, 3))}`);
}
