import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { addTurns } from '../src/http/addTurns.js';
import { sendError } from '../src/http/refusal.js';

/** Requests of one company take turns; those of other companies do not wait for them. */

let app: FastifyInstance;
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

const LARGE = { fill: 'x'.repeat(150_000) };

interface Sender {
  /** Names of the handlers that have begun. */
  readonly begun: string[];
  /** Ends the handler of this name. */
  readonly release: (name: string) => void;
  readonly send: (company: string, name: string, body?: object) => Promise<number>;
  readonly get: (company: string, url: string) => Promise<number>;
}

function started(): Sender {
  const begun: string[] = [];
  const held = new Map<string, () => void>();
  app = Fastify();
  app.decorateRequest('access', null);
  app.addHook('onRequest', (request, _, done) => {
    request.access = { companyId: String(request.headers['company']) } as never;
    done();
  });
  addTurns(app);
  app.setErrorHandler(sendError);
  const hold = async ({ params }: { params: unknown }): Promise<string> => {
    const { name } = params as { readonly name: string };
    begun.push(name);
    await new Promise<void>((resolve) => held.set(name, resolve));
    return '';
  };
  app.post('/:name', hold);
  app.get('/lists/:name', { config: { turn: 'long' } }, hold);
  app.get('/tiles/:name', { config: { turn: 'tile' } }, hold);
  app.get('/streams/:name', { config: { turn: 'none' } }, hold);
  return {
    begun,
    release: (name) => held.get(name)!(),
    send: async (company, name, body = {}) =>
      (await app.inject({ method: 'POST', url: `/${name}`, headers: { company }, payload: body })).statusCode,
    get: async (company, url) => (await app.inject({ url, headers: { company } })).statusCode,
  };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

/** Some turns of the event loop: what has not begun after them waits. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
}

test('the second long request of a company waits; short ones and other companies do not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const { begun, release, send, get } = started();
  const answers = [send('a', 'a1', LARGE)];
  await until(() => begun.includes('a1'));
  answers.push(get('a', '/lists/a2'));
  await settled();
  answers.push(send('a', 'a3', LARGE));
  const others = [send('a', 'short'), send('b', 'b1', LARGE), get('a', '/lists/narrow?ids=1')];
  await until(() => begun.length === 4);
  await settled();
  expect(begun.toSorted()).toEqual(['a1', 'b1', 'narrow', 'short']);
  for (const name of ['a1', 'a2', 'a3']) {
    await until(() => begun.includes(name));
    await settled();
    expect(begun.filter((one) => /^a\d$/.test(one)).at(-1)).toBe(name);
    release(name);
    await settled();
    vi.advanceTimersByTime(1000);
  }
  for (const name of ['short', 'b1', 'narrow']) release(name);
  expect(new Set(await Promise.all([...answers, ...others]))).toEqual(new Set([200]));
});

test('a company rests after a long request while others are active, and goes on at once when they are not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const { begun, release, send } = started();
  const answers = ['a1', 'a2', 'a3'].map((name) => send('a', name, LARGE));
  await until(() => begun.includes('a1'));
  vi.advanceTimersByTime(200);
  const other = send('b', 'b1');
  await until(() => begun.includes('b1'));
  release('a1');
  await settled();
  // 200 ms, 3.4 times: 3, and 0.4 because 200 of 500 ms were spent.
  vi.advanceTimersByTime(670);
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  vi.advanceTimersByTime(20);
  await until(() => begun.includes('a2'));
  // The other company has been silent for more than a second when this one ends.
  vi.advanceTimersByTime(3000);
  release('a2');
  await until(() => begun.includes('a3'));
  release('a3');
  release('b1');
  expect(await Promise.all([...answers, other])).toEqual([200, 200, 200, 200]);
});

test('tiles of a company are drawn one at a time, beside its long requests', async () => {
  const { begun, release, send, get } = started();
  const names = Array.from({ length: 60 }, (_, i) => `t${i}`);
  const answers = [send('a', 'long', LARGE), ...names.map((name) => get('a', `/tiles/${name}`))];
  answers.push(get('b', '/tiles/b1'));
  await until(() => begun.length === 3);
  await settled();
  expect(begun.toSorted()).toEqual(['b1', 'long', 't0']);
  release('b1');
  release('long');
  for (const name of names) {
    await until(() => begun.includes(name));
    expect(begun.filter((one) => one.startsWith('t')).at(-1)).toBe(name);
    release(name);
  }
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
});

test('a tile that waited long for its thread is followed by the next one at once, also beside other companies', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const { begun, release, get } = started();
  const answers = [get('a', '/tiles/t1'), get('a', '/tiles/t2'), get('b', '/tiles/b1')];
  await until(() => begun.length === 2);
  vi.advanceTimersByTime(500);
  answers.push(get('b', '/tiles/b2'));
  release('t1');
  await settled();
  expect(begun).toEqual(['t1', 'b1', 't2']);
  for (const name of ['t2', 'b1']) release(name);
  await until(() => begun.includes('b2'));
  release('b2');
  expect(await Promise.all(answers)).toEqual([200, 200, 200, 200]);
});

test('sixteen short requests of a company run at once, and those that only wait are not counted', async () => {
  const { begun, release, send, get } = started();
  const names = Array.from({ length: 17 }, (_, i) => `n${i}`);
  const answers = names.map((name) => send('a', name));
  await until(() => begun.length === 16);
  answers.push(get('a', '/streams/s'), send('b', 'b1'));
  await until(() => begun.length === 18);
  await settled();
  expect(begun).not.toContain('n16');
  release('n3');
  await until(() => begun.includes('n16'));
  for (const name of [...names, 's', 'b1']) if (name !== 'n3') release(name);
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
});

test('a slow upload or a client that goes away does not change what its company may do at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const { begun, release, send } = started();
  const slow = new Readable({ read: () => {} });
  slow.push('{"fill":"');
  const upload = app.inject({
    method: 'POST',
    url: '/slow',
    headers: { company: 'a', 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    payload: slow,
  });
  const other = send('b', 'b1');
  await until(() => begun.includes('b1'));
  const waits = send('a', 'a1', LARGE);
  await settled();
  expect(begun).toEqual(['b1']);
  // Its place is free after 5 s, and the upload itself is followed by no rest.
  vi.advanceTimersByTime(5000);
  await until(() => begun.includes('a1'));
  slow.push('"}');
  slow.push(null);
  await until(() => begun.includes('slow'));
  release('slow');
  release('a1');
  release('b1');
  expect((await Promise.all([upload, other, waits])).length).toBe(3);

  // A client that goes away while its request is computed keeps its place.
  vi.useRealTimers();
  const url = await app.listen({ port: 0 });
  const gone = new AbortController();
  const body = JSON.stringify(LARGE);
  const headers = { company: 'c', 'content-type': 'application/json' };
  const cut = fetch(`${url}/gone`, { method: 'POST', headers, body, signal: gone.signal }).catch(() => null);
  await until(() => begun.includes('gone'));
  gone.abort();
  await cut;
  const after = send('c', 'c1', LARGE);
  await settled();
  expect(begun).not.toContain('c1');
  release('gone');
  await until(() => begun.includes('c1'));
  release('c1');
  expect(await after).toBe(200);
});

test('more than fifty waiting long requests are refused with 429', async () => {
  const { begun, release, send } = started();
  const names = Array.from({ length: 51 }, (_, i) => `n${i}`);
  const answers = names.map((name) => send('a', name, LARGE));
  await until(() => begun.length === 1);
  await settled();
  expect(await send('a', 'late', LARGE)).toBe(429);
  for (const name of names) {
    await until(() => begun.includes(name));
    release(name);
  }
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
});
