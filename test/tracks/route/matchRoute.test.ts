import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Position } from '../../../src/index.js';
import { findDeviations, matchRoute, prepareRoute, readTrack } from '../../../src/tracks/index.js';
import { LONG, volume } from '../../volume.js';
import { wkt } from '../../wkt.js';
import { driveOn, gridFixes, gridLine } from './routeDrives.js';
import { type SlowFix, type SlowOptions, slowMatch } from './slowMatch.js';

const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, item) => (typeof item === 'number' ? Math.round(item * 1000) / 1000 : item)),
  );

/** Lists of numbers that differ by less than a millimetre. */
function expectNear(actual: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(rounded(actual)), JSON.stringify(rounded(wanted))];
  const numbers = /-?\d+(\.\d+)?/g;
  const [x, y] = [a.match(numbers) ?? [], b.match(numbers) ?? []];
  const isNear = x.length === y.length && x.every((text, i) => Math.abs(Number(text) - Number(y[i])) < 0.003);
  if (a.replace(numbers, '#') !== b.replace(numbers, '#') || !isNear)
    expect(rounded(actual)).toEqual(rounded(wanted));
}

const options = fc
  .record(
    {
      widthMeters: fc.constantFrom(20, 60, 150),
      backMeters: fc.constantFrom(0, 10, 120),
      holeSeconds: fc.constantFrom(45, 600),
      reachSpeedKph: fc.constantFrom(1, 130),
      maxGapSeconds: fc.constantFrom(40, 3600),
      parkedMeters: fc.constantFrom(0, 120, 200),
    },
    { requiredKeys: ['widthMeters'] },
  )
  .map((value) => value as SlowOptions);

function compare(line: readonly Position[], fixes: readonly SlowFix[], given: SlowOptions): void {
  const slow = slowMatch(fixes, line, given);
  fc.pre(slow !== null);
  const track = readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY } as never);
  const { along, legs, parts } = matchRoute(track, prepareRoute(line), given);
  expectNear([...along], slow!.along);
  const isLong = (leg: { fromMeters: number; toMeters: number }): boolean =>
    Math.abs(leg.toMeters - leg.fromMeters) > 1e-4;
  expectNear(legs.filter(isLong), slow!.legs.filter(isLong));
  expectNear(parts, slow!.parts);
}

describe('matchRoute equals the trial of every choice of places', () => {
  test('for fixes anywhere', () => {
    fc.assert(
      fc.property(gridLine, gridFixes(6), options, (line, fixes, given) => compare(line, fixes, given)),
      { numRuns: LONG ? 6000 : volume(2600), seed: 20_261_125 },
    );
  });

  test('for drives along the route, back and forth', () => {
    const drive = fc.tuple(
      gridLine,
      fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 1, maxLength: 7 }),
      fc.nat(80),
      fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 7 }),
    );
    fc.assert(
      fc.property(drive, options, ([line, moves, start, noise], given) => {
        let at = start;
        const stops = moves.map((move) => {
          at = Math.max(0, at + move);
          return at;
        });
        compare(line, driveOn(line, stops, noise), given);
      }),
      { numRuns: volume(3000), seed: 20_261_125 },
    );
  });
});

describe('matchRoute', () => {
  const line: Position[] = wkt('37.6 55.7, 37.62 55.7');
  const route = prepareRoute(line);
  const L = route.lengthMeters;
  const track = (...steps: (readonly [seconds: number, share: number, off?: number])[]) =>
    readTrack(
      steps.map(([seconds, share, off = 0]) => ({
        time: 1_772_438_400_000 + seconds * 1000,
        lon: 37.6 + 0.02 * share,
        lat: 55.7 + off / 111_300,
      })),
    );
  const statuses = (parts: readonly { status: string; toMeters: number }[]) =>
    parts.map(({ status, toMeters }) => [status, Math.round((toMeters / L) * 100) / 100]);

  test('of an empty track, or one far away, has all of the route ahead', () => {
    const all = { fromMeters: 0, toMeters: L, status: 'ahead', passes: 0 };
    const empty = matchRoute(track(), route, { widthMeters: 60 });
    expect(empty).toEqual({
      along: new Float64Array(0),
      legs: [],
      parts: [all],
      deviations: [],
      coveredShare: 0,
    });
    const far = matchRoute(track([0, 0.5, 5000], [60, 0.6, 5000]), route, { widthMeters: 60 });
    expect([...far.along]).toEqual([-1, -1]);
    expect(far.parts).toEqual([all]);
    expect(far.deviations).toHaveLength(1);
  });

  test('tells a missed stretch from one that a hole may hide', () => {
    const gap = (seconds: number, reachSpeedKph: number) =>
      statuses(
        matchRoute(track([0, 0], [60, 0.2], [60 + seconds, 0.8], [120 + seconds, 1]), route, {
          widthMeters: 60,
          reachSpeedKph,
        }).parts,
      );
    expect(gap(700, 130)).toEqual([
      ['covered', 0.2],
      ['no_data', 0.8],
      ['covered', 1],
    ]);
    expect(gap(700, 1)).toEqual([
      ['covered', 0.2],
      ['missed', 0.8],
      ['covered', 1],
    ]);
    expect(gap(60, 130)).toEqual([['covered', 1]]);
  });

  test('expects nothing before `from`, and takes the time up to the first fix as a hole', () => {
    const late = track([0, 0.5], [60, 0.7]);
    const from = 1_772_438_400_000;
    expect(statuses(matchRoute(late, route, { widthMeters: 60 }).parts)[0]).toEqual(['missed', 0.5]);
    expect(statuses(matchRoute(late, route, { widthMeters: 60, from: from - 60_000 }).parts)[0]).toEqual([
      'no_data',
      0.5,
    ]);
    const after = matchRoute(track([0, 0.2], [60, 0.9], [120, 0.5], [180, 0.7]), route, {
      widthMeters: 60,
      from: from + 120_000,
    });
    expect([...after.along].map((meters) => Math.max(0, Math.round((meters / L) * 10)))).toEqual([
      0, 0, 5, 7,
    ]);
  });

  test('counts passes, and turns of a drive back', () => {
    const { legs, parts } = matchRoute(track([0, 0], [60, 1], [120, 0.5], [180, 1]), route, {
      widthMeters: 60,
    });
    expect(legs.map(({ direction }) => direction)).toEqual(['forward', 'backward', 'forward']);
    expect(parts.map(({ passes }) => passes)).toEqual([1, 3]);
  });

  test('has the deviations of findDeviations', () => {
    const drive = track([0, 0], [60, 0.3, 200], [120, 0.5], [180, 0.9, 90], [5000, 1, 90], [5060, 1]);
    const same = { minSeconds: 10, exitBufferMeters: 20, maxGapSeconds: 600 };
    const match = matchRoute(drive, route, { widthMeters: 60, ...same });
    expect(match.deviations).toEqual(findDeviations(drive, route, 60, same));
    expect(match.deviations).toEqual(findDeviations(drive, line, 60, same));
    expect(match.deviations).toHaveLength(3);
  });

  test('of a closed ring begins at 0', () => {
    const corners: Position[] = wkt('10 10, 10.01 10, 10.01 10.01, 10 10.01, 10 10');
    const ring = prepareRoute(corners);
    const drive = readTrack(corners.map(([lon, lat], i) => ({ time: 1.7e12 + i * 60_000, lon, lat })));
    const { along, coveredShare } = matchRoute(drive, ring, { widthMeters: 30 });
    expect(along[0]).toBe(0);
    expect(along[4]).toBe(ring.lengthMeters);
    expect(coveredShare).toBe(1);
  });

  test('does not depend on the turn of longitudes, nor on the epoch', () => {
    const east = prepareRoute(wkt('179.99 10, -179.99 10'));
    const west = prepareRoute(wkt('-180.01 10, -179.99 10'));
    const drive = (turn: number, shift: number) =>
      readTrack(
        [0, 1, 2, 3].map((i) => ({
          time: 1.7e12 + i * 60_000 + shift,
          lon: 179.99 + turn + i * 0.005,
          lat: 10,
        })),
      );
    const a = matchRoute(drive(0, 0), east, { widthMeters: 30 });
    const b = matchRoute(drive(-360, 0), west, { widthMeters: 30 });
    expect(a).toEqual(b);
    expect([...matchRoute(drive(0, 1e9), east, { widthMeters: 30 }).along]).toEqual([...a.along]);
  });

  test.each([
    [{}, 'option-value', 'options.widthMeters'],
    [{ widthMeters: 0 }, 'option-value', 'options.widthMeters'],
    [{ widthMeters: 60, backMeters: -1 }, 'option-value', 'options.backMeters'],
    [{ widthMeters: 60, from: Number.NaN }, 'option-value', 'options.from'],
    [{ widthMeters: 60, backMeter: 1 }, 'option-unknown', 'options.backMeter'],
  ])('refuses %j', (given, code, field) => {
    expect(() => matchRoute(track(), route, given as never)).toThrow(
      expect.objectContaining({ code, field }),
    );
  });

  test('refuses a route that is not prepared, and a track that is not read', () => {
    expect(() => matchRoute(track(), line as never, { widthMeters: 60 })).toThrow('prepareRoute');
    expect(() => matchRoute([] as never, route, { widthMeters: 60 })).toThrow('readTrack');
  });
});
