/** The evaluation of large trips: holes, shared visits, drift at a border, zones that overlap; a tracker fix by fix; and late fixes. */

import type { Fix } from '../../src/index.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions, TripTracker } from '../../src/trips/index.js';
import {
  borderFixes,
  COST_DATE,
  type CostTrip,
  costTrip,
  costVisits,
  dayFixes,
  overlapFixes,
} from '../../test/trips/costRuns.js';
import { type Cliff, once, type Side } from './cliff.js';

const OPTIONS: TripOptions = { timeZone: 'UTC' };

export function tripCliffs(quick: boolean): Cliff[] {
  const rounds = quick ? 2 : 5;
  const ofVisits = (kind: CostTrip, visits: number, holes: number, options: object = {}): Side => {
    const trip = costTrip(kind);
    const given = costVisits(visits, kind, holes);
    return () => () => {
      for (let i = 0; i < rounds; i++) evaluateTrip(trip, COST_DATE, given, { ...OPTIONS, ...options });
    };
  };
  const many: CostTrip = { points: 60, zones: 60 };
  const few: CostTrip = { points: 60, zones: 8 };
  const alike: CostTrip = { points: 60, zones: 12, alike: 5 };
  const row = (what: string, plain: Side, unusual: Side, goal: number, more: object = {}): Cliff => ({
    name: 'evaluateTrip',
    what,
    plain,
    unusual,
    goal,
    ...more,
  });
  const border: CostTrip = { points: 20, zones: 20 };
  const drifting = (inside: boolean): Side => {
    const trip = costTrip(border);
    const track = once(() => readTrack(borderFixes(12, border, inside)));
    return () => {
      const fixes = track();
      return () => evaluateTrip(trip, COST_DATE, fixes, OPTIONS);
    };
  };
  const overlapping = (points: number, zones: number): Side => {
    const kind: CostTrip = { points, zones, apart: 60, radius: 6000 };
    const trip = costTrip(kind);
    const track = once(() => readTrack(overlapFixes({ ...kind, points: zones })));
    return () => {
      const fixes = track();
      return () => evaluateTrip(trip, COST_DATE, fixes, OPTIONS);
    };
  };
  const day: CostTrip = { points: 40, zones: 40 };
  const trip = costTrip(day);
  const fixes = once(() => dayFixes(41_000, 2, day));
  const tracked = (work: (tracker: TripTracker, all: readonly Fix[]) => void, options: object = {}): Side => {
    return () => {
      const all = fixes();
      return () => work(new TripTracker(trip, COST_DATE, { ...OPTIONS, ...options }), all);
    };
  };
  const single = (tracker: TripTracker, all: readonly Fix[]): void => {
    for (const fix of all) tracker.push(fix);
  };
  return [
    row('60 points, 600 visits, two holes / no hole', ofVisits(many, 600, 0), ofVisits(many, 600, 2), 4),
    row('the same of 8 zones', ofVisits(few, 600, 0), ofVisits(few, 600, 2), 4),
    row(
      '60 points, 600 visits, allowSharedVisit / not',
      ofVisits(alike, 600, 0),
      ofVisits(alike, 600, 0, { allowSharedVisit: true }),
      6,
    ),
    row(
      'the same with two holes',
      ofVisits(alike, 600, 2),
      ofVisits(alike, 600, 2, { allowSharedVisit: true }),
      6,
    ),
    row('20 points, 12 h of drift at a border / within', drifting(true), drifting(false), 6, {
      mostMs: 300,
    }),
    row('80 points that overlap / 20', overlapping(20, 20), overlapping(80, 80), 25),
    row('the same of half as many zones', overlapping(20, 10), overlapping(80, 40), 25),
    {
      name: 'TripTracker',
      what: `push of ${fixes().length.toLocaleString('en')} fixes / pushAll`,
      plain: tracked((tracker, all) => {
        tracker.pushAll(all);
      }),
      unusual: tracked(single),
      goal: 3,
    },
    {
      name: 'TripTracker',
      what: 'push with latenessSeconds 60 / 0',
      plain: tracked(single),
      unusual: tracked(single, { latenessSeconds: 60 }),
      goal: 1.3,
    },
  ];
}
