/** Distances, destinations and distances to an edge, beside GeographicLib, Turf and cheap-ruler. Each is first checked to its tolerance. */

import { pointToLineDistance, destination as turfDestination, distance as turfDistance } from '@turf/turf';
import CheapRuler from 'cheap-ruler';
import geographiclib from 'geographiclib-geodesic';
import { geodesicDistance } from '../src/geodesy/distanceMeters.js';
import { edgeDistance, exactEdgeDistance } from '../src/geodesy/edgeDistance.js';
import { directPosition, inverseMeters } from '../src/geodesy/karney.js';
import { destination, distanceMeters, type Position } from '../src/index.js';
import { prepareNormal } from '../src/zones/preparedZone.js';
import { seeded } from '../test/volume.js';
import { compare, table } from './harness.js';

type Pair = [number, number];

interface Question {
  readonly from: Pair;
  readonly to: Pair;
  readonly edgeEnd: Pair;
  readonly azimuth: number;
  readonly meters: number;
  readonly ruler: CheapRuler;
}

interface Method {
  readonly name: string;
  /** Allowed error in metres at a distance. */
  readonly tolerance: (meters: number) => number;
  readonly ask: (question: Question) => number;
}

interface Solver {
  Inverse(lat1: number, lon1: number, lat2: number, lon2: number): { readonly s12?: number };
}

const wgs84: Solver = geographiclib.Geodesic.WGS84;

/** Positions around 50 cities, each with another position 1 m to 100 km away and an edge of up to 1 km that begins there. */
function questions(count: number, farthestExponent: number): Question[] {
  const random = seeded(20261122);
  const cities = Array.from({ length: 50 }, () => {
    const lat = random() * 120 - 60;
    return { lon: random() * 340 - 170, lat, ruler: new CheapRuler(lat, 'meters') };
  });
  return Array.from({ length: count }, (_, i) => {
    const { lon, lat, ruler } = cities[i % cities.length]!;
    const from: Pair = [lon + (random() - 0.5) * 0.1, lat + (random() - 0.5) * 0.1];
    const azimuth = random() * 360;
    const meters = 10 ** (farthestExponent * random());
    const to = directPosition(...from, azimuth, meters);
    return {
      from,
      to,
      edgeEnd: directPosition(...to, random() * 360, 1000 * random()),
      azimuth,
      meters,
      ruler,
    };
  });
}

/** Checks each method against the reference, then times it. The sums keep the compiler from removing the calls. */
function beside(
  title: string,
  asked: readonly Question[],
  reference: (question: Question) => number,
  methods: readonly Method[],
): string {
  for (const { name, tolerance, ask } of methods) {
    for (const question of asked) {
      const exact = reference(question);
      const off = Math.abs(ask(question) - exact);
      if (!(off <= tolerance(exact)))
        throw new Error(
          `${title}: expected ${name} within its tolerance at ${exact} m, received an error of ${off} m`,
        );
    }
  }
  const contenders = methods.map(({ name, ask }) => ({
    name,
    run: () => {
      let sum = 0;
      for (const question of asked) sum += ask(question);
      return Number.isFinite(sum) ? asked.length : sum;
    },
  }));
  return table(title, compare(contenders, asked.length, 9));
}

const nanometres = (count: number) => (): number => count * 1e-9;
/** Tolerance of a sphere or plane: a share of the distance and of the longest edge, which is 1 km. */
const share =
  (part: number) =>
  (meters: number): number =>
    part * (meters + 1000) + 1e-3;

export function distanceBench(quick: boolean): string {
  const asked = questions(quick ? 2000 : 20_000, 5);
  const local = questions(quick ? 2000 : 20_000, 4);
  const lon = asked[0]!.from[0];
  const lat = asked[0]!.from[1];
  const disc = prepareNormal({ key: 'circle', lon, lat, radius: 5000 }, false);
  const round = local.map(({ azimuth, meters }) => directPosition(lon, lat, azimuth, meters));
  const holds = (test: (x: number, y: number) => boolean): (() => number) => {
    return () => round.reduce((sum, [x, y], i) => sum + (test(x, y) ? i + 1 : 0), 0);
  };
  return [
    beside(
      'Distance of positions 1 m to 100 km apart',
      asked,
      ({ from, to }) => inverseMeters(...from, ...to),
      [
        {
          name: 'wayzone distanceMeters',
          tolerance: nanometres(40),
          ask: ({ from, to }) => distanceMeters(from, to),
        },
        {
          name: 'the same without its gate (geodesicDistance)',
          tolerance: nanometres(40),
          ask: ({ from, to }) => geodesicDistance(from[0], from[1], to[0], to[1]),
        },
        {
          name: 'geographiclib-geodesic Inverse',
          tolerance: nanometres(1),
          ask: ({ from, to }) => wgs84.Inverse(from[1], from[0], to[1], to[0]).s12 ?? Number.NaN,
        },
        {
          name: 'geographiclib-geodesic Inverse, distance alone',
          tolerance: nanometres(1),
          ask: ({ from, to }) => inverseMeters(from[0], from[1], to[0], to[1]),
        },
        {
          name: 'Turf distance (sphere, within 0.6 %)',
          tolerance: share(0.006),
          ask: ({ from, to }) => turfDistance(from, to, { units: 'meters' }),
        },
        {
          name: 'cheap-ruler distance (plane, within 3 %)',
          tolerance: share(0.03),
          ask: ({ from, to, ruler }) => ruler.distance(from, to),
        },
      ],
    ),
    beside(
      'Destination 1 m to 100 km away',
      asked,
      ({ meters }) => meters,
      (
        [
          [
            'wayzone destination',
            nanometres(100),
            ({ from, azimuth, meters }) => destination(from, azimuth, meters),
          ],
          [
            'geographiclib-geodesic Direct',
            nanometres(100),
            ({ from, azimuth, meters }) => directPosition(from[0], from[1], azimuth, meters),
          ],
          [
            'Turf destination (sphere, within 0.6 %)',
            share(0.006),
            ({ from, azimuth, meters }) =>
              turfDestination(from, meters, azimuth, { units: 'meters' }).geometry.coordinates as Pair,
          ],
          [
            'cheap-ruler destination (plane, within 3 %)',
            share(0.03),
            ({ from, azimuth, meters, ruler }) => ruler.destination(from, meters, azimuth),
          ],
        ] satisfies [string, Method['tolerance'], (question: Question) => Position][]
      ).map(([name, tolerance, end]) => ({
        name,
        tolerance,
        // Each contender ends with the same short distance, which turns its end position into a number.
        ask: (question) => geodesicDistance(question.from[0], question.from[1], ...toPair(end(question))),
      })),
    ),
    beside(
      'Distance from a position to an edge of up to 1 km, 1 m to 10 km away',
      local,
      ({ from, to, edgeEnd }) => exactEdgeDistance(...from, ...to, ...edgeEnd),
      [
        {
          name: 'wayzone edgeDistance',
          tolerance: nanometres(100),
          ask: ({ from, to, edgeEnd }) =>
            edgeDistance(from[0], from[1], to[0], to[1], edgeEnd[0], edgeEnd[1]),
        },
        {
          name: 'by geodesics alone (exactEdgeDistance)',
          tolerance: nanometres(1),
          ask: ({ from, to, edgeEnd }) =>
            exactEdgeDistance(from[0], from[1], to[0], to[1], edgeEnd[0], edgeEnd[1]),
        },
        {
          name: 'Turf pointToLineDistance (sphere, within 0.6 %)',
          tolerance: share(0.006),
          ask: ({ from, to, edgeEnd }) =>
            pointToLineDistance(
              from,
              { type: 'LineString', coordinates: [to, edgeEnd] },
              { units: 'meters' },
            ),
        },
        {
          name: 'cheap-ruler pointToSegmentDistance (plane, within 1 %)',
          tolerance: share(0.01),
          ask: ({ from, to, edgeEnd, ruler }) => ruler.pointToSegmentDistance(from, to, edgeEnd),
        },
      ],
    ),
    table(
      'Whether a circle holds a position',
      compare(
        [
          { name: 'wayzone, prepared', run: holds((x, y) => disc.contains(x, y)) },
          { name: 'by geographiclib-geodesic', run: holds((x, y) => inverseMeters(lon, lat, x, y) <= 5000) },
        ],
        round.length,
        9,
      ),
    ),
  ].join('\n');
}

function toPair([lon, lat]: Position): Pair {
  return [lon, lat];
}
