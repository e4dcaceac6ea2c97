import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { geodesicDistance } from '../../../src/geodesy/distanceMeters.js';
import { distanceMeters, type Fix, ZoneIndex } from '../../../src/index.js';
import {
  findMeetings,
  findVisits,
  type MeetingEvent,
  MeetingTracker,
  readTrack,
} from '../../../src/tracks/index.js';
import { volume } from '../../volume.js';

const START = 1_772_438_400_000;
/** Within a sample and its neighbour the distance may change by twice the speed times this. */
const SAMPLE_MS = 500;

/** A walk of up to `count` fixes about an origin: about 100 m a step, with pauses. */
function walk(origin: readonly [number, number], count: number): fc.Arbitrary<Fix[]> {
  const step = fc.tuple(
    fc.integer({ min: -100, max: 100 }),
    fc.integer({ min: -100, max: 100 }),
    fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 4, max: 40 }) }, fc.constantFrom(700, 1000)),
  );
  return fc.tuple(fc.nat(60), fc.array(step, { minLength: 1, maxLength: count })).map(([delay, steps]) => {
    let [time, x, y] = [START + delay * 1000, 0, 0];
    const shrink = Math.max(0.02, Math.cos((origin[1] * Math.PI) / 180));
    return steps.map(([dx, dy, seconds]) => {
      [time, x, y] = [time + seconds * 1000, x + dx, y + dy];
      const lon = origin[0] + x / 111_320 / shrink;
      return { time, lon: lon > 180 ? lon - 360 : lon, lat: origin[1] + y / 111_320 };
    });
  });
}

const ORIGINS = [
  [37.6, 55.7],
  [179.9999, -16],
  [10, 84],
  [0.001, 0],
] as const;
const pairs = fc.constantFrom(...ORIGINS).chain((origin) => fc.tuple(walk(origin, 8), walk(origin, 8)));
const meters = fc.constantFrom(0.5, 20, 60, 150);
const track = (fixes: readonly Fix[]) => readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY } as never);

/** The distance at an instant; `null` where a unit is not seen. */
function distanceAt(a: readonly Fix[], b: readonly Fix[], time: number, maxGapMs: number): number | null {
  const places = [a, b].map((fixes) => {
    const next = fixes.findIndex((fix) => fix.time >= time);
    if (next < 0) return null;
    const to = fixes[next]!;
    if (to.time === time) return [to.lon, to.lat] as const;
    const from = fixes[next - 1];
    if (from === undefined) return null;
    const way = geodesicDistance(from.lon, from.lat, to.lon, to.lat);
    if (to.time - from.time > maxGapMs && way > 30) return null;
    const t = (time - from.time) / (to.time - from.time);
    let east = to.lon - from.lon;
    if (east > 180) east -= 360;
    if (east < -180) east += 360;
    return [from.lon + east * t, from.lat + (to.lat - from.lat) * t] as const;
  });
  return places[0] && places[1] ? geodesicDistance(...places[0], ...places[1]) : null;
}

describe('findMeetings', () => {
  test('agrees with dense samples of the distance', () => {
    fc.assert(
      fc.property(pairs, meters, ([a, b], limit) => {
        const options = { meters: limit, maxGapSeconds: 600, parkedMeters: 30 };
        const found = findMeetings(track(a), track(b), options);
        const end = Math.min(a.at(-1)!.time, b.at(-1)!.time);
        const least = found.map(() => Number.POSITIVE_INFINITY);
        for (let time = START; time <= end; time += SAMPLE_MS) {
          const distance = distanceAt(a, b, time, 600_000);
          const at = found.findIndex(({ from, to }) => from <= time && time <= to);
          const isIn = at >= 0;
          if (distance === null) {
            if (isIn) expect([found[at]!.from, found[at]!.to]).toContain(time);
            continue;
          }
          const isEdge = isIn && (time - found[at]!.from < 2 || found[at]!.to - time < 2);
          if (distance < limit - 0.05 && !isIn) {
            expect(found.some(({ from, to }) => Math.abs(from - time) < 2 || Math.abs(to - time) < 2)).toBe(
              true,
            );
          }
          if (isIn && !isEdge) {
            expect(distance).toBeLessThan(limit + 0.01);
            expect(distance).toBeGreaterThan(found[at]!.minMeters - 0.01);
            least[at] = Math.min(least[at]!, distance);
          }
        }
        for (const { from, to, minTime, minMeters } of found) {
          expect(from <= minTime && minTime <= to).toBe(true);
          // A millisecond of rounding of the time.
          expect(Math.abs(distanceAt(a, b, minTime, 600_000)! - minMeters)).toBeLessThan(0.1);
        }
        for (let i = 1; i < found.length; i++)
          expect(found[i]!.from).toBeGreaterThanOrEqual(found[i - 1]!.to);
      }),
      { numRuns: volume(3000), seed: 20_261_125 },
    );
  });

  test('a meeting at the very end of a gap counts, whichever unit was not seen', () => {
    const at = (seconds: number, lon: number): Fix => ({ time: START + seconds * 1000, lon, lat: 55.7 });
    const seen = track([0, 20, 40, 60, 80, 100].map((seconds) => at(seconds, 37.6)));
    const back = track([at(0, 37.7), at(100, 37.6)]);
    const options = { meters: 50, maxGapSeconds: 60 };
    const time = START + 100_000;
    const met = [{ from: time, to: time, minMeters: 0, minTime: time, end: 'track' }];
    expect(findMeetings(seen, back, options)).toEqual(met);
    expect(findMeetings(back, seen, options)).toEqual(met);
    // The one begins where the other's gap ends.
    const later = track([100, 120, 140].map((seconds) => at(seconds, 37.6)));
    expect(findMeetings(later, back, options)).toEqual(met);
    expect(findMeetings(back, later, options)).toEqual(met);
  });

  test('units exactly `meters` apart at a fix are together then, also within the buffer', () => {
    const lats = [0, 25, 12].map((meters) => 55.7 + meters / 111_300);
    const away = lats.map((lat, i): Fix => ({ time: START + i * 60_000, lon: 37.6, lat }));
    const still = lats.map((_, i): Fix => ({ time: START + i * 60_000, lon: 37.6, lat: 55.7 }));
    const meters = distanceMeters([37.6, lats[2]!], [37.6, 55.7]);
    const options = { meters, exitBufferMeters: 50, frozenSpeedKph: Number.POSITIVE_INFINITY };
    const { frozenSpeedKph: _, ...rules } = options;
    const standing = readTrack(still, { frozenSpeedKph: Number.POSITIVE_INFINITY });
    const [meeting, ...others] = findMeetings(track(away), standing, rules);
    expect(others).toEqual([]);
    expect([meeting!.from, meeting!.to, meeting!.end]).toEqual([START, START + 120_000, 'track']);
  });

  test('is symmetric, and a unit meets itself once', () => {
    fc.assert(
      fc.property(pairs, meters, ([a, b], limit) => {
        const options = { meters: limit, maxGapSeconds: Number.POSITIVE_INFINITY, exitBufferMeters: 10 };
        const [left, right] = [
          findMeetings(track(a), track(b), options),
          findMeetings(track(b), track(a), options),
        ];
        const near = (list: typeof left) =>
          list.map(({ from, to, minMeters, end }) => [from, to, Math.round(minMeters * 50), end]);
        expect(near(left).length).toBe(near(right).length);
        for (const [i, one] of left.entries()) {
          expect(Math.abs(one.from - right[i]!.from)).toBeLessThan(2);
          expect(Math.abs(one.to - right[i]!.to)).toBeLessThan(2);
          expect(Math.abs(one.minMeters - right[i]!.minMeters)).toBeLessThan(0.01);
        }
        const itself = findMeetings(track(a), track(a), options);
        const [from, to] = [a[0]!.time, a.at(-1)!.time];
        expect(itself).toEqual([{ from, to, minMeters: 0, minTime: from, end: 'track' }]);
      }),
      { numRuns: volume(2000), seed: 20_261_125 },
    );
  });

  test('with a unit that stands are the visits to a circle', () => {
    fc.assert(
      fc.property(
        walk([37.6, 55.7], 10),
        fc.constantFrom(20, 60),
        fc.constantFrom(0, 25),
        fc.constantFrom(0, 20),
        (a, limit, buffer, seconds) => {
          const zone = {
            id: 'z',
            type: { key: 'circle' as const },
            geometry: [[37.6, 55.7] as [number, number]],
            width: limit,
          };
          const rules = {
            exitBufferMeters: buffer,
            minInsideSeconds: seconds,
            maxGapSeconds: 600,
            parkedMeters: 0,
          };
          const visits = findVisits(track(a), new ZoneIndex([zone]), {
            ...rules,
            maxCrossedMeters: Number.POSITIVE_INFINITY,
          });
          const standing = [START - 1e6, START + 1e8].map((time) => ({ time, lon: 37.6, lat: 55.7 }));
          const found = findMeetings(track(a), track(standing), {
            meters: limit,
            exitBufferMeters: buffer,
            minSeconds: seconds,
            maxGapSeconds: 600,
            parkedMeters: 0,
          });
          // The exit buffer of a visit is judged at fixes, that of a meeting at every instant.
          if (buffer > 0) {
            const first = visits[0];
            if (first !== undefined) expect(found[0]?.from).toBe(first.enter);
            return;
          }
          // Visits of one instant are judged otherwise by both.
          const isLong = ([from, to]: readonly (number | null)[]) => to === null || to! - from! > 1;
          const wanted = visits.map(({ enter, exit }) => [enter, exit]).filter(isLong);
          const got = found.map(({ from, to, end }) => [from, end === 'track' ? null : to]).filter(isLong);
          expect(got).toEqual(wanted);
        },
      ),
      { numRuns: volume(3000), seed: 20_261_125 },
    );
  });

  const at = (seconds: number, x: number) => ({
    time: START + seconds * 1000,
    lon: 37.6 + x / 62_800,
    lat: 55.7,
  });
  const still = track([at(0, 0), at(600, 0)]);

  test('keeps a meeting over a walk within the buffer, and ends it at the last crossing', () => {
    const near = track([at(0, 0), at(60, 60), at(120, 0), at(180, 100), at(240, 0), at(300, 0)]);
    const ends = (exitBufferMeters: number) =>
      findMeetings(near, still, { meters: 50, exitBufferMeters }).map(({ from, to, end }) => [
        Math.round((from - START) / 1000),
        Math.round((to - START) / 1000),
        end,
      ]);
    expect(ends(0)).toEqual([
      [0, 50, 'apart'],
      [70, 150, 'apart'],
      [210, 300, 'track'],
    ]);
    expect(ends(20)).toEqual([
      [0, 150, 'apart'],
      [210, 300, 'track'],
    ]);
    expect(ends(60)).toEqual([[0, 300, 'track']]);
  });

  test('ends at a gap of either, but not at a sleep', () => {
    const gone = track([at(0, 0), at(60, 0), at(5000, 300), at(5060, 0)]);
    const long = track([at(0, 0), at(6000, 0)]);
    expect(findMeetings(gone, long, { meters: 50 }).map(({ end }) => end)).toEqual(['gap', 'track']);
    expect(findMeetings(long, long, { meters: 50 })).toHaveLength(1);
    expect(findMeetings(long, still, { meters: 50 })[0]!.to).toBe(START + 600_000);
  });

  test('of tracks that share no instant, or are empty, are none', () => {
    expect(findMeetings(track([]), still, { meters: 50 })).toEqual([]);
    expect(findMeetings(track([at(700, 0), at(800, 0)]), still, { meters: 50 })).toEqual([]);
    expect(findMeetings(track([at(600, 3)]), still, { meters: 50 })).toMatchObject([
      { from: START + 6e5, to: START + 6e5, end: 'track' },
    ]);
  });

  test('need a distance', () => {
    expect(() => findMeetings(still, still, {} as never)).toThrow('a distance in metres');
    expect(() => findMeetings(still, still, { meters: -1 })).toThrow('a distance in metres');
    expect(() => findMeetings([] as never, still, { meters: 1 })).toThrow('readTrack');
  });
});

describe('MeetingTracker', () => {
  test('emits the batch, from a snapshot at every point', () => {
    const cases = fc.tuple(
      pairs,
      meters,
      fc.constantFrom(0, 20),
      fc.constantFrom(0, 15),
      fc.constantFrom(0, 1e6),
      fc.infiniteStream(fc.boolean()),
    );
    fc.assert(
      fc.property(cases, ([[a, b], limit, exitBufferMeters, minSeconds, latenessSeconds, coin]) => {
        const options = { meters: limit, exitBufferMeters, minSeconds, maxGapSeconds: 600, parkedMeters: 30 };
        let tracker = new MeetingTracker({ ...options, latenessSeconds });
        expect(tracker.watch('b', 'a')).toBe(true);
        expect(tracker.watch('a', 'b')).toBe(false);
        const events: MeetingEvent[] = [];
        const queues = { a: [...a], b: [...b] };
        const seen = { a: [] as Fix[], b: [] as Fix[] };
        while (queues.a.length + queues.b.length > 0) {
          const id = queues.b.length === 0 || (queues.a.length > 0 && coin.next().value) ? 'a' : 'b';
          const fix = queues[id].shift()!;
          seen[id].push(fix);
          tracker = MeetingTracker.restore(JSON.stringify(tracker.snapshot()));
          events.push(...tracker.push(id, fix));
          const done = events.filter(({ type }) => type === 'apart').map(({ meeting }) => meeting);
          const batch = findMeetings(readTrack([...seen.b]), readTrack([...seen.a]), options);
          expect([...done, ...tracker.current().map(({ meeting }) => meeting)]).toEqual(batch);
        }
        const begun = events.filter(({ type }) => type === 'together').map(({ time }) => time);
        const ended = events.filter(({ type }) => type === 'apart').map(({ meeting }) => meeting.from);
        expect(begun.slice(0, ended.length)).toEqual(ended);
        expect(tracker.unwatch('a', 'b')).toBe(true);
        expect(tracker.current()).toEqual([]);
      }),
      { numRuns: volume(1000), seed: 20_261_125 },
    );
  });

  const at = (seconds: number, x: number) => ({
    time: START + seconds * 1000,
    lon: 37.6 + x / 62_800,
    lat: 55.7,
  });

  test('watches from the last fix on, and drops a forgotten unit', () => {
    const tracker = new MeetingTracker({ meters: 50 });
    tracker.push('a', at(0, 0));
    tracker.push('b', at(0, 0));
    tracker.watch('a', 'b');
    expect(tracker.push('a', at(60, 0)).map(({ type, units }) => [type, units])).toEqual([
      ['together', ['a', 'b']],
    ]);
    expect(tracker.push('b', at(60, 100)).map(({ type }) => type)).toEqual(['apart']);
    expect(tracker.counts('a').applied).toBe(2);
    expect(tracker.forget('b')).toBe(true);
    expect(tracker.current()).toEqual([]);
    expect(tracker.push('a', at(120, 0))).toEqual([]);
    expect(() => tracker.watch('a', 5 as never)).toThrow('a text');
    expect(() => MeetingTracker.restore({ ...tracker.snapshot(), clock: 3 })).toThrow('checksum');
  });
});
