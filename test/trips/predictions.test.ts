import { describe, expect, test } from 'vitest';
import { distanceMeters } from '../../src/index.js';
import { readTrack } from '../../src/tracks/index.js';
import {
  evaluateTrip,
  type Predict,
  type TripOptions,
  type TripReport,
  TripTracker,
  type TripTrackerOptions,
} from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { LONG, seeded } from '../volume.js';
import { dayTrip, fixes } from './fairDays.js';
import { gapRun } from './gapRuns.js';
import { at, clock, DATE } from './shortTrips.js';

const ABC = dayTrip(['A 08:00±10', 'B 09:00±10', 'C 10:00±10']);
const UTC = { timeZone: 'UTC' };
const forecasts = (report: TripReport): (string | null | undefined)[] =>
  report.points.map(({ predictedArrival }) =>
    typeof predictedArrival === 'number' ? clock(predictedArrival) : predictedArrival,
  );
const predictedEvents = (report: TripReport): string[] =>
  report.events
    .filter(({ type }) => type.startsWith('late_'))
    .map(({ type, time, pointIndex }) => `${clock(time)} ${type} ${pointIndex}`);
/** Minutes to each point by its index. */
const inMinutes =
  (...minutes: (number | null)[]): Predict =>
  (_from, { index }) => {
    const value = minutes[index] ?? null;
    return value === null ? null : 60 * value;
  };

describe('predictions', () => {
  const DAY = fixes(
    '07:50 0',
    '08:05 0',
    '08:10 1',
    '08:12 1.5',
    '08:20 2',
    '08:24 2.2',
    '08:30 3',
    '08:40 4',
  );

  test('pending points get a predicted arrival from the last fix, other points none', () => {
    const options = { ...UTC, now: at('08:33'), predict: inMinutes(5, 20, 90) };
    const report = evaluateTrip(ABC, DATE, readTrack(DAY), options);
    expect(report.points.map(({ status }) => status)).toEqual(['passed', 'pending', 'pending']);
    expect(forecasts(report)).toEqual([null, '08:50', '10:00']);
    expect(predictedEvents(report)).toEqual([]);
  });

  test('T51: never before `now`, nor in a strict trip before that of a pending point before it; none after a long silence', () => {
    const ahead = (minutes: number, more: object = {}): (string | null | undefined)[] => {
      const given = { ...ABC, ...more };
      const options = { ...UTC, now: at('08:40') + minutes * 60_000, predict: inMinutes(null, 20, 10) };
      return forecasts(
        evaluateTrip(given, DATE, readTrack(DAY.slice(0, 7).concat(fixes('08:40 3.2'))), options),
      );
    };
    expect(ahead(0)).toEqual([null, '09:00', '09:00']);
    expect(ahead(30)).toEqual([null, '09:10', '09:10']);
    expect(ahead(60)).toEqual([null, '09:40', '09:40']);
    expect(ahead(61)).toEqual([null, null, null]);
    expect(ahead(0, { passage_order_type: { key: 'arbitrary' } })).toEqual([null, '09:00', '08:50']);
  });

  test('without the option there is neither field nor event', () => {
    const report = evaluateTrip(ABC, DATE, readTrack(DAY), { ...UTC, now: at('08:33') });
    for (const point of report.points) expect(point).not.toHaveProperty('predictedArrival');
  });

  test('a prediction beyond plan + tolerance for two minutes gives an event, and so does its return', () => {
    // B is expected at 09:11 from 08:12 to 08:20, at 09:10 (still on time) after.
    const predict: Predict = (_from, { index }, time, { start }) =>
      index !== 1 ? null : (at(time >= at('08:12') && time < at('08:20') ? '09:11' : '09:10') - start) / 1000;
    const judged = (now: string, more: Partial<TripOptions> = {}): string[] =>
      predictedEvents(evaluateTrip(ABC, DATE, readTrack(DAY), { ...UTC, now: at(now), predict, ...more }));
    expect(judged('08:13:59')).toEqual([]);
    expect(judged('08:14')).toEqual(['08:14 late_expected 1']);
    expect(judged('08:21:59')).toEqual(['08:14 late_expected 1']);
    expect(judged('08:24')).toEqual(['08:14 late_expected 1', '08:22 late_averted 1']);
    expect(judged('12:00')).toEqual(['08:14 late_expected 1', '08:22 late_averted 1']);
    // It was beyond for exactly eight minutes.
    expect(judged('12:00', { predictionHoldSeconds: 480 })).toEqual([
      '08:20 late_expected 1',
      '08:28 late_averted 1',
    ]);
    expect(judged('12:00', { predictionHoldSeconds: 481 })).toEqual([]);
    expect(judged('12:00', { predictionHoldSeconds: 0 })).toEqual([
      '08:12 late_expected 1',
      '08:20 late_averted 1',
    ]);
  });

  test('a prediction of null restarts the period', () => {
    const predict: Predict = (_from, { index }, time) =>
      index === 1 && time !== at('08:12') ? (at('09:30') - time) / 1000 : null;
    const short = fixes('07:50 0', '08:05 0', '08:11 1', '08:12 1.5', '08:13 1.7', '08:14 2');
    const report = evaluateTrip(ABC, DATE, readTrack(short), { ...UTC, now: at('08:14'), predict });
    expect(predictedEvents(report)).toEqual(['07:52 late_expected 1']);
    const from = fixes('08:11 1', '08:12 1.5', '08:13 1.7', '08:14 2');
    const other = evaluateTrip(ABC, DATE, readTrack(from), { ...UTC, now: at('08:14'), predict });
    expect(predictedEvents(other)).toEqual([]);
  });

  test('T53: a silence longer than `maxGapSeconds` restarts the period, as nothing is predicted in it', () => {
    const judged = (back: string, predictionHoldSeconds: number, now: string): string[] => {
      const day = readTrack(fixes('07:50 0', '08:05 0', '08:12 1.5', `${back} 1.6`));
      const predict = inMinutes(null, 180, null);
      return predictedEvents(
        evaluateTrip(ABC, DATE, day, { ...UTC, predict, predictionHoldSeconds, now: at(now) }),
      );
    };
    // The first forecast is at 07:50; the silence begins at 08:12.
    expect(judged('09:12', 4920, '09:12')).toEqual(['09:12 late_expected 1']);
    expect(judged('09:13', 4920, '10:34')).toEqual(['09:12 late_expected 1']);
    expect(judged('09:13', 4921, '10:34')).toEqual([]);
    expect(judged('09:13', 3600, '10:13')).toEqual(['08:50 late_expected 1']);
    expect(judged('09:13', 4980, '10:35')).toEqual([]);
  });

  test('T45, T47, T53: none for a point that is excused or skipped, and none after the run', () => {
    const predict: Predict = (_from, { index }, time) => (index > 0 && time >= at('08:29') ? 7200 : null);
    const judged = (lines: readonly string[], changes: TripOptions['changes'] = [], trip = ABC): string[] => {
      const options = { ...UTC, predict, now: at('08:55'), changes };
      const report = evaluateTrip(trip, DATE, readTrack(fixes(...lines)), options);
      const tracker = new TripTracker(trip, DATE, { ...UTC, predict });
      for (const fix of fixes(...lines)) tracker.push(fix);
      for (const change of changes)
        if (change.type === 'excuse') tracker.excuse(change.pointIndex, { at: change.at });
        else if (change.type === 'cancel') tracker.cancel({ at: change.at });
      tracker.advance(at('08:55'));
      expect(predictedEvents(tracker.report())).toEqual(predictedEvents(report));
      return predictedEvents(report);
    };
    const toB = ['07:50 0', '08:05 0', '08:20 2', '08:29 3', '08:30 3.1'];
    expect(judged(toB)).toEqual(['08:31 late_expected 1', '08:31 late_expected 2']);
    expect(judged(toB, [{ type: 'excuse', at: at('08:30'), pointIndex: 1 }])).toEqual([
      '08:31 late_expected 2',
    ]);
    expect(judged(toB, [{ type: 'excuse', at: at('08:32'), pointIndex: 1 }])).toEqual([
      '08:31 late_expected 1',
      '08:31 late_expected 2',
    ]);
    expect(judged(toB, [{ type: 'cancel', at: at('08:30') }])).toEqual([]);
    // C is entered at 08:29:17, without B.
    const toC = [
      '07:50 0',
      '08:05 0',
      '08:10 1 2',
      '08:15 4 2',
      '08:22 7 2',
      '08:29 7.69',
      '08:38 8',
      '08:40 8',
    ];
    expect(judged(toC)).toEqual([]);
    const four = dayTrip(['A 08:00±10', 'B 09:00±10', 'C 10:00±10', 'D 10:00±10']);
    expect(judged(toC, [], four)).toEqual(['08:31 late_expected 3']);
  });

  test('entered points, and the first point while the unit is there, get no events', () => {
    const late = inMinutes(90, 90, 95);
    const options = { ...UTC, predict: late, now: at('08:41') };
    const trip = dayTrip(['A 08:00±10', 'B 09:00±10', 'C 10:00±10'], {
      activation_type: { key: 'leaving_first_point' },
    });
    expect(predictedEvents(evaluateTrip(trip, DATE, readTrack(DAY), options))).toEqual([
      '07:52 late_expected 1',
    ]);
    // B is entered at 08:39, so a period that began at 08:38 gives no event.
    const near: Predict = (_from, { index }, time) => (index === 1 && time >= at('08:38') ? 7200 : null);
    const track = readTrack(fixes('07:50 0', '08:05 0', '08:20 2', '08:38 3.6', '08:40 4'));
    expect(predictedEvents(evaluateTrip(ABC, DATE, track, { ...UTC, predict: near }))).toEqual([]);
  });

  test('predictions are not violations', () => {
    const report = evaluateTrip(ABC, DATE, readTrack(DAY), {
      ...UTC,
      now: at('08:33'),
      predict: inMinutes(0, 300, 300),
    });
    expect(predictedEvents(report)).toEqual(['07:52 late_expected 1', '07:52 late_expected 2']);
    expect(report.violations).toEqual([]);
  });

  test('given visits have no positions, so nothing is predicted', () => {
    const predict = (): number => expect.unreachable();
    const report = evaluateTrip(ABC, DATE, { visits: [] }, { ...UTC, now: at('08:00'), predict });
    expect(forecasts(report)).toEqual([null, null, null]);
  });

  test('the function receives the fix, the point with its position and plan, and all pending points', () => {
    const calls: unknown[][] = [];
    const predict: Predict = (...given) => {
      calls.push(given);
      return null;
    };
    const square = [[37.9, 55.7], [37.9, 55.8], [38.1, 55.8], [38.1, 55.7]]; // biome-ignore format: a box
    const points = [
      {
        name: 'A',
        type: { key: 'circle' },
        geometry: [[55.75, 37.6]],
        width: 300,
        arrival: { time: '08:00' },
      },
      { name: 'B', type: { key: 'polygon' }, geometry: square.map(([lon, lat]) => [lat, lon]) },
      { name: 'C', type: { key: 'line' }, geometry: [[55.7, 38.2], [55.8, 38.3], [55.9, 38.4]] }, // biome-ignore format: a line
    ];
    const trip = { ...ABC, points } as never;
    const day = readTrack(fixes('07:40 -9'));
    evaluateTrip(trip, DATE, day, { ...UTC, axisOrder: 'latlon', now: at('07:41'), predict });
    expect(calls.map(([from, , time]) => [from, time])).toEqual(
      [0, 1, 2].map(() => [[day.lon[0], day.lat[0]], at('07:40')]),
    );
    const asked = calls.map(([, point]) => point);
    expect(asked).toMatchObject([
      { index: 0, id: '0', name: 'A', position: [37.6, 55.75], plannedArrival: at('08:00'), width: 300 },
      { index: 1, name: 'B', position: [38, 55.75], plannedArrival: null },
      { index: 2, name: 'C', position: [38.3, 55.8] },
    ]);
    for (const [, , , pending] of calls) {
      expect(pending).toEqual({
        passageOrder: 'strict',
        points: asked,
        start: at('07:40'),
        delaySeconds: null,
        served: [],
        timeZone: 'UTC',
      });
    }
  });

  test('an exception or a wrong result of the function is an error, and the tracker continues', () => {
    const bad = (predict: unknown): string[] => {
      const { code, field } = errorOf(() =>
        evaluateTrip(ABC, DATE, readTrack(DAY), { ...UTC, predict } as never),
      );
      return [code, field];
    };
    expect(bad(5)).toEqual(['option-value', 'options.predict']);
    for (const answer of [-1, Number.NaN, Number.POSITIVE_INFINITY, '5', {}]) {
      expect(bad(() => answer)).toEqual(['option-value', 'options.predict']);
    }
    const thrower = (): never => {
      throw new Error('no signal');
    };
    expect(bad(thrower)).toEqual(['input-unreadable', 'options.predict']);
    let isBroken = true;
    const tracker = new TripTracker(ABC, DATE, { ...UTC, predict: () => (isBroken ? thrower() : 60) });
    expect(errorOf(() => tracker.push(DAY[0]!)).code).toBe('input-unreadable');
    isBroken = false;
    expect(tracker.push(DAY[1]!).map(({ type }) => type)).toContain('trip_activated');
    expect(tracker.counts()).toMatchObject({ in: 2, applied: 2 });
  });

  test('a restored tracker predicts with the function, and does not predict without it', () => {
    const predict = inMinutes(null, 90, null);
    const tracker = new TripTracker(ABC, DATE, { ...UTC, predict });
    const [first, ...rest] = DAY;
    tracker.push(first!);
    const json = JSON.stringify(tracker.snapshot());
    const restored = TripTracker.restore(ABC, json, { predict });
    const silent = TripTracker.restore(ABC, json);
    const late = TripTracker.restore(ABC, JSON.stringify(new TripTracker(ABC, DATE, UTC).snapshot()), {
      predict,
    });
    for (const fix of rest.slice(0, 3)) {
      expect(restored.push(fix)).toEqual(tracker.push(fix));
      silent.push(fix);
      late.push(fix);
    }
    expect(restored.snapshot()).toEqual(tracker.snapshot());
    expect(forecasts(restored.report())).toEqual([null, '09:42', null]);
    expect(forecasts(silent.report())).toEqual([null, null, null]);
    expect(forecasts(late.report())).toEqual(
      ['09:42', '09:42', null].map((text, i) => (i === 0 ? null : text)),
    );
    expect(errorOf(() => TripTracker.restore(ABC, json, { predict: 1 } as never)).field).toBe(
      'options.predict',
    );
  });
});

/** Predicts by the straight distance. Returns null for some fixes. */
const crow =
  (metersPerSecond: number): Predict =>
  (from, { position }, time) =>
    (time / 1000) % 7 === 0 ? null : distanceMeters(from, position) / metersPerSecond;

/** The expected events, from the pending points and predictions of every evaluation. */
function slowEvents(run: ReturnType<typeof gapRun>, options: TripOptions, now: number): string[] {
  const { trip, date } = run;
  const { predict, predictionHoldSeconds = 120, now: _, ...plain } = options;
  const made = new Map<string, number | null>();
  const note: Predict = (...given) => {
    const seconds = predict!(...given);
    const own = seconds === null ? null : given[3].start + Math.round(1000 * seconds);
    const isStrict = trip.passage_order_type.key === 'strict';
    const before = given[3].points
      .filter(({ index }) => isStrict && index < given[1].index)
      .map(({ index }) => made.get(`${given[2]} ${index}`) ?? 0);
    made.set(`${given[2]} ${given[1].index}`, own === null ? null : Math.max(own, ...before));
    return seconds;
  };
  const last = evaluateTrip(trip, date, readTrack(run.fixes), { ...plain, now, predict: note });
  const gapMs = 1000 * (options.maxGapSeconds ?? 3600);
  const times = Array.from(readTrack(run.fixes).time).filter(
    (time) => time <= now && time >= last.window.from && time < last.window.to,
  );
  const known = times.map((time) =>
    evaluateTrip(trip, date, readTrack(run.fixes.filter((fix) => fix.time <= time)), { ...plain, now: time }),
  );
  const events: string[] = [];
  last.points.forEach(({ plannedArrival, arrival }, i) => {
    const later = last.points.findIndex((point, k) => k > i && point.arrival !== null);
    const passed =
      later < 0 || trip.passage_order_type.key !== 'strict' ? [] : last.points.slice(0, later + 1);
    const ends = arrival === null ? [Math.max(...passed.map((point) => point.arrival ?? 0))] : [arrival];
    const isPendingAt = (time: number): boolean =>
      [...ends.filter(Number.isFinite), last.finishedAt ?? time + 1].every((end) => time < end);
    const minutes = trip.points[i]!.arrival?.deviation_minutes ?? options.defaultDeviationMinutes ?? 0;
    const limit = minutes === 0 ? 59_999 : minutes * 60_000;
    let [isLate, since] = [false, null as number | null];
    times.forEach((time, k) => {
      if (k > 0 && time - times[k - 1]! > gapMs) since = null;
      const predicted = known[k]!.points[i]!.status === 'pending' ? (made.get(`${time} ${i}`) ?? null) : null;
      const isBeyond =
        predicted === null || plannedArrival === null ? isLate : predicted > plannedArrival + limit;
      if (isBeyond === isLate) since = null;
      else since ??= time;
      const heldAt = since === null ? Number.POSITIVE_INFINITY : since + 1000 * predictionHoldSeconds;
      const reached = (k + 1 < times.length ? known[k + 1]!.points[i]!.arrival : arrival) ?? heldAt + 1;
      if (heldAt > Math.min(times[k + 1] ?? now, time + gapMs, last.window.to) || heldAt >= reached) return;
      [isLate, since] = [!isLate, null];
      if (isPendingAt(heldAt)) events.push(`${heldAt} late_${isLate ? 'expected' : 'averted'} ${i}`);
    });
  });
  return events.sort();
}

test('generated runs: the events are those of the rule, any order within the lateness and snapshots change nothing', () => {
  const seen = new Map<string, number>();
  for (let seed = 0; seed < (LONG ? 2000 : 15); seed++) {
    const random = seeded(seed);
    const run = gapRun(random);
    // A fix of the next day waits for its confirmation; here the day ends before.
    const day = run.fixes.filter(({ time }, i) => i === 0 || time - run.fixes[i - 1]!.time < 80_000_000);
    // Every fix is an evaluation of all before it.
    if (day.length > 70) continue;
    const { now: given, ...rest } = run.options;
    const predict = crow([4, 8, 15][seed % 3]!);
    const options = {
      ...rest,
      predict,
      predictionHoldSeconds: [0, 120, 600][Math.floor(seed / 3) % 3]!,
    } as TripOptions;
    const now = Math.max(given ?? 0, day.at(-1)?.time ?? 0);
    const report = evaluateTrip(run.trip, run.date, readTrack(day), { ...options, now });
    const own = report.events.filter(({ type }) => type.startsWith('late_'));
    for (const { type } of own) seen.set(type, (seen.get(type) ?? 0) + 1);
    const texts = own.map(({ type, time, pointIndex }) => `${time} ${type} ${pointIndex}`).sort();
    expect({ seed, texts }).toEqual({ seed, texts: slowEvents({ ...run, fixes: day }, options, now) });
    const { predict: _, ...plain } = options;
    const bare = evaluateTrip(run.trip, run.date, readTrack(day), { ...plain, now });
    const without = report.points.map((point) => {
      const { predictedArrival: _forecast, ...rest } = point;
      return rest;
    });
    expect({
      ...report,
      points: without,
      events: report.events.filter((event) => !own.includes(event)),
    }).toEqual(bare);

    const stream = { ...options, latenessSeconds: 1200 } as TripTrackerOptions;
    let tracker = new TripTracker(run.trip, run.date, stream);
    const delayed = day
      .map((fix) => ({ fix, at: fix.time + random() * 1_200_000 }))
      .sort((a, b) => a.at - b.at);
    delayed.forEach(({ fix }, i) => {
      if (i % 29 === 7)
        tracker = TripTracker.restore(run.trip, JSON.stringify(tracker.snapshot()), { predict });
      tracker.push(fix);
    });
    if (now > (day.at(-1)?.time ?? 0)) tracker.advance(now);
    expect({ seed, ...tracker.report() }).toEqual({ seed, ...report });
  }
  expect([...seen.keys()].sort()).toEqual(['late_averted', 'late_expected']);
});
