/** Routes that come back to the same streets, and steps that leave a narrow corridor, beside a plain drive along a plain road. */

import { type Fix, matchRoute, prepareRoute, readTrack } from '../../src/tracks/index.js';
import { DENSE_ROUTES, driveAlong } from '../../test/tracks/route/denseRoutes.js';
import { type Cliff, doublings, type Side } from './cliff.js';

const WIDTH = 60;
const STEP = 50;
/** A step of 500 m leaves a corridor of 1 m several times; each time some 15 distances are measured, a third of them by exact geodesics. */
const CROSSING_GOAL = 150;
/** A place of a fix costs about as much as a plain fix. */
const PLACES = 20;

type Ways = Readonly<Record<'step' | 'width', number>>;

function match(kind: string, edges: number, times: number, fixes: number, { step, width }: Ways): Side {
  return () => {
    const route = prepareRoute(DENSE_ROUTES[kind]!(edges, times));
    const drive: Fix[] = driveAlong(route, fixes, step, width / 10);
    const track = readTrack(drive, { maxSpeedKph: Number.POSITIVE_INFINITY });
    return () => matchRoute(track, route, { widthMeters: width });
  };
}

const ROAD = 'back and forth on one road';

export function routeCliffs(quick: boolean): Cliff[] {
  const fixes = quick ? 500 : 4000;
  const plain = match(ROAD, 4000, 1, fixes, { step: STEP, width: WIDTH });
  return Object.keys(DENSE_ROUTES).flatMap((kind): Cliff[] => [
    {
      name: `matchRoute of ${kind}`,
      what: `${PLACES} places a fix / one`,
      plain,
      unusual: match(kind, 4000, PLACES, fixes, { step: STEP, width: WIDTH }),
      goal: 2 * PLACES,
    },
    {
      name: `matchRoute of ${kind}`,
      what: 'steps of 500 m in a corridor of 1 m / of 50 m within one of 60 m',
      plain,
      unusual: match(kind, 4000, 2, fixes, { step: 500, width: 1 }),
      goal: CROSSING_GOAL,
    },
    ...doublings(`matchRoute of ${kind}`, 'places a fix', [PLACES], (times) =>
      match(kind, 4000, times, fixes, { step: STEP, width: WIDTH }),
    ),
  ]);
}
