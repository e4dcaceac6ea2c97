import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGeoJson, fromGpx, fromKml } from '../../src/interchange/index.js';
import { buildRouting, type RoutingAnswer } from '../../src/routing/index.js';
import { json, serve } from '../routing/loopback.js';
import { wkt } from '../wkt.js';
import { wayzone } from './wayzone.js';

const POINTS = '55.75,37.61;55.70,37.50;55.80,37.40;55.77,37.55';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wayzone-route-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answer of an OSRM or Valhalla server for two points. */
const ANSWER = {
  code: 'Ok',
  routes: [
    {
      distance: 1500,
      duration: 120,
      legs: [
        {
          distance: 1500,
          duration: 120,
          steps: [
            {
              distance: 1500,
              duration: 120,
              name: '</script><script>alert(1)</script>',
              mode: 'driving',
              geometry: {
                type: 'LineString',
                coordinates: wkt('9.5 47.1, 9.51 47.1, 9.52 47.11'),
              },
              maneuver: { type: 'depart', bearing_after: 90 },
            },
            {
              distance: 0,
              duration: 0,
              name: '',
              mode: 'driving',
              geometry: {
                type: 'LineString',
                coordinates: wkt('9.52 47.11, 9.52 47.11'),
              },
              maneuver: { type: 'arrive' },
            },
          ],
        },
      ],
    },
  ],
};
const TWO = '47.1,9.5;47.11,9.52';

describe('wayzone route', () => {
  test('without an engine it prints the points in the given order as text', async () => {
    const { code, out, err } = await wayzone('route', POINTS);
    expect([code, err.startsWith('Straight lines')]).toEqual([0, true]);
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^No\. +From point +To point +Distance +Duration$/);
    expect(lines.slice(1, 4).map((line) => line.trim().split(/ +/).slice(0, 3))).toEqual([
      ['1', '0', '1'],
      ['2', '1', '2'],
      ['3', '2', '3'],
    ]);
    expect(out).toContain('\n1 → 2\n  Head southwest\n  You have arrived at your 1st destination\n');
  });

  test.each([
    [['--optimize'], { optimize: true }],
    [['--start', '1'], { optimize: { start: 1 } }],
    [['--end', '0'], { optimize: { end: 0 } }],
    [['--optimize', '--start', '2', '--end', '1'], { optimize: { start: 2, end: 1 } }],
    [['--round-trip'], { optimize: { roundTrip: true } }],
    [
      ['--start', '3', '--round-trip', '--by', 'distance', '--language', 'ru'],
      { optimize: { start: 3, roundTrip: true }, by: 'distance', language: 'ru' },
    ],
  ] as const)('%j gives the answer of buildRouting', async (argv, options) => {
    const { code, out } = await wayzone('route', POINTS, ...argv, '--format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(await buildRouting(POINTS, options));
  });

  test('points that begin with a minus sign are not taken for options', async () => {
    const { code, out } = await wayzone('route', '-33.9,18.4;-33.8,18.5', '--format', 'json');
    expect(code).toBe(0);
    expect((JSON.parse(out) as RoutingAnswer).values[0]?.points[0]).toEqual([18.4, -33.9]);
  });

  test('each written file reads back as the route', async () => {
    const out = (name: string): string => join(folder, 'made', name);
    const { values } = await buildRouting(POINTS, { optimize: true });
    const ways = values.map((row) => row.points);
    for (const name of ['r.json', 'r.kml', 'r.geojson', 'r.gpx', 'R.HTML']) {
      const made = await wayzone('route', POINTS, '--optimize', '--title', 'Milk', '--out', out(name));
      expect(made.code).toBe(0);
      expect(made.err).toContain(`Written to ${join(folder, 'made')}: ${name} (`);
    }
    expect(readdirSync(join(folder, 'made')).sort()).toEqual([
      'R.HTML',
      'r.geojson',
      'r.gpx',
      'r.json',
      'r.kml',
    ]);
    const text = (name: string): string => readFileSync(out(name), 'utf8');
    expect((JSON.parse(text('r.json')) as RoutingAnswer).values).toEqual(values);
    const [kml] = fromKml(text('r.kml')).value.routes;
    expect(kml?.name).toBe('Milk');
    expect(kml?.points.map((point) => point.type.key)).toEqual([
      'circle',
      ...values.flatMap(() => ['line', 'circle']),
    ]);
    expect(kml?.points.flatMap((point) => (point.type.key === 'line' ? [point.geometry] : []))).toEqual(ways);
    const { zones } = fromGeoJson(text('r.geojson')).value;
    expect(zones.flatMap((zone) => (zone.type.key === 'line' ? [zone.geometry] : []))).toEqual(ways);
    expect(fromGpx(text('r.gpx')).value.routes[0]?.points).toHaveLength(
      2 * values.length + 1 + values.length,
    );
  });

  test('a page shows texts of the server as text, not as markup', async () => {
    const server = await serve((_, response) => json(response, 200, ANSWER));
    try {
      const file = join(folder, 'page.html');
      const argv = [
        '--engine',
        'osrm',
        '--url',
        server.url,
        '--profile',
        'truck',
        '--title',
        '<b>"&\'',
        '--out',
        file,
      ];
      const { code, out } = await wayzone('route', TWO, ...argv);
      expect(code).toBe(0);
      expect(server.requests[0]?.path).toContain('/route/v1/truck/9.500000,47.100000;9.520000,47.110000?');
      expect(out).toContain('Head east on </script><script>alert(1)</script>');
      const page = readFileSync(file, 'utf8');
      expect(page).not.toContain('<script>alert(1)');
      expect(page.match(/<script/g)).toHaveLength(3);
      expect(page).toContain('<title>&lt;b&gt;&quot;&amp;&#39;</title>');
      for (const [, script] of page.matchAll(/<script>([\s\S]*?)<\/script>/g)) {
        expect(() => new Script(script!)).not.toThrow();
      }
      const data = JSON.parse(/id="data">([\s\S]*?)<\/script>/.exec(page)![1]!) as {
        stops: unknown;
        legs: { steps: { text: string; place: number[] }[] }[];
      };
      expect(data.stops).toEqual([
        { point: 0, place: [47.1, 9.5] },
        { point: 1, place: [47.11, 9.52] },
      ]);
      expect(data.legs[0]!.steps.map((step) => step.place)).toEqual(wkt('47.1 9.5, 47.11 9.52'));
    } finally {
      await server.close();
    }
  });

  test('zones to avoid are sent to Valhalla, and an invalid one is an error', async () => {
    const server = await serve((_, response) => json(response, 200, ANSWER));
    const zone = (id: string, lon: number): object => ({
      type: 'Feature',
      id,
      properties: { type: 'circle', ...(id === 'bare' ? {} : { width: 50 }) },
      geometry: { type: 'Point', coordinates: [lon, 47.105] },
    });
    const zones = join(folder, 'zones.geojson');
    const argv = ['route', TWO, '--engine', 'valhalla', '--url', server.url, '--avoid', zones];
    try {
      const features = [zone('a', 9.51), zone('bare', 9.53)];
      writeFileSync(zones, JSON.stringify({ type: 'FeatureCollection', features }));
      const refused = await wayzone(...argv);
      expect([refused.code, refused.out, server.requests.length]).toEqual([1, '', 0]);
      expect(refused.err).toContain('zones.geojson zone "bare" width');
      expect((await wayzone(...argv, '--default-width', '20')).code).toBe(0);
      const asked = JSON.parse(server.requests[0]!.body) as { exclude_polygons: [number, number][][] };
      expect(asked.exclude_polygons.map((ring) => ring[0]![0].toFixed(2))).toEqual(['9.51', '9.53']);
    } finally {
      await server.close();
    }
  });

  test('a busy server is retried, and a failing one leaves no output', async () => {
    let asked = 0;
    const server = await serve((_, response) => {
      if (asked++ === 0) json(response, 503, 'busy', { 'retry-after': '0' });
      else json(response, 200, ANSWER);
    });
    const argv = ['--engine', 'valhalla', '--url', server.url];
    expect((await wayzone('route', TWO, ...argv)).code).toBe(0);
    expect(asked).toBe(2);
    await server.close();
    const file = join(folder, 'none', 'r.kml');
    const { code, out, err } = await wayzone('route', TWO, ...argv, '--out', file);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^wayzone: valhalla: network: .* \(engine-unreachable, points\)\n$/);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  test.each([
    ['91,37;1,2', '(lat-range, points[0][0])'],
    ['1,2', '(routing-points, points)'],
    ['1,2;3,4;5,6', '(limit-points, points)'],
  ])('%s is rejected', async (points, reason) => {
    const { code, err } = await wayzone('route', points, '--max-points', '2');
    expect(code).toBe(1);
    expect(err).toContain(reason);
  });

  test('an unknown language and an index out of range are rejected', async () => {
    expect((await wayzone('route', POINTS, '--language', 'tlh')).err).toContain(
      '(language-unknown, options.language)',
    );
    expect((await wayzone('route', POINTS, '--start', '9')).err).toContain('(option-value, options.start)');
  });

  test.each([
    ['a server for the straight line', ['--url', 'http://a']],
    ['OSRM without a server', ['--engine', 'osrm']],
    ['Valhalla without server and tiles', ['--engine', 'valhalla']],
    ['zones to avoid with the straight line', ['--avoid', 'z.geojson']],
    ['tiles for OSRM', ['--engine', 'osrm', '--tiles', 't']],
    ['tiles and a server', ['--engine', 'valhalla', '--tiles', 't', '--url', 'http://a']],
    ['a profile for the straight line', ['--profile', 'truck']],
    ['a speed for a server', ['--engine', 'osrm', '--url', 'http://a', '--speed', '3']],
    ['an end with a round trip', ['--end', '1', '--round-trip']],
    ['a start that is not a number', ['--start', 'one']],
    ['an output of an unknown format', ['--out', 'r.pdf']],
    ['a width of 0', ['--width', '0']],
    ['an unknown engine', ['--engine', 'google']],
  ])('%s gives exit code 2', async (_, argv) => {
    const { code, out } = await wayzone('route', POINTS, ...argv);
    expect([code, out]).toEqual([2, '']);
  });
});

describe('Valhalla in the process of the command', () => {
  const program = new URL('../../src/cli/dist/main.js', import.meta.url).pathname;
  const started = async (
    cwd: string,
    ...argv: string[]
  ): Promise<{ code: number; out: string; err: string }> => {
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...argv], { cwd });
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout, err: stderr };
    }
  };

  test('its package is loaded from the current folder, and without it the error says how to install it', async () => {
    const bare = join(folder, 'bare');
    mkdirSync(join(bare, 'tiles'), { recursive: true });
    const missing = await started(bare, 'route', TWO, '--tiles', 'tiles');
    expect(missing.code).toBe(1);
    expect(missing.err).toContain('npm install @valhallajs/valhallajs (valhalla-missing, --tiles)');
    const none = await started(bare, 'route', TWO, '--tiles', 'nowhere');
    expect(none.err).toContain('(tiles-missing, --tiles)');

    const home = join(folder, 'home');
    const place = join(home, 'node_modules/@valhallajs/valhallajs');
    mkdirSync(place, { recursive: true });
    mkdirSync(join(home, 'tiles'));
    writeFileSync(join(place, 'package.json'), '{"name":"@valhallajs/valhallajs","main":"index.js"}');
    writeFileSync(
      join(place, 'index.js'),
      `exports.getConfig = async (options) => options;
      exports.Actor = class {
        constructor(config) { if (config.tileDir !== ${JSON.stringify(join(home, 'tiles'))}) throw new Error('not there'); }
        async route(query) { return query.costing === 'truck' ? ${JSON.stringify(ANSWER)} : {}; }
      };`,
    );
    const found = await started(
      home,
      'route',
      TWO,
      '--tiles',
      'tiles',
      '--profile',
      'truck',
      '--format',
      'json',
    );
    expect(found.err).toBe('');
    expect((JSON.parse(found.out) as RoutingAnswer).values[0]?.distance).toBe(1500);
    const bad = await started(home, 'route', TWO, '--tiles', 'node_modules');
    expect(bad.err).toContain('not there (tiles-unusable, --tiles)');
  });
});
