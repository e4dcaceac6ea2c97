/** The steps of a match grow with the candidates of its fixes, however often a route comes back to the same streets, and with nothing else. */

import { expect, test } from 'vitest';
import {
  type Fix,
  findDeviations,
  matchRoute,
  prepareRoute,
  RouteTracker,
  readTrack,
} from '../../src/tracks/index.js';
import { DENSE_ROUTES, driveAlong } from '../tracks/route/denseRoutes.js';
import { type Growth, testGrowth } from './growth.js';
import { stepsOf } from './steps.js';

const FIXES = 60;
const FREE = { maxSpeedKph: Number.POSITIVE_INFINITY } as never;

interface Ways {
  readonly step: number;
  readonly width: number;
}

/** Fixes 50 m apart, as of a plain drive, within a corridor and in one so narrow that each step leaves it. */
const WAYS: Readonly<Record<string, Ways>> = {
  'steps of 50 m': { step: 50, width: 60 },
  'a corridor of 1 m': { step: 50, width: 1 },
};

function matchOf(kind: string, edges: number, times: number, { step, width }: Ways): () => unknown {
  const route = prepareRoute(DENSE_ROUTES[kind]!(edges, times));
  const track = readTrack(driveAlong(route, FIXES, step, 0.3 * width), FREE);
  return () => matchRoute(track, route, { widthMeters: width });
}

const ofCandidates = Object.keys(DENSE_ROUTES).flatMap((kind) =>
  Object.entries(WAYS).map(
    ([way, ways]): Growth => ({
      name: `matchRoute with twice the candidates, ${kind}, ${way}`,
      size: 32,
      work: (n) => matchOf(kind, 640, n, ways),
    }),
  ),
);

testGrowth([
  ...ofCandidates,
  ...Object.keys(DENSE_ROUTES).flatMap((kind): Growth[] => [
    {
      name: `matchRoute with twice the edges, ${kind}`,
      size: 400,
      most: 1.6,
      work: (n) => matchOf(kind, n, 8, WAYS['a corridor of 1 m']!),
    },
    {
      name: `RouteTracker of ${kind}`,
      size: 80,
      work: (n) => {
        const route = prepareRoute(DENSE_ROUTES[kind]!(400, 8));
        const fixes = driveAlong(route, n, 50, 10);
        return () => {
          const tracker = new RouteTracker(route, { widthMeters: 60 });
          for (const fix of fixes) tracker.push(fix);
          tracker.report();
        };
      },
    },
    {
      name: `prepareRoute of ${kind}`,
      size: 400,
      work: (n) => {
        const line = DENSE_ROUTES[kind]!(n, 8);
        return () => prepareRoute(line);
      },
    },
  ]),
]);

/** A plain road with 50 m edges. */
const plain = prepareRoute(
  Array.from({ length: 401 }, (_, i): [number, number] => [
    13 + (48 * i) / 68_500,
    52 + (40 * Math.sin(i / 4)) / 111_300,
  ]),
);
const stepsPerFix = async (
  work: (fixes: readonly Fix[]) => unknown,
  fixes: readonly Fix[],
): Promise<number> => {
  work(fixes);
  return (await stepsOf(() => work(fixes))) / fixes.length;
};

test('a step that leaves the corridor of a road driven 60 times costs what it does on a plain road', async () => {
  const many = prepareRoute(DENSE_ROUTES['back and forth on one road']!(1200, 60));
  for (const [step, aside] of [
    [50, 1],
    [500, 1],
  ] as const) {
    const deviations = (route: typeof plain) => (fixes: readonly Fix[]) =>
      findDeviations(readTrack(fixes, FREE), route, 1);
    const once = await stepsPerFix(deviations(plain), driveAlong(plain, FIXES, step, aside));
    const often = await stepsPerFix(deviations(many), driveAlong(many, FIXES, step, aside));
    expect(often / once).toBeLessThan(1.7);
  }
});
