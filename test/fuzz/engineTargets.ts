/** Targets for the answers of routing engines, over HTTP and from an actor. */

import { osrmEngine, type RoutingEngine, valhallaEngine } from '../../src/routing/index.js';
import { wkt } from '../wkt.js';
import { decode } from './mutate.js';
import { checkError, checkNumbers, Finding, hashOf } from './oracle.js';
import { json, type Target } from './target.js';

const POINTS = [
  [9.5, 47.1],
  [9.52, 47.12],
  [9.54, 47.14],
] as const;
const LINE = wkt('9.5 47.1, 9.51 47.11, 9.52 47.12');

const step = (type: string, geometry: unknown): object => ({
  distance: 1000,
  duration: 100,
  name: 'Landstrasse',
  ref: 'A 13',
  mode: 'driving',
  driving_side: 'right',
  destinations: 'Chur',
  geometry,
  maneuver: { type, modifier: 'left', bearing_after: 45, exit: 2, location: [9.5, 47.1] },
});
const osrmRoute = (geometry: unknown): object => {
  const leg = { distance: 2900, duration: 100, steps: [step('depart', geometry), step('arrive', geometry)] };
  return { code: 'Ok', routes: [{ distance: 5800, duration: 200, legs: [leg, leg] }], waypoints: [] };
};
const TABLE = {
  code: 'Ok',
  distances: [
    [0, 1, 2],
    [1, 0, null],
    [2, 1, 0],
  ],
  durations: [
    [0, 1, 2],
    [1, 0, null],
    [2, 1, 0],
  ],
};
const VALHALLA = {
  trip: {
    status: 0,
    units: 'kilometers',
    summary: { length: 5.8, time: 200 },
    legs: [0, 1].map(() => ({
      shape: '_{rhyA_gfxPowf@owf@owf@owf@',
      summary: { length: 2.9, time: 100 },
      maneuvers: [
        {
          type: 1,
          instruction: 'x',
          begin_shape_index: 0,
          end_shape_index: 2,
          length: 2.9,
          time: 100,
          street_names: ['A'],
        },
        { type: 4, instruction: 'y', begin_shape_index: 2, end_shape_index: 2, length: 0, time: 0 },
      ],
    })),
  },
};
const SOURCES = {
  sources_to_targets: [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => ({
      distance: Math.abs(i - j),
      time: 60 * Math.abs(i - j),
      from_index: i,
      to_index: j,
    })),
  ),
};

async function check(engine: RoutingEngine): Promise<void> {
  for (const ask of ['route', 'matrix'] as const) {
    try {
      const answer = await engine[ask](POINTS);
      if ('legs' in answer) {
        checkNumbers(answer, 'route');
        if (answer.legs.length !== 2 || answer.legs.some(({ geometry }) => geometry.length < 2)) {
          throw new Finding('expected a route of 2 legs with lines');
        }
      } else {
        const numbers = [...answer.distancesMeters.flat(), ...answer.durationsSeconds.flat()];
        if (numbers.length !== 18 || !numbers.every((number) => number >= 0))
          throw new Finding('expected matrices of 18 numbers from 0');
      }
    } catch (error) {
      checkError(error);
    }
  }
}

/** A server that answers each request with this text. */
function server(input: Uint8Array): {
  url: string;
  fetch: () => Promise<{ status: number; headers: { get: () => null }; text: () => Promise<string> }>;
} {
  const status = [200, 200, 200, 400, 404, 500][hashOf(input) % 6]!;
  return {
    url: 'http://127.0.0.1',
    fetch: async () => ({ status, headers: { get: () => null }, text: async () => decode(input) }),
  };
}

const ERRORS = [
  { code: 'NoSegment', message: 'could not find coordinate 1' },
  { error_code: 442, error: 'No path', status: 400 },
];

export const ENGINE_TARGETS: readonly Target[] = [
  {
    name: 'osrm',
    format: 'json',
    seeds: () => [
      json(osrmRoute({ type: 'LineString', coordinates: LINE })),
      json(osrmRoute('_gjaR_~rfA')),
      json(TABLE),
      json(ERRORS[0]),
    ],
    run: async (input) => {
      for (const geometries of ['geojson', 'polyline6'] as const) {
        await check(osrmEngine({ ...server(input), geometries }));
      }
    },
  },
  {
    name: 'valhalla',
    format: 'json',
    seeds: () => [json(VALHALLA), json(SOURCES), json(osrmRoute('_gjaR_~rfA')), json(ERRORS[1])],
    run: async (input) => {
      for (const format of ['osrm', 'native'] as const) {
        await check(valhallaEngine({ ...server(input), format }));
        await check(
          valhallaEngine({ actor: { route: () => decode(input), matrix: () => decode(input) }, format }),
        );
      }
    },
  },
];
