import { describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import {
  evaluateTrip,
  type PendingPoint,
  type PendingRun,
  type Predict,
  predictByEngine,
  predictByRoute,
  type ServedPoint,
  type TripOptions,
  TripTracker,
} from '../../src/trips/index.js';
import { LONG, seeded } from '../volume.js';
import { dayTrip, fixes } from './fairDays.js';
import { at, clock, DATE } from './shortTrips.js';

const MINUTE = 60_000;

describe('the start of a forecast (T52)', () => {
  /** What `predict` is given at the last fix, and the arrival that follows from an answer of 10 min. */
  function ahead(points: string[], lines: string[], options: Partial<TripOptions> = {}): object {
    let given: PendingRun | null = null;
    const predict: Predict = (_from, _point, _time, pending) => {
      given = pending;
      return 600;
    };
    const day = fixes(...lines);
    const all = { timeZone: 'UTC', now: day.at(-1)!.time, predict, ...options };
    const report = evaluateTrip(dayTrip(points), DATE, readTrack(day), all);
    const { start, delaySeconds, served } = given!;
    return {
      start: clock(start),
      delay: delaySeconds === null ? null : Math.round(delaySeconds / 60),
      served: served.map(({ index, departure }) => [index, departure === null]),
      predicted: report.points.map(({ predictedArrival: time }) => (time ? clock(time) : null)),
    };
  }
  const TO_B = ['07:55 0', '08:00 0', '08:02 1', '08:20 3', '08:26 4'];

  test('a planned departure that is still to come', () => {
    expect(ahead(['A 08:00 08:00', 'B 08:30 08:40', 'C 09:00'], [...TO_B, '08:28 4'])).toEqual({
      start: '08:40',
      delay: 0,
      served: [[0, false], [1, true]],
      predicted: [null, null, '08:50'],
    }); // biome-ignore format: short pairs
  });

  test('a planned departure that is over: the fix, with the delay carried on', () => {
    const late = ahead(['A 08:00 08:00', 'B 08:10 08:20', 'C 09:00'], [...TO_B, '08:28 4']);
    expect(late).toMatchObject({ start: '08:28', delay: 8, predicted: [null, null, '08:38'] });
  });

  test('without one the service of the trip from the arrival on, not before the fix', () => {
    const points = ['A 08:00', 'B 08:15', 'C 09:00'];
    const lines = [...TO_B, '08:28 4'];
    const [none, long] = [0, 1200].map((serviceSeconds) => ahead(points, lines, { serviceSeconds }));
    expect(none).toMatchObject({ start: '08:28', predicted: [null, null, '08:38'] });
    const arrival = ahead(points, lines, { serviceSeconds: 3600 }) as { start: string };
    expect(long).not.toEqual(none);
    expect(arrival.start.slice(0, 2)).toBe('09');
  });

  test('on the way the fix, and before the first point no delay', () => {
    const points = ['A 08:00 08:00', 'B 08:30', 'C 09:00'];
    expect(ahead(points, TO_B.slice(0, 4))).toMatchObject({ start: '08:20', served: [[0, false]] });
    expect(ahead(points, ['07:40 -5'])).toMatchObject({ start: '07:40', delay: null, served: [] });
  });

  test('none for the first point while the unit is there, also if the visit turns out too short', () => {
    const trip = dayTrip(['A 08:00±5', 'B 08:30', 'C 09:00'], {
      activation_type: { key: 'time_of_first_point' },
    });
    // 30 min away until 07:50, then 5: late at first, and on time when it arrives at 07:57.
    const predict: Predict = (_from, _point, time) => 60 * (time < at('07:50') ? 30 : 5);
    const options = { timeZone: 'UTC', minStaySeconds: 1800, predictionHoldSeconds: 270, predict };
    const day = fixes('07:36 -9', '07:48 -4', '07:54 -1', '07:58 0', '07:59 0', '08:05 0', '08:07 3');
    const judged = (now: string): ReturnType<typeof evaluateTrip> =>
      evaluateTrip(trip, DATE, readTrack(day), { ...options, now: at(now) });
    expect(judged('07:57').points[0]).toMatchObject({ status: 'pending', predictedArrival: at('07:59') });
    expect(judged('07:59').points[0]).toMatchObject({ status: 'pending', predictedArrival: null });
    const own = judged('08:08').events.filter(({ type }) => type.startsWith('late_'));
    expect(own.map(({ type, time, pointIndex }) => `${clock(time)} ${type} ${pointIndex}`)).toEqual([
      '07:40:30 late_expected 0',
    ]);
  });

  test('a tracker forecasts as the batch does, also after a restore', () => {
    const trip = dayTrip(['A 08:00 08:00', 'B 08:30 08:40', 'C 09:00']);
    const predict: Predict = () => 600;
    const options = { timeZone: 'UTC', predict };
    const day = fixes(...TO_B, '08:28 4');
    let tracker = new TripTracker(trip, DATE, options);
    for (const fix of day) {
      tracker = TripTracker.restore(trip, JSON.stringify(tracker.snapshot()), { predict });
      tracker.push(fix);
    }
    expect(clock(tracker.report().points[2]!.predictedArrival!)).toBe('08:50');
  });
});

describe('the blend', () => {
  const LEG = (minutes: number, from: number) => ({
    durationSeconds: 60 * minutes,
    geometry: [[from, 55], [from + 1, 55]] as const, // biome-ignore format: a line
  });
  const LEGS = [LEG(10, 37), LEG(20, 38), LEG(30, 39)];
  /** Points with planned minutes of arrival and departure. */
  const point = (index: number, arrival: number | null, departure: number | null = null): PendingPoint => ({
    id: String(index),
    index,
    name: '',
    type: { key: 'point' },
    geometry: [],
    position: [37 + index, 55],
    plannedArrival: arrival === null ? null : arrival * MINUTE,
    plannedDeparture: departure === null ? null : departure * MINUTE,
  });
  const served = (own: PendingPoint, arrival: number, departure: number | null): ServedPoint => ({
    ...own,
    arrival: arrival * MINUTE,
    departure: departure === null ? null : departure * MINUTE,
  });
  const run = (
    points: PendingPoint[],
    start: number,
    delay: number | null,
    before: ServedPoint[],
  ): PendingRun => ({
    passageOrder: 'strict',
    points,
    start: start * MINUTE,
    delaySeconds: delay === null ? null : 60 * delay,
    served: before,
    timeZone: 'UTC',
  });
  /** The weight of the engine, written anew from the docstring: h and u in minutes. */
  const share = (h: number, u: number): number => {
    const [engine, plan] = [(0.08 * 60 * h) ** 2, 60 ** 2 + (0.3 * 60 * u) ** 2];
    return plan / (engine + plan);
  };
  const ask = (predict: Predict, lon: number, time: number, index: number, pending: PendingRun): number =>
    predict([lon, 55], pending.points.find((each) => each.index === index)!, time * MINUTE, pending)! / 60;
  const A = served(point(0, 0, 0), -5, 5);

  test('weighs the engine with the plan plus the delay by the inverse variances', () => {
    const pending = run([point(1, 12), point(2, 40)], 5, 5, [A]);
    const predict = predictByRoute(LEGS, { serviceSeconds: 120 });
    // The plan allows 12 and 26 min for legs of 10 and 20 min: more than 5/4.
    const usual = (5 / 4) ** 0.4;
    const [first, second] = [10 * usual, 30 * usual + 2];
    // At the start: the engine says this, the plan 12 + 5 − 5 and 40 + 5 − 5.
    const at = (engine: number, plan: number): number =>
      share(engine, engine) * engine + (1 - share(engine, engine)) * plan;
    expect(ask(predict, 37, 5, 1, pending)).toBeCloseTo(at(first, 12), 6);
    expect(ask(predict, 37, 5, 2, pending)).toBeCloseTo(at(second, 40), 6);
    // Half of the leg took 20 min, which is a rest and no pace: the engine says half, the plan is over, and 20 min have passed since the departure.
    const w = share(first / 2, 20 + first / 2);
    expect(ask(predict, 37.5, 25, 1, { ...pending, start: 25 * MINUTE })).toBeCloseTo(
      (w * first) / 2 + (1 - w) * -8,
      4,
    );
    // Near the point the engine decides.
    expect(share(1, 30)).toBeGreaterThan(0.999);
    expect(share(10, 10)).toBeCloseTo(0.94, 2);
  });

  test('without a delay or a planned arrival the engine alone counts', () => {
    const predict = predictByRoute(LEGS);
    expect(ask(predict, 37, 5, 1, run([point(1, 12)], 5, null, []))).toBeCloseTo(10, 6);
    expect(ask(predict, 37, 5, 1, run([point(1, null)], 5, 5, [A]))).toBeCloseTo(10, 6);
  });

  test('keeps a planned wait between, which takes up the delay that the stay leaves free', () => {
    // B is planned from 10 to 25, with a stay of 2 min: the engine arrives at 15, waits to 25, and is at C at 45.
    const pending = run([point(1, 10, 25), point(2, 45)], 5, 5, [A]);
    expect(ask(predictByRoute(LEGS, { serviceSeconds: 120 }), 37, 5, 2, pending)).toBeCloseTo(40, 6);
    // Stays of 30 min: 15 + 30 + 20 by the engine; the plan has 45 + 20, and allows 5 of 20 min for the second leg.
    const usual = (4 / 5) ** 0.4;
    const engine = 30 * usual + 30;
    const w = share(engine, engine);
    expect(ask(predictByRoute(LEGS, { serviceSeconds: 1800 }), 37, 5, 2, pending)).toBeCloseTo(
      w * engine + (1 - w) * 60,
      6,
    );
  });

  test('a stay that is not over: serviceSeconds, a learned dwell, and the seconds count from `start`', () => {
    const B = point(1, null);
    const pending = run([point(2, null)], 21, null, [A, served(B, 20, null)]);
    const dwell = { seconds: 480, count: 4, hours: new Array<null>(24).fill(null) };
    expect(ask(predictByRoute(LEGS, { serviceSeconds: 300 }), 38, 21, 2, pending)).toBeCloseTo(4 + 20, 6);
    const learned = { serviceSeconds: 300, dwell: [null, dwell, null, null] };
    expect(ask(predictByRoute(LEGS, learned), 38, 21, 2, pending)).toBeCloseTo(7 + 20, 6);
  });

  test('learned legs count in the hour of the departure', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => (hour === 1 ? 1800 : null));
    const legs = [{ seconds: 900, count: 3, hours }, null, null];
    const predict = predictByRoute(LEGS, { legs });
    expect(ask(predict, 37, 5, 1, run([point(1, null)], 5, null, []))).toBeCloseTo(15, 6);
    expect(ask(predict, 37, 65, 1, run([point(1, null)], 65, null, []))).toBeCloseTo(30, 6);
    // Half of the way: half of the learned and half of the given leg.
    expect(ask(predict, 37.5, 5, 1, run([point(1, null)], 5, null, []))).toBeCloseTo((15 + 10) / 4, 3);
  });

  test('the pace so far scales the legs ahead, with three legs as expected before it', () => {
    const ahead = (minutes: number): number => {
      const before = [served(point(0, null), 0, 0), served(point(1, null), minutes, minutes)];
      return ask(predictByRoute(LEGS), 38, minutes, 2, run([point(2, null)], minutes, null, before));
    };
    // The first leg took 12 min, not 10: (12 + 30) / (10 + 30).
    expect(ahead(12)).toBeCloseTo((20 * 42) / 40, 6);
    // It counts as at most 1.3 times slower or faster, and not with over ten minutes more, which is a rest.
    expect(ahead(16)).toBeCloseTo((20 * 43) / 40, 6);
    expect(ahead(2)).toBeCloseTo((20 * (10 / 1.3 + 30)) / 40, 6);
    expect(ahead(24)).toBeCloseTo(20, 6);
  });

  test('the leg under way counts by the share that is driven', () => {
    // Half of the first leg took 6 min, not 5: (6 + 3 · 10) / (5 + 3 · 10).
    const pending = run([point(1, null), point(2, null)], 6, null, [served(point(0, null), 0, 0)]);
    expect(ask(predictByRoute(LEGS), 37.5, 6, 1, pending)).toBeCloseTo((5 * 36) / 35, 3);
    expect(ask(predictByRoute(LEGS), 37.5, 6, 2, pending)).toBeCloseTo((25 * 36) / 35, 3);
  });

  test('a run begins between its legs and what the plan allows for them, without planned rests', () => {
    const start = [served(point(0, 0, 0), -5, 0)];
    const ahead = (...arrivals: number[]): PendingRun =>
      run(arrivals.map((arrival, i) => point(i + 1, arrival)), 0, 0, start); // biome-ignore format: short
    const first = (pending: PendingRun): number => ask(predictByRoute(LEGS), 37, 0, 1, pending);
    const blended = (engine: number, plan: number): number =>
      share(engine, engine) * engine + (1 - share(engine, engine)) * plan;
    // 33 min for legs of 30; then 20 min of them more for the second leg, which is a rest.
    expect(first(ahead(11, 33))).toBeCloseTo(blended(10 * 1.1 ** 0.4, 11), 6);
    expect(first(ahead(11, 53))).toBeCloseTo(blended(10 * 1.1 ** 0.4, 11), 6);
    expect(first(ahead(20, 60))).toBeCloseTo(blended(10 * 1.25 ** 0.4, 20), 6);
  });

  test('predictByEngine blends by the same rule, and counts from the departure', async () => {
    const engine = {
      route: async () => ({ legs: [{ durationSeconds: 600 }, { durationSeconds: 1200 }] }),
      matrix: () => expect.unreachable(),
    };
    const predict = predictByEngine(engine as never, { serviceSeconds: 120 });
    const stay = run([point(1, 12), point(2, 40)], 5, 0, [served(point(0, 0, 5), -5, null)]);
    expect(predict([37, 55], stay.points[0]!, 0, stay)).toBe(null);
    await new Promise((resolve) => setImmediate(resolve));
    const w = share(14, 10);
    expect(ask(predict, 37, 1, 1, stay)).toBeCloseTo(w * 10 + (1 - w) * 7, 6);
    const left = run([point(1, 12), point(2, 40)], 7, 2, [served(point(0, 0, 5), -5, 7)]);
    const own = share(10, 10);
    expect(ask(predict, 37, 7, 1, left)).toBeCloseTo(own * 10 + (1 - own) * 7, 6);
    expect(ask(predict, 37, 7, 2, left)).toBeCloseTo(share(32, 32) * 32 + (1 - share(32, 32)) * 35, 6);
  });
});

test('generated runs: any plan and past gives null or seconds, never before the start, and changes nothing', () => {
  for (let seed = 0; seed < (LONG ? 5000 : 300); seed++) {
    const random = seeded(seed);
    const maybe = (value: number): number | null => (random() < 0.7 ? Math.round(value) * MINUTE : null);
    const count = 2 + Math.floor(4 * random());
    const points = Array.from({ length: count }, (_, index): PendingPoint => {
      const arrival = 30 * index + 20 * random();
      const plan = { plannedArrival: maybe(arrival), plannedDeparture: maybe(arrival + 20 * random() - 3) };
      return {
        id: '',
        index,
        name: '',
        type: { key: 'point' },
        geometry: [],
        position: [37 + index, 55],
        ...plan,
      };
    });
    const legs = points.slice(1).map((_, i) => ({
      durationSeconds: 60 * Math.ceil(40 * random()),
      geometry: [[37 + i, 55], [38 + i, 55]] as const, // biome-ignore format: a line
    }));
    const next = 1 + Math.floor((count - 1) * random());
    let time = 0;
    const past = points.slice(0, next).map((point, i): ServedPoint => {
      const arrival = time + 30 * random() * MINUTE;
      const departure = arrival + 15 * random() * MINUTE;
      time = departure;
      return { ...point, arrival, departure: i === next - 1 && random() < 0.5 ? null : departure };
    });
    const isThere = past.at(-1)!.departure === null;
    const lon = isThere ? 36 + next : 36 + next + random();
    const start = time + (isThere ? 5 * MINUTE * random() : 0);
    const delaySeconds = random() < 0.8 ? 600 * (random() - 0.3) : null;
    const pending: PendingRun = {
      passageOrder: 'strict',
      points: points.slice(next),
      start,
      delaySeconds,
      served: past,
      timeZone: 'UTC',
    };
    const before = JSON.stringify(pending);
    const service = random() < 0.5 ? { serviceSeconds: 300 } : {};
    const own = predictByRoute(legs, service);
    for (const point of pending.points) {
      const seconds = own([lon, 55], point, time, pending)!;
      expect({ seed, isRight: Number.isFinite(seconds) && seconds >= 0 }).toEqual({ seed, isRight: true });
    }
    expect(JSON.stringify(pending)).toBe(before);
  }
});
