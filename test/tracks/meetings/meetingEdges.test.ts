/** What holds exactly at the limits of a meeting, and the ways into a tracker that the batches do not take. */

import { describe, expect, it, test } from 'vitest';
import { distanceMeters, type Fix } from '../../../src/index.js';
import {
  findMeetings,
  type Meeting,
  type MeetingEvent,
  type MeetingOptions,
  MeetingTracker,
  readTrack,
} from '../../../src/tracks/index.js';
import { sealed } from '../../../src/tracks/stream/sealed.js';
import { errorText } from '../../errorOf.js';

const START = 1772438400000;
/** Metres of a degree of longitude at the equator. */
const PER_DEGREE = (6_378_137 * Math.PI) / 180;

type Point = readonly [seconds: number, east: number, north?: number];

const fixesOf = (points: readonly Point[]): Fix[] =>
  points.map(([seconds, east, north = 0]) => ({
    time: START + seconds * 1000,
    lon: 20 + east / PER_DEGREE,
    lat: north / 110_574.3885,
  }));
const trackOf = (points: readonly Point[]) =>
  readTrack(fixesOf(points), {
    maxSpeedKph: Number.POSITIVE_INFINITY,
    frozenSpeedKph: Number.POSITIVE_INFINITY,
  });

/** `from to end minMeters@minTime`, in whole seconds and metres; also found by a tracker, whichever unit is the first. */
function meet(a: readonly Point[], b: readonly Point[], options: MeetingOptions): string[] {
  const found = findMeetings(trackOf(a), trackOf(b), options);
  const short = (all: readonly Meeting[]): string[] =>
    all.map(({ from, to, end, minMeters, minTime }) => {
      const [start, stop, least] = [from, to, minTime].map((time) => Math.round((time - START) / 1000));
      return `${start} ${stop} ${end} ${Math.round(minMeters)}@${least}`;
    });
  expect(short(findMeetings(trackOf(b), trackOf(a), options))).toEqual(short(found));
  const tracker = new MeetingTracker({
    ...options,
    maxSpeedKph: Number.POSITIVE_INFINITY,
    frozenSpeedKph: Number.POSITIVE_INFINITY,
    maxAheadSeconds: Number.POSITIVE_INFINITY,
  });
  tracker.watch('a', 'b');
  const all = [['a', fixesOf(a)], ['b', fixesOf(b)]].flatMap(([id, fixes]) =>
    (fixes as Fix[]).map((fix) => ({ id: id as string, fix })),
  ); // biome-ignore format: pairs
  const events = all
    .toSorted((one, other) => one.fix.time - other.fix.time)
    .flatMap(({ id, fix }) => tracker.push(id, fix));
  const ended = events.filter(({ type }) => type === 'apart').map(({ meeting }) => meeting);
  // Each meeting has one event before its end: as soon as it was long enough.
  const begun = events.filter(({ type }) => type === 'together');
  expect(begun.map(({ time }) => time)).toEqual(found.map(({ from }) => from));
  for (const { meeting } of begun) expect(meeting.from).toBeLessThanOrEqual(meeting.to);
  expect([...ended, ...tracker.current().map(({ meeting }) => meeting)]).toEqual(found);
  return short(found);
}

const STILL: Point[] = [[0, 0], [60, 0], [120, 0], [180, 0], [240, 0], [300, 0]]; // biome-ignore format: one line

describe('a meeting', () => {
  test('is nearest where the units pass, and tells when', () => {
    expect(meet([[0, -100, 30], [100, 100, 30]], STILL, { meters: 60 })).toEqual(['24 76 apart 30@50']); // biome-ignore format: one line
    // Two units that pass each other at right angles; the first 20 s earlier.
    const [east, north]: Point[][] = [[[0, -100], [100, 100]], [[0, 0, -140], [100, 0, 60]]]; // biome-ignore format: one line
    expect(meet(east!, north!, { meters: 50 })).toEqual(['45 75 apart 28@60']);
    // Of equal distances the first.
    expect(meet([[0, 30], [100, 30], [200, 30]], STILL, { meters: 60 })).toEqual(['0 200 track 30@0']); // biome-ignore format: one line
    expect(meet([[0, 40], [100, 30], [200, 30]], STILL, { meters: 60 })).toEqual(['0 200 track 30@100']); // biome-ignore format: one line
    expect(meet([[0, 40], [100, 30], [200, 20]], STILL, { meters: 60 })).toEqual(['0 200 track 20@200']); // biome-ignore format: one line
  });

  test('begins and ends at an instant where the units are exactly `meters` apart', () => {
    const away: Point[] = [[0, 50], [60, 90]]; // biome-ignore format: one line
    const meters = distanceMeters([20, 0], [fixesOf(away)[0]!.lon, 0]);
    expect(meet(away, STILL, { meters })).toEqual(['0 0 apart 50@0']);
    expect(meet(away, STILL, { meters: meters - 1e-6 })).toEqual([]);
    expect(meet([[0, 90], [60, 50]], STILL, { meters })).toEqual(['60 60 track 50@60']); // biome-ignore format: one line
    expect(meet([[100, 50]], [[100, 0]], { meters })).toEqual(['100 100 track 50@100']); // biome-ignore format: one line
    expect(meet([[100, 50]], [[100, 0]], { meters: meters - 1e-6 })).toEqual([]); // biome-ignore format: one line
    // Where they cross between two fixes they only touch.
    expect(meet([[0, -60], [60, 60]], STILL, { meters: 0 })).toEqual([]); // biome-ignore format: one line
    // At a fix before a gap both were seen.
    expect(meet([[0, 0], [4000, 9000]], STILL, { meters })).toEqual(['0 0 gap 0@0']); // biome-ignore format: one line
    // `meters` of 0: only in one place.
    expect(meet([[0, 0], [60, 9]], STILL, { meters: 0 })).toEqual(['0 0 apart 0@0']); // biome-ignore format: one line
    const beside = distanceMeters([20, fixesOf([[0, 0, 50]])[0]!.lat], [20, 0]);
    expect(meet([[0, -60, 50], [60, 60, 50]], STILL, { meters: beside - 1e-4 })).toEqual([]); // biome-ignore format: one line
    expect(meet([[0, -100, 50], [100, 100, 50]], STILL, { meters: 60, minSeconds: 33 })).toEqual(['33 67 apart 50@50']); // biome-ignore format: one line
    expect(meet([[0, -100, 50], [100, 100, 50]], STILL, { meters: 60, minSeconds: 34 })).toEqual([]); // biome-ignore format: one line
  });

  test('goes on within the buffer, where the way back or out of it is judged by any rule', () => {
    const options = { meters: 50, exitBufferMeters: 20 };
    expect(meet([[0, 0], [60, 60], [120, 40]], STILL, options)).toEqual(['0 120 track 0@0']); // biome-ignore format: one line
    expect(meet([[0, 0], [60, 60], [120, 65]], STILL, options)).toEqual(['0 50 track 0@0']); // biome-ignore format: one line
    expect(meet([[0, 0], [60, 60], [120, 65], [180, 75]], STILL, options)).toEqual(['0 50 apart 0@0']); // biome-ignore format: one line
    expect(meet([[0, 0], [60, 60], [120, 40], [180, 60], [240, 80]], STILL, options)).toEqual(['0 150 apart 0@0']); // biome-ignore format: one line
    expect(meet([[0, 0], [60, 80], [120, 60], [180, 40]], STILL, options)).toEqual(['0 38 apart 0@0', '150 180 track 40@180']); // biome-ignore format: one line
    // From one side to the other in one step, beyond the buffer on neither.
    expect(meet([[0, 40], [60, 60], [120, -60], [180, -40]], STILL, options)).toEqual(['0 180 track 0@90']); // biome-ignore format: one line
    expect(meet([[0, 10], [60, 60, 10], [120, 60, -10], [180, 10]], STILL, options)).toEqual(['0 180 track 10@0']); // biome-ignore format: one line
    // Out of the buffer and back within one step.
    const far: Point[] = [[0, 0, 40], [60, 65, 20], [120, -65, 20], [180, 0, 40]]; // biome-ignore format: one line
    expect(meet(far, STILL, { meters: 50, exitBufferMeters: 17 })).toHaveLength(3);
    expect(meet(far, STILL, { meters: 50, exitBufferMeters: 19 })).toHaveLength(1);
    // Far units meet as well as near ones.
    const drive: Point[] = [[0, -90_000], [100, 90_000]]; // biome-ignore format: one line
    expect(meet(drive, STILL, { meters: 45_000 })).toEqual(['25 75 apart 0@50']);
    expect(meet(drive, STILL, { meters: 45_000, exitBufferMeters: 50_000 })).toEqual(['25 75 track 0@50']);
  });

  test('ends at a step that is too long or too far, unless the unit stood', () => {
    const step = (seconds: number, east: number): Point[] => [[0, 0], [10, 0], [10 + seconds, east], [20 + seconds, east]]; // biome-ignore format: one line
    const long: Point[] = [[0, 0], [5000, 0]]; // biome-ignore format: one line
    const ends = (points: readonly Point[], options: Partial<MeetingOptions>): string[] =>
      meet(points, long, { meters: 1000, maxGapSeconds: Number.POSITIVE_INFINITY, ...options }).map((one) => one.split(' ')[2]!); // biome-ignore format: one line
    // The partner's only step is never a gap: it stood.
    const wide = distanceMeters([20, 0], [fixesOf([[0, 300]])[0]!.lon, 0]);
    expect(ends(step(600, 300), { maxGapSeconds: 600 })).toEqual(['track']);
    expect(ends(step(600, 300), { maxGapSeconds: 599.999 })).toEqual(['gap', 'track']);
    expect(ends(step(600, 300), { maxGapSeconds: 599, parkedMeters: wide })).toEqual(['track']);
    expect(ends(step(600, 300), { maxGapSeconds: 599, parkedMeters: wide - 1e-6 })).toEqual(['gap', 'track']);
    expect(ends(step(10, 300), { maxGapMeters: wide })).toEqual(['track']);
    expect(ends(step(10, 300), { maxGapMeters: wide - 1e-6 })).toEqual(['gap', 'track']);
    expect(ends(step(10, 300), { maxGapMeters: 100, parkedMeters: 400 })).toEqual(['track']);
    expect(ends(step(10, 300), { maxGapMeters: 400, parkedMeters: 0 })).toEqual(['track']);
    // Round half the Earth no way is the shorter one.
    const half = (lons: readonly number[]) =>
      readTrack(lons.map((lon, i) => ({ time: START + i * 1000, lon, lat: 89.9999 })), { maxSpeedKph: Number.POSITIVE_INFINITY }); // biome-ignore format: one line
    const options = { meters: 1000, parkedMeters: 0 };
    expect(findMeetings(half([0, 0, 180, 180]), half([0, 0, 0, 0]), options).map(({ end }) => end)).toEqual(['gap', 'track']); // biome-ignore format: one line
    expect(findMeetings(half([0, 0, 179, 179]), half([0, 0, 0, 0]), options).map(({ end }) => end)).toEqual(['track']); // biome-ignore format: one line
  });

  test('is judged from the instant at which both are seen, also in the middle of a step', () => {
    expect(meet([[0, 0], [100, 100]], [[50, 50], [60, 60], [80, 80]], { meters: 5 })).toEqual(['50 80 track 0@50']); // biome-ignore format: one line
    expect(meet([[0, 0], [100, 100]], [[50, 50], [90, 50]], { meters: 20 })).toEqual(['50 70 apart 0@50']); // biome-ignore format: one line
    expect(meet([[10, 0], [100, 0]], [[0, 0], [5, 0], [9, 0]], { meters: 20 })).toEqual([]); // biome-ignore format: one line
    expect(meet([[10, 0], [100, 0]], [[0, 0], [5, 0], [10, 0]], { meters: 20 })).toEqual(['10 10 track 0@10']); // biome-ignore format: one line
    expect(meet([[100, 0]], [[100, 0]], { meters: 20, minSeconds: 0 })).toEqual(['100 100 track 0@100']); // biome-ignore format: one line
    expect(meet([[100, 0]], [[100, 0]], { meters: 20, minSeconds: 1 })).toEqual([]); // biome-ignore format: one line
    expect(meet([], [[100, 0]], { meters: 20 })).toEqual([]);
  });
});

describe('a MeetingTracker', () => {
  it('tells a meeting at the fix by which it is long enough, as it is then', () => {
    // They draw apart from 20 m on, which the sides of a box decide.
    const drive = [20, 22, 24, 26, 28, 30].map((east, i): Point => [10 * i, east]);
    const still = drive.map(([seconds]): Point => [seconds, 0]);
    const tracker = new MeetingTracker({
      meters: 200,
      minSeconds: 25,
      frozenSpeedKph: Number.POSITIVE_INFINITY,
    });
    tracker.watch('a', 'b');
    const told = fixesOf(drive).map((fix, i) => [
      ...tracker.push('a', fix),
      ...tracker.push('b', fixesOf(still)[i]!),
    ]);
    expect(told.map((events) => events.length)).toEqual([0, 0, 0, 1, 0, 0]);
    const [{ type, time, meeting }] = told[3]! as [MeetingEvent];
    expect((told[3]![0] as MeetingEvent).units).toEqual(['a', 'b']);
    expect([type, time, meeting.from, meeting.to, meeting.end]).toEqual([
      'together',
      START,
      START,
      START + 30_000,
      'track',
    ]);
    expect(meeting.minMeters).toBeCloseTo(20, 1);
  });

  const at = (seconds: number, east: number): Fix => fixesOf([[seconds, east]])[0]!;

  test('emits at an advanced clock, tells rejected fixes and takes a pair in either order', () => {
    const tracker = new MeetingTracker({ meters: 50, latenessSeconds: 30 });
    tracker.watch('a', 'b');
    for (const [id, seconds] of [['a', 0], ['b', 0], ['a', 20], ['b', 20]] as const) expect(tracker.push(id, at(seconds, 0))).toEqual([]); // biome-ignore format: one line
    expect(tracker.advance(START + 60_000).map(({ type, time }) => [type, time])).toEqual([
      ['together', START],
    ]);
    expect(tracker.issues()).toEqual([]);
    tracker.push('a', { ...at(70, 0), lat: 91 });
    expect(tracker.issues('a').map(({ code }) => code)).toEqual(['invalid']);
    expect(tracker.issues('b')).toEqual([]);
    expect(tracker.counts()).toMatchObject({ in: 5, applied: 4 });
    expect(tracker.current()).toMatchObject([
      { units: ['a', 'b'], meeting: { from: START, to: START + 20_000 } },
    ]);
    expect(tracker.unwatch('b', 'a')).toBe(true);
    expect(tracker.unwatch('b', 'a')).toBe(false);
    expect(tracker.unwatch('b', 'nobody')).toBe(false);
    expect(tracker.unwatch('nobody', 'b')).toBe(false);
    expect(tracker.current()).toEqual([]);
    expect(tracker.watch('b', 'a')).toBe(true);
  });

  test('ends a meeting that lasts with the units of its pair, in `current` too', () => {
    const tracker = new MeetingTracker({ meters: 50, latenessSeconds: 1000 });
    tracker.watch('a', 'b');
    tracker.watch('b', 'c');
    for (const id of ['a', 'b', 'c']) {
      tracker.push(id, at(0, 0));
      tracker.push(id, at(60, id === 'b' ? 100 : 0));
    }
    const wanted = { from: START, to: START + 30_000, minMeters: 0, minTime: START, end: 'apart' };
    expect(tracker.current()).toEqual([
      { units: ['a', 'b'], meeting: wanted },
      { units: ['b', 'c'], meeting: wanted },
    ]);
    const restored = MeetingTracker.restore(tracker.snapshot());
    expect(restored.current()).toEqual(tracker.current());
    expect(restored.watch('c', 'b')).toBe(false);
    expect(restored.forget('nobody')).toBe(false);
    expect(restored.forget('b')).toBe(true);
    expect(restored.current()).toEqual([]);
    expect(restored.watch('c', 'b')).toBe(true);
  });

  test('watches a unit with itself, which is a meeting of one', () => {
    const tracker = new MeetingTracker({ meters: 50 });
    expect(tracker.watch('a', 'a')).toBe(true);
    expect(tracker.watch('a', 'a')).toBe(false);
    tracker.push('a', at(0, 0));
    tracker.push('a', at(60, 500));
    expect(tracker.current()).toMatchObject([
      { units: ['a', 'a'], meeting: { from: START, to: START + 60_000 } },
    ]);
    expect(tracker.unwatch('a', 'a')).toBe(true);
    expect(tracker.push('a', at(90, 500))).toEqual([]);
  });

  test('refuses a snapshot with options that no tracker has', () => {
    const tracker = new MeetingTracker({ meters: 50, exitBufferMeters: 7 });
    const text = JSON.stringify(tracker.snapshot());
    expect(MeetingTracker.restore(text).snapshot()).toEqual(tracker.snapshot());
    const { checksum: _, ...body } = tracker.snapshot();
    const wrong = sealed({ ...body, options: { ...body.options, meters: -5 } });
    expect(errorText(() => MeetingTracker.restore(wrong))).toBe(
      'state-corrupt snapshot.options.meters: expected an option of a tracker, received "expected a distance in metres, received -5"',
    );
  });

  test('and the batch refuse what are no options of meetings', () => {
    const track = trackOf(STILL);
    const text = (options: unknown): string => errorText(() => findMeetings(track, track, options as never));
    expect(text(undefined)).toBe(
      'option-value options.meters: expected a distance in metres, received undefined',
    );
    expect(text({ meters: '5' })).toBe(
      'option-value options.meters: expected a distance in metres, received "5"',
    );
    expect(text({ meters: 5, distance: 5 })).toMatch(/^option-unknown options\.distance: /);
    expect(text({ get meters(): number { throw new Error('no'); } })).toMatch(/^input-unreadable options/); // biome-ignore format: one line
    expect(findMeetings(track, track, { meters: 0 })).toHaveLength(1);
  });

  test('ends a meeting at a fix after which the receiver was frozen, whichever unit it is', () => {
    // The truck repeats its place to the bit while it drives on: it is seen again 12 km farther on.
    const frozen = Array.from({ length: 30 }, (_, i): Point => [30 + 20 * i, 300]);
    const awake = [630, 640, 650, 660, 670, 680, 690, 700].map((second): Point => [second, 20 * second]); // biome-ignore format: one line
    const truck = fixesOf([[0, 280], [10, 300], ...frozen, ...awake]);
    const car = fixesOf([[0, 310], [300, 310], [620, 310], [720, 310]]); // biome-ignore format: one line
    const rules = { maxJamSeconds: 60 };
    const read = readTrack(truck, rules);
    expect(read.rejected.frozen).toBe(30);
    const wanted = findMeetings(read, readTrack(car, rules), { meters: 50 });
    expect(wanted[0]).toMatchObject({ from: START, end: 'gap' });
    for (const [first, second] of [
      ['truck', 'car'],
      ['car', 'truck'],
    ] as const) {
      const tracker = new MeetingTracker({ meters: 50, ...rules });
      tracker.watch(first, second);
      const events = [
        ...tracker.push('truck', truck[0]!),
        ...tracker.push('car', car[0]!),
        ...truck.slice(1).flatMap((fix) => tracker.push('truck', fix)),
        ...car.slice(1).flatMap((fix) => tracker.push('car', fix)),
      ];
      for (const { units } of events) expect(units).toEqual([first, second]);
      const ended = events.filter(({ type }) => type === 'apart').map(({ meeting }) => meeting);
      expect([...ended, ...tracker.current().map(({ meeting }) => meeting)], first).toEqual(wanted);
    }
  });
});
