import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { distanceMeters, type Position, ZoneIndex, zoneContains } from '../../../src/index.js';
import { fromCsv } from '../../../src/interchange/index.js';
import {
  type Fix,
  findMeetings,
  MeetingTracker,
  matchRoute,
  meterTrack,
  type PairMeeting,
  prepareRoute,
  RouteTracker,
  readTrack,
  splitByZone,
  sumByZone,
  type Track,
} from '../../../src/tracks/index.js';
import { dataPath, hasData } from '../../interchange/realData.js';
import { needs, sharedData } from '../../needs.js';
import { LONG } from '../../volume.js';

const DAY = 'tracks/austin-bus/2015-03-07.csv.gz';
const BUSES = LONG ? 158 : 12;
/** The rows of a bus are not in order of time. */
const LATENESS = { latenessSeconds: 86_400 };

interface Bus {
  readonly unitId: string;
  readonly fixes: readonly Fix[];
  readonly track: Track;
}

function readDay(): Bus[] {
  const { tracks } = fromCsv(gunzipSync(readFileSync(dataPath(DAY))), { speedUnit: 'mph' }).value;
  return tracks
    .slice(0, BUSES)
    .map(({ unitId, fixes }) => ({ unitId, fixes, track: readTrack(fixes) }))
    .filter(({ track }) => track.length > 1);
}

const fixesOf = ({ time, lon, lat }: Track) =>
  [...time].map((at, i) => ({ time: at, lon: lon[i]!, lat: lat[i]! }));
const placeOf = ({ lon, lat }: Track, i: number): Position => [lon[i]!, lat[i]!];

/** Six by six cells over the city, without gaps or overlaps. */
function grid(): { id: string; type: { key: 'polygon' }; geometry: Position[] }[] {
  const [west, south, step] = [-97.95, 30.15, 0.07];
  return Array.from({ length: 36 }, (_, i) => {
    const [x, y] = [west + (i % 6) * step, south + Math.floor(i / 6) * step];
    const ring: Position[] = [
      [x, y],
      [x + step, y],
      [x + step, y + step],
      [x, y + step],
      [x, y],
    ];
    return { id: `cell ${i}`, type: { key: 'polygon' }, geometry: ring };
  });
}

/** The way of a bus between two fixes, without its pauses: positions at least 30 m apart. */
function wayOf(track: Track, from: number, to: number): Position[] {
  const line: Position[] = [placeOf(track, from)];
  for (let i = from + 1; i <= to; i++) {
    if (distanceMeters(line.at(-1)!, placeOf(track, i)) >= 30) line.push(placeOf(track, i));
  }
  return line;
}

needs(sharedData(DAY)).describe('a day of buses in Austin (needs ../shared/data)', () => {
  const buses = hasData(DAY) ? readDay() : [];

  it('has mileage by cell that adds up to the meter, and runs that hold the fixes', () => {
    const cells = grid();
    const index = new ZoneIndex(cells, { boundary: 'half-open' });
    const shapes = new Map(cells.map((cell) => [cell.id, cell]));
    let visited = 0;
    for (const { track } of buses) {
      const meter = meterTrack(track);
      const runs = splitByZone(track, index);
      expect(runs[0]?.from).toBe(meter.from);
      expect(runs.at(-1)?.to).toBe(meter.to);
      for (const [i, run] of runs.entries()) if (i > 0) expect(run.from).toBe(runs[i - 1]!.to);
      for (const by of ['all', 'day'] as const) {
        const sums = sumByZone(runs, meter, { by, timeZone: 'America/Chicago' });
        for (const name of [
          'distanceMeters',
          'unmeasuredMeters',
          'durationSeconds',
          'movingSeconds',
        ] as const) {
          const sum = sums.reduce((total, { measure }) => total + measure[name], 0);
          const whole = meter.total()[name];
          expect(Math.abs(sum - whole)).toBeLessThanOrEqual(1e-9 * Math.max(1, whole));
        }
      }
      let next = 0;
      for (let i = 0; i < track.length; i++) {
        const time = track.time[i]!;
        while (next < runs.length && runs[next]!.to <= time) next++;
        const run = runs[next];
        // At the end of a run the unit may be on the border.
        if (run === undefined || run.zoneId === null || run.from === time) continue;
        visited++;
        expect(zoneContains(shapes.get(run.zoneId)!, placeOf(track, i))).toBe(true);
      }
    }
    expect(visited).toBeGreaterThan(1000);
  });

  it('is matched to ways that its buses drove, in batch and stream alike', () => {
    let routes = 0;
    for (const { track, fixes } of buses) {
      for (let from = 0; from + 40 < track.length; from += LONG ? 120 : 480) {
        const line = wayOf(track, from, from + 40);
        if (line.length < 5) continue;
        routes++;
        const route = prepareRoute(line);
        const match = matchRoute(track, route, { widthMeters: 80 });
        expect(match.parts[0]!.fromMeters).toBe(0);
        expect(match.parts.at(-1)!.toMeters).toBe(route.lengthMeters);
        for (const [i, part] of match.parts.entries())
          if (i > 0) expect(part.fromMeters).toBe(match.parts[i - 1]!.toMeters);
        for (let i = 0; i < track.length; i++) {
          const nearest = route.nearest(placeOf(track, i), { maxMeters: 40 });
          const place = match.along[i]!;
          expect(place >= 0).toBe(nearest !== null);
          if (place >= 0)
            expect(distanceMeters(route.positionAt(place).position, placeOf(track, i))).toBeLessThan(40.01);
        }
        for (const leg of match.legs) expect(leg.from).toBeLessThan(leg.to);
        const tracker = new RouteTracker(route, { widthMeters: 80, ...LATENESS });
        for (const fix of fixes) tracker.push(fix);
        tracker.advance(track.time[track.length - 1]! + 86_400_001);
        const { along, ...report } = match;
        expect(tracker.report()).toEqual(report);
        expect(along).toHaveLength(track.length);
      }
    }
    expect(routes).toBeGreaterThan(5);
  });

  it('has meetings that are symmetric, agree with the distances at fixes, and are those of the stream', () => {
    const tracker = new MeetingTracker({ meters: 50, minSeconds: 10, ...LATENESS });
    const pairs = buses.flatMap((a, i) => buses.slice(i + 1, i + 4).map((b) => [a, b] as const));
    for (const [a, b] of pairs) tracker.watch(a.unitId, b.unitId);
    const emitted: PairMeeting[] = [];
    for (const { unitId, fixes } of buses)
      for (const fix of fixes)
        emitted.push(...tracker.push(unitId, fix).filter(({ type }) => type === 'apart'));
    const end = Math.max(...buses.map(({ track }) => track.time[track.length - 1]!));
    emitted.push(...tracker.advance(end + 86_400_001).filter(({ type }) => type === 'apart'));
    emitted.push(...tracker.current());
    let count = 0;
    for (const [a, b] of pairs) {
      const found = findMeetings(a.track, b.track, { meters: 50, minSeconds: 10 });
      const swapped = findMeetings(b.track, a.track, { meters: 50, minSeconds: 10 });
      const rounded = (list: typeof found) =>
        list.map((one) => ({ ...one, minMeters: Math.round(one.minMeters * 1e6) }));
      expect(rounded(swapped)).toEqual(rounded(found));
      const streamed = emitted.filter(({ units }) => units[0] === a.unitId && units[1] === b.unitId);
      expect(streamed.map(({ meeting }) => meeting)).toEqual(found);
      for (const { from, to, minMeters } of found) {
        expect(to - from).toBeGreaterThanOrEqual(10_000);
        for (const fix of fixesOf(a.track)) {
          const at = b.track.time.indexOf(fix.time);
          if (at < 0 || fix.time < from || fix.time > to) continue;
          const meters = distanceMeters([fix.lon, fix.lat], placeOf(b.track, at));
          expect(meters).toBeGreaterThan(minMeters - 0.01);
          expect(meters).toBeLessThan(50.01);
        }
      }
      count += found.length;
    }
    expect(count).toBeGreaterThan(10);
  });
});
