import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { detectTrips, type MovementReport, readTrack } from '../../src/tracks/index.js';
import { volume } from '../volume.js';
import { fixAt } from './planeIndex.js';

const STAY_METERS = 50;
const LEAST_KPH = 3;

function detect(fixes: readonly Fix[]): MovementReport {
  const all = Number.POSITIVE_INFINITY;
  return detectTrips(
    readTrack(fixes, { frozenSpeedKph: all, maxSpeedKph: all }),
    {},
    { maxJumpSpeedKph: all, jump: 'speed' },
  );
}

/** `count` of `of`, or 0 of 0. */
function issue({ issues }: MovementReport, code: string): [number, number] {
  const found = issues.find((one) => one.code === code && one.received !== 'motion');
  return [found?.count ?? 0, found?.of ?? 0];
}

/** A drive of 30 km at 60 km/h, each second, between two rests of 10 minutes. */
function longDrive(witness: Partial<Fix>): Fix[] {
  return Array.from({ length: 600 + 1800 + 600 }, (_, i) =>
    fixAt(i, (Math.min(2400, Math.max(600, i)) - 600) / 0.06, 0.5 * Math.sin(i), witness),
  );
}

describe('a witness that claims rest on a drive that is reported each second', () => {
  it('is an issue: a speed of 0', () => {
    const report = detect(longDrive({ speedKph: 0 }));
    expect(report.trips).toHaveLength(1);
    const [count, of] = issue(report, 'speed-contradicts');
    expect(of).toBeGreaterThan(1780);
    expect(count / of).toBeGreaterThan(0.98);
    expect(count).toBeLessThanOrEqual(of);
  });

  it('is an issue: an ignition that is off', () => {
    const report = detect(longDrive({ ignition: false, speedKph: 60 }));
    const [count, of] = issue(report, 'ignition-contradicts');
    expect(count / of).toBeGreaterThan(0.98);
    expect(issue(report, 'speed-contradicts')).toEqual([0, 0]);
  });

  it('is none if it says what it should', () => {
    const fixes = longDrive({}).map((fix, i) => {
      const isOn = i > 598 && i < 2402;
      return { ...fix, speedKph: isOn ? 60 : 0, ignition: isOn };
    });
    expect(detect(fixes).issues).toEqual([]);
  });
});

interface Step {
  readonly meters: number;
  readonly seconds: number;
  readonly turn: number;
  readonly speedKph: number | null;
  readonly ignition: boolean | null;
}

/** A drive on, in steps within 80° of east, so that nothing rests. */
function driveOf(steps: readonly Step[]): { fixes: Fix[]; x: number[]; y: number[] } {
  let [seconds, x, y] = [0, 0, 0];
  const out = { fixes: [] as Fix[], x: [] as number[], y: [] as number[] };
  for (const step of steps) {
    seconds += step.seconds;
    x += step.meters * Math.cos(step.turn);
    y += step.meters * Math.sin(step.turn);
    const { speedKph, ignition } = step;
    out.fixes.push(
      fixAt(seconds, x, y, {
        ...(speedKph !== null && { speedKph }),
        ...(ignition !== null && { ignition }),
      }),
    );
    out.x.push(x);
    out.y.push(y);
  }
  return out;
}

/** The rule word for word: at each fix the run is looked at anew. Counts between two times. */
function slowCounts(
  { fixes, x, y }: ReturnType<typeof driveOf>,
  from: number,
  to: number,
): { rest: number; off: number } {
  const isSlow = ({ speedKph }: Fix): boolean => speedKph !== undefined && speedKph < LEAST_KPH;
  const isOff = ({ ignition }: Fix): boolean => ignition === false;
  const counts = { rest: 0, off: 0 };
  let first = 0;
  for (let i = 1; i < fixes.length; i++) {
    const apart = (k: number): number => Math.hypot(x[i]! - x[k]!, y[i]! - y[k]!);
    const isLong = apart(i - 1) > STAY_METERS;
    if (isLong) first = i - 1;
    const run = fixes.slice(first, i + 1);
    const [slow, off] = [run.every(isSlow), run.every(isOff)];
    if (apart(first) > STAY_METERS) {
      const kph = (apart(first) / (fixes[i]!.time - fixes[first]!.time)) * 3600;
      const isCounted = fixes[i]!.time > from && fixes[i]!.time <= to;
      if (isCounted && slow && kph > 2 * LEAST_KPH) counts.rest += i - first;
      if (isCounted && off && (isLong || kph > 2 * LEAST_KPH)) counts.off += i - first;
      first = i;
    } else if (!slow && !off) first = i;
  }
  return counts;
}

describe('the count of steps that claim rest', () => {
  const steps = (meters: fc.Arbitrary<number>): fc.Arbitrary<Step[]> =>
    fc.array(
      fc.record({
        meters,
        seconds: fc.integer({ min: 1, max: 12 }),
        turn: fc.double({ min: -1.4, max: 1.4, noNaN: true }),
        speedKph: fc.constantFrom(0, 0, 0, 0, 2, 40, null),
        ignition: fc.constantFrom(false, false, false, true, null),
      }),
      { minLength: 40, maxLength: 120 },
    );

  it('is that of the rule word for word', () => {
    let counted = 0;
    fc.assert(
      fc.property(steps(fc.double({ min: 12, max: 90, noNaN: true })), (list) => {
        const day = driveOf(list);
        const report = detect(day.fixes);
        fc.pre(report.trips.length === 1 && report.stops.length === 0 && report.parkings.length === 0);
        const { rest, off } = slowCounts(day, report.trips[0]!.from, report.trips[0]!.to);
        const of = day.fixes.filter(
          ({ time }) => time > report.trips[0]!.from && time <= report.trips[0]!.to,
        ).length;
        expect(issue(report, 'speed-contradicts')[0]).toBe(Math.min(rest, of));
        expect(issue(report, 'ignition-contradicts')[0]).toBe(Math.min(off, of));
        counted += rest + off;
      }),
      { numRuns: volume(300) },
    );
    expect(counted).toBeGreaterThan(100);
  });

  it('is that of single steps where each is longer than a place', () => {
    fc.assert(
      fc.property(steps(fc.double({ min: 60, max: 190, noNaN: true })), (list) => {
        const { fixes } = driveOf(list);
        const report = detect(fixes);
        fc.pre(report.trips.length === 1 && report.stops.length === 0);
        const { from, to } = report.trips[0]!;
        const both = (test: (fix: Fix) => boolean): number =>
          fixes.filter(
            (fix, i) => i > 0 && fix.time > from && fix.time <= to && test(fix) && test(fixes[i - 1]!),
          ).length;
        // 60 m in 12 s are 18 km/h.
        expect(issue(report, 'speed-contradicts')[0]).toBe(
          both(({ speedKph }) => speedKph !== undefined && speedKph < LEAST_KPH),
        );
        expect(issue(report, 'ignition-contradicts')[0]).toBe(both(({ ignition }) => ignition === false));
      }),
      { numRuns: volume(200) },
    );
  });
});

it('is counted on no more steps than there are outside stops', () => {
  // Two drives with a stop between them, over which a run goes on.
  let contradicted = 0;
  for (const tripdetector_minmovespeed of [0.5, 1])
    for (const speed of [2, 4, 8])
      for (const [drive, stop] of [
        [30, 60],
        [60, 120],
        [40, 200],
      ] as const) /* biome-ignore format: pairs */ {
        const fixes: Fix[] = [];
        let [seconds, meters] = [0, 0];
        const leg = (metersPerSecond: number, end: number, step: number): void => {
          for (; seconds < end; seconds += step, meters += step * metersPerSecond)
            fixes.push(fixAt(seconds, meters, 0, { speedKph: 0 }));
        };
        leg(0, 400, 10);
        leg(speed, 400 + drive, 1);
        leg(0, 400 + drive + stop, 1);
        leg(speed, 400 + 2 * drive + stop, 1);
        leg(0, 1000 + 2 * drive + stop, 10);
        const report = detectTrips(readTrack(fixes), { tripdetector_minmovespeed });
        const [count, of] = issue(report, 'speed-contradicts');
        expect(count).toBeLessThanOrEqual(of);
        if (count > 0) contradicted++;
      }
  expect(contradicted).toBeGreaterThan(9);
});
