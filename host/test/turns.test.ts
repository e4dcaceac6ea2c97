import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { addTurns } from '../src/http/addTurns.js';
import { sendError } from '../src/http/refusal.js';

/** Large bodies of one company take turns; small ones and those of other companies do not wait. */

let app: FastifyInstance;
afterEach(() => app.close());

const LARGE = { fill: 'x'.repeat(150_000) };

/** Handlers end when `release` is called with their name. */
function started(): {
  readonly begun: string[];
  readonly release: (name: string) => void;
  readonly send: (company: string, name: string, body: object) => Promise<number>;
} {
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
  app.post<{ Params: { name: string } }>('/:name', async ({ params: { name } }) => {
    begun.push(name);
    await new Promise<void>((resolve) => held.set(name, resolve));
    return '';
  });
  return {
    begun,
    release: (name) => held.get(name)!(),
    send: async (company, name, body) =>
      (await app.inject({ method: 'POST', url: `/${name}`, headers: { company }, payload: body })).statusCode,
  };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

test('the third large body of a company waits; small bodies and other companies do not', async () => {
  const { begun, release, send } = started();
  const answers = ['a1', 'a2', 'a3', 'a4'].map((name) => send('a', name, LARGE));
  await until(() => begun.length === 2);
  const others = [send('a', 'small', {}), send('b', 'b1', LARGE)];
  await until(() => begun.length === 4);
  expect(begun).toEqual(['a1', 'a2', 'small', 'b1']);
  release('a2');
  await until(() => begun.includes('a3'));
  expect(begun).not.toContain('a4');
  release('a1');
  await until(() => begun.includes('a4'));
  for (const name of ['a3', 'a4', 'small', 'b1']) release(name);
  expect(await Promise.all([...answers, ...others])).toEqual([200, 200, 200, 200, 200, 200]);
});

test('more than fifty waiting bodies are refused with 429', async () => {
  const { begun, release, send } = started();
  const names = Array.from({ length: 52 }, (_, i) => `n${i}`);
  const answers = names.map((name) => send('a', name, LARGE));
  await until(() => begun.length === 2);
  expect(await send('a', 'late', LARGE)).toBe(429);
  for (const name of names) {
    await until(() => begun.includes(name));
    release(name);
  }
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
});
