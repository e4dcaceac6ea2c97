import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Fix } from '../../../src/core/fix.js';
import {
  findMeetings,
  findSpeeding,
  findVisits,
  type MeasuredVisit,
  MeetingTracker,
  matchRoute,
  measureVisits,
  meterTrack,
  prepareRoute,
  RouteTracker,
  readTrack,
  SpeedingTracker,
  VisitTracker,
} from '../../../src/tracks/index.js';
import { volume } from '../../volume.js';
import { expectClose } from './closeTo.js';
import { START } from './drivesArbitrary.js';
import { indexOf } from './zonesArbitrary.js';

/**
 * Receivers that freeze: the position repeats to the bit while the unit drives on, or while it stands. A stream applies the repeated fixes and
 * takes them back when the freeze shows.
 */
const frozenDrives = fc
  .array(
    fc.record({
      seconds: fc.integer({ min: 2, max: 20 }),
      kph: fc.constantFrom(0, 30, 60, 90, 120),
      repeats: fc.constantFrom(0, 0, 1, 2, 5, 9),
      /** Number of repeated fixes without a speed. After them the unit reports that it drives. */
      quiet: fc.constantFrom(0, 1, 9, 9),
      turn: fc.integer({ min: -2, max: 2 }),
    }),
    { minLength: 2, maxLength: 16 },
  )
  .map((steps) => {
    let [time, x, y, course] = [START, 37.6, 55.7, 0.3];
    const fixes: Fix[] = [];
    const move = (seconds: number, kph: number): void => {
      time += seconds * 1000;
      x += ((kph / 3.6) * seconds * Math.sin(course)) / 111_320 / Math.cos((y * Math.PI) / 180);
      y += ((kph / 3.6) * seconds * Math.cos(course)) / 111_320;
    };
    for (const { seconds, kph, repeats, quiet, turn } of steps) {
      course += turn * 0.7;
      move(seconds, kph);
      fixes.push({ time, lon: x, lat: y, speedKph: kph });
      const { lon, lat } = fixes.at(-1)!;
      for (let k = 0; k < repeats; k++) {
        move(seconds, kph);
        fixes.push({ time, lon, lat, speedKph: k < quiet ? 0 : kph });
      }
    }
    return fixes;
  });

it('streams equal the batch when a frozen receiver is noticed late', () => {
  let frozen = 0;
  let isTakenBack = false;
  fc.assert(
    fc.property(frozenDrives, fc.nat(100), (fixes, cut) => {
      const now = { maxJamSeconds: 60, maxAheadSeconds: Number.POSITIVE_INFINITY };
      const track = readTrack(fixes, { maxJamSeconds: 60 });
      frozen += track.rejected.frozen ?? 0;
      isTakenBack ||= track.blind?.includes(2) === true && (track.rejected.frozen ?? 0) > 2;
      const restoreAt = cut % fixes.length;
      const index = indexOf([0, 1, 2, 3], fixes);
      let visits = new VisitTracker(index, { measure: true, ...now });
      let speeding = new SpeedingTracker({ limitKph: 70, ...now });
      const route = prepareRoute([[37.6, 55.7], [37.603, 55.705], [37.61, 55.709]]); // biome-ignore format: one line
      let run = new RouteTracker(route, { widthMeters: 200, ...now });
      const found: MeasuredVisit[] = [];
      const fast: unknown[] = [];
      for (const [i, fix] of fixes.entries()) {
        for (const { type, visit } of visits.push('u', fix)) if (type === 'exit') found.push(visit as never);
        for (const event of speeding.push('u', fix)) if (event.type === 'end') fast.push(event.speeding);
        run.push(fix);
        if (i !== restoreAt) continue;
        visits = VisitTracker.restore(index, visits.snapshot()) as typeof visits;
        speeding = SpeedingTracker.restore(speeding.snapshot());
        run = RouteTracker.restore(route, run.snapshot());
      }
      const order = (a: MeasuredVisit, b: MeasuredVisit): number =>
        a.enter - b.enter || a.zoneId.localeCompare(b.zoneId);
      const all = [...found, ...(visits.openVisits('u') as MeasuredVisit[])].sort(order);
      const wanted = measureVisits(findVisits(track, index), meterTrack(track)).sort(order);
      const bare = (list: readonly MeasuredVisit[]): unknown =>
        list.map((one) => ({ ...one, measure: null }));
      expect(bare(all)).toEqual(bare(wanted));
      for (const [i, { measure }] of all.entries()) expectClose(measure, wanted[i]!.measure);
      // An `end` that was emitted on the frozen fixes is final.
      if (track.blind?.includes(2) !== true)
        expect([...fast, ...speeding.current('u')]).toEqual(findSpeeding(track, { limitKph: 70 }));
      const { along: _, ...match } = matchRoute(track, route, { widthMeters: 200 });
      expect(run.report()).toEqual(match);
    }),
    { numRuns: volume(2000), seed: 5 },
  );
  expect(frozen).toBeGreaterThan(0);
  expect(isTakenBack).toBe(true);
});

it('a meeting with a frozen unit is judged without the frozen fixes that were not judged so far', () => {
  const at = (seconds: number, meters: number): Fix => ({
    time: START + seconds * 1000,
    lon: 37.6,
    lat: 55.7 + meters / 111_320,
  });
  // The truck freezes at 300 m while it drives on; the car is silent meanwhile. A minute after the leap it is believed.
  const frozen = Array.from({ length: 30 }, (_, i) => at(30 + 20 * i, 300));
  const awake = [630, 650, 670, 690, 710].map((second) => at(second, 20 * second));
  const truck = [at(0, 0), at(10, 300), ...frozen, ...awake];
  const car = [at(0, 0), at(300, 310), at(620, 310), at(720, 310)];
  const options = { meters: 50 };
  const rules = { maxJamSeconds: 60 };
  const tracker = new MeetingTracker({ ...options, ...rules });
  tracker.watch('truck', 'car');
  const ended: unknown[] = [];
  const push = (unitId: string, fix: Fix): void => {
    for (const { type, meeting } of tracker.push(unitId, fix)) if (type === 'apart') ended.push(meeting);
  };
  push('truck', truck[0]!);
  push('car', car[0]!);
  for (const fix of truck.slice(1)) push('truck', fix);
  for (const fix of car.slice(1)) push('car', fix);
  const read = readTrack(truck, rules);
  expect([read.length, read.rejected.frozen]).toEqual([7, 30]);
  expect([...ended, ...tracker.current().map(({ meeting }) => meeting)]).toEqual(
    findMeetings(read, readTrack(car, rules), options),
  );
});

const EAST = 1 / 111_320 / Math.cos((55.7 * Math.PI) / 180);
/** Fixes `[seconds, metres to the east, km/h]`, and a way on from the last one so fast that no fix comes back to those before. */
const eastward = (
  metersPerSecond: number,
  ...fixes: readonly (readonly [number, number, number])[]
): Fix[] => {
  const [seconds, meters] = fixes.at(-1)!;
  const later = Array.from(
    { length: 8 },
    (_, i) => [seconds + 10 * (i + 1), meters + 10 * metersPerSecond * (i + 1), 60] as const,
  );
  return [...fixes, ...later].map(([at, x, speedKph]) => ({
    time: START + at * 1000,
    lon: 37.6 + x * EAST,
    lat: 55.7,
    speedKph,
  }));
};

it('a speed at the place of frozen fixes has no evidence by them, in a stream as in the batch', () => {
  // 80 km/h at 10 s is contradicted by the fix before; the one at 11 s would speak for it, but was frozen.
  const fixes = eastward(82.8, [0, 0, 0], [10, 5, 80], [11, 5, 0], [12, 170, 60]);
  const options = { maxJamSeconds: 60, maxAheadSeconds: Number.POSITIVE_INFINITY };
  const track = readTrack(fixes, { maxJamSeconds: 60 });
  expect(track.rejected).toMatchObject({ frozen: 1 });
  expect(findSpeeding(track, { limitKph: 70 })).toEqual([]);
  const tracker = new SpeedingTracker({ limitKph: 70, ...options });
  expect(fixes.flatMap((fix) => tracker.push('u', fix))).toEqual([]);
  expect(tracker.current('u')).toEqual([]);
});

it('the way after frozen fixes on a route has the time since the first of them, in a stream as in the batch', () => {
  const repeats = [10, 20, 30, 40, 50].map((seconds) => [seconds, 300, 0] as const);
  // 1,960 m in 56 s are possible unseen at 130 km/h, in 6 s they are not.
  const fixes = eastward(65, [-10, 250, 30], [0, 300, 0], ...repeats, [56, 2260, 60]);
  const route = prepareRoute([[37.6, 55.7], [37.6 + 9000 * EAST, 55.7]]); // biome-ignore format: one line
  const options = { widthMeters: 60, maxJamSeconds: 60, maxAheadSeconds: Number.POSITIVE_INFINITY };
  const { along: _, ...report } = matchRoute(readTrack(fixes, { maxJamSeconds: 60 }), route, {
    widthMeters: 60,
  });
  expect(report.parts.map(({ status }) => status)).toContain('no_data');
  const tracker = new RouteTracker(route, options);
  for (const fix of fixes) tracker.push(fix);
  expect(tracker.report()).toEqual(report);
});
