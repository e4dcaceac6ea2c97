import fc from 'fast-check';
import Fastify from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { LONG } from '../../test/volume.js';
import { declare } from '../src/operation.js';
import { documentOf } from './checkAnswer.js';
import { SAMPLES } from './samples.js';
import { type Answer, type Caller, embedded, NOW, type TestHost, testHost } from './testHost.js';

/**
 * The document's parameters are those that the host checks: for every operation and parameter, a text outside its schema is 422 with its
 * name, and a text inside is not refused by the check. What is inside is decided here from the document, by rules of its own.
 */

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Rules;
}

interface Rules {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface Case {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly string[];
  readonly parameters: readonly Parameter[];
}

/** An answer to a stream does not end: only its refusals are asked for. */
const STREAM = 'get /events';
const RUNS = LONG ? 100 : 6;
const SEED = 20_261_128;
/** The beginning of the messages of the check. */
const REFUSED = /^expected a valid (?:address|query|headers),/;

let hosted: TestHost;
let owner: Caller;
let cases: readonly Case[];
beforeAll(async () => {
  hosted = await testHost((await embedded()).storage, { importsPerMinute: 1e6, positionsPerMinute: 1e6 });
  owner = await hosted.as(await hosted.company(), 'SUPERVISOR');
  const { paths } = await documentOf(hosted.host.app);
  cases = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path.replace('/api_v1', '')}`,
      method: method.toUpperCase(),
      path: path.replace('/api_v1', ''),
      statuses: Object.keys(operation.responses),
      parameters: (operation.parameters ?? []) as unknown as readonly Parameter[],
    })),
  );
  return () => hosted.close();
});

/** Whether the schema allows the text. */
function isInside({ type, enum: names, pattern, ...limits }: Rules, text: string): boolean {
  if (type === 'boolean') return text === 'true' || text === 'false';
  if (type === 'integer') {
    const digits = text.startsWith('-') ? text.slice(1) : text;
    const { minimum = -Infinity, maximum = Infinity } = limits;
    const isNumber =
      digits.length > 0 && digits.length <= 16 && Array.from(digits).every((c) => c >= '0' && c <= '9');
    return isNumber && Number(text) >= minimum && Number(text) <= maximum;
  }
  if (type !== 'string') throw new Error(`expected another type than ${type}`);
  const { minLength = 0, maxLength = Infinity } = limits;
  return (
    (names === undefined || names.includes(text)) &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text)) &&
    Array.from(text).length >= minLength &&
    Array.from(text).length <= maxLength
  );
}

/** Texts beside the limits of the schema, and others. Without NUL and lone surrogates, which are refused before the check. */
function texts({
  minimum,
  maximum,
  minLength = 0,
  maxLength,
  enum: names = [],
  pattern,
}: Rules): fc.Arbitrary<string> {
  const edges = [minimum, maximum].flatMap((limit) =>
    limit === undefined ? [] : [limit - 1, limit, limit + 1].map(String),
  );
  const lengths = [minLength, maxLength ?? 20].flatMap((length) => [length, length + 1]);
  return fc.oneof(
    fc.constantFrom(
      'true',
      'false',
      'TRUE',
      '1',
      '0',
      '-0',
      '007',
      '1.5',
      '1e1',
      '0x1',
      ' 1',
      '+1',
      '',
      'a,b',
      '9'.repeat(17),
    ),
    fc.constantFrom(
      ...edges,
      ...lengths.map((length) => 'x'.repeat(length)),
      ...names,
      ...names.map((name) => `${name} `),
    ),
    fc.integer().map(String),
    fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/[\0\uD800-\uDFFF]/u.test(text)),
    ...(pattern === undefined ? [] : [fc.stringMatching(new RegExp(pattern))]),
  );
}

/** The sample's request with some of its parameters replaced; `null` leaves one out. */
async function ask(one: Case, given: ReadonlyMap<Parameter, string | null>): Promise<Answer> {
  const { url, body, headers } = one.name === STREAM ? { url: '/events' } : await sampleOf(one.name);
  const [address = '', search = ''] = url.split('?');
  const names = one.path.split('/');
  const parts = address.split('/').map((part, i) => {
    const [parameter] = [...given.keys()].filter((own) => own.in === 'path' && `{${own.name}}` === names[i]);
    return parameter === undefined ? part : encodeURIComponent(given.get(parameter)!);
  });
  const query = new URLSearchParams(search);
  const more: Record<string, string> = { ...headers };
  for (const [parameter, text] of given) {
    if (parameter.in === 'query' && text === null) query.delete(parameter.name);
    else if (parameter.in === 'query') query.set(parameter.name, text!);
    else if (parameter.in === 'header' && text !== null) more[parameter.name] = text;
  }
  return owner.send(
    one.method,
    `${parts.join('/')}${query.size === 0 ? '' : `?${query.toString()}`}`,
    body,
    more,
  );
}

const samples = new Map<string, Awaited<ReturnType<(typeof SAMPLES)[string]>>>();
async function sampleOf(name: string): Promise<{ url: string; body?: unknown; headers?: object }> {
  const known = samples.get(name) ?? (await SAMPLES[name]!(owner));
  samples.set(name, known);
  return known;
}

const fieldsOf = ({ body }: Answer): string[] =>
  ((body as { errors?: { field: string }[] }).errors ?? []).map(({ field }) => field).sort();

test('a text outside its schema is 422 with its name, one inside is not refused by the check', async () => {
  let [outside, inside] = [0, 0];
  for (const one of cases)
    for (const parameter of one.parameters) {
      if (parameter.name === 'ticket') continue;
      // An empty part of an address is another address; headers have a narrower alphabet.
      const values = texts(parameter.schema).filter(
        (text) =>
          (parameter.in !== 'path' || !['', '.', '..'].includes(text)) &&
          (parameter.in !== 'header' || /^[\x21-\x7e]+$/.test(text)),
      );
      await fc.assert(
        fc.asyncProperty(values, async (text) => {
          const isAllowed = isInside(parameter.schema, text);
          if (isAllowed && one.name === STREAM) return;
          const answer = await ask(one, new Map([[parameter, text]]));
          expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
          expect(one.statuses).toContain(String(answer.status));
          if (isAllowed) {
            inside++;
            expect(String((answer.body as { message?: string }).message)).not.toMatch(REFUSED);
          } else {
            outside++;
            expect([one.name, text, answer.status, answer.body]).toEqual([
              one.name,
              text,
              422,
              expect.objectContaining({ code: 4220, message: expect.stringMatching(REFUSED) as string }),
            ]);
            expect(new Set(fieldsOf(answer))).toEqual(new Set([parameter.name]));
          }
        }),
        { numRuns: RUNS, seed: SEED },
      );
    }
  expect(outside).toBeGreaterThan(50);
  expect(inside).toBeGreaterThan(500);
});

test('a missing required parameter is 422 with its name, and all wrong ones are listed', async () => {
  let asked = 0;
  for (const one of cases) {
    const required = one.parameters.filter((own) => own.in === 'query' && own.required === true);
    if (required.length === 0) continue;
    asked++;
    const answer = await ask(one, new Map(required.map((own) => [own, null])));
    expect([one.name, answer.status, fieldsOf(answer)]).toEqual([
      one.name,
      422,
      required.map(({ name }) => name).sort(),
    ]);
  }
  expect(asked).toBeGreaterThan(4);
  const wrong = await owner.send('GET', '/fleet/day?to=1&seconds=0');
  expect([wrong.status, fieldsOf(wrong)]).toEqual([422, ['from', 'seconds']]);
});

test('a time that does not exist names its parameter', async () => {
  for (const [query, field] of [
    ['from=2026-02-30&to=1', 'from'],
    ['from=1&to=soon', 'to'],
    ['from=1&from=2&to=3', 'from'],
  ] as const) {
    const answer = await owner.send('GET', `/fleet/day?${query}`);
    expect([query, answer.status, fieldsOf(answer)]).toEqual([query, 422, [field]]);
  }
});

test('parameters that no operation declares are ignored: proxies and clients add theirs', async () => {
  for (const one of cases) {
    if (one.name === STREAM || one.method !== 'GET' || one.name === 'get /osmand') continue;
    const { url } = await sampleOf(one.name);
    const plain = await owner.send('GET', url);
    const more = await owner.send(
      'GET',
      `${url}${url.includes('?') ? '&' : '?'}_=${NOW}&utm_source=a&constructor=b&__proto__=c`,
    );
    expect([one.name, more.status, more.body]).toEqual([one.name, plain.status, plain.body]);
  }
});

test('the check comes after those of the caller: nobody learns of schemas without a role', async () => {
  const nobody = await hosted.as(owner.companyId, null);
  expect((await nobody.send('GET', '/fleet/day?seconds=0')).status).toBe(401);
  const reader = await hosted.as(owner.companyId, 'NO_ACCESS');
  expect((await reader.send('GET', '/fleet/day?seconds=0')).status).toBe(403);
});

test('a route whose address has a parameter without a schema does not start', () => {
  const operation = { summary: '', tags: ['units'], answer: {}, handler: () => null } as const;
  expect(() => declare(Fastify(), { ...operation, method: 'DELETE', url: '/units/:id' })).toThrow(
    'expected a schema of :id of /units/:id',
  );
});
