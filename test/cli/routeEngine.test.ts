import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { routeEngine } from '../../src/cli/commands/route/routeEngine.js';
import { json, serve } from '../routing/loopback.js';
import { wkt } from '../wkt.js';
import { testFolder } from './wayzone.js';

const { at, put } = testFolder('engine');

/** A fake Valhalla package with this actor. Returns the folder in which it is installed. */
function fakePackage(home: string, actor: string): string {
  mkdirSync(at(`${home}/node_modules/@valhallajs/valhallajs`), { recursive: true });
  const place = `${home}/node_modules/@valhallajs/valhallajs`;
  put(`${place}/package.json`, '{"name":"@valhallajs/valhallajs","main":"index.js"}');
  put(`${place}/index.js`, `exports.getConfig = async (options) => options;\nexports.Actor = ${actor};`);
  return at(home);
}

const POINTS: [number, number][] = wkt('9.5 47.1, 9.52 47.11');
const FLAGS = { timeout: 600 };

describe('routeEngine', () => {
  test('the default engine is the straight line at the given speed', async () => {
    const [slow] = (await (await routeEngine({ ...FLAGS, speed: 10 }, at('.'))).route(POINTS)).legs;
    const [plain] = (await (await routeEngine(FLAGS, at('.'))).route(POINTS)).legs;
    expect(slow!.distanceMeters).toBe(plain!.distanceMeters);
    expect(slow!.durationSeconds).toBeCloseTo((slow!.distanceMeters / 10) * 3.6, 6);
    expect(plain!.durationSeconds).toBeLessThan(slow!.durationSeconds);
  });

  test('a busy server is retried after its Retry-After time, and the profile is sent as Valhalla’s costing', async () => {
    let asked = 0;
    const server = await serve((_, response) =>
      asked++ === 0
        ? json(response, 503, 'busy', { 'retry-after': '0' })
        : json(response, 400, { error: 'no' }),
    );
    try {
      const flags = { ...FLAGS, engine: 'valhalla', url: server.url, profile: 'truck' } as const;
      const engine = await routeEngine(flags, at('.'));
      await expect(engine.route(POINTS)).rejects.toMatchObject({ name: 'WayzoneError' });
      expect(server.requests.map(({ body }) => (JSON.parse(body) as { costing: string }).costing)).toEqual([
        'truck',
        'truck',
      ]);
    } finally {
      await server.close();
    }
  });

  test('--tiles alone selects Valhalla, with a folder as tileDir and a file as tileExtract', async () => {
    const home = fakePackage(
      'home',
      'class { constructor(config) { throw new Error(JSON.stringify(config)); } }',
    );
    mkdirSync(join(home, 'tiles'));
    put('home/tiles.tar', 'x');
    const receivedConfig = async (tiles: string): Promise<unknown> =>
      JSON.parse(
        /\{.*\}/.exec(
          await routeEngine({ ...FLAGS, tiles }, home).then(String, (error: Error) => error.message),
        )![0],
      );
    expect(await receivedConfig('tiles')).toEqual({
      tileDir: join(home, 'tiles'),
      tileExtract: join(home, 'tiles/none.tar'),
    });
    expect(await receivedConfig('tiles.tar')).toEqual({
      tileDir: join(home, 'tiles.tar.none'),
      tileExtract: join(home, 'tiles.tar'),
    });
  });

  test('any error of the package while opening tiles becomes tiles-unusable', async () => {
    const home = fakePackage('bad', "class { constructor() { throw 'worn out'; } }");
    mkdirSync(join(home, 'tiles'));
    await expect(routeEngine({ ...FLAGS, tiles: 'tiles' }, home)).rejects.toMatchObject({
      code: 'tiles-unusable',
      field: '--tiles',
      message: expect.stringMatching(/"tiles": worn out$/) as unknown,
      cause: 'worn out',
    });
  });

  test('a missing tiles folder and a missing package have their own codes', async () => {
    await expect(routeEngine({ ...FLAGS, tiles: 'nowhere' }, at('.'))).rejects.toMatchObject({
      code: 'tiles-missing',
    });
    mkdirSync(at('bare/tiles'), { recursive: true });
    await expect(
      routeEngine({ ...FLAGS, engine: 'valhalla', tiles: 'tiles' }, at('bare')),
    ).rejects.toMatchObject({ code: 'valhalla-missing', field: '--tiles' });
  });

  test('the actor gets the profile as its costing', async () => {
    const home = fakePackage(
      'good',
      'class { async route(text) { return JSON.stringify({ asked: JSON.parse(text).costing }); } }',
    );
    mkdirSync(join(home, 'tiles'));
    const engine = await routeEngine({ ...FLAGS, tiles: 'tiles', profile: 'bicycle' }, home);
    await expect(engine.route(POINTS)).rejects.toMatchObject({ name: 'WayzoneError' });
  });
});
