import { beforeAll, expect, test } from 'vitest';
import { LONG, seeded } from '../../test/volume.js';
import { ROLES, type Role } from '../src/auth/roles.js';
import { documentOf } from './checkAnswer.js';
import { SAMPLES, type Sample } from './samples.js';
import { type Answer, type Caller, type Given, onADatabase, type TestHost } from './testHost.js';

/**
 * Several companies with all roles send operations in random order, some at once: valid requests, with parts removed, exchanged for those of other
 * companies, or made hostile. No answer is 500, contradicts the document, or has what another company has stored.
 */

const COMPANIES = 3;
const ROUNDS = LONG ? 3000 : 120;
/** Requests that are sent at once. */
const AT_ONCE = 6;
/** It does not end. */
const STREAMS = ['get /events'];

const TEXTS = [
  '',
  ' ',
  '\0',
  '\ud83d',
  '%2e%2e%2f',
  "' or 1=1--",
  '$1',
  '{{7*7}}',
  '__proto__',
  'NaN',
  'Infinity',
  '-1',
  '1e309',
  '99999999999999999999',
  '9999999999999999',
  '-9999999999999999',
  '0000-00-00',
  '2026-02-30',
  '10000-01-01',
  'a'.repeat(3000),
  '\u202eabc',
  '🚚'.repeat(200),
  ','.repeat(500),
];
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  0.5,
  1e15,
  1e21,
  -1e308,
  5e-324,
  [],
  {},
  [[]],
  [null],
  { key: {} },
  { id: null },
  { __proto__: null, constructor: { prototype: 1 } },
  Array.from({ length: 300 }, (_, i) => [i, i]),
];

/** Headers that a request may have beside its own; the host must not trust them. */
const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['accept-language', ['ru', 'xx;q=1,,,', ';'.repeat(5000), '\u00ff']],
  ['if-match', ['*', '"1"', 'W/"', '"1", "2-x"', '"'.repeat(4000)]],
  ['if-none-match', ['*', '"all-1-x"', ','.repeat(4000)]],
  [
    'content-type',
    [
      'application/json; charset=x',
      'application/JSON',
      'multipart/form-data',
      'x/y',
      ';',
      'application/x-ndjson',
    ],
  ],
  ['content-encoding', ['gzip', 'br', 'deflate', 'x-gzip, br', 'identity']],
  ['user_company_api_key', ['', 'a', '\u00e9']],
  ['authorization', ['', 'Basic a:b', 'Bearer a.b.c', 'Bearer ', 'bearer']],
  ['x-request-id', ['', '"\\n', 'a'.repeat(3000)]],
  ['x-forwarded-for', ['1', ','.repeat(100)]],
  ['last-event-id', ['n1', '-1']],
  ['accept', ['text/html', '*/*;q=', '']],
  ['range', ['bytes=0-1']],
  ['origin', ['null', 'http://a']],
];

function contract(given: () => Given): void {
  let hosted: TestHost;
  let names: readonly string[];
  const companies: {
    readonly mark: string;
    readonly owner: Caller;
    readonly callers: ReadonlyMap<Role, Caller>;
  }[] = [];
  /** Companies of the ids that answers to their owners had. */
  const ownerOf = new Map<string, number>();
  /** Ids of others that a company has sent, which its own rows may have. */
  const sent = companiesOf(() => new Set<string>());
  const random = seeded(39);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

  beforeAll(async () => {
    ({ hosted } = given());
    const { paths } = await documentOf(hosted.host.app);
    names = Object.entries(paths)
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path.replace('/api_v1', '')}`),
      )
      .filter((name) => !STREAMS.includes(name));
    for (let i = 0; i < COMPANIES; i++) {
      const companyId = await hosted.company();
      const callers = new Map<Role, Caller>();
      // Users of their own: the settings of a user are the same in all of his companies.
      for (const role of ROLES) callers.set(role, await hosted.as(companyId, role, undefined, `user ${i}`));
      companies.push({
        mark: `only${companyId.slice(0, 8)}`,
        owner: recorded(callers.get('ADMIN')!, i),
        callers,
      });
      ownerOf.set(companyId, i);
    }
  });

  /** A caller who makes objects, whose ids are then those of the company. */
  function recorded(caller: Caller, place: number): Caller {
    return {
      ...caller,
      async send(...request) {
        const answer = await caller.send(...request);
        for (const [id] of JSON.stringify(answer.body).matchAll(ID))
          if (!ownerOf.has(id)) ownerOf.set(id, place);
        return answer;
      },
    };
  }

  /** A copy of a value, in which texts have the company's mark and `changes` parts are replaced. */
  function disturbed(value: unknown, changes: { left: number }): unknown {
    if (changes.left > 0 && random() < 0.15) {
      changes.left--;
      const dice = random();
      if (dice < 0.3) return pick(TEXTS);
      if (dice < 0.6) return structuredClone(pick(VALUES));
      if (dice < 0.8 && ownerOf.size > 0) return pick([...ownerOf.keys()]);
      if (dice < 0.9) return undefined;
      return [value, value];
    }
    if (Array.isArray(value))
      return value.map((item) => disturbed(item, changes)).filter((item) => item !== undefined);
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, disturbed(item, changes)]));
  }

  function marked(value: unknown, mark: string): unknown {
    if (Array.isArray(value)) return value.map((item) => marked(item, mark));
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        key === 'name' && typeof item === 'string' ? `${item} ${mark}` : marked(item, mark),
      ]),
    );
  }

  /** The sample's address with parts exchanged. */
  function addressOf(url: string): string {
    const [path = '', search = ''] = url.split('?');
    const other = (): string => (random() < 0.5 ? pick(TEXTS) : pick([...ownerOf.keys()]));
    const parts = path.split('/').map((part, i) => (i > 1 && random() < 0.25 ? escaped(other()) : part));
    const query = search
      .split('&')
      .filter((pair) => pair !== '' && random() < 0.9)
      .map((pair) => (random() < 0.3 ? `${pair.split('=')[0]}=${escaped(other())}` : pair));
    if (random() < 0.1)
      query.push(`ids=${Array.from({ length: 30 }, () => escaped(other()).slice(0, 300)).join(',')}`);
    return `${parts.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  }

  function furtherHeaders(): Record<string, string> {
    if (random() < 0.8) return {};
    const [name, values] = pick(HEADERS);
    return { [name]: pick(values) };
  }

  /** Makes what a request needs, and returns the request. */
  async function prepared(): Promise<() => Promise<void>> {
    const name = pick(names);
    const [method = ''] = name.split(' ');
    const place = Math.floor(random() * COMPANIES);
    const { mark, owner, callers } = companies[place]!;
    const sample: Sample = await SAMPLES[name]!(owner);
    const isHostile = random() < 0.7;
    const url = isHostile ? addressOf(sample.url) : sample.url;
    const own = marked(sample.body, mark);
    const body = isHostile ? disturbed(own, { left: 1 + Math.floor(random() * 3) }) : own;
    const role = random() < 0.5 ? 'ADMIN' : pick(ROLES);
    const isForm = typeof sample.body === 'string' || Buffer.isBuffer(sample.body);
    const payload = body === undefined || isForm ? sample.body : JSON.stringify(body);
    const headers = isForm || payload === undefined ? sample.headers : { 'content-type': 'application/json' };
    const all = { ...headers, ...furtherHeaders() };
    return async () => {
      const answer = await callers.get(role)!.send(method.toUpperCase(), url, payload, all);
      judge(answer, `${role} ${method} ${url} ${String(payload)}`, place, role);
    };
  }

  function judge(answer: Answer, request: string, place: number, role: Role): void {
    const text = JSON.stringify(answer.body);
    expect(answer.status, `${request}\n${text}`).toBeLessThan(500);
    for (const [id] of request.matchAll(ID)) sent[place]!.add(id);
    // SUPERVISOR reaches all companies by their ids.
    if (role === 'SUPERVISOR') return;
    for (const [i, { mark }] of companies.entries())
      if (i !== place && !request.includes(mark))
        expect(text.includes(mark), `${request}\n${text}`).toBe(false);
    for (const [id] of text.matchAll(ID)) {
      const known = ownerOf.get(id);
      if (known !== undefined && known !== place)
        expect(sent[place]!.has(id), `${id} of company ${known}: ${request}\n${text}`).toBe(true);
      else if (answer.status === 200 && known === undefined && !sent[place]!.has(id)) ownerOf.set(id, place);
    }
  }

  test('no request in any order fails, contradicts the document or reads another company’s data', {
    timeout: 3_000_000,
  }, async () => {
    for (let i = 0; i < ROUNDS; i++) {
      const requests: (() => Promise<void>)[] = [];
      // One after another: a request might delete what another one's preparation uses.
      for (let left = 1 + Math.floor(random() * AT_ONCE); left > 0; left--) requests.push(await prepared());
      await Promise.all(requests.map((send) => send()));
    }
    expect(ownerOf.size).toBeGreaterThan(ROUNDS / 2);
  });
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function companiesOf<T>(of: () => T): T[] {
  return Array.from({ length: COMPANIES }, of);
}

/** Lone surrogates, which `encodeURIComponent` rejects, are replaced. */
function escaped(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

onADatabase(contract);
