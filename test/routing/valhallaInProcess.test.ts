/**
 * Real roads in the same process. `WAYZONE_VALHALLA` is a folder with `@valhallajs/valhallajs` installed, which is never a
 * dependency. The tiles are built from the Liechtenstein extract, in seconds.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routeEngine } from '../../src/cli/commands/route/routeEngine.js';
import { lengthMeters, zoneContains } from '../../src/index.js';
import { buildRouting, sequenceRoute, type ValhallaActor, valhallaEngine } from '../../src/routing/index.js';
import { dataPath } from '../interchange/realData.js';
import { needs, sharedData, VALHALLA, VALHALLA_PATH } from '../needs.js';
import { seeded } from '../volume.js';
import { bruteForce } from './bruteForce.js';
import { rejected } from './loopback.js';

const EXTRACT = 'osm/vh-liechtenstein-latest.osm.pbf';

/** Places on roads of Liechtenstein, `[lon, lat]`. */
const PLACES = [
  [9.503, 47.068],
  [9.527, 47.24],
  [9.526, 47.116],
  [9.5095, 47.165],
  [9.5209, 47.141],
  [9.538, 47.213],
  [9.5095, 47.088],
] as const;

needs(VALHALLA, sharedData(EXTRACT)).describe('Valhalla in process (needs WAYZONE_VALHALLA)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-valhalla-'));
  let actor: ValhallaActor;

  beforeAll(async () => {
    const valhalla = (...args: string[]): string =>
      execFileSync(join(VALHALLA_PATH!, 'node_modules/.bin/valhalla'), args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        // The package writes files to the working directory.
        cwd: folder,
      });
    const config = join(folder, 'config.json');
    writeFileSync(config, valhalla('build_config', '--mjolnir-tile-dir', join(folder, 'tiles')));
    valhalla('build_tiles', '-c', config, dataPath(EXTRACT));
    const require = createRequire(join(VALHALLA_PATH!, 'package.json'));
    const { Actor } = require('@valhallajs/valhallajs') as {
      Actor: { fromConfigFile(file: string): Promise<ValhallaActor> };
    };
    actor = await Actor.fromConfigFile(config);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('ten real routes: both formats, line lengths, English and Russian instructions', async () => {
    const random = seeded(10);
    for (let round = 0; round < 10; round++) {
      const [from, to] = [Math.floor(random() * 7), Math.floor(random() * 6)];
      const points = [PLACES[from]!, PLACES.filter((_, i) => i !== from)[to]!];
      const osrm = await valhallaEngine({ actor }).route(points);
      const native = await valhallaEngine({ actor, format: 'native' }).route(points);
      expect(Math.abs(osrm.distanceMeters - native.distanceMeters)).toBeLessThan(1.001);
      expect(osrm.legs[0]!.geometry).toEqual(native.legs[0]!.geometry);
      expect(Math.abs(lengthMeters(osrm.legs[0]!.geometry) / osrm.distanceMeters - 1)).toBeLessThan(0.005);
      const text = points.map(([lon, lat]) => `${lat},${lon}`).join(';');
      for (const [language, letters] of [
        ['en', /^[A-Z]/],
        ['ru', /^[А-Я]/],
      ] as const) {
        for (const format of ['osrm', 'native'] as const) {
          const { values } = await buildRouting(text, {
            engine: valhallaEngine({ actor, format }),
            language,
          });
          expect(values[0]!.instructions!.length).toBe(osrm.legs[0]!.steps.length);
          for (const instruction of values[0]!.instructions!) expect(instruction).toMatch(letters);
        }
      }
    }
  });

  test('the order by its matrix is the best of all permutations', async () => {
    const engine = valhallaEngine({ actor });
    const { durationsSeconds } = await engine.matrix(PLACES);
    for (const ends of [{}, { start: 0 }, { end: 3 }, { start: 1, end: 2 }, { start: 4, roundTrip: true }]) {
      const { order, cost } = bruteForce(durationsSeconds, ends);
      expect(await sequenceRoute(PLACES, engine, ends)).toMatchObject({ order, cost });
    }
  });

  test('the command line program finds the package and the tiles', async () => {
    const flags = { tiles: join(folder, 'tiles'), timeout: 600 };
    const engine = await routeEngine(flags, VALHALLA_PATH!);
    expect(await engine.route([PLACES[0], PLACES[1]])).toEqual(
      await valhallaEngine({ actor }).route([PLACES[0], PLACES[1]]),
    );
  });

  test('a zone is avoided; a path that it closes and a place too far from roads are reported', async () => {
    const engine = valhallaEngine({ actor });
    const free = await engine.route([PLACES[0], PLACES[3]]);
    const { geometry } = free.legs[0]!;
    const middle = geometry[Math.floor(geometry.length / 2)]!;
    const zone = {
      type: { key: 'circle' },
      geometry: [[...middle] as [number, number]],
      width: 100,
    } as const;
    const around = await engine.route([PLACES[0], PLACES[3]], { avoidZones: [zone] });
    expect(geometry.some((position) => zoneContains(zone, position))).toBe(true);
    expect(around.legs[0]!.geometry.some((position) => zoneContains(zone, position))).toBe(false);
    expect(around.durationSeconds).toBeGreaterThan(free.durationSeconds);
    const start = {
      type: { key: 'circle' },
      geometry: [[...PLACES[3]] as [number, number]],
      width: 200,
    } as const;
    const closed = await rejected(engine.route([PLACES[0], PLACES[4], PLACES[3]], { avoidZones: [start] }));
    expect(['no-route', 'no-segment']).toContain(closed.code);
    const far = await rejected(engine.route([PLACES[0], [0, 0]]));
    expect(far.code).toBe('engine-limit');
  });
});
