import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { Trip, TripPointTime } from '../../src/core/trip.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip } from '../../src/trips/index.js';
import { LONG, seeded } from '../volume.js';
import {
  type Cut,
  isFairCut,
  isFirstHidden,
  isOneStayEach,
  isPlainBefore,
  runOf,
  servesAsBefore,
} from './cuts.js';
import { dayTrip, fixes } from './fairDays.js';
import { type GapRun, gapRun } from './gapRuns.js';
import { JUDGES } from './judges.js';
import { bestOutcome } from './oracle/slowAssign.js';
import type { SlowOptions } from './oracle/slowModel.js';
import type { SlowReport } from './oracle/slowReport.js';
import { durationOf } from './oracle/slowStays.js';
import { at } from './shortTrips.js';

const evaluate = (trip: Trip, date: string, fixes: readonly Fix[], options: SlowOptions): SlowReport =>
  evaluateTrip(trip, date, readTrack(fixes), options) as unknown as SlowReport;

/** A run evaluated at the end of the window. In two of three runs the driver follows the plan. */
const runs = fc
  .record({ seed: fc.nat(1_000_000), isBlameless: fc.boolean() })
  .map(({ seed, isBlameless }) => {
    const given = gapRun(seeded(seed), { isBlameless });
    const { now: _now, reachSpeedKph: _reach, ...options } = given.options;
    return { ...given, options };
  });

const cuts = fc
  .tuple(runs, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([{ trip, date, whole, options }, at, share]): Cut => {
    const from = Math.floor(at * whole.length);
    const until = from + 1 + Math.floor((whole.length - from) * share * share);
    return { trip, date, options, whole, cut: [...whole.slice(0, from), ...whole.slice(until)] };
  });

/** Fails unless enough runs meet the premises of a law. */
function law<Item>(
  count: number,
  seed: number,
  items: fc.Arbitrary<Item>,
  holds: (item: Item) => boolean,
): void {
  const numRuns = LONG ? count : count / 200;
  let tested = 0;
  fc.assert(
    fc.property(items, (item) => {
      if (holds(item)) tested++;
    }),
    { numRuns, seed },
  );
  expect(tested).toBeGreaterThan(numRuns / 15);
}

const blamed = (report: SlowReport): Set<number> =>
  new Set(report.violations.map(({ pointIndex }) => pointIndex));

describe('nobody is blamed for what was not seen', () => {
  test('(a) a day without violations and with one stay per zone has none after a cut', () => {
    law(20_000, 17, cuts, (given) => {
      const before = evaluate(given.trip, given.date, given.whole, given.options);
      if (before.violations.length > 0 || !isPlainBefore(given, before)) return false;
      if (!isFairCut(given) || !isOneStayEach(given)) return false;
      const after = evaluate(given.trip, given.date, given.cut, given.options);
      if (after.activation === 'planned' && isFirstHidden(after)) return false;
      expect(after.violations).toEqual([]);
      return true;
    });
  });

  test('(b) if the remaining visits serve the same points, no point without a violation gets one', () => {
    law(20_000, 18, cuts, (given) => {
      const before = evaluate(given.trip, given.date, given.whole, given.options);
      if (!isPlainBefore(given, before) || !isFairCut(given) || !servesAsBefore(given)) return false;
      const after = evaluate(given.trip, given.date, given.cut, given.options);
      if (isFirstHidden(after)) return false;
      const was = blamed(before);
      expect(after.violations.filter(({ pointIndex }) => !was.has(pointIndex))).toEqual([]);
      return true;
    });
  });
});

/** The trip with every planned time changed, and the window unchanged. */
function changed(
  { trip, options }: Pick<GapRun, 'trip' | 'options'>,
  change: (time: TripPointTime) => TripPointTime,
  window: { readonly beforeSeconds: number; readonly afterSeconds: number },
): { trip: Trip; options: SlowOptions } {
  const points = trip.points.map((point) => ({
    ...point,
    arrival: point.arrival ? change(point.arrival) : null,
    departure: point.departure ? change(point.departure) : null,
  }));
  return {
    trip: { ...trip, points },
    options: {
      ...options,
      windowBeforeSeconds: window.beforeSeconds,
      windowAfterSeconds: window.afterSeconds,
    },
  };
}

const served = (report: SlowReport): unknown =>
  report.points.map(({ visit, arrival, departure }) => [visit?.enter, visit?.exit, arrival, departure]);

test('with the same window and assignment, a larger tolerance never causes a violation', () => {
  const WIDE = 7200;
  law(10_000, 19, fc.tuple(runs, fc.constantFrom(1, 5, 20, 60)), ([given, minutes]) => {
    const { defaultDeviationMinutes = 0 } = given.options;
    const widened = (by: number): { trip: Trip; options: SlowOptions } =>
      changed(
        given,
        (time) => ({
          ...time,
          deviation_minutes: (time.deviation_minutes ?? defaultDeviationMinutes) + by,
        }),
        { beforeSeconds: WIDE - 60 * by, afterSeconds: WIDE - 60 * by },
      );
    const [narrow, wide] = [0, minutes].map((by) => {
      const { trip, options } = widened(by);
      return evaluate(trip, given.date, given.fixes, options);
    }) as [SlowReport, SlowReport];
    expect(wide.window).toEqual(narrow.window);
    if (
      JSON.stringify([served(narrow), narrow.activatedAt]) !==
      JSON.stringify([served(wide), wide.activatedAt])
    )
      return false;
    const keys = new Set(
      narrow.violations.map(({ type, pointIndex, which }) => `${type} ${pointIndex} ${which}`),
    );
    const more = wide.violations.filter(
      ({ type, pointIndex, which }) => !keys.has(`${type} ${pointIndex} ${which}`),
    );
    expect(more).toEqual([]);
    return true;
  });
});

test('with the same window and assignment, a shift of the plan changes statuses but no visits', () => {
  law(10_000, 20, fc.tuple(runs, fc.constantFrom(-40, -10, -1, 1, 10, 40)), ([given, minutes]) => {
    const moved = (by: number): { trip: Trip; options: SlowOptions } =>
      changed(given, (time) => ({ ...time, time: shifted(time.time, by) }), {
        beforeSeconds: 7200 + 60 * by,
        afterSeconds: 14_400 - 60 * by,
      });
    const [still, later] = [0, minutes].map((by) => {
      const { trip, options } = moved(by);
      return evaluate(trip, given.date, given.fixes, options);
    }) as [SlowReport, SlowReport];
    expect(later.window).toEqual(still.window);
    const enters = (report: SlowReport): string =>
      JSON.stringify(report.points.map(({ visit }) => visit?.enter ?? null));
    if (enters(still) !== enters(later)) return false;
    expect(served(later)).toEqual(served(still));
    still.points.forEach((point, i) => {
      const other = later.points[i]!;
      expect(other.arrivalBounds).toEqual(point.arrivalBounds);
      expect(other.departureBounds).toEqual(point.departureBounds);
      const isExact = point.arrivalBounds !== null && point.arrivalBounds[0] === point.arrivalBounds[1];
      if (isExact && point.arrivalDeviationSeconds !== null && other.arrivalDeviationSeconds !== null) {
        expect(other.arrivalDeviationSeconds).toBeCloseTo(point.arrivalDeviationSeconds - 60 * minutes, 6);
      }
    });
    return true;
  });
});

function shifted(time: string, minutes: number): string {
  const [hours, rest] = time.split(':').map(Number) as [number, number];
  const all = hours * 60 + rest + minutes;
  return [Math.floor(all / 60), all % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

test('among assignments that serve equally many points none prefers a drive-by to a stop', () => {
  law(10_000, 21, runs, (given) => {
    const cut: Cut = { ...given, cut: given.fixes };
    const report = evaluate(given.trip, given.date, given.fixes, given.options);
    const run = runOf(cut, given.fixes);
    if (run.wait || run.shares || Number.isFinite(run.maxDeviation)) return false;
    const { stays, start, assignment } = bestOutcome(run);
    if (start === null) return false;
    // Replace a drive-by with a stop at a point that does not activate the trip, if the order of turns stays valid.
    report.points.forEach((point, i) => {
      const by = stays.find((stay) => stay.zone === run.points[i]!.zone && stay.enter === point.visit?.enter);
      if (by === undefined || by.isStop || (i === 0 && start.activator !== null)) return;
      const others = assignment.filter((serving, k) => serving !== null && k !== i);
      const [before, after] = [assignment.slice(0, i), assignment.slice(i + 1)].map((side) =>
        side.flatMap((serving) => (serving ? [serving.stay] : [])),
      ) as unknown as readonly [typeof stays, typeof stays];
      const better = stays.filter(
        (stay) =>
          stay.isStop &&
          stay.zone === by.zone &&
          durationOf(run, stay) >= run.minStay &&
          !others.some((serving) => serving!.stay === stay) &&
          stay.enter >= start.at &&
          stay.enter < run.window.to &&
          (!run.strict ||
            (before.every((other) => other.enter <= stay.enter) &&
              after.every(
                (other) =>
                  (other.exit ?? Number.POSITIVE_INFINITY) >= stay.enter && other.enter >= stay.enter,
              ))),
      );
      expect(better.map(({ enter }) => enter)).toEqual([]);
    });
    return true;
  });
});

describe.each(JUDGES)('counterexamples without the premises, by %s', (_name, judge) => {
  const violations = (report: SlowReport): string[] =>
    report.violations.map(({ type, pointIndex }) => `${type} ${pointIndex}`);
  /** The day without the fixes between two times. */
  const without = (day: readonly Fix[], from: string, to: string): Fix[] =>
    day.filter(({ time }) => time <= at(from) || time >= at(to));

  test('during the window, a cut may give a violation that the whole track does not have yet', () => {
    const trip = dayTrip(['A', 'B 08:45±15']);
    const day = fixes('07:00 8', '07:10 8', '07:20 8', '07:30 8', '07:35 7', '07:40 6', '07:45 4', '07:50 4');
    const more = fixes('07:55 2', '08:00 0', '08:30 0', '08:40 4', '08:50 4');
    const now = at('07:52');
    expect(judge(trip, [...day, ...more], { now })).toMatchObject({ status: 'scheduled', violations: [] });
    const cut = without([...day, ...more], '07:10', '07:40');
    expect(judge(trip, cut, { now }).activation).toBe('assumed');
    expect(violations(judge(trip, cut, { now }))).toEqual(['early 1']);
    // At the end of the window the law holds: both are served again.
    expect(judge(trip, [...day, ...more])).toMatchObject({ status: 'finished', violations: [] });
    expect(judge(trip, cut)).toMatchObject({ activation: 'seen', status: 'finished', violations: [] });
  });

  test('a shared stay that is open after a cut serves only one point', () => {
    const trip = dayTrip(['A 08:00±10', 'A 08:45±10']);
    const day = fixes('07:45 -0.6', '07:55 0', '09:20 0', '09:30 0.6', '10:00 8', '+01:00 8');
    const options = { allowSharedVisit: true };
    expect(judge(trip, day, options)).toMatchObject({ status: 'finished', violations: [] });
    expect(violations(judge(trip, day.slice(0, 3), options))).toEqual(['missed 1']);
  });

  test('a trip by time whose first point is hidden counts from the planned time', () => {
    const trip = dayTrip(['A 08:00±10', 'B'], { activation_type: { key: 'time_of_first_point' } });
    const day = fixes(
      '07:49 -0.6',
      '07:53 0',
      '07:54 0',
      '07:57 4',
      '07:58 4',
      '08:01 8',
      '08:10 8',
      '+01:00 8',
    );
    expect(judge(trip, day)).toMatchObject({ status: 'finished', violations: [] });
    const cut = without(day, '07:49', '08:01');
    expect(judge(trip, cut).points.map(({ status }) => status)).toEqual(['no_data', 'missed']);
  });

  test('an assumed activation excuses visits that a seen one does not', () => {
    const trip = dayTrip(['A', 'B']);
    const day = fixes('07:20 8', '07:30 8', '07:44 6', '07:47 4', '07:50 4', '07:52 2', '08:00 0', '08:10 0');
    expect(judge(trip, day)).toMatchObject({ activation: 'assumed', status: 'finished', violations: [] });
    const cut = without(day, '07:30', '08:00');
    expect(judge(trip, cut).activation).toBe('seen');
  });
});
