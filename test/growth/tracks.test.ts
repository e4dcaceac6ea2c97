/** The steps of `wayzone/tracks` grow with the number of fixes, for plain and troubled tracks alike. */

import { expect, test } from 'vitest';
import { type Geozone, ZoneIndex } from '../../src/index.js';
import {
  detectTrips,
  findDeviations,
  findVisits,
  gradeTrack,
  MovementTracker,
  readTrack,
  suggestZones,
  type UnitStay,
  VisitTracker,
} from '../../src/tracks/index.js';
import { RESTS, TRACKS } from './fixes.js';
import { type Growth, testGrowth } from './growth.js';
import { stepsOf } from './steps.js';

/** Circles of 300 m along the way of the drives, some of them upon one another. */
const ZONES = Array.from(
  { length: 60 },
  (_, i): Geozone => ({
    id: `z${i}`,
    name: '',
    type: { key: 'circle' },
    geometry: [[9.5 + 0.01 * (i >> 1), 47.1]],
    width: 300,
  }),
);
const INDEX = new ZoneIndex(ZONES);
const ROUTE = Array.from({ length: 200 }, (_, i): [number, number] => [9.5 + 0.002 * i, 47.1]);
const GRADATION = {
  styles: [
    { max: 20, hex_color: '#00ff00' },
    { max: null, hex_color: '#ff0000' },
  ],
};

const cases = Object.entries(TRACKS).flatMap(([kind, make]): Growth[] => {
  const ofTrack = (name: string, work: (track: ReturnType<typeof readTrack>) => unknown): Growth => ({
    name: `${name} of ${kind}`,
    size: 800,
    work: (n) => {
      const track = readTrack(make(n));
      return () => work(track);
    },
  });
  const ofStream = (name: string, work: (fixes: ReturnType<typeof make>) => unknown): Growth => ({
    name: `${name}, ${kind}`,
    size: 800,
    work: (n) => {
      const fixes = make(n);
      return () => work(fixes);
    },
  });
  return [
    ofStream('readTrack', (fixes) => readTrack(fixes)),
    ofTrack('findVisits', (track) => findVisits(track, INDEX)),
    ofTrack('findVisits with a buffer', (track) =>
      findVisits(track, INDEX, { exitBufferMeters: 50, minInsideSeconds: 60 }),
    ),
    ofTrack('detectTrips', (track) => detectTrips(track, {})),
    ofTrack('gradeTrack', (track) => gradeTrack(track, GRADATION)),
    ofTrack('findDeviations', (track) => findDeviations(track, ROUTE, 60)),
    ofStream('VisitTracker', (fixes) => {
      const tracker = new VisitTracker(INDEX, {});
      for (const fix of fixes) tracker.push('unit', fix);
      tracker.snapshot();
    }),
    ofStream('VisitTracker with lateness', (fixes) => {
      const tracker = new VisitTracker(INDEX, { latenessSeconds: 3600 });
      for (const fix of fixes) tracker.push('unit', fix);
      tracker.advance(fixes.at(-1)!.time + 7_200_000);
    }),
    ofStream('MovementTracker', (fixes) => {
      const tracker = new MovementTracker({});
      for (const fix of fixes) tracker.push('unit', fix);
      tracker.snapshot();
    }),
  ];
});

/** Stays in a yard of 110 m by 55 m. */
const stays = (n: number): UnitStay[] =>
  Array.from({ length: n }, (_, i) => ({
    unitId: `u${i % 50}`,
    from: i * 3_600_000,
    to: i * 3_600_000 + 600_000,
    centre: [30 + ((i * 7919) % n) / n / 1000, 60 + ((i * 104_729) % n) / n / 1000],
  }));

const rests = Object.entries(RESTS).flatMap(([kind, make]) =>
  [1, 30, 301].map((seconds) => ({
    name: `detectTrips of a unit ${kind}, each ${seconds} s`,
    track: (n: number) => readTrack(make(n, seconds)),
  })),
);

testGrowth([
  ...cases,
  ...rests.map(
    ({ name, track }): Growth => ({
      name,
      size: 3000,
      work: (n) => {
        const given = track(n);
        return () => detectTrips(given);
      },
    }),
  ),
  {
    name: 'suggestZones of a clump',
    size: 1000,
    most: 3.2,
    work: (n) => {
      const given = stays(n);
      return () => suggestZones(given);
    },
  },
]);

test('no track takes detectTrips ten times the steps of a drive', async () => {
  const steps = async (track: ReturnType<typeof readTrack>): Promise<number> => {
    detectTrips(track);
    return await stepsOf(() => detectTrips(track));
  };
  const plain = await steps(readTrack(TRACKS['a drive']!(6000)));
  for (const { name, track } of rests)
    expect((await steps(track(6000))) / plain, name).toBeLessThanOrEqual(10);
});
