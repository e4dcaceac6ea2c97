import { describe, expect, it } from 'vitest';
import type { Fix, Issue } from '../../src/core/fix.js';
import {
  detectTrips,
  type MovementOptions,
  type MovementReport,
  MovementTracker,
  readTrack,
  type TripDetectorFields,
} from '../../src/tracks/index.js';
import type { MovementState } from '../../src/tracks/movementAnalysis.js';
import { LONG } from '../volume.js';
import { fixAt } from './planeIndex.js';
import { KINDS, type KnownDay, knownDay } from './stays/days.js';
import { addDay, noScore, quantileOf } from './stays/score.js';

const DAYS = LONG ? 50 : 2;

/** A drive that is reported each minute is one drive. */
const OPTIONS: MovementOptions = { jump: 'speed' };

function settingsOf(name: string): TripDetectorFields {
  return name.includes('odometer') ? { tripdetector_mileagedetect: 'mileage_mileage_sensor' } : {};
}

function found(fixes: readonly Fix[], settings: TripDetectorFields = {}): MovementReport {
  return detectTrips(readTrack(fixes), settings, OPTIONS);
}

/** Trips, parkings and unknown times follow each other from the first to the last fix; stops lie in trips. */
function checkRow({ trips, parkings, stops, unknown }: MovementReport, fixes: readonly Fix[]): void {
  const items = [...trips, ...parkings, ...unknown].sort((a, b) => a.from - b.from || a.to - b.to);
  let at = fixes[0]!.time;
  for (const { from, to } of items) {
    expect(from).toBe(at);
    expect(to).toBeGreaterThan(from);
    at = to;
  }
  expect(at).toBe(fixes.at(-1)!.time);
  for (const { durationSeconds } of parkings) expect(durationSeconds).toBeGreaterThanOrEqual(300);
  for (const { from, to, durationSeconds } of stops) {
    expect(durationSeconds).toBeGreaterThanOrEqual(60);
    expect(trips.some((trip) => trip.from < from && to < trip.to)).toBe(true);
  }
  for (const { durationSeconds, distanceMeters, maxSpeedKph } of trips) {
    expect(durationSeconds).toBeGreaterThanOrEqual(60);
    expect((distanceMeters / durationSeconds) * 3.6).toBeLessThanOrEqual(maxSpeedKph! + 1e-9);
  }
}

/** The issue that says which witness is broken. */
const ISSUES: Readonly<Record<string, string>> = {
  'speed always 0': 'speed-contradicts rest',
  'speed always 40': 'speed-contradicts motion',
  'speed kept at rest': 'speed-contradicts motion',
  'ignition always off': 'ignition-contradicts',
  'ignition inverted': 'ignition-contradicts',
  'ignition wire loose': 'ignition-contradicts',
  'no odometer': 'mileage-missing',
  'odometer in kilometres': 'mileage-contradicts',
  'odometer reset at each start': 'mileage-missing',
  'odometer always 0': 'mileage-contradicts',
  ferry: 'ignition-contradicts',
  tow: 'ignition-contradicts',
};
/** Positions far away while the unit waits at lights cannot be told from a drive. */
const FAR: ReadonlySet<string> = new Set(['spikes', 'positions of cells at rest']);

describe('days whose parkings are known', () => {
  it.each(Object.keys(KINDS))('%s', (name) => {
    const score = noScore();
    const off: number[] = [];
    let [few, known] = [0, 0];
    for (let seed = 0; seed < DAYS; seed++) {
      const day = knownDay(name, seed);
      const report = found(day.fixes, settingsOf(name));
      checkRow(report, day.fixes);
      addDay(score, day, report.parkings);
      const codes = report.issues.map(({ code, received }) => [code, received].join(' ').trim());
      if (ISSUES[name] !== undefined) expect(codes).toEqual([ISSUES[name]]);
      else if (!FAR.has(name)) expect(codes.filter((code) => code !== 'speed-contradicts rest')).toEqual([]);
      known += day.meters.length;
      few += Math.abs(report.trips.length - day.meters.length);
      if (report.trips.length === day.meters.length)
        for (const [i, { distanceMeters }] of report.trips.entries())
          off.push(Math.abs(distanceMeters / day.meters[i]! - 1));
    }
    const longest = Math.max(...KINDS[name]!.steps);
    expect(score.right / score.known).toBeGreaterThanOrEqual(0.98);
    expect(score.right / score.found).toBeGreaterThanOrEqual(0.98);
    if (!FAR.has(name)) {
      expect(few / known).toBeLessThanOrEqual(0.02);
      if (longest <= 30) {
        expect(quantileOf(score.offBegin, 0.95)).toBeLessThanOrEqual(60);
        expect(quantileOf(score.offEnd, 0.95)).toBeLessThanOrEqual(60);
      }
      // Steps of minutes cut the corners of a way.
      expect(quantileOf(off, 0.5)).toBeLessThan(longest <= 120 ? 0.02 : 0.05);
    }
  });
});

describe('laws', () => {
  // A position that repeats to the bit at a reported 40 km/h is frozen, not parked: with noise none does.
  const NAMES = ['noise of 3 m', 'noise of 8 m', 'power cut with the ignition', 'no speed'];
  const spans = ({ trips }: MovementReport): string[] => trips.map(({ from, to }) => `${from} ${to}`);

  it('a split in a parking gives the same trips', () => {
    for (const name of NAMES)
      for (let seed = 0; seed < DAYS; seed++) {
        const { fixes, parkings } = knownDay(name, 100 + seed);
        const whole = found(fixes);
        const middle = whole.parkings[Math.floor(parkings.length / 2)]!;
        const at = (middle.from + middle.to) / 2;
        const inside = fixes.filter(({ time }) => time >= middle.from && time <= middle.to);
        const isSplit = [
          inside.filter(({ time }) => time < at),
          inside.filter(({ time }) => time >= at),
        ].every((part) => part.length > 1 && part.at(-1)!.time - part[0]!.time >= 300_000);
        if (!isSplit) continue;
        const parts = [
          found(fixes.filter(({ time }) => time < at)),
          found(fixes.filter(({ time }) => time >= at)),
        ];
        expect(parts.flatMap(spans), `${name} ${seed}`).toEqual(spans(whole));
      }
  });

  it('what speed, ignition and odometer say moves no bound by more than 120 s', () => {
    const broken: Partial<Fix>[] = [
      { speedKph: 0 },
      { speedKph: 40 },
      { ignition: false },
      { mileageMeters: 0 },
    ];
    for (const name of NAMES)
      for (let seed = 0; seed < DAYS; seed++) {
        const { fixes } = knownDay(name, 200 + seed);
        const plain = found(fixes);
        for (const witness of broken) {
          const other = found(fixes.map((fix) => ({ ...fix, ...witness })));
          expect(other.parkings.length, `${name} ${seed} ${JSON.stringify(witness)}`).toBe(
            plain.parkings.length,
          );
          for (const [i, { from, to }] of other.parkings.entries()) {
            expect(Math.abs(from - plain.parkings[i]!.from)).toBeLessThanOrEqual(120_000);
            expect(Math.abs(to - plain.parkings[i]!.to)).toBeLessThanOrEqual(120_000);
          }
        }
      }
  });

  it('every second fix finds the same parkings, and shifted times shifted ones', () => {
    for (const name of NAMES)
      for (let seed = 0; seed < DAYS; seed++) {
        const day: KnownDay = knownDay(name, 300 + seed);
        const plain = found(day.fixes);
        const shifted = found(day.fixes.map((fix) => ({ ...fix, time: fix.time + 7_500_000 })));
        const back = ({ from, to }: { from: number; to: number }): string =>
          `${from - 7_500_000} ${to - 7_500_000}`;
        expect(shifted.trips.map(back)).toEqual(spans(plain));
        if (day.step > 15) continue;
        const half = found(day.fixes.filter((_, i) => i % 2 === 0));
        expect(half.parkings).toHaveLength(plain.parkings.length);
      }
  });

  it('few fixes of a unit are held, however its positions repeat', () => {
    // Entries are dropped once in eight: positions in a cycle of eight, and a place that is left each 40 entries.
    const shuttle = (i: number): number => (Math.floor(i / 4) % 2 === 0 ? 0 : 32);
    for (const [step, x] of [
      [20, shuttle],
      [10, (i: number): number => 2 * i],
    ] as const) {
      const tracker = new MovementTracker();
      for (let i = 0; i < 4000; i++) tracker.push('unit', fixAt(step * i, x(i)));
      const [unit] = tracker.snapshot().units as { states: { movement: MovementState } }[];
      const { ring } = unit!.states.movement.movement;
      expect(ring.newest - ring.oldest).toBeLessThan(100);
    }
  });

  it.each(Object.keys(KINDS))('a stream gives the same, with a snapshot at any fix: %s', (name) => {
    const { fixes } = knownDay(name, 400);
    const settings = settingsOf(name);
    let tracker = new MovementTracker(settings, OPTIONS);
    const events = fixes.flatMap((fix, i) => {
      if (i % Math.ceil(fixes.length / 20) === 7)
        tracker = MovementTracker.restore(JSON.stringify(tracker.snapshot()));
      return tracker.push('unit', fix);
    });
    const batch = found(fixes, settings);
    const now = tracker.current('unit');
    for (const [kind, list] of [
      ['trip', 'trips'],
      ['parking', 'parkings'],
      ['stop', 'stops'],
      ['unknown', 'unknown'],
    ] as const) {
      const ended = events.flatMap((event) =>
        event.kind === kind && event.item !== null ? [event.item] : [],
      );
      expect([...ended, ...now[list]], `${name} ${kind}`).toEqual(batch[list]);
    }
    // A stream does not say that the whole track has no mileage.
    const plain = ({ code, received, count }: Issue): unknown[] => [
      code,
      name === 'no odometer' ? 0 : received,
      count,
    ];
    expect(now.issues.map(plain)).toEqual(batch.issues.map(plain));
  });
});
