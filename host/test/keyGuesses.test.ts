import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KeyGuesses, keyGuesses } from '../src/auth/apiKeys.js';
import { type Caller, embedded, type TestHost, testHost } from './testHost.js';

/** Addresses that try unknown device keys wait longer and longer. */

const MINUTE = 60_000;
const ip = '192.0.2.1';
let hosted: TestHost;
let admin: Caller;
beforeAll(async () => {
  const { storage } = await embedded();
  hosted = await testHost(storage);
  admin = await hosted.as(await hosted.company(), 'ADMIN');
});
afterAll(() => hosted.close());

const find = async (key: string): Promise<string | undefined> => (key.startsWith('known') ? key : undefined);
/** Looks keys up as the host does, and returns the waits. */
const tried = async (guesses: KeyGuesses, ip: string, keys: readonly string[]): Promise<number[]> => {
  const waits: number[] = [];
  for (const key of keys) {
    const waitMs = guesses.waitMs(ip, key);
    waits.push(waitMs);
    if (waitMs === 0) await guesses.look(ip, key, () => find(key));
  }
  return waits;
};
const keysOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${name} ${i}`);

test('/osmand: an address that guesses is refused; its known phones and other addresses go on', async () => {
  const [first, second] = ['first', 'second'].map((name) => `${name}-${admin.companyId}`) as [string, string];
  for (const key of [first, second])
    expect((await admin.send('POST', '/units', { name: 'Phone', device_key: key })).status).toBe(200);
  const send = (key: string, remoteAddress: string) =>
    hosted.host.app.inject({ url: `/api_v1/osmand?id=${key}&lat=60&lon=30`, remoteAddress });
  expect((await send(first, '192.0.2.1')).statusCode).toBe(200);
  const statuses: number[] = [];
  for (let i = 0; i < 50; i++) statuses.push((await send(`guess${i}`, '192.0.2.1')).statusCode);
  expect(statuses).toEqual([...Array(20).fill(401), ...Array(30).fill(429)]);
  const refused = await send(second, '192.0.2.1');
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
    429,
    '60',
    expect.objectContaining({ code: 429, field: 'id' }),
  ]);
  expect((await send(first, '192.0.2.1')).statusCode).toBe(200);
  expect((await send(second, '192.0.2.2')).statusCode).toBe(200);
});

test('each wait is twice the one before, up to an hour; after a quiet hour all begins anew', async () => {
  let clock = Date.UTC(2026, 2, 2);
  const guesses = keyGuesses(() => clock);
  const waits: number[] = [];
  for (let round = 0; round < 9; round++) {
    expect(await tried(guesses, '192.0.2.1', keysOf(`${round}`, 20))).toEqual(Array(20).fill(0));
    const waitMs = guesses.waitMs('192.0.2.1', 'other');
    waits.push(waitMs / MINUTE);
    clock += waitMs - 1;
    expect(guesses.waitMs('192.0.2.1', 'known')).toBe(1);
    clock += 1;
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  clock += 60 * MINUTE;
  await tried(guesses, '192.0.2.1', keysOf('late', 20));
  expect(guesses.waitMs('192.0.2.1', 'other')).toBe(MINUTE);
  // A clock that is set back lengthens no wait.
  clock -= 600 * MINUTE;
  expect(guesses.waitMs('192.0.2.1', 'other')).toBe(MINUTE);
});

test('one wrong key that is sent again and again is one guess; a key that was deleted becomes one', async () => {
  const guesses = keyGuesses(() => 0);
  await tried(guesses, ip, ['known a', ...keysOf('x', 19), ...Array<string>(100).fill('x 0')]);
  expect(guesses.waitMs(ip, 'new')).toBe(0);
  await guesses.look(ip, 'known a', async () => undefined);
  expect([guesses.waitMs(ip, 'known a'), guesses.waitMs(ip, 'new')]).toEqual([MINUTE, MINUTE]);
});

test('guesses that are sent at once are counted, also when the database fails', async () => {
  const guesses = keyGuesses(() => 0);
  const ends: (() => void)[] = [];
  const looks = keysOf('x', 20).map((key) =>
    guesses.look(
      ip,
      key,
      () => new Promise<undefined>((_, reject) => ends.push(() => reject(new Error('away')))),
    ),
  );
  expect(guesses.waitMs(ip, 'known')).toBe(1000);
  for (const end of ends) end();
  expect((await Promise.allSettled(looks)).map(({ status }) => status)).toEqual(Array(20).fill('rejected'));
  expect(guesses.waitMs(ip, 'known')).toBe(0);
});

test('addresses of one IPv6 network are one; mapped IPv4 addresses are those; known phones take no place', async () => {
  const guesses = keyGuesses(() => 0, 3);
  for (let i = 0; i < 20; i++) await tried(guesses, `2001:db8:0:7:${i}::1`, [`x ${i}`]);
  await tried(guesses, '::ffff:192.0.2.1', keysOf('x', 20));
  const waits = (): number[] =>
    ['2001:db8:0:7::99', '2001:db8:0:8::99', '2001:0DB8::7:0:0:0:1', '192.0.2.1', '::ffff:192.0.2.2'].map(
      (one) => guesses.waitMs(one, 'new'),
    );
  expect(waits()).toEqual([MINUTE, 0, MINUTE, MINUTE, 0]);
  for (let i = 0; i < 40; i++) await tried(guesses, `198.51.100.${i}`, ['known']);
  expect(waits()).toEqual([MINUTE, 0, MINUTE, MINUTE, 0]);
  // Only the newest addresses are remembered.
  for (let i = 0; i < 3; i++) await tried(guesses, `203.0.113.${i}`, ['x']);
  expect(waits()).toEqual([0, 0, 0, 0, 0]);
});
