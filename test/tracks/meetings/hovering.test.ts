/** Two units that hover about as far apart as the limit, beside a twin in which the distance is a number that changes evenly. */

import { describe, expect, test } from 'vitest';
import { findMeetings, type MeetingOptions, MeetingTracker, readTrack } from '../../../src/tracks/index.js';
import { seeded, volume } from '../../volume.js';

const COUNT = volume(400);
const START = 1772438400000;

interface Breakpoint {
  readonly time: number;
  readonly meters: number;
}

interface Near {
  from: number;
  to: number;
  min: number;
  end: 'apart' | 'track';
}

/** The meetings of units whose distance is straight between breakpoints. */
function evenMeetings(
  points: readonly Breakpoint[],
  meters: number,
  buffer: number,
  minSeconds: number,
): Near[] {
  const found: Near[] = [];
  let open: Near | null = null;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!];
    const at = (time: number): number =>
      a.meters + ((b.meters - a.meters) * (time - a.time)) / (b.time - a.time);
    const crossings = [meters, meters + buffer]
      .map((level) => a.time + ((b.time - a.time) * (level - a.meters)) / (b.meters - a.meters))
      .filter((time) => time > a.time && time < b.time);
    const times = [a.time, ...crossings, b.time].sort((one, other) => one - other);
    for (let k = 1; k < times.length; k++) {
      const [from, to] = [times[k - 1]!, times[k]!];
      const middle = at((from + to) / 2);
      if (middle <= meters) {
        open ??= { from, to, min: Number.POSITIVE_INFINITY, end: 'track' };
        open.to = to;
        open.min = Math.min(open.min, at(from), at(to));
      } else if (middle > meters + buffer && open !== null) {
        found.push({ ...open, end: 'apart' });
        open = null;
      }
    }
  }
  if (open !== null) found.push(open);
  return found.filter(({ from, to }) => to - from >= minSeconds * 1000);
}

describe('units that hover near the limit', () => {
  test('meet when the distance says so, whatever direction it has', () => {
    const random = seeded(396);
    const pick = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
    let [apart, lasting] = [0, 0];
    for (let n = 0; n < COUNT; n++) {
      const [meters, buffer] = [pick(10, 50, 200), pick(0, 0, 5, 50)];
      const minSeconds = pick(0, 0, 25);
      const isEast = random() < 0.5;
      // On the equator a degree has the same length in every place of the way.
      const perDegree = isEast ? (6_378_137 * Math.PI) / 180 : 110_574.3885;
      const every = pick(1000, 10_000, 60_000);
      const points = Array.from(
        { length: 3 + Math.floor(40 * random()) },
        (_, i): Breakpoint => ({
          time: START + i * every,
          meters:
            meters * (random() < 0.2 ? 2 * random() : 0.9 + 0.2 * random()) + (random() < 0.1 ? buffer : 0),
        }),
      );
      // The first unit stands, or drives and the second one with it.
      const speed = pick(0, 0, 2e-5);
      const drive = (share: (point: Breakpoint) => number): ReturnType<typeof readTrack> =>
        readTrack(
          points.map((point, i) => {
            const degrees = share(point) / perDegree;
            const along = 1e-4 + i * speed;
            return {
              time: point.time,
              lon: (isEast ? degrees : along) + 1,
              lat: isEast ? along - 1e-4 : degrees,
            };
          }),
          { maxSpeedKph: Number.POSITIVE_INFINITY, frozenSpeedKph: Number.POSITIVE_INFINITY },
        );
      const [a, b] = [drive(() => 0), drive((point) => point.meters)];
      const options: MeetingOptions = { meters, exitBufferMeters: buffer, minSeconds };
      const wanted = evenMeetings(points, meters, buffer, minSeconds);
      const found = findMeetings(a, b, options);
      const message = JSON.stringify([options, isEast, speed, points]);
      // A shorter one than a few milliseconds over `minSeconds` may fall either way.
      if (wanted.some(({ from, to }) => Math.abs(to - from - minSeconds * 1000) < 20)) continue;
      expect(found.length, message).toBe(wanted.length);
      for (const [i, { from, to, min, end }] of wanted.entries()) {
        const meeting = found[i]!;
        // A millimetre of the distance is some milliseconds where it changes slowly.
        const slack = 2 + (every * 2e-4 * meters) / Math.max(0.02 * meters, 0.1);
        expect(Math.abs(meeting.from - from), message).toBeLessThan(slack);
        expect(Math.abs(meeting.to - to), message).toBeLessThan(slack);
        expect(Math.abs(meeting.minMeters - min), message).toBeLessThan(0.005 + 1e-5 * meters);
        expect(meeting.end, message).toBe(end);
        if (end === 'apart') apart++;
        else lasting++;
      }
      const tracker = new MeetingTracker({
        ...options,
        frozenSpeedKph: Number.POSITIVE_INFINITY,
        maxSpeedKph: Number.POSITIVE_INFINITY,
      });
      tracker.watch('a', 'b');
      const events = points.flatMap((_, i) =>
        [['a', a], ['b', b]].flatMap(([id, track]) => {
          const { time, lon, lat } = track as typeof a;
          return tracker.push(id as string, { time: time[i]!, lon: lon[i]!, lat: lat[i]! });
        }),
      ); // biome-ignore format: pairs
      const streamed = events.filter(({ type }) => type === 'apart').map(({ meeting }) => meeting);
      expect([...streamed, ...tracker.current().map(({ meeting }) => meeting)], message).toEqual(found);
    }
    expect(apart).toBeGreaterThan(COUNT / 4);
    expect(lasting).toBeGreaterThan(COUNT / 8);
  });

  test('begin where the one is when the other is first seen, in the middle of a step', () => {
    const at = (seconds: number, lon: number, lat: number) => ({ time: START + seconds * 1000, lon, lat });
    // 0.01° in 100 s, to the north-east; the second unit is first seen half-way, on the first one's way.
    const drive = readTrack([at(0, 179.995, 0), at(100, -179.995, 0.01)]);
    const other = readTrack([at(50, -180, 0.005), at(51, -179.9999, 0.0051)]);
    for (const [a, b] of [
      [drive, other],
      [other, drive],
    ] as const) {
      const [meeting, ...more] = findMeetings(a, b, { meters: 10 });
      expect(more).toEqual([]);
      expect(meeting).toMatchObject({
        from: START + 50_000,
        to: START + 51_000,
        minTime: START + 50_000,
        end: 'track',
      });
      expect(meeting!.minMeters).toBeLessThan(1e-6);
    }
  });
});
