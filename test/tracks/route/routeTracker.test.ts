import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  matchRoute,
  prepareRoute,
  type RouteEvent,
  RouteTracker,
  readTrack,
} from '../../../src/tracks/index.js';
import { LONG, volume } from '../../volume.js';
import { wkt } from '../../wkt.js';
import { driveOn, gridFixes, gridLine } from './routeDrives.js';

const options = fc.record(
  {
    widthMeters: fc.constantFrom(20, 60, 150),
    backMeters: fc.constantFrom(0, 10, 120),
    holeSeconds: fc.constantFrom(45, 600),
    minSeconds: fc.constantFrom(0, 60),
    exitBufferMeters: fc.constantFrom(0, 30),
    maxGapSeconds: fc.constantFrom(40, 3600),
  },
  { requiredKeys: ['widthMeters'] },
);

/** Fixes anywhere, or a drive along the line. */
const runs = gridLine.chain((line) =>
  fc.tuple(
    fc.constant(line),
    fc.oneof(
      gridFixes(12),
      fc
        .tuple(
          fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 1, maxLength: 40 }),
          fc.nat(80),
          fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 7 }),
        )
        .map(([moves, start, noise]) => {
          let at = start;
          const stops = moves.map((move) => {
            at = Math.max(0, at + move);
            return at;
          });
          return driveOn(line, stops, noise);
        }),
    ),
  ),
);

describe('RouteTracker', () => {
  test('reports the batch after every fix, also from a snapshot at every point', () => {
    fc.assert(
      fc.property(runs, options, fc.boolean(), ([line, fixes], given, isRestored) => {
        const route = prepareRoute(line);
        let tracker = new RouteTracker(route, given);
        const events: RouteEvent[] = [];
        for (const [i, fix] of fixes.entries()) {
          if (isRestored) tracker = RouteTracker.restore(route, JSON.stringify(tracker.snapshot()));
          events.push(...tracker.push(fix));
          const { along, ...report } = matchRoute(readTrack(fixes.slice(0, i + 1)), route, given);
          expect(tracker.report()).toEqual(report);
          const place = [...along].reverse().find((meters) => meters >= 0) ?? null;
          const progress = tracker.progress();
          if (tracker.counts().pending === 0) expect(progress.alongMeters).toBe(place);
        }
        // What was emitted holds in the end.
        const { legs, deviations } = tracker.report();
        if (tracker.counts().pending > 0) return;
        const turned = events
          .filter(({ type }) => type === 'turned')
          .map(({ time, alongMeters }) => `${time} ${alongMeters}`);
        for (const { time, alongMeters } of events.filter(({ type }) => type === 'revised')) {
          turned.splice(turned.indexOf(`${time} ${alongMeters}`), 1);
        }
        const backward = legs.filter(({ direction }) => direction === 'backward');
        expect(turned.sort()).toEqual(backward.map(({ from, fromMeters }) => `${from} ${fromMeters}`).sort());
        const returned = events.flatMap(({ type, deviation }) => (type === 'returned' ? [deviation] : []));
        expect(deviations.slice(0, returned.length)).toEqual(returned);
        expect(deviations.length - returned.length).toBeLessThanOrEqual(1);
        const deviated = events.filter(({ type }) => type === 'deviated').map(({ time }) => time);
        expect(deviated).toEqual(deviations.map(({ from }) => from));
      }),
      { numRuns: LONG ? 2000 : volume(1400), seed: 20_261_125 },
    );
  });

  /** A road of 1.5 km, out and back, and at its end a road of its own to the north. */
  const along = (meters: number): [number, number] => [37.6 + meters / 62_700, 55.7];
  const roads = prepareRoute([along(0), along(1500), along(0), [37.6, 55.71]]);
  const drives = (...ways: readonly (readonly [steps: number, meters: number])[]) => {
    let [meters, time] = [0, 1_772_438_400_000];
    return ways.flatMap(([steps, by]) =>
      Array.from({ length: steps }, () => {
        meters = Math.max(0, Math.min(1500, meters + by));
        time += 5000;
        const [lon, lat] = along(meters);
        return { time, lon, lat };
      }),
    );
  };

  test('emits turns before they are certain only while at most 64 fixes are ambiguous', () => {
    /** The number of fixes after which the turn is emitted, if `out` fixes lead away; `null`: not before it is certain. */
    const turnedAfter = (out: number): number | null => {
      const tracker = new RouteTracker(roads, { widthMeters: 60 });
      const fixes = drives([out, 10], [12, -10]);
      const at = fixes.findIndex((fix) => tracker.push(fix).some(({ type }) => type === 'turned'));
      return at < 0 ? null : at + 1;
    };
    // Told once, and not again while it holds.
    const tracker = new RouteTracker(roads, { widthMeters: 60 });
    const told = drives([20, 10], [19, -10]).flatMap((fix) => tracker.push(fix));
    expect(told.map(({ type }) => type)).toEqual(['turned']);
    const lag = turnedAfter(20)! - 20;
    expect(lag).toBeGreaterThan(0);
    for (let out = 50; out < 75; out++) expect(turnedAfter(out)).toBe(out + lag <= 64 ? out + lag : null);
  });

  test('of the turns those stay emitted that hold, however long the place was ambiguous', () => {
    let [revised, kept] = [0, 0];
    const way = fc.tuple(fc.integer({ min: 3, max: 70 }), fc.constantFrom(10, 25, 60));
    fc.assert(
      fc.property(fc.array(way, { minLength: 2, maxLength: 7 }), fc.boolean(), (ways, isRestored) => {
        const out = ways.map(([steps, meters], i): [number, number] => [
          steps,
          i % 2 === 0 ? meters : -meters,
        ]);
        const fixes = drives(...out, [1, -1500]);
        const { time } = fixes.at(-1)!;
        // The road of its own decides all.
        for (let k = 1; k < 12; k++)
          fixes.push({ time: time + 20_000 * k, lon: 37.6, lat: 55.7 + k * 0.0008 });
        let tracker = new RouteTracker(roads, { widthMeters: 60 });
        const held: string[] = [];
        for (const [i, fix] of fixes.entries()) {
          if (isRestored && i % 7 === 0) tracker = RouteTracker.restore(roads, tracker.snapshot());
          for (const { type, time: at, alongMeters } of tracker.push(fix)) {
            const turn = `${at} ${alongMeters}`;
            if (type === 'turned') {
              expect(held).not.toContain(turn);
              held.push(turn);
            } else if (type === 'revised') {
              expect(held).toContain(turn);
              held.splice(held.indexOf(turn), 1);
              revised++;
            }
          }
        }
        const { along: _, ...report } = matchRoute(readTrack(fixes), roads, { widthMeters: 60 });
        expect(tracker.report()).toEqual(report);
        const backward = report.legs.filter(({ direction }) => direction === 'backward');
        expect(held.toSorted()).toEqual(
          backward.map(({ from, fromMeters }) => `${from} ${fromMeters}`).toSorted(),
        );
        kept += held.length;
      }),
      { numRuns: volume(1000), seed: 386 },
    );
    expect(Math.min(revised, kept)).toBeGreaterThan(volume(1000) / 200);
  });

  test('gives the batch for every order of arrival within the lateness', () => {
    fc.assert(
      fc.property(runs, fc.array(fc.nat(3), { minLength: 40, maxLength: 40 }), ([line, fixes], delays) => {
        const route = prepareRoute(line);
        const tracker = new RouteTracker(route, { widthMeters: 60, latenessSeconds: 100_000 });
        const order = fixes
          .map((fix, i) => ({ fix, rank: i + (delays[i] ?? 0) }))
          .sort((a, b) => a.rank - b.rank);
        for (const { fix } of order) tracker.push(fix);
        const { along: _, ...report } = matchRoute(readTrack(fixes), route, { widthMeters: 60 });
        expect(tracker.report()).toEqual(report);
        tracker.advance(2e12);
        expect(tracker.report()).toEqual(report);
      }),
      { numRuns: volume(600), seed: 20_261_125 },
    );
  });

  const route = prepareRoute(wkt('37.6 55.7, 37.62 55.7'));
  const fix = (seconds: number, share: number, off = 0) => ({
    time: 1_772_438_400_000 + seconds * 1000,
    lon: 37.6 + 0.02 * share,
    lat: 55.7 + off / 111_300,
  });

  test('emits absences when they count', () => {
    const tracker = new RouteTracker(route, { widthMeters: 60, minSeconds: 90 });
    const types = (seconds: number, share: number, off?: number) =>
      tracker.push(fix(seconds, share, off)).map(({ type }) => type);
    expect(types(0, 0)).toEqual([]);
    expect(types(60, 0.1, 200)).toEqual([]);
    expect(types(180, 0.2, 200)).toEqual(['deviated']);
    expect(types(240, 0.3)).toEqual(['returned']);
    expect(tracker.progress()).toMatchObject({ onRoute: true });
  });

  test('has no progress before the first fix', () => {
    const tracker = new RouteTracker(route, { widthMeters: 60 });
    expect(tracker.progress()).toEqual({
      time: null,
      alongMeters: null,
      remainingMeters: null,
      onRoute: false,
    });
    expect(tracker.report().parts).toEqual([
      { fromMeters: 0, toMeters: route.lengthMeters, status: 'ahead', passes: 0 },
    ]);
    expect(RouteTracker.restore(route, tracker.snapshot()).progress()).toEqual(tracker.progress());
  });

  test('keeps only the ambiguous fixes', () => {
    // An eight: its crossing is ambiguous, and nothing else.
    const eight = prepareRoute(wkt('37.6 55.7, 37.7 55.75, 37.7 55.7, 37.6 55.75'));
    const tracker = new RouteTracker(eight, { widthMeters: 60 });
    for (let i = 0; i <= 2000; i++) {
      const { position } = eight.positionAt((i / 2000) * eight.lengthMeters);
      tracker.push({ time: 1_772_438_400_000 + i * 10_000, lon: position[0], lat: position[1] });
    }
    expect(JSON.stringify(tracker.snapshot()).length).toBeLessThan(2000);
    expect(tracker.report().coveredShare).toBeGreaterThan(0.99);
    expect(tracker.report().legs.map(({ direction }) => direction)).toEqual(['forward']);
  });

  test('refuses a snapshot of another route, kind, or content', () => {
    const tracker = new RouteTracker(route, {
      widthMeters: 60,
      from: 5,
      maxGapSeconds: Number.POSITIVE_INFINITY,
    });
    const snapshot = tracker.snapshot();
    expect(RouteTracker.restore(route, snapshot).snapshot()).toEqual(snapshot);
    const other = prepareRoute(wkt('37.6 55.7, 37.63 55.7'));
    const code = (run: () => unknown): unknown => {
      try {
        return run();
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(code(() => RouteTracker.restore(other, snapshot))).toBe('state-options');
    expect(code(() => RouteTracker.restore(route, { ...snapshot, clock: 5 }))).toBe('state-corrupt');
    expect(code(() => RouteTracker.restore(route, { ...snapshot, kind: 'visits' }))).toBe('state-corrupt');
    expect(code(() => RouteTracker.restore(route, { ...snapshot, units: [] }))).toBe('state-corrupt');
    expect(code(() => RouteTracker.restore(route, '{'))).toBe('state-corrupt');
    expect(code(() => new RouteTracker(route, {} as never))).toBe('option-value');
  });
});
