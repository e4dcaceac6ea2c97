import { readFileSync } from 'node:fs';
import polyline from '@mapbox/polyline';
import { afterEach, describe, expect, test } from 'vitest';
import {
  destination,
  distanceMeters,
  lengthMeters,
  type WayzoneError,
  zoneContains,
} from '../../src/index.js';
import { osrmEngine, straightLineEngine, valhallaEngine } from '../../src/routing/index.js';
import { errorOf } from '../errorOf.js';
import { dataPath } from '../interchange/realData.js';
import { needs, sharedData } from '../needs.js';
import { type Handler, json, type Loopback, realFetch, rejected, serve } from './loopback.js';

const POINTS = [
  [9.5, 47.1],
  [9.52, 47.12],
  [9.54, 47.14],
] as const;

const servers: Loopback[] = [];
const started = async (handler: Handler): Promise<Loopback> => {
  const server = await serve(handler);
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** An OSRM route through the coordinates in the request path. */
const osrmAnswer = (path: string): object => {
  const [, places, query] = /\/route\/v1\/\w+\/([^?]+)\?(.*)/.exec(path)!;
  const points = places!.split(';').map((pair) => pair.split(',').map(Number) as [number, number]);
  const geometries = new URLSearchParams(query).get('geometries');
  const shape = (line: [number, number][]): unknown => {
    if (geometries === 'geojson') return { type: 'LineString', coordinates: line };
    return polyline.encode(
      line.map(([lon, lat]): [number, number] => [lat, lon]),
      geometries === 'polyline6' ? 6 : 5,
    );
  };
  const legs = points.slice(1).map((to, i) => ({
    distance: 1000 * (i + 1),
    duration: 100 * (i + 1),
    steps: [
      {
        distance: 1000 * (i + 1),
        duration: 100 * (i + 1),
        name: 'Landstrasse',
        mode: 'driving',
        geometry: shape([points[i]!, [9.51, 47.11], to]),
        maneuver: { type: 'depart', bearing_after: 45, location: points[i] },
      },
      {
        distance: 0,
        duration: 0,
        name: '',
        mode: 'driving',
        geometry: shape([to, to]),
        maneuver: { type: 'arrive' },
      },
    ],
  }));
  return { code: 'Ok', routes: [{ distance: 3000, duration: 300, legs }], waypoints: [] };
};

describe('straightLineEngine', () => {
  test('distances are geodesics times the detour factor, durations follow from the speed', async () => {
    const engine = straightLineEngine({ speedKph: 36, detourFactor: 1.5 });
    const { legs, distanceMeters: total, durationSeconds } = await engine.route(POINTS);
    const lengths = [distanceMeters(POINTS[0], POINTS[1]) * 1.5, distanceMeters(POINTS[1], POINTS[2]) * 1.5];
    expect(legs.map((leg) => leg.distanceMeters)).toEqual(lengths);
    expect(total).toBe(lengths[0]! + lengths[1]!);
    expect(durationSeconds).toBeCloseTo(total / 10, 9);
    expect(legs[0]!.geometry).toEqual([POINTS[0], POINTS[1]]);
    expect(legs[0]!.steps.map(({ maneuver }) => maneuver.type)).toEqual(['depart', 'arrive']);
    const { distancesMeters, durationsSeconds } = await engine.matrix(POINTS);
    expect(distancesMeters[0]).toEqual([0, lengths[0], distanceMeters(POINTS[0], POINTS[2]) * 1.5]);
    expect(durationsSeconds[1]![0]).toBeCloseTo(lengths[0]! / 10, 9);
  });

  test('a long leg follows the geodesic, also over the antimeridian', async () => {
    const engine = straightLineEngine({ detourFactor: 1 });
    for (const [from, to] of [
      [
        [37.6, 55.7],
        [-122.4, 37.8],
      ],
      [
        [170, 60],
        [-170, 62],
      ],
      [
        [10, 80],
        [-170, 85],
      ],
      [
        [0, 0],
        [179.5, 0.2],
      ],
    ] as const) {
      const { legs, distanceMeters: meters } = await engine.route([from, to]);
      const { geometry } = legs[0]!;
      expect(geometry[0]).toEqual(from);
      expect(geometry.at(-1)).toEqual(to);
      expect(meters).toBeCloseTo(distanceMeters(from, to), 3);
      expect(lengthMeters(geometry)).toBeGreaterThanOrEqual(meters - 1e-3);
      expect(lengthMeters(geometry)).toBeLessThan(meters * 1.002);
    }
  });

  test('equal points, poles and antipodes', async () => {
    const { legs, distanceMeters: meters } = await straightLineEngine({ detourFactor: 1 }).route([
      [10, 50],
      [10, 50],
      [0, 90],
      [0, -90],
    ]);
    const north = distanceMeters([10, 50], [0, 90]);
    expect(legs.map((leg) => leg.distanceMeters)).toEqual([0, north, distanceMeters([0, 90], [0, -90])]);
    expect(Number.isFinite(meters)).toBe(true);
  });

  test.each([
    [{ speedKph: 0 }, 'options.speedKph'],
    [{ speedKph: Number.NaN }, 'options.speedKph'],
    [{ detourFactor: 0.9 }, 'options.detourFactor'],
  ])('%j: refused', (options, field) => {
    expect(errorOf(() => straightLineEngine(options))).toMatchObject({ code: 'option-value', field });
  });

  test('one point, a latitude beyond the pole, zones to avoid and an aborted signal are refused', async () => {
    const engine = straightLineEngine();
    expect(await rejected(engine.route([[1, 2]]))).toMatchObject({ code: 'routing-points', field: 'points' });
    expect(
      await rejected(
        engine.route([
          [1, 2],
          [3, 91],
        ]),
      ),
    ).toMatchObject({ code: 'lat-range', field: 'points[1][1]' });
    const zone = { type: { key: 'circle' }, geometry: [[9, 47]], width: 10 } as const;
    expect(await rejected(engine.route(POINTS, { avoidZones: [zone] }))).toMatchObject({
      field: 'options.avoidZones',
    });
    expect(await rejected(engine.matrix(POINTS, { signal: AbortSignal.abort('enough') }))).toBe('enough');
  });
});

describe('osrmEngine over real HTTP', () => {
  test.each(['polyline', 'polyline6', 'geojson'] as const)('a route in %s', async (geometries) => {
    const server = await started((request, response) => json(response, 200, osrmAnswer(request.url!)));
    const engine = osrmEngine({ url: `${server.url}/`, fetch: realFetch, geometries, profile: 'truck' });
    const route = await engine.route(POINTS);
    expect(server.requests[0]!.path).toBe(
      `/route/v1/truck/9.500000,47.100000;9.520000,47.120000;9.540000,47.140000?overview=false&steps=true&geometries=${geometries}`,
    );
    expect(route).toMatchObject({ distanceMeters: 3000, durationSeconds: 300 });
    expect(route.legs.map((leg) => leg.geometry)).toEqual([
      [POINTS[0], [9.51, 47.11], POINTS[1]],
      [POINTS[1], [9.51, 47.11], POINTS[2]],
    ]);
    expect(route.legs[1]!.steps[0]).toMatchObject({
      name: 'Landstrasse',
      distanceMeters: 2000,
      maneuver: { type: 'depart', bearingAfter: 45, modifier: null },
    });
  });

  test('a matrix cell without a path is Infinity', async () => {
    const answer = {
      code: 'Ok',
      durations: [
        [0, 5],
        [null, 0],
      ],
      distances: [
        [0, 50],
        [null, 1e-9],
      ],
    };
    const server = await started((_, response) => json(response, 200, answer));
    const engine = osrmEngine({ url: server.url, fetch: realFetch });
    expect(await engine.matrix(POINTS.slice(0, 2))).toEqual({
      durationsSeconds: [
        [0, 5],
        [Number.POSITIVE_INFINITY, 0],
      ],
      distancesMeters: [
        [0, 50],
        [Number.POSITIVE_INFINITY, 0],
      ],
    });
    expect(await engine.matrix([[1, 2]])).toEqual({ durationsSeconds: [[0]], distancesMeters: [[0]] });
  });

  test.each([
    ['NoSegment', 'Could not find a matching segment for coordinate 1', 'no-segment', 'points[1]'],
    ['TooBig', 'Too many trip coordinates', 'engine-limit', 'points'],
    ['InvalidQuery', 'Query string malformed', 'engine-query', 'points'],
    ['Unheard', 'of', 'engine-query', 'points'],
  ])('%s', async (own, message, code, field) => {
    const server = await started((_, response) => json(response, 400, { code: own, message }));
    const error = await rejected(osrmEngine({ url: server.url, fetch: realFetch }).route(POINTS));
    expect(error).toMatchObject({ code, field, message: `osrm: ${own}: ${message}` });
  });

  test('NoRoute names the leg', async () => {
    const server = await started((request, response) => {
      if (request.url!.includes('9.540000'))
        json(response, 400, { code: 'NoRoute', message: 'Impossible route' });
      else json(response, 200, osrmAnswer(request.url!));
    });
    const error = await rejected(osrmEngine({ url: server.url, fetch: realFetch }).route(POINTS));
    expect(error).toMatchObject({ code: 'no-route', field: 'legs[1]', status: 422 });
    expect(error.message).toBe('osrm: NoRoute: Impossible route (leg 1, from point 1 to 2)');
    expect(server.requests).toHaveLength(3);
  });

  test.each([
    ['a crash', 500, '<html>Internal Server Error</html>', 'HTTP 500: no JSON'],
    ['a cut-off answer', 200, '{"code":"Ok","routes":[{', 'HTTP 200: no JSON'],
    ['a crash in JSON', 500, '{"message":"out of memory"}', 'HTTP 500: out of memory'],
    ['no object', 200, '[]', 'answer: expected an object'],
    ['no routes', 200, '{"code":"Ok"}', 'routes: expected an array'],
    [
      'too few legs',
      200,
      '{"code":"Ok","routes":[{"distance":1,"duration":1,"legs":[]}]}',
      'legs: expected 2 entries',
    ],
  ])('%s', async (_, status, body, message) => {
    const server = await started((__, response) => json(response, status, body));
    const error = await rejected(osrmEngine({ url: server.url, fetch: realFetch }).route(POINTS));
    expect(error).toMatchObject({ code: 'engine-response', status: 502 });
    expect(error.message).toContain(message);
  });

  test.each([
    ['a wrong geometry', { geometry: '_p~iF~ps|U_ul' }, 'geometry: expected a polyline'],
    [
      'a geometry of NaN',
      { geometry: { type: 'LineString', coordinates: [[1, null]] } },
      'expected a position',
    ],
    [
      'a point instead of a line',
      { geometry: { type: 'Point', coordinates: [1, 2] } },
      'expected a LineString',
    ],
    ['a negative distance', { distance: -1 }, 'distance: expected a number from 0'],
    ['no duration', { duration: undefined }, 'duration: expected a number from 0'],
    ['no manoeuvre', { maneuver: undefined }, 'maneuver: expected an object'],
    ['a manoeuvre without a type', { maneuver: {} }, 'maneuver.type: expected a type'],
  ])('%s', async (_, change, message) => {
    const server = await started((request, response) => {
      const answer = osrmAnswer(request.url!) as { routes: { legs: { steps: object[] }[] }[] };
      answer.routes[0]!.legs[1]!.steps[0] = { ...answer.routes[0]!.legs[1]!.steps[0], ...change };
      json(response, 200, answer);
    });
    const error = await rejected(osrmEngine({ url: server.url, fetch: realFetch }).route(POINTS));
    expect(error.code).toBe('engine-response');
    expect(error.message).toContain('routes[0].legs[1].steps[0].');
    expect(error.message).toContain(message);
  });

  test('after a busy answer the engine waits for the requested delay and tries again', async () => {
    const answers = [
      [429, { 'retry-after': '7' }],
      [503, { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT', date: 'Thu, 01 Jan 2026 00:00:04 GMT' }],
      [503, { 'retry-after': 'soon' }],
    ] as const;
    let asked = 0;
    const server = await started((request, response) => {
      const busy = answers[asked++];
      if (busy === undefined) json(response, 200, osrmAnswer(request.url!));
      else json(response, busy[0], 'busy', busy[1]);
    });
    const waited: number[] = [];
    const wait = async (seconds: number): Promise<void> => {
      waited.push(seconds);
    };
    const options = { url: server.url, fetch: realFetch, wait };
    expect((await osrmEngine({ ...options, retries: 3 }).route(POINTS)).legs).toHaveLength(2);
    expect(waited).toEqual([7, 5, 4]);
    asked = 0;
    const error = await rejected(osrmEngine(options).route(POINTS));
    expect(error).toMatchObject({ code: 'engine-busy', status: 503 });
    asked = 0;
    const impatient = await rejected(osrmEngine({ ...options, maxWaitSeconds: 6 }).route(POINTS));
    expect(impatient.message).toBe('osrm: HTTP 429: a busy server, which asks to retry after 7 s');
    asked = 0;
    expect(await rejected(osrmEngine({ url: server.url, fetch: realFetch }).route(POINTS))).toMatchObject({
      code: 'engine-busy',
    });
    expect(asked).toBe(1);
  });

  test('a slow server ends in the time-out, an abort in the caller\u2019s reason; a dropped connection is an error', async () => {
    const slow = await started(() => {});
    const engine = osrmEngine({ url: slow.url, fetch: realFetch, timeoutSeconds: 0.05 });
    expect(await rejected(engine.route(POINTS))).toMatchObject({ code: 'engine-timeout', status: 504 });
    const controller = new AbortController();
    const patient = osrmEngine({ url: slow.url, fetch: realFetch }).route(POINTS, {
      signal: controller.signal,
    });
    controller.abort(new Error('enough'));
    expect((await rejected(patient)).message).toBe('enough');
    const dropped = await started((_, response) => response.destroy());
    const lost = await rejected(osrmEngine({ url: dropped.url, fetch: realFetch }).matrix(POINTS));
    expect(lost).toMatchObject({ code: 'engine-unreachable', status: 502 });
    const half = await started((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"code":');
      setImmediate(() => response.destroy());
    });
    const cut = await rejected(osrmEngine({ url: half.url, fetch: realFetch }).matrix(POINTS));
    expect(cut.code).toBe('engine-unreachable');
  });

  test.each([
    [{ url: 'ftp://a' }, 'options.url'],
    [{ url: 7 }, 'options.url'],
    [{ fetch: undefined }, 'options.fetch'],
    [{ profile: 'a/b' }, 'options.profile'],
    [{ geometries: 'wkb' }, 'options.geometries'],
    [{ timeoutSeconds: 0 }, 'options.timeoutSeconds'],
  ])('%j: refused', (change, field) => {
    const options = { url: 'http://a', fetch: realFetch, ...change } as Parameters<typeof osrmEngine>[0];
    expect(errorOf(() => osrmEngine(options)).field).toBe(field);
  });
});

interface Recorded {
  readonly query: { readonly locations: { lat: number; lon: number }[] };
  readonly response: unknown;
}

needs(sharedData('osm/valhalla-responses')).describe(
  'recorded answers of Valhalla (needs ../shared/data)',
  () => {
    const recorded = (name: string): Recorded =>
      JSON.parse(readFileSync(dataPath(`osm/valhalla-responses/${name}.json`), 'utf8')) as Recorded;
    const placesOf = ({ query }: Recorded): [number, number][] =>
      query.locations.map(({ lon, lat }): [number, number] => [lon, lat]);

    test.each([
      ['route-osrm-auto', 'osrm', 21253.525],
      ['route-osrm-alternates', 'osrm', 21253.525],
      ['route-osrm-geojson', 'osrm', 21253.525],
      ['route-native-ru', 'native', 21253],
      ['route-osrm-truck-5stops-ru', 'osrm', 23715.523],
      ['moscow-route-osrm', 'osrm', 3222.118],
      ['optimized-osrm-5', 'osrm', 33924.52],
    ] as const)('%s', async (name, format, meters) => {
      const record = recorded(name);
      const points = placesOf(record);
      const server = await started((_, response) => json(response, 200, record.response));
      const engine = valhallaEngine({ url: server.url, fetch: realFetch, format });
      const route = await engine.route(points);
      expect(server.requests[0]!.path).toBe('/route');
      expect(route.distanceMeters).toBeCloseTo(meters, 6);
      expect(route.legs).toHaveLength(points.length - 1);
      for (const leg of route.legs) {
        // Valhalla measures its unrounded roads; the geometry has six decimals.
        expect(Math.abs(lengthMeters(leg.geometry) - leg.distanceMeters)).toBeLessThan(
          10 + leg.distanceMeters * 0.01,
        );
        expect(leg.steps[0]!.maneuver.type).toBe('depart');
        expect(leg.steps.at(-1)!.maneuver.type).toBe('arrive');
        const sum = leg.steps.reduce((total, step) => total + step.distanceMeters, 0);
        expect(Math.abs(sum - leg.distanceMeters)).toBeLessThan(leg.steps.length * 0.6);
      }
      for (const [i, leg] of route.legs.entries()) {
        if (i > 0)
          expect(distanceMeters(route.legs[i - 1]!.geometry.at(-1)!, leg.geometry[0]!)).toBeLessThan(1);
      }
    });

    test('the native format and the OSRM format give the same route', async () => {
      const [osrm, native] = await Promise.all(
        (['route-osrm-auto', 'route-native-ru'] as const).map(async (name, i) => {
          const record = recorded(name);
          const actor = { route: () => JSON.stringify(record.response), matrix: () => '' };
          return await valhallaEngine({ actor, format: i === 0 ? 'osrm' : 'native' }).route(placesOf(record));
        }),
      );
      expect(native!.legs[0]!.geometry).toEqual(osrm!.legs[0]!.geometry);
      expect(native!.legs[0]!.steps).toHaveLength(osrm!.legs[0]!.steps.length);
      for (const [i, step] of native!.legs[0]!.steps.entries()) {
        const other = osrm!.legs[0]!.steps[i]!;
        expect(step.maneuver.bearingAfter ?? 0).toBe(other.maneuver.bearingAfter);
        expect(step.maneuver.exit).toBe(other.maneuver.exit);
        // Kilometres with three decimals.
        expect(Math.abs(step.distanceMeters - other.distanceMeters)).toBeLessThan(1.001);
        if (['depart', 'arrive'].includes(other.maneuver.type))
          expect(step.maneuver.type).toBe(other.maneuver.type);
      }
    });

    test('a square matrix is read; a 3 × 5 matrix does not fit three points', async () => {
      const { response } = recorded('matrix-osrm-3x5') as {
        response: { durations: number[][]; distances: number[][] };
      };
      const square = {
        code: 'Ok',
        durations: response.durations.map((row) => row.slice(0, 3)),
        distances: response.distances.map((row) => row.slice(0, 3)),
      };
      const actor = { route: () => ({}), matrix: () => square };
      const engine = valhallaEngine({ actor });
      expect(await engine.matrix(POINTS)).toEqual({
        durationsSeconds: square.durations,
        distancesMeters: square.distances,
      });
      const wide = valhallaEngine({ actor: { ...actor, matrix: () => response } });
      expect(await rejected(wide.matrix(POINTS))).toMatchObject({ code: 'engine-response' });
    });

    test('an isochrone, and polyline5 in place of polyline6, are not routes', async () => {
      const { response } = recorded('isochrone');
      const engine = valhallaEngine({ actor: { route: () => response, matrix: () => response } });
      expect(await rejected(engine.route(POINTS))).toMatchObject({ code: 'engine-response' });
      const five = recorded('route-osrm-polyline5');
      const shrunk = valhallaEngine({ actor: { route: () => five.response, matrix: () => ({}) } });
      // polyline5 read as polyline6 divides each difference by 10. Only the length shows it.
      const error = await rejected(shrunk.route(placesOf(five)));
      expect(error.message).toMatch(
        /^valhalla: routes\[0\]\.legs\[0\]\.steps: expected a line of about 21\d\d\d m, received "2\d\d\d m"$/,
      );
    });
  },
);

describe('valhallaEngine', () => {
  test('requests contain the costing, the truck and the zones to avoid', async () => {
    const asked: Record<string, unknown>[] = [];
    const actor = {
      route: (request: object) => {
        asked.push(request as Record<string, unknown>);
        throw new Error('Route error: No path could be found for input');
      },
      matrix: () => ({}),
    };
    const engine = valhallaEngine({ actor, costing: 'truck', costingOptions: { height: 4.1 } });
    const zone = { type: { key: 'circle' }, geometry: [[47.11, 9.51]], width: 300 } as const;
    const error = await rejected(
      engine.route(POINTS.slice(0, 2), { avoidZones: [zone], zoneOptions: { axisOrder: 'latlon' } }),
    );
    expect(error).toMatchObject({ code: 'no-route', field: 'legs[0]' });
    expect(error.message).toContain('valhalla: 442');
    const { exclude_polygons: polygons, ...rest } = asked[0]!;
    expect(rest).toEqual({
      locations: [
        { lon: 9.5, lat: 47.1 },
        { lon: 9.52, lat: 47.12 },
      ],
      shape_format: 'polyline6',
      costing: 'truck',
      costing_options: { truck: { height: 4.1 } },
      units: 'kilometers',
      format: 'osrm',
    });
    const [ring] = polygons as [number, number][][];
    expect(ring!.length).toBeGreaterThan(20);
    for (const position of ring!)
      expect(Math.abs(distanceMeters(position, [9.51, 47.11]) - 300)).toBeLessThan(1);
    expect(zoneContains(zone, destination([9.51, 47.11], 10, 290), { axisOrder: 'latlon' })).toBe(true);
  });

  test('an invalid zone is reported with its path', async () => {
    const engine = valhallaEngine({ actor: { route: () => ({}), matrix: () => ({}) } });
    const zone = { type: { key: 'circle' }, geometry: [[9, 91]], width: 1 } as const;
    expect(await rejected(engine.route(POINTS, { avoidZones: [zone] }))).toMatchObject({
      code: 'lat-range',
      field: 'avoidZones[0].geometry[0][1]',
    });
  });

  test.each([
    [442, 'No path could be found for input', 'no-route', 'legs[0]'],
    [171, 'No suitable edges near location', 'no-segment', 'points'],
    [154, 'Path distance exceeds the max distance limit', 'engine-limit', 'points'],
    [130, 'Failed to parse location', 'engine-query', 'points'],
  ])('%i over HTTP', async (number, message, code, field) => {
    const server = await started((_, response) =>
      json(response, 400, { error_code: number, error: message, status_code: 400, status: 'Bad Request' }),
    );
    const error = await rejected(valhallaEngine({ url: server.url, fetch: realFetch }).route(POINTS));
    expect(error).toMatchObject({ code, field });
    expect(error.message).toContain(`valhalla: ${number}: ${message}`);
  });

  test.each(['osrm', 'native'] as const)('a failing server, in the %s format', async (format) => {
    const fails = async (handler: Handler, options: object = {}): Promise<WayzoneError> => {
      const { url } = await started(handler);
      const engine = valhallaEngine({ url, fetch: realFetch, format, ...options });
      const [route, matrix] = await Promise.all([
        rejected(engine.route(POINTS)),
        rejected(engine.matrix(POINTS)),
      ]);
      expect(matrix.code).toBe(route.code);
      return route;
    };
    expect((await fails(() => {}, { timeoutSeconds: 0.05 })).code).toBe('engine-timeout');
    expect((await fails((_, response) => response.destroy())).code).toBe('engine-unreachable');
    const busy = await fails((_, response) => json(response, 429, 'slow down', { 'retry-after': '3' }));
    expect(busy).toMatchObject({ code: 'engine-busy', status: 503 });
    expect(busy.message).toBe('valhalla: HTTP 429: a busy server, which asks to retry after 3 s');
    for (const [status, body] of [
      [500, '<html>'],
      [500, '{"error":"gone"}'],
      [200, '{"trip":{"legs":['],
      [200, 'null'],
      [200, '{}'],
      [200, '{"trip":{"units":"miles"},"routes":[]}'],
    ] as const) {
      const error = await fails((_, response) => json(response, status, body));
      expect(error).toMatchObject({ code: 'engine-response', status: 502 });
    }
  });

  test.each([
    ['cut off', 'abc~'],
    [
      'out of range',
      polyline.encode(
        [
          [89, 9],
          [95, 9],
        ],
        6,
      ),
    ],
    ['nothing', ''],
    ['no text', 7],
  ])('invalid geometry: %s', async (_, shape) => {
    const leg = { summary: { length: 1, time: 1 }, shape, maneuvers: [] };
    const trip = { units: 'kilometers', legs: [leg], summary: { length: 1, time: 1 } };
    const server = await started((__, response) => json(response, 200, { trip }));
    const engine = valhallaEngine({ url: server.url, fetch: realFetch, format: 'native' });
    const error = await rejected(engine.route(POINTS.slice(0, 2)));
    expect(error.code).toBe('engine-response');
    expect(error.message).toContain('trip.legs[0].shape');
  });

  test('an actor\u2019s matrix in the native format, an actor that throws, an aborted signal', async () => {
    const cell = (distance: number | null, time: number | null): object => ({ distance, time });
    const table = {
      sources_to_targets: [
        [cell(0, 0), cell(1.5, 90)],
        [cell(null, null), cell(0, 0)],
      ],
    };
    const actor = { route: () => ({}), matrix: async () => JSON.stringify(table) };
    const engine = valhallaEngine({ actor, format: 'native' });
    expect(await engine.matrix(POINTS.slice(0, 2))).toEqual({
      distancesMeters: [
        [0, 1500],
        [Number.POSITIVE_INFINITY, 0],
      ],
      durationsSeconds: [
        [0, 90],
        [Number.POSITIVE_INFINITY, 0],
      ],
    });
    const failing = valhallaEngine({
      actor: {
        ...actor,
        route: () => {
          throw new Error('tiles are gone');
        },
      },
    });
    expect(await rejected(failing.route(POINTS))).toMatchObject({
      code: 'engine-query',
      message: 'valhalla: actor: tiles are gone',
    });
    expect(await rejected(engine.route(POINTS, { signal: AbortSignal.abort('enough') }))).toBe('enough');
    expect(errorOf(() => valhallaEngine({ actor, costing: '' })).field).toBe('options.costing');
  });
});

test.each([
  ['osrmEngine', () => osrmEngine(undefined as never)],
  ['valhallaEngine', () => valhallaEngine(null as never)],
  ['straightLineEngine', () => straightLineEngine([] as never)],
])('%s refuses options that are not an object', (_, make) => {
  expect(errorOf(make)).toMatchObject({ code: 'option-type', field: 'options' });
});
