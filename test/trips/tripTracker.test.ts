import { describe, expect, test } from 'vitest';
import type { Trip } from '../../src/core/trip.js';
import { readTrack } from '../../src/tracks/index.js';
import { reviseEvents } from '../../src/trips/follow/tripEvents.js';
import {
  evaluateTrip,
  type TripEvent,
  TripTracker,
  type TripTrackerEvent,
  type TripTrackerOptions,
} from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { LONG, seeded, volume } from '../volume.js';
import { DATE, fix, journey, MINUTE, START, timed, trip } from './journeys.js';

const END = Date.parse('2026-03-03T00:00Z');

const texts = (events: readonly TripTrackerEvent[]): string[] =>
  events.map((event) => (event.type === 'revised' ? `${text(event.was)} -> ${text(event.is)}` : text(event)));
const text = (event: TripEvent | null): string =>
  event === null
    ? 'nothing'
    : `${Math.round((event.time - START) / MINUTE)} ${event.type} ${event.pointIndex ?? ''}`.trim();

describe('TripTracker', () => {
  const options: TripTrackerOptions = { timeZone: 'UTC' };

  test('emits events live, and ends the run with the window', () => {
    const tracker = new TripTracker(trip('AB'), DATE, options);
    expect(tracker.push(fix(0, -0.01))).toEqual([]);
    expect(texts(tracker.push(fix(2, 'A')))).toEqual(['1 trip_activated', '1 point_entered 0']);
    expect(texts(tracker.push(fix(4, 0.01)))).toEqual(['3 point_left 0']);
    expect(tracker.report()).toMatchObject({ status: 'active', lastFixAt: START + 4 * MINUTE });
    expect(tracker.advance(END - 1)).toEqual([]);
    // B could have been visited since.
    expect(tracker.advance(END)).toEqual([]);
    expect(tracker.report()).toMatchObject({ status: 'no_data', violations: [] });
    expect(tracker.counts()).toMatchObject({ in: 3, applied: 3 });
    const slow = new TripTracker(trip('AB'), DATE, { ...options, reachSpeedKph: 0 });
    for (const [minutes, lon] of [[0, -0.01], [2, 0], [4, 0.01]] as const) slow.push(fix(minutes, lon)); // biome-ignore format: short
    expect(texts(slow.advance(END))).toEqual(['960 trip_aborted']);
  });

  test('revises what a later fix changes', () => {
    const tracker = new TripTracker(trip('ABC'), DATE, options);
    const news = [0, 0.05, 0.2, 0.15, 0.1, 0.15, 0.2].map((lon, i) => texts(tracker.push(fix(5 * i, lon))));
    expect(news).toEqual([
      ['0 trip_activated', '0 point_entered 0'],
      ['0 point_left 0'],
      // During the step of 16.7 km from A to C it is unknown whether the unit was in B.
      // So far C is only a drive-by.
      ['10 point_entered 2'],
      ['10 trip_finished', '10 point_left 2'],
      [
        '10 point_entered 2 -> nothing',
        '10 trip_finished -> nothing',
        '10 point_left 2 -> nothing',
        '20 point_entered 1',
      ],
      ['20 point_left 1'],
      ['30 point_entered 2', '30 trip_finished'],
    ]);
  });

  test('revises the time of an event, and adds an event before emitted ones', () => {
    const event = (type: 'point_entered' | 'point_left', time: number, pointIndex: number): TripEvent => ({
      type,
      time,
      pointIndex,
    });
    const [first, moved, later] = [1, 2, 9].map((time) => event('point_entered', time, time < 3 ? 1 : 2));
    const between = event('point_left', 3, 1);
    expect(reviseEvents([first!, later!], [moved!, between, later!])).toEqual([
      { type: 'revised', was: first, is: moved },
      { type: 'revised', was: null, is: between },
    ]);
    expect(reviseEvents([], [first!, later!])).toEqual([first, later]);
    expect(reviseEvents([first!], [])).toEqual([{ type: 'revised', was: first, is: null }]);
  });

  test('accepts any order within the lateness, and counts late fixes', () => {
    const late = new TripTracker(trip('AB'), DATE, { ...options, latenessSeconds: 600 });
    for (const [minutes, place] of [
      [10, 'B'],
      [0, -0.01],
      [4, 0.01],
      [2, 'A'],
      [2, 'A'],
    ] as const)
      late.push(fix(minutes, place));
    expect(late.report().points.map(({ status }) => status)).toEqual(['passed', 'passed']);
    late.push(fix(11, 0.11));
    late.push(fix(0, 'A'));
    expect(late.counts()).toMatchObject({ in: 7, applied: 1, duplicate: 1, late: 1, pending: 4 });
  });

  test('checks future fixes by the time of receipt; the clock does not limit them', () => {
    const tracker = new TripTracker(trip('A'), DATE, options);
    tracker.push(fix(10, 'A'), { receivedAt: START });
    tracker.advance(START);
    tracker.push(fix(6, 'A'));
    tracker.push(fix(7, 'A'));
    expect(tracker.counts()).toMatchObject({ applied: 2, rejected: 1, reasons: { 'time-implausible': 1 } });
  });

  test('continues from a snapshot, and rejects the snapshot of another trip', () => {
    const tracker = new TripTracker(trip('AB'), DATE, {
      ...options,
      maxCrossedMeters: Number.POSITIVE_INFINITY,
    });
    tracker.push(fix(0, 'A'));
    tracker.push(fix(70, 'A'));
    const snapshot = tracker.snapshot();
    const json = JSON.stringify(snapshot);
    expect(TripTracker.restore(trip('AB'), json).snapshot()).toEqual(snapshot);
    expect(JSON.parse(json)).toEqual(snapshot);
    const codeOf = (given: unknown, of: Trip = trip('AB')): string =>
      errorOf(() => TripTracker.restore(of, given as string)).code;
    expect(codeOf(snapshot, trip('AC'))).toBe('state-trip');
    expect(codeOf({ ...snapshot, version: 1 })).toBe('state-version');
    expect(codeOf({ ...snapshot, clock: START })).toBe('state-corrupt');
    expect(codeOf({ ...snapshot, date: '2026-03-05' })).toBe('state-corrupt');
    expect(codeOf({ ...snapshot, options: { timeZone: 'Mars/A' } })).toBe('state-corrupt');
    expect(codeOf({ ...snapshot, kind: 'visits' })).toBe('state-corrupt');
    for (const cut of [0, 1, 30, json.length - 1]) expect(codeOf(json.slice(0, cut))).toBe('state-corrupt');
  });

  test('rejects invalid options and times', () => {
    const refused = (given: object): string[] => {
      const { code, field } = errorOf(() => new TripTracker(trip('A'), DATE, { ...options, ...given }));
      return [code, field];
    };
    expect(refused({ latenessSeconds: -1 })).toEqual(['option-value', 'options.latenessSeconds']);
    expect(refused({ timeZone: 'x' })).toEqual(['tz-unknown', 'options.timeZone']);
    const tracker = new TripTracker(trip('A'), DATE, options);
    expect(errorOf(() => tracker.advance(Number.NaN)).field).toBe('time');
    expect(errorOf(() => tracker.push(fix(0, 'A'), 3 as never)).code).toBe('option-type');
    expect(errorOf(() => tracker.push(fix(0, 'A'), { receivedAt: '3' as never })).field).toBe(
      'options.receivedAt',
    );
  });
});

function settings(random: () => number): { given: Trip; options: TripTrackerOptions } {
  const pick = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const kind = pick('entrance_to_first_point', 'leaving_first_point');
  const plain = trip(pick('ABC', 'ABA', 'AABC', 'CBA', 'BACAB'), {
    activation_type: { key: kind },
    passage_order_type: { key: pick('strict', 'strict', 'arbitrary') },
    dates: pick([DATE], [DATE, '2026-03-03']),
  });
  const options = {
    timeZone: 'UTC',
    minStaySeconds: pick(0, 300),
    maxCrossedMeters: pick(5000, 2000),
    maxGapSeconds: pick(3600, 400),
    parkedMeters: pick(200, 0),
    exitBufferMeters: pick(0, 100),
    finishOn: pick('entry', 'departure'),
    policy: pick('skip', 'wait'),
    allowSharedVisit: random() < 0.7,
  } as const;
  return { given: random() < 0.8 ? timed(plain) : plain, options };
}

/** The emitted events, with revisions applied. */
function applied(emitted: readonly TripEvent[], news: readonly TripTrackerEvent[]): TripEvent[] {
  const events = new Map(emitted.map((event) => [JSON.stringify(event), event]));
  for (const event of news) {
    const [was, is] = event.type === 'revised' ? [event.was, event.is] : [null, event];
    if (was !== null) expect(events.delete(JSON.stringify(was))).toBe(true);
    if (is !== null) events.set(JSON.stringify(is), is);
  }
  return [...events.values()];
}

const byText = (events: readonly TripEvent[]): string[] =>
  events.map((event) => JSON.stringify(event)).sort();

test('after every fix the report equals the batch, and so do the emitted events with revisions', () => {
  const seen = { revised: 0, plain: 0 };
  const journeys = LONG ? 5000 : volume(2000);
  for (let seed = 0; seed < journeys; seed++) {
    const random = seeded(seed);
    const fixes = journey(random);
    const { given, options } = settings(random);
    const tracker = new TripTracker(given, DATE, options);
    let current: TripEvent[] = [];
    const check = (now: number, count: number): void => {
      const report = tracker.report();
      const track = readTrack(fixes.slice(0, count), options);
      expect({ seed, count, ...report }).toEqual({
        seed,
        count,
        ...evaluateTrip(given, DATE, track, { ...options, now }),
      });
      expect(byText(current)).toEqual(byText(report.events));
    };
    fixes.forEach((next, i) => {
      const news = tracker.push(next);
      for (const { type } of news) seen[type === 'revised' ? 'revised' : 'plain']++;
      current = applied(current, news);
      if (LONG || i % 4 === 0 || i === fixes.length - 1) check(next.time, i + 1);
    });
    current = applied(current, tracker.advance(END + 86_400_000));
    check(END + 86_400_000, fixes.length);
    const { in: all, applied: taken, duplicate, rejected, late, pending } = tracker.counts();
    expect(taken + duplicate + rejected + late + pending).toBe(all);
  }
  expect(seen.plain).toBeGreaterThan(journeys);
  expect(seen.revised).toBeGreaterThan(journeys / 10);
});

test('neither the order within the lateness, nor duplicates, nor snapshots between change the report', () => {
  for (let seed = 0; seed < volume(2000); seed++) {
    const random = seeded(seed);
    const fixes = journey(random);
    const { given, options } = settings(random);
    const latenessSeconds = 1200;
    const end = fixes.at(-1)!.time;
    const expected = evaluateTrip(given, DATE, readTrack(fixes, options), { ...options, now: end });
    const delayed = fixes
      .flatMap((next) => (random() < 0.2 ? [next, { ...next }] : [next]))
      .map((next) => ({ next, at: next.time + random() * latenessSeconds * 1000 }))
      .sort((a, b) => a.at - b.at);
    let tracker = new TripTracker(given, DATE, { ...options, latenessSeconds });
    const cuts = new Set(Array.from({ length: LONG ? 20 : 3 }, () => Math.floor(random() * delayed.length)));
    let current: TripEvent[] = [];
    delayed.forEach(({ next }, i) => {
      if (cuts.has(i)) tracker = TripTracker.restore(given, JSON.stringify(tracker.snapshot()));
      current = applied(current, tracker.push(next));
    });
    expect({ seed, ...tracker.report() }).toEqual({ seed, ...expected });
    expect(byText(current)).toEqual(byText(expected.events));
  }
});

test('pushAll leaves the state that pushing each fix leaves, and emits the events that remain', () => {
  let [emitted, single] = [0, 0];
  for (let seed = 0; seed < volume(600); seed++) {
    const random = seeded(seed);
    const fixes = journey(random);
    const { given, options } = settings(random);
    const latenessSeconds = random() < 0.5 ? 0 : 1200;
    const [one, all] = [0, 1].map(() => new TripTracker(given, DATE, { ...options, latenessSeconds }));
    let current: TripEvent[] = [];
    for (let from = 0; from < fixes.length; ) {
      const own = fixes.slice(from, from + Math.floor(12 * random()));
      from += own.length;
      for (const next of own) single += one!.push(next).length;
      const news = all!.pushAll(new Set(own));
      emitted += news.length;
      current = applied(current, news);
      expect({ seed, ...all!.snapshot() }).toEqual({ seed, ...one!.snapshot() });
    }
    expect(byText(current)).toEqual(byText(one!.report().events));
  }
  expect(single).toBeGreaterThan(emitted);
  expect(emitted).toBeGreaterThan(volume(600));
});

test('pushAll rejects anything that is not iterable, and keeps what it read before an error', () => {
  const tracker = new TripTracker(trip('AB'), DATE, { timeZone: 'UTC' });
  expect(errorOf(() => tracker.pushAll(7 as never))).toMatchObject({ code: 'fixes-type', field: 'fixes' });
  const breaking = function* () {
    yield fix(0, 'A');
    throw new Error('the disk is gone');
  };
  expect(errorOf(() => tracker.pushAll(breaking()))).toMatchObject({
    code: 'input-unreadable',
    field: 'fixes',
  });
  expect(texts(tracker.pushAll([fix(2, 'A')]))).toEqual(['0 trip_activated', '0 point_entered 0']);
  expect(tracker.pushAll([])).toEqual([]);
});

test('a snapshot at any fix changes nothing', () => {
  for (let seed = 0; seed < (LONG ? 200 : 10); seed++) {
    const random = seeded(seed);
    const fixes = journey(random).slice(0, 20);
    const { given, options } = settings(random);
    const whole = new TripTracker(given, DATE, options);
    let cut = new TripTracker(given, DATE, options);
    for (const next of fixes) {
      const snapshot = cut.snapshot();
      cut = TripTracker.restore(given, snapshot);
      expect(cut.snapshot()).toEqual(snapshot);
      expect(cut.push(next)).toEqual(whole.push(next));
    }
    expect(cut.report()).toEqual(whole.report());
    expect(cut.snapshot()).toEqual(whole.snapshot());
  }
});
