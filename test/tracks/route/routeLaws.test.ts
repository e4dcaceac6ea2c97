import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Position } from '../../../src/index.js';
import { type Fix, matchRoute, prepareRoute, type RouteMatch, readTrack } from '../../../src/tracks/index.js';
import { LONG, volume } from '../../volume.js';
import { driveOn, gridFixes, gridLine } from './routeDrives.js';

const START = 1_772_438_400_000;
const read = (fixes: readonly Fix[]) => readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY } as never);

/** A way of 2 to 8 edges of 320 to 900 m that turns by at most 40° a vertex, and so does not come near itself. */
const openLine: fc.Arbitrary<Position[]> = fc
  .record({
    origin: fc.constantFrom<Position>([37.6, 55.7], [-97.7, 30.3], [179.995, -17], [0.002, 0.001]),
    course: fc.integer({ min: 0, max: 359 }),
    edges: fc.array(fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 320, max: 900 })), {
      minLength: 2,
      maxLength: 8,
    }),
  })
  .map(({ origin, course, edges }) => {
    const line: Position[] = [origin];
    let turned = 0;
    for (const [turn, meters] of edges) {
      // The whole way stays within 40° of its first course.
      turned = Math.max(-40, Math.min(40, turned + turn));
      const angle = ((course + turned) * Math.PI) / 180;
      const [lon, lat] = line.at(-1)!;
      const east = (meters * Math.sin(angle)) / (111_320 * Math.cos((lat * Math.PI) / 180));
      line.push([lon + east, lat + (meters * Math.cos(angle)) / 111_320]);
    }
    return line.map(([lon, lat]): Position => [lon > 180 ? lon - 360 : lon, lat]);
  });

/** A drive between places along a route, given as shares of its length, with a fix every `seconds` and noise of up to `noise` metres. */
function drive(
  line: readonly Position[],
  stops: readonly number[],
  noise: readonly number[],
  seconds = 5,
): Fix[] {
  const route = prepareRoute(line);
  const speed = 14;
  const fixes: Fix[] = [];
  const add = (along: number): void => {
    const { position } = route.positionAt(along);
    const shift = (noise[fixes.length % noise.length] ?? 0) / 111_320;
    fixes.push({ time: START + fixes.length * seconds * 1000, lon: position[0], lat: position[1] + shift });
  };
  let at = stops[0]! * route.lengthMeters;
  add(at);
  for (const stop of stops.slice(1)) {
    const goal = stop * route.lengthMeters;
    while (Math.abs(goal - at) > speed * seconds) {
      at += Math.sign(goal - at) * speed * seconds;
      add(at);
    }
    at = goal;
    add(at);
  }
  return fixes;
}

/** Fixes anywhere near a small route, and drives along it. */
const anywhere = gridLine.chain((line) =>
  fc.tuple(
    fc.constant(line),
    fc.oneof(
      gridFixes(8),
      fc
        .tuple(
          fc.array(fc.nat(90), { minLength: 1, maxLength: 8 }),
          fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 4 }),
        )
        .map(([stops, noise]) => driveOn(line, stops, noise)),
    ),
  ),
);

const fewDigits = (lon: number): number => Math.round(lon * 2 ** 24) / 2 ** 24;
const turned = (position: Position, turns: number): Position => [position[0] + 360 * turns, position[1]];
const plain = ({ along, ...match }: RouteMatch) => ({ ...match, along: [...along] });

describe('matchRoute', () => {
  test('with a wider corridor keeps every fix on the route', () => {
    fc.assert(
      fc.property(
        anywhere,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 200 }),
        ([line, fixes], width, more) => {
          const route = prepareRoute(line);
          const on = (widthMeters: number) =>
            [...matchRoute(read(fixes), route, { widthMeters }).along].map((s) => s >= 0);
          const wide = on(width + more);
          for (const [i, isOn] of on(width).entries()) if (isOn) expect(wide[i]).toBe(true);
        },
      ),
      { numRuns: LONG ? 2000 : volume(1000), seed: 384 },
    );
  });

  test('has parts without holes or overlaps from 0 to the length, and shares their cover', () => {
    fc.assert(
      fc.property(anywhere, fc.constantFrom(5, 60, 200), ([line, fixes], widthMeters) => {
        const route = prepareRoute(line);
        const { parts, coveredShare } = matchRoute(read(fixes), route, { widthMeters });
        let end = 0;
        let covered = 0;
        for (const { fromMeters, toMeters, status } of parts) {
          expect(fromMeters).toBe(end);
          expect(toMeters).toBeGreaterThan(fromMeters);
          if (status === 'covered') covered += toMeters - fromMeters;
          end = toMeters;
        }
        expect(end).toBe(route.lengthMeters);
        expect(coveredShare).toBeCloseTo(covered / route.lengthMeters, 9);
      }),
      { numRuns: LONG ? 2000 : volume(1000), seed: 384 },
    );
  });

  test('does not change when times shift, or when route and track turn by 360°', () => {
    fc.assert(
      fc.property(
        anywhere,
        fc.integer({ min: -1e10, max: 1e10 }),
        fc.constantFrom(-1, 1),
        ([givenLine, givenFixes], shift, turns) => {
          // A longitude of few binary digits is turned without rounding.
          const line = givenLine.map(([lon, lat]): Position => [fewDigits(lon), lat]);
          const fixes = givenFixes.map((fix) => ({ ...fix, lon: fewDigits(fix.lon) }));
          const given = { widthMeters: 60 };
          const match = plain(matchRoute(read(fixes), prepareRoute(line), given));
          const moved = fixes.map((fix) => ({ ...fix, lon: fix.lon + 360 * turns }));
          const round = plain(
            matchRoute(read(moved), prepareRoute(line.map((position) => turned(position, turns))), given),
          );
          expect(round).toEqual(match);
          const later = fixes.map((fix) => ({ ...fix, time: fix.time + shift }));
          expect(plain(matchRoute(read(later), prepareRoute(line), given))).toEqual(shifted(match, shift));
        },
      ),
      { numRuns: LONG ? 2000 : volume(1000), seed: 384 },
    );
  });

  test('of a drive without noise every 5 s is one leg, with the place within 1 m', () => {
    fc.assert(
      fc.property(openLine, fc.constantFrom(20, 60), (line, widthMeters) => {
        const route = prepareRoute(line);
        const fixes = drive(line, [0, 1], [0]);
        const { legs, along, parts, deviations } = matchRoute(read(fixes), route, { widthMeters });
        expect(legs).toHaveLength(1);
        expect(legs[0]).toMatchObject({ direction: 'forward', from: fixes[0]!.time, to: fixes.at(-1)!.time });
        for (const [i, place] of along.entries()) {
          const truth = Math.min(14 * 5 * i, route.lengthMeters);
          expect(Math.abs(place - truth)).toBeLessThan(1);
        }
        expect(parts.map(({ status }) => status)).toEqual(['covered']);
        // The way between two fixes cuts a corner by up to 12 m.
        if (widthMeters === 60) expect(deviations).toEqual([]);
      }),
      { numRuns: volume(1000), seed: 384 },
    );
  });

  test('on a reversed route has mirrored coverage and opposite legs', () => {
    // Neighbours differ, so that each move is one of 64 m or more: shorter ones are noise by rule, which is not mirrored (the start of the
    // first leg, `ahead`).
    const stops = fc
      .array(fc.integer({ min: 0, max: 10 }), { minLength: 2, maxLength: 4 })
      .filter((list) => list.every((stop, i) => stop !== list[i - 1]));
    fc.assert(
      fc.property(
        openLine,
        stops,
        fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 1, maxLength: 5 }),
        (line, shares, noise) => {
          const track = read(
            drive(
              line,
              shares.map((share) => share / 10),
              noise,
            ),
          );
          const given = { widthMeters: 60 };
          const there = matchRoute(track, prepareRoute(line), given);
          const back = matchRoute(track, prepareRoute([...line].reverse()), given);
          const length = prepareRoute(line).lengthMeters;
          for (const [i, place] of there.along.entries()) {
            expect(back.along[i]! < 0).toBe(place < 0);
            if (place >= 0) expect(Math.abs(length - back.along[i]! - place)).toBeLessThan(0.01);
          }
          const cover = (parts: RouteMatch['parts']) =>
            parts.flatMap(({ status, fromMeters, toMeters, passes }) =>
              status === 'covered' ? [[fromMeters, toMeters, passes]] : [],
            );
          const mirrored = cover(back.parts).map(([from, to, passes]) => [
            length - to!,
            length - from!,
            passes!,
          ]);
          expectClose(mirrored.reverse(), cover(there.parts), 0.01);
          // The first direction of a chain without a move of `backMeters` is forward by rule on both.
          const long = ({ legs }: RouteMatch) =>
            legs.filter((leg) => Math.abs(leg.toMeters - leg.fromMeters) >= 30);
          const opposite = long(back).map((leg) => ({
            from: leg.from,
            to: leg.to,
            fromMeters: length - leg.fromMeters,
            toMeters: length - leg.toMeters,
            direction: leg.direction === 'forward' ? 'backward' : 'forward',
          }));
          expectClose(opposite, long(there), 0.01);
        },
      ),
      { numRuns: volume(1000), seed: 384 },
    );
  });
});

/** The match with all its times later. */
function shifted(match: ReturnType<typeof plain>, shift: number): unknown {
  return JSON.parse(
    JSON.stringify(match, (name, value) =>
      typeof value === 'number' && ['from', 'to', 'time', 'maxTime'].includes(name) ? value + shift : value,
    ),
  );
}

/** Equal, with numbers that differ by at most `most`. */
function expectClose(actual: unknown, wanted: unknown, most = 1e-6): void {
  const numbers = (value: unknown): number[] => {
    const found: number[] = [];
    JSON.stringify(value, (_, item) => {
      if (typeof item === 'number') found.push(item);
      return item;
    });
    return found;
  };
  const rest = (value: unknown) => JSON.stringify(value, (_, item) => (typeof item === 'number' ? 0 : item));
  expect(rest(actual)).toBe(rest(wanted));
  const theirs = numbers(wanted);
  for (const [i, number] of numbers(actual).entries())
    expect(Math.abs(number - theirs[i]!)).toBeLessThan(most);
}
