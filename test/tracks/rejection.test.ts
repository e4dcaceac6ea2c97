import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fix, Issue } from '../../src/core/fix.js';
import { ZoneIndex } from '../../src/index.js';
import { replay } from '../../src/parallel/index.js';
import { detectTrips, findDeviations, findVisits, gradeTrack, MovementTracker, readTrack, VisitTracker } from '../../src/tracks/index.js'; // biome-ignore format: one line
import { evaluateTrip, TripTracker } from '../../src/trips/index.js';
import { volume } from '../volume.js';

const T = 1_772_438_400_000;
const DEPOT = {
  id: 'depot',
  name: 'Depot',
  type: { key: 'circle' },
  geometry: [[37.6, 55.7]],
  width: 500,
} as const;
const INDEX = new ZoneIndex([DEPOT]);
const TRIP = { id: 't', name: 't', unit: { id: 'u' }, dates: ['2026-03-02'], passage_order_type: { key: 'strict' }, points: [DEPOT] } as const; // biome-ignore format: one row
const GOOD: Fix = { time: T, lon: 37.6, lat: 55.7 };

function withField(name: string, value: unknown): Fix {
  return { ...GOOD, [name]: value } as Fix;
}

function renamed(names: Readonly<Record<string, string>>): Fix {
  return Object.fromEntries(
    Object.entries(GOOD).map(([name, value]) => [names[name] ?? name, value]),
  ) as unknown as Fix;
}

/** What a developer passes, with the code, the field and the text of the only issue. */
const MISTAKES: readonly (readonly [name: string, fix: unknown, code: string, field: string, text: string])[] = [
  ['a Date', withField('time', new Date(T)), 'invalid', 'fix.time', 'expected epoch milliseconds, received a Date; pass date.getTime()'],
  ['an ISO text', withField('time', '2026-03-02T08:00:00Z'), 'invalid', 'fix.time', 'received "2026-03-02T08:00:00Z"; pass Date.parse(time)'],
  ['a numeric text', withField('time', String(T)), 'invalid', 'fix.time', 'pass Number(time)'],
  ['a BigInt', withField('time', BigInt(T)), 'invalid', 'fix.time', 'pass Number(time)'],
  ['NaN', withField('time', Number.NaN), 'invalid', 'fix.time', 'expected epoch milliseconds, received NaN'],
  ['timestamp', renamed({ time: 'timestamp' }), 'invalid', 'fix.time', 'received undefined; rename timestamp to time'],
  ['seconds', withField('time', T / 1000), 'time-implausible', 'fix.time', `received ${T / 1000}; seconds? multiply by 1000`],
  ['microseconds', withField('time', T * 1000), 'time-implausible', 'fix.time', 'microseconds? divide by 1000'],
  ['nanoseconds', withField('time', T * 1e6), 'time-implausible', 'fix.time', 'nanoseconds? divide by 1,000,000'],
  ['1970', withField('time', 5), 'time-implausible', 'fix.time', 'received 5 ('],
  ['latitude and longitude', renamed({ lat: 'latitude', lon: 'longitude' }), 'invalid', 'fix.lat', 'rename latitude to lat and longitude to lon'],
  ['lat, lng', renamed({ lon: 'lng' }), 'invalid', 'fix.lon', 'received undefined; rename lng to lon'],
  ['a nested position', { time: T, position: { lat: 55.7, lon: 37.6 } }, 'invalid', 'fix.lat', 'fields of the fix itself, not of position'],
  ['a text', withField('lat', '55.7'), 'invalid', 'fix.lat', 'received "55.7"; pass Number(lat)'],
  ['a latitude out of range', withField('lat', 155.7), 'invalid', 'fix.lat', 'expected a latitude from -90 to 90, received 155.7; swapped?'],
  ['a longitude out of range', withField('lon', 600), 'invalid', 'fix.lon', 'expected a longitude from -540 to 540, received 600'],
  ['a longitude that is NaN', withField('lon', Number.NaN), 'invalid', 'fix.lon', 'received NaN'],
  ['an array', [T, 37.6, 55.7], 'invalid', 'fix', 'expected an object {time, lon, lat}, received an array'],
  ['null', null, 'invalid', 'fix', 'received null'],
  ['an invalid position', withField('valid', false), 'invalid', 'fix.valid', 'received valid: false from the unit itself'],
  ['0, 0', { time: T, lon: 0, lat: 0 }, 'zero-island', 'fix', 'pass keepZeroIsland'],
]; // biome-ignore format: a table

function trackers(): readonly { issues(): Issue[]; take(fix: Fix): void }[] {
  const visits = new VisitTracker(INDEX);
  const movement = new MovementTracker();
  const trip = new TripTracker(TRIP, '2026-03-02', { timeZone: 'UTC' });
  return [
    { issues: () => visits.issues('u'), take: (fix) => visits.push('u', fix) },
    { issues: () => movement.issues(), take: (fix) => movement.push('u', fix) },
    { issues: () => trip.issues(), take: (fix) => trip.push(fix) },
  ];
}

describe('a fix that is rejected', () => {
  test.each(MISTAKES)('%s: readTrack and the trackers say what to do', (_, fix, code, field, text) => {
    const track = readTrack([fix as Fix, fix as Fix]);
    expect(track.rejected).toEqual({ [code]: 2 });
    expect(track.issues).toMatchObject([{ code, severity: 'warning', field }]);
    expect(track.issues[0]!.message).toContain(text);
    expect(track.issues[0]!.message).toMatch(/ \(2 fixes are left out for this reason\)$/);
    for (const tracker of trackers()) {
      expect(tracker.issues()).toEqual([]);
      tracker.take(fix as Fix);
      tracker.take(fix as Fix);
      expect(tracker.issues()).toEqual(track.issues);
    }
  });

  test('a fix that is too fast, in a track and in a stream', () => {
    const fixes = [GOOD, { time: T + 1000, lon: 38, lat: 55.7 }, { time: T + 2000, lon: 37.6, lat: 55.7 }];
    const { issues } = readTrack(fixes);
    expect(issues.map(({ code, field }) => [code, field])).toEqual([['speed', 'fix']]);
    expect(issues[0]!.message).toBe(
      `expected at most 300 km/h from the last good fix, received a faster fix of time ${T + 1000} at [38, 55.7]; raise maxSpeedKph for vehicles as fast (1 fix is left out)`,
    );
    for (const tracker of trackers()) {
      for (const fix of fixes) tracker.take(fix);
      expect(tracker.issues()).toEqual(issues);
    }
  });

  test('a stream names times after their receipt, and times far ahead', () => {
    const tracker = new VisitTracker(INDEX);
    tracker.push('a', { ...GOOD, time: T + 1e9 }, { receivedAt: T });
    expect(tracker.issues('a')[0]!.message).toContain(
      `expected a time up to ${T + 300_000}, received ${T + 1e9}`,
    );
    tracker.push('b', GOOD);
    tracker.push('b', { ...GOOD, time: T + 1e9 });
    tracker.push('b', { ...GOOD, time: T + 1 });
    expect(tracker.issues('b')[0]!.message).toContain('expected a time that the next fix confirms');
    expect(tracker.issues()).toHaveLength(1);
    expect(tracker.issues()[0]!.message).toContain('(2 fixes');
    expect(tracker.issues('nobody')).toEqual([]);
  });

  test('the issue of a mistake of the program is not hidden by the noise of a unit', () => {
    const noise = Array.from({ length: 50 }, (_, i) => ({ ...GOOD, time: T + i, valid: false }));
    expect(readTrack([...noise, withField('time', new Date(T))]).issues[0]!.message).toContain('getTime');
  });

  test('a fix whose keys cannot be asked for is still counted', () => {
    const hostile = new Proxy({}, { has: () => { throw new Error('no'); } }); // biome-ignore format: short
    expect(readTrack([hostile as Fix]).issues[0]!.message).toContain(
      'received undefined (1 fix is left out)',
    );
  });

  test('duplicates are counted, not reported; a clean track has no issue', () => {
    expect(readTrack([GOOD, GOOD])).toMatchObject({ rejected: { duplicate: 1 }, issues: [] });
  });
});

const anyFix = fc.oneof(
  fc.constantFrom(...MISTAKES.map(([, fix]) => fix as Fix)),
  fc.record({ time: fc.integer({ min: T, max: T + 60_000 }), lon: fc.integer({ min: -20, max: 20 }), lat: fc.constantFrom(0, 50, 95) }), // biome-ignore format: one line
);

test('issues depend on the set of fixes, not on their order, and there is at most one for each reason', () => {
  fc.assert(
    fc.property(fc.array(anyFix, { maxLength: 30 }), fc.integer(), (fixes, seed) => {
      const other = fixes.map((fix, i) => [fix, (i * 7919 + seed) % 31] as const).sort((a, b) => a[1] - b[1]).map(([fix]) => fix); // biome-ignore format: one line
      const { issues, rejected } = readTrack(fixes);
      expect(readTrack(other).issues).toEqual(issues);
      const reasons = Object.keys(rejected).filter((reason) => reason !== 'duplicate');
      expect(issues.map(({ code }) => code)).toEqual(reasons.sort());
    }),
    { seed: 20261124, numRuns: volume(2000) },
  );
});

test('issues survive snapshots, and a snapshot does not grow with the number of rejected fixes', () => {
  const tracker = new VisitTracker(INDEX);
  const push = (count: number): number => {
    for (let i = 0; i < count; i++) for (const [, fix] of MISTAKES) tracker.push('u', fix as Fix);
    return JSON.stringify(tracker.snapshot()).length;
  };
  const first = push(1);
  expect(push(200) - first).toBeLessThan(50);
  const restored = VisitTracker.restore(INDEX, JSON.stringify(tracker.snapshot()));
  expect(restored.issues('u')).toEqual(tracker.issues('u'));
  expect(restored.snapshot()).toEqual(tracker.snapshot());
  const movement = new MovementTracker();
  movement.push('u', withField('time', new Date(T)));
  expect(MovementTracker.restore(movement.snapshot()).issues()).toEqual(movement.issues());
  const trip = new TripTracker(TRIP, '2026-03-02', { timeZone: 'UTC' });
  trip.push(withField('time', new Date(T)));
  expect(TripTracker.restore(TRIP, trip.snapshot()).issues()).toEqual(trip.issues());
});

test('a snapshot without examples, as older versions wrote it, is restored', () => {
  const tracker = new VisitTracker(INDEX);
  tracker.push('u', GOOD);
  expect(JSON.stringify(tracker.snapshot())).not.toContain('examples');
  expect(VisitTracker.restore(INDEX, tracker.snapshot()).issues()).toEqual([]);
});

describe('a track near `near` only with longitude and latitude exchanged', () => {
  const near = [37.6, 55.7] as const;
  const drive = (swap: boolean): Fix[] =>
    Array.from({ length: 400 }, (_, i) => {
      const [lon, lat] = [37.6 + i / 4000, 55.7];
      return { time: T + 60_000 * i, lon: swap ? lat : lon, lat: swap ? lon : lat };
    });

  test('gets a warning; the others do not', async () => {
    const { issues, length } = readTrack(drive(true), { near });
    expect(length).toBe(400);
    expect(issues).toMatchObject([{ code: 'axis-order-suspect', severity: 'warning', field: 'fixes' }]);
    expect(issues[0]!.message).toContain('lon 55.7, lat 37.6');
    expect(readTrack(drive(false), { near }).issues).toEqual([]);
    expect(readTrack(drive(true)).issues).toEqual([]);
    expect(readTrack([], { near }).issues).toEqual([]);
    const trackOptions = { near };
    for await (const { fixes } of replay([{ unitId: 'u', fixes: drive(true) }], { trackOptions, workers: 0 }))
      expect(fixes.issues).toEqual(issues);
  });

  test('a far trip of a few fixes is not one', () => {
    expect(readTrack([...drive(false), ...drive(true).slice(0, 3).map((fix) => ({ ...fix, time: fix.time + 1e9 }))], { near }).issues).toEqual([]); // biome-ignore format: one line
  });

  test('a position that cannot be read is an error', () => {
    expect(() => readTrack([], { near: [1, 91] })).toThrow(expect.objectContaining({ code: 'lat-range' }));
  });
});

describe('an argument of another kind', () => {
  const track = readTrack([GOOD]);
  const notIndex = [undefined, null, DEPOT, [DEPOT], 'depot', 5, {}] as never[];

  test('where an index is needed says what to pass', () => {
    for (const index of notIndex) {
      for (const call of [() => findVisits(track, index), () => new VisitTracker(index), () => VisitTracker.restore(index, new VisitTracker(INDEX).snapshot())]) // biome-ignore format: one line
        expect(call).toThrow(expect.objectContaining({ code: 'index-type', field: 'index' }));
    }
    expect(() => findVisits(track, [DEPOT] as never)).toThrow(
      'expected a ZoneIndex (pass new ZoneIndex(zones)), received an array',
    );
    expect(() => findVisits(track, DEPOT as never)).toThrow('(pass new ZoneIndex([zone]))');
    expect(() => replay([], { index: [DEPOT] as never })).toThrow('(pass new ZoneIndex(zones))');
  });

  test('where a track is needed says what to pass', () => {
    const fixes = [GOOD] as never;
    const calls = [
      () => findVisits(fixes, INDEX),
      () => detectTrips(fixes),
      () => gradeTrack(fixes, { styles: [{ max: null, hex_color: '#000000' }] }),
      () => findDeviations(fixes, [[37, 55], [38, 55]], 50),
      () => evaluateTrip(TRIP as never, '2026-03-02', fixes, { timeZone: 'UTC' }),
    ]; // biome-ignore format: a table
    for (const call of calls) {
      expect(call).toThrow(expect.objectContaining({ code: 'track-invalid', field: 'track' }));
      expect(call).toThrow('(pass readTrack(fixes)), received an array');
    }
  });
});
