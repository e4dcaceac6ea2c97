import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import type { Fix, ZoneIndex } from '../../src/index.js';
import * as wayzone from '../../src/index.js';
import { fromCsv } from '../../src/interchange/index.js';
import type { ReplayInput, ReplayOptions, ReplayResult } from '../../src/parallel/index.js';
import * as parallel from '../../src/parallel/index.js';
import { ThreadExecutor } from '../../src/parallel/replayExecutor.js';
import * as tracks from '../../src/tracks/index.js';
import * as trips from '../../src/trips/index.js';
import { dataPath } from '../interchange/realData.js';
import { needs, sharedData } from '../needs.js';
import { journey, timed, trip } from '../trips/journeys.js';
import { LONG, seeded } from '../volume.js';

vi.mock('node:worker_threads', async (original) =>
  (await import('./builtThreads.js')).builtThreads(original),
);

const ZONES = ['A', 'B', 'C'].map((id, i) => ({
  id,
  name: id,
  type: { key: 'circle' as const },
  geometry: [[i / 10, 0] as [number, number]],
  width: 500,
}));
const TRIP_OPTIONS = { timeZone: 'UTC', minStaySeconds: 30 };

function fleet(count: number): { unitId: string; fixes: Fix[] }[] {
  const random = seeded(77);
  return Array.from({ length: count }, (_, i) => ({ unitId: `unit ${i}`, fixes: journey(random) }));
}

function tripsOf(units: readonly { unitId: string }[]): ReturnType<typeof trip>[] {
  return units.flatMap(({ unitId }, i) => {
    const order = { key: i % 2 === 0 ? 'strict' : 'arbitrary' };
    const own = { id: `trip of ${unitId}`, unit: { id: unitId }, passage_order_type: order };
    return i % 3 === 0 ? [] : [timed(trip('ABC', own)), trip('BA', own)];
  });
}

const TRIPS = tripsOf(fleet(30));

/** The same result from the functions of one thread. */
function plain(
  unit: { unitId: string; fixes: readonly Fix[] },
  zones: ZoneIndex<(typeof ZONES)[number]>,
): ReplayResult {
  const track = tracks.readTrack(unit.fixes, { maxSpeedKph: 200 });
  return {
    unitId: unit.unitId,
    fixes: { read: unit.fixes.length, used: track.length, rejected: track.rejected, issues: track.issues },
    visits: tracks.findVisits(track, zones, { minInsideSeconds: 20 }),
    movement: tracks.detectTrips(track, { tripdetector_minparktime: 120 }, { jump: 'speed' }),
    trips: TRIPS.filter((own) => own.unit.id === unit.unitId).map((own) =>
      trips.evaluateTrip(own, '2026-03-02', track, TRIP_OPTIONS),
    ),
    errors: [],
  };
}

async function all(
  units: Iterable<ReplayInput> | AsyncIterable<ReplayInput>,
  options: ReplayOptions,
): Promise<ReplayResult[]> {
  const results: ReplayResult[] = [];
  for await (const result of parallel.replay(units, options)) results.push(result);
  return results;
}

async function errorOf(
  work: () => Promise<unknown>,
): Promise<{ code: string; field: string; cause?: unknown }> {
  try {
    await work();
  } catch (error) {
    return error as { code: string; field: string; cause?: unknown };
  }
  throw new Error('expected an error, received none');
}

async function* slowly<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for (const item of items) yield await Promise.resolve(item);
}

const everything = (): ReplayOptions => ({
  zones: new wayzone.ZoneIndex(ZONES),
  visitOptions: { minInsideSeconds: 20 },
  movement: { tripdetector_minparktime: 120 },
  movementOptions: { jump: 'speed' },
  trips: TRIPS,
  tripOptions: TRIP_OPTIONS,
  trackOptions: { maxSpeedKph: 200 },
});

describe('replay', () => {
  test('gives the results of the single functions, in the order of units, with any number of threads', async () => {
    const units = fleet(30);
    const options = everything();
    const expected = units.map((unit) => plain(unit, options.zones as never));
    expect(expected.flatMap(({ visits }) => visits).length).toBeGreaterThan(60);
    expect(
      expected.flatMap(({ trips }) => trips).filter(({ totals }) => totals.passed > 0).length,
    ).toBeGreaterThan(10);
    for (const workers of [0, 1, 2, 3]) {
      const seen: { units: number; fixes: number }[] = [];
      const onProgress = (progress: { units: number; fixes: number }): void => void seen.push(progress);
      expect(await all(units, { ...options, workers, onProgress })).toEqual(expected);
      expect(seen.at(-1)).toEqual({
        units: 30,
        fixes: units.reduce((sum, { fixes }) => sum + fixes.length, 0),
      });
      for (const [i, { fixes }] of seen.entries())
        expect(fixes).toBeGreaterThanOrEqual(seen[i - 1]?.fixes ?? 0);
    }
  });

  test('reads lists, generators, streams and streams of lists alike', async () => {
    const units = fleet(8);
    const expected = await all(units, { ...everything(), workers: 0 });
    const lists = units.map(({ unitId, fixes }) => ({
      unitId,
      fixes: slowly([fixes.slice(0, 7), fixes.slice(7)]),
    }));
    expect(await all(slowly(lists), { ...everything(), workers: 2 })).toEqual(expected);
    const streams = units.map(({ unitId, fixes }) => ({ unitId, fixes: slowly(fixes) }));
    expect(await all(new Set(streams), { ...everything(), workers: 2 })).toEqual(expected);
    const generators = units.map(({ unitId, fixes }) => ({ unitId, fixes: fixes.values() }));
    expect(await all(generators, { ...everything(), workers: 1 })).toEqual(expected);
  });

  test('reads units longer than a chunk, in any order and with invalid fixes', async () => {
    const random = seeded(5);
    const units = ['long', 'longer'].map((unitId, u) => {
      const fixes: Fix[] = Array.from({ length: 40_000 + 33_000 * u }, (_, i) => ({
        time: 1_772_438_400_000 + Math.floor(i / 1.01) * 1000,
        lon: (0.25 * Math.abs((i % 4000) - 2000)) / 2000,
        lat: i % 1000 === 7 ? Number.NaN : 0.0001,
        ...(i > 20_000 && { speedKph: 45, accuracyMeters: i % 40 }),
        ...(i > 60_000 && { ignition: i % 2 === 0, mileageMeters: i }),
      }));
      for (let i = fixes.length - 1; i > 0; i--) {
        const j = Math.floor(random() * (i + 1));
        [fixes[i], fixes[j]] = [fixes[j]!, fixes[i]!];
      }
      return { unitId, fixes };
    });
    const options = { ...everything(), trips: [], workers: 2 };
    const expected = units.map((unit) => plain(unit, options.zones as never));
    expect(expected[1]!.visits.length).toBeGreaterThan(50);
    expect(Object.keys(expected[1]!.fixes.rejected).sort()).toEqual(['duplicate', 'invalid']);
    expect(await all(units, options)).toEqual(expected);
  });

  test('each unit has its own settings and its own week rollover', async () => {
    const [unit] = fleet(1);
    const settings = [{ key: 'tripdetector_minparktime', value: '1800' }];
    const early = unit!.fixes.map((fix) => ({ ...fix, time: fix.time - 7168 * 86_400_000 }));
    const trackOptions = { rolloverWindow: [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)] } as const;
    const [result] = await all([{ unitId: 'u', fixes: early, settings }], {
      movement: true,
      trackOptions,
      workers: 1,
    });
    expect(result!.movement).toEqual(tracks.detectTrips(tracks.readTrack(unit!.fixes), settings));
    expect(result!.visits).toEqual([]);
  });

  test('only counts fixes without zones, movement and trips', async () => {
    const [unit] = fleet(1);
    const result = await all([unit!], { workers: 0 });
    expect(result).toEqual([
      { ...plain(unit!, new wayzone.ZoneIndex([])), visits: [], movement: null, fixes: result[0]!.fixes },
    ]);
  });

  test('units that occur only in trips come last and have no fixes', async () => {
    const units = fleet(2);
    const lost = trip('AB', { unit: { id: 'lost' } });
    for (const workers of [0, 2]) {
      const results = await all(units, { trips: [lost], tripOptions: TRIP_OPTIONS, workers });
      expect(results.map(({ unitId }) => unitId)).toEqual(['unit 0', 'unit 1', 'lost']);
      expect(results[2]!.trips.map(({ status, unitId }) => [unitId, status])).toEqual([['lost', 'no_data']]);
      expect(results[2]!.fixes).toEqual({ read: 0, used: 0, rejected: {}, issues: [] });
    }
  });

  test('evaluates the requested days, each once', async () => {
    const own = trip('AB', {
      unit: { id: 'unit 0' },
      dates: ['2026-03-02', '2026-03-03 00:00', '2026-03-02 00:00:00'],
    });
    const days = async (dates?: string[]): Promise<string[]> => {
      const options = { trips: [own], tripOptions: TRIP_OPTIONS, workers: 0, ...(dates && { dates }) };
      return (await all(fleet(1), options))[0]!.trips.map(({ date }) => date);
    };
    expect(await days()).toEqual(['2026-03-02', '2026-03-03']);
    expect(await days(['2026-03-03 00:00:00', '2026-04-01'])).toEqual(['2026-03-03']);
  });
});

const DAY = 'tracks/austin-bus/2015-03-07.csv.gz';

needs(sharedData(DAY)).test('a day of buses in Austin, over two threads (needs ../shared/data)', async () => {
  const { tracks: buses } = fromCsv(gunzipSync(readFileSync(dataPath(DAY))), { speedUnit: 'mph' }).value;
  const units = LONG ? buses : buses.slice(0, 20);
  const zones = new wayzone.ZoneIndex(
    units.map(({ unitId, fixes }) => {
      const { lon, lat } = fixes[fixes.length >> 1]!;
      return {
        id: unitId,
        name: '',
        type: { key: 'circle' as const },
        geometry: [[lon, lat]] as const,
        width: 300,
      };
    }),
  );
  const results = await all(units, { index: zones, movement: true, workers: 2 });
  const expected = units.map(({ unitId, fixes }) => {
    const track = tracks.readTrack(fixes);
    return { unitId, visits: tracks.findVisits(track, zones), movement: tracks.detectTrips(track) };
  });
  expect(results.map(({ unitId, visits, movement }) => ({ unitId, visits, movement }))).toEqual(expected);
  expect(expected.flatMap(({ visits }) => visits).length).toBeGreaterThan(100);
});

describe('replay: what goes wrong', () => {
  test('the function predict runs only without worker threads', async () => {
    const tripOptions = { ...TRIP_OPTIONS, predict: (): number => 60 };
    const results = await all(fleet(4), { ...everything(), tripOptions, workers: 0 });
    const points = results.flatMap((unit) => unit.trips).flatMap((report) => report.points);
    expect(points.length).toBeGreaterThan(0);
    for (const point of points) expect(point).toHaveProperty('predictedArrival');
    const refusal = { code: 'option-value', field: 'options.tripOptions.predict' };
    for (const [predict, workers] of [
      [tripOptions.predict, 1],
      [5, 0],
    ] as const) {
      const options = {
        ...everything(),
        tripOptions: { ...TRIP_OPTIONS, predict: predict as never },
        workers,
      };
      expect(() => parallel.replay([], options)).toThrow(expect.objectContaining(refusal));
    }
  });

  test('an error of one unit is in its result, and other units continue', async () => {
    const [a, b, c] = fleet(3);
    function* broken(): Generator<Fix> {
      yield* b!.fixes.slice(0, 5);
      throw new Error('the disk is gone');
    }
    const endless = function* (): Generator<Fix> {
      for (;;) yield* c!.fixes;
    };
    const units = [
      a!,
      { unitId: 'broken', fixes: broken() },
      { unitId: 'endless', fixes: endless() },
      { unitId: 'none', fixes: null as never },
      { unitId: a!.unitId, fixes: [] },
      { unitId: 7 as never, fixes: [] },
      b!,
    ];
    for (const workers of [0, 1, 2]) {
      const fresh = units.map((unit) => ({
        ...unit,
        fixes: unit.unitId === 'broken' ? broken() : unit.unitId === 'endless' ? endless() : unit.fixes,
      }));
      const results = await all(fresh, { ...everything(), trips: [], maxFixes: 50_000, workers });
      expect(results.map(({ unitId, errors }) => [unitId, errors.map(({ code }) => code)])).toEqual([
        ['unit 0', []],
        ['broken', ['input-unreadable']],
        ['endless', ['limit-fixes']],
        ['none', ['fixes-type']],
        ['unit 0', ['duplicate-id']],
        ['', ['unit-id']],
        ['unit 1', []],
      ]);
      expect(results[1]).toMatchObject({ fixes: { read: 5, used: 0 }, visits: [], movement: null });
      expect(results[1]!.errors[0]!.message).toBe('the disk is gone');
      expect(results[6]).toEqual({ ...plain(b!, new wayzone.ZoneIndex(ZONES)), trips: [] });
    }
  });

  test('an error of one run has its trip and date', async () => {
    const good = trip('AB', { id: 'good', unit: { id: 'unit 0' } });
    const bad = { ...good, id: 'bad', passage_order_type: { key: 'any' } } as never;
    const dateless = { ...good, id: 'dateless', dates: [] };
    for (const workers of [0, 1]) {
      const [result] = await all(fleet(1), {
        trips: [bad, dateless, good],
        tripOptions: TRIP_OPTIONS,
        workers,
      });
      expect(result!.trips.map(({ tripId }) => tripId)).toEqual(['good']);
      expect(result!.errors.map(({ code, field, tripId, date }) => [code, field, tripId, date])).toEqual([
        ['dictionary-key', 'passage_order_type.key', 'bad', '2026-03-02'],
        ['dates-missing', 'dates', 'dateless', ''],
      ]);
    }
  });

  test('invalid dates of a trip are errors of its unit, whatever days are requested, and leave other units unaffected', async () => {
    const [a, b] = fleet(2);
    const hostile = [{ toString: 1, valueOf: 1 }, 5, null, 'soon', '2026-02-30'];
    const trips = hostile.map((date, i) =>
      trip('AB', { id: `trip ${i}`, unit: { id: 'unit 0' }, dates: [date] }),
    );
    for (const workers of [0, 1]) {
      for (const dates of [undefined, ['2026-03-02']]) {
        const results = await all([a!, b!], {
          movement: true,
          trips,
          tripOptions: TRIP_OPTIONS,
          workers,
          ...(dates && { dates }),
        });
        expect(results[0]!.errors.map(({ code, field, tripId }) => [code, field, tripId])).toEqual(
          hostile.map((_, i) => ['date', 'dates[0]', `trip ${i}`]),
        );
        expect(results.map(({ movement }) => movement !== null)).toEqual([true, true]);
        expect(results[1]!.errors).toEqual([]);
      }
    }
  });

  test('with invalid settings a unit only loses its movement', async () => {
    const [unit] = fleet(1);
    const settings = { tripdetector_minparktime: 'soon' };
    const [result] = await all([{ ...unit!, settings }], { ...everything(), trips: [], workers: 1 });
    expect(result!.errors).toMatchObject([{ code: 'setting-value', tripId: null }]);
    expect(result!.visits.length).toBeGreaterThan(0);
    expect(result!.movement).toBeNull();
  });

  test('with `measure` the visits are those of measureVisits, by the unit’s own settings first', async () => {
    const [a, b] = fleet(2);
    const index = new wayzone.ZoneIndex(ZONES);
    const settings = { advanced_mileagecoeff: 2 };
    const results = await all([{ ...a!, settings }, b!], { index, measure: true, workers: 0 });
    for (const [i, { visits }] of results.entries()) {
      const track = tracks.readTrack([a!, b!][i]!.fixes);
      const meter = tracks.meterTrack(track, i === 0 ? settings : {});
      expect(visits).toEqual(tracks.measureVisits(tracks.findVisits(track, index), meter));
    }
    expect(results[0]!.visits.length).toBeGreaterThan(0);
  });

  test('a value that cannot be sent to a thread is an error of its unit', async () => {
    const [a, b] = fleet(2);
    const settings = { tripdetector_minparktime: (() => 1) as never };
    const results = await all([{ ...a!, settings }, b!], { movement: true, workers: 1 });
    expect(results.map(({ errors }) => errors.map(({ code }) => code))).toEqual([['input-unreadable'], []]);
  });

  test('all jobs of a thread that dies fail with worker-failed', async () => {
    const task = {
      index: new SharedArrayBuffer(3),
      visits: {},
      measure: null,
      movement: null,
      trips: null,
      dates: null,
    };
    const executor = new ThreadExecutor({
      ...task,
      track: { fixRules: {} as never, rolloverWindow: null, near: null, maxLoneMs: 0 },
    });
    const order = {
      unitId: 'u',
      rejected: { counts: {}, examples: {} },
      rolledOver: 0,
      settings: null,
      trips: [],
    };
    for (const job of [0, 1]) {
      executor.begin(job);
      expect(await errorOf(() => executor.finish(job, order))).toMatchObject({ code: 'worker-failed' });
      expect(await errorOf(() => executor.finish(job, order))).toMatchObject({ code: 'worker-failed' });
    }
    await executor.stop();
  });

  test('a list of units that throws ends the iteration', async () => {
    const reason = new Error('no more');
    async function* units(): AsyncGenerator<ReplayInput> {
      yield* fleet(2);
      throw reason;
    }
    expect(await errorOf(() => all(units(), { workers: 1 }))).toBe(reason);
  });

  test.each([
    ['units-type', 'units', 5, {}],
    ['option-type', 'options', [], 5],
    ['option-type', 'options.index', [], { index: [] }],
    ['option-type', 'options.zones', [], { zones: [] }],
    ['option-value', 'options.visitOptions.minInsideSeconds', [], { visitOptions: { minInsideSeconds: -1 } }],
    ['option-value', 'options.trackOptions.maxSpeedKph', [], { trackOptions: { maxSpeedKph: Number.NaN } }],
    [
      'setting-value',
      'options.movement.tripdetector_mintriptime',
      [],
      { movement: { tripdetector_mintriptime: 'x' } },
    ],
    [
      'option-value',
      'options.movementOptions.jump',
      [],
      { movement: true, movementOptions: { jump: 'high' } },
    ],
    ['option-type', 'options.tripOptions', [], { trips: [] }],
    ['tz-unknown', 'options.tripOptions.timeZone', [], { trips: [], tripOptions: { timeZone: 'Mars' } }],
    [
      'option-value',
      'options.tripOptions.policy',
      [],
      { trips: [], tripOptions: { timeZone: 'UTC', policy: 'x' } },
    ],
    ['trip-type', 'options.trips[1]', [], { trips: [{ unit: { id: 'u' } }, {}], tripOptions: TRIP_OPTIONS }],
    ['option-type', 'options.trips', [], { trips: 5, tripOptions: TRIP_OPTIONS }],
    ['date', 'options.dates[0]', [], { dates: ['2026-02-30'] }],
    ['option-type', 'options.dates', [], { dates: '2026-02-03' }],
    ['option-value', 'options.workers', [], { workers: -1 }],
    ['option-value', 'options.maxFixes', [], { maxFixes: 0 }],
    ['input-unreadable', 'options.visitOptions', [], { visitOptions: { f: () => 1 } }],
  ])('replay throws %s at %s before it starts', async (code, field, units, options) => {
    expect(await errorOf(async () => parallel.replay(units as never, options as never))).toMatchObject({
      code,
      field,
    });
  });
});

describe('replay: stopping and memory', () => {
  test('stops when the signal aborts: before the start, between results, and while waiting for a source', async () => {
    const reason = new Error('enough');
    const early = all(fleet(2), { signal: AbortSignal.abort(reason), workers: 1 });
    expect(await errorOf(() => early)).toMatchObject({
      code: 'aborted',
      field: 'options.signal',
      cause: reason,
    });
    for (const workers of [0, 2]) {
      const controller = new AbortController();
      let count = 0;
      const stopped = errorOf(async () => {
        for await (const _ of parallel.replay(fleet(200), {
          ...everything(),
          workers,
          signal: controller.signal,
        })) {
          if (++count === 3) controller.abort(reason);
        }
      });
      expect(await stopped).toMatchObject({ code: 'aborted', cause: reason });
      expect(count).toBe(3);
      const waiting = new AbortController();
      async function* silent(): AsyncGenerator<Fix> {
        yield { time: 0, lon: 0, lat: 0 };
        setTimeout(() => waiting.abort(reason), 20);
        await new Promise(() => undefined);
      }
      const hung = all([{ unitId: 'u', fixes: silent() }], { workers, signal: waiting.signal });
      expect(await errorOf(() => hung)).toMatchObject({ code: 'aborted' });
    }
  });

  test('leaving the loop closes open iterators', async () => {
    let closed = 0;
    function* fixes(): Generator<Fix> {
      try {
        for (let i = 0; i < 2_000_000; i++) yield { time: 1_772_438_400_000 + i * 1000, lon: 0, lat: 1 };
      } finally {
        closed++;
      }
    }
    async function* units(): AsyncGenerator<ReplayInput> {
      try {
        yield* fleet(1);
        for (let i = 0; ; i++) yield { unitId: `long ${i}`, fixes: fixes() };
      } finally {
        closed++;
      }
    }
    for await (const { unitId } of parallel.replay(units(), { workers: 1 })) {
      expect(unitId).toBe('unit 0');
      break;
    }
    while (closed < 2) await new Promise((resolve) => setImmediate(resolve));
  });

  test('a unit that arrives after the end starts no thread', async () => {
    /** Thread ids count up, so the next id shows how many threads were started. */
    const nextThread = async (): Promise<number> => {
      const probe = new Worker('', { eval: true });
      const { threadId } = probe;
      await probe.terminate();
      return threadId;
    };
    const first = await nextThread();
    let release = (): void => undefined;
    const [one, other] = fleet(2);
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // An iterator without `return`, which cannot be closed.
    const steps = [Promise.resolve(one!), held.then(() => other!)];
    const units = {
      [Symbol.asyncIterator]: () => ({
        next: async (): Promise<IteratorResult<ReplayInput>> => {
          const value = await steps.shift();
          return value === undefined ? { done: true, value } : { done: false, value };
        },
      }),
    };
    for await (const _ of parallel.replay(units, { workers: 2 })) break;
    const started = (await nextThread()) - first;
    release();
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
    expect((await nextThread()) - first).toBe(started + 1);
  });

  test('the iteration throws an error of onProgress', async () => {
    const reason = new Error('stop');
    const onProgress = (): void => {
      throw reason;
    };
    expect(await errorOf(() => all(fleet(3), { workers: 1, onProgress }))).toBe(reason);
  });

  test('a slow reader limits the number of units in progress', async () => {
    let begun = 0;
    function* units(): Generator<ReplayInput> {
      for (const unit of fleet(200)) {
        begun++;
        yield unit;
      }
    }
    let taken = 0;
    for await (const _ of parallel.replay(units(), { workers: 2 })) {
      taken++;
      if (taken % 40 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
      expect(begun - taken).toBeLessThanOrEqual(17);
    }
    expect(taken).toBe(200);
  });

  test('the number of fixes in memory stays at that of a few units, however long the archive is', async () => {
    const length = 20_000;
    const count = LONG ? 400 : 30;
    let read = 0;
    let finishedUnits = 0;
    let most = 0;
    const onProgress = ({ units }: { units: number }): void => {
      finishedUnits = units;
    };
    async function* fixes(): AsyncGenerator<Fix[]> {
      for (let from = 0; from < length; from += 1000) {
        yield Array.from({ length: 1000 }, (_, i) => ({
          time: 1_772_438_400_000 + (from + i) * 1000,
          lon: (from + i) / 1e5,
          lat: 1,
        }));
        read += 1000;
        most = Math.max(most, read - finishedUnits * length);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    function* units(): Generator<ReplayInput> {
      for (let i = 0; i < count; i++) yield { unitId: `u${i}`, fixes: fixes() };
    }
    let given = 0;
    for await (const { fixes: counted } of parallel.replay(units(), { workers: 2, onProgress })) {
      expect(counted.used).toBe(length);
      given += length;
    }
    expect(given).toBe(count * length);
    // Two threads, each with one unit in progress and one being read.
    expect(most).toBeLessThanOrEqual(4 * length);
  });
});
