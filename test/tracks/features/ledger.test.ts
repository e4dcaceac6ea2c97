import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import type { Fix } from '../../../src/core/fix.js';
import { ZoneIndex, zoneContains } from '../../../src/index.js';
import {
  findRides,
  findVisits,
  type Measure,
  measureVisits,
  meterTrack,
  splitByZone,
  sumByZone,
  type Visit,
} from '../../../src/tracks/index.js';
import { errorOf } from '../../errorOf.js';
import { volume } from '../../volume.js';
import { slowSteps } from '../oracle/slowMeter.js';
import { expectClose } from './closeTo.js';
import { drives, gapArbitrary, START, settingsArbitrary, trackOf } from './drivesArbitrary.js';
import { indexOf, PLACES, zonesArbitrary } from './zonesArbitrary.js';

const runs = { numRuns: volume(1600), seed: 380 };
const HOUR = 3_600_000;

function sumOf(measures: readonly Measure[]): Measure {
  const add = (name: keyof Measure): number => measures.reduce((sum, one) => sum + (one[name] ?? 0), 0);
  const speeds = measures.map(({ maxSpeedKph }) => maxSpeedKph ?? -1);
  const movingSeconds = add('movingSeconds');
  const way = measures.reduce((sum, one) => sum + (one.meanSpeedKph ?? 0) * one.movingSeconds, 0);
  return {
    durationSeconds: add('durationSeconds'),
    movingSeconds,
    idlingSeconds: add('idlingSeconds'),
    parkedSeconds: add('parkedSeconds'),
    unmeasuredSeconds: add('unmeasuredSeconds'),
    distanceMeters: add('distanceMeters'),
    unmeasuredMeters: add('unmeasuredMeters'),
    maxSpeedKph: Math.max(...speeds) < 0 ? null : Math.max(...speeds),
    meanSpeedKph: movingSeconds === 0 ? null : way / movingSeconds,
  };
}

describe('splitByZone', () => {
  it('is in the first zone that contains the unit, at every instant, without hole or overlap', () => {
    fc.assert(
      fc.property(
        drives(0, 12),
        zonesArbitrary,
        settingsArbitrary,
        gapArbitrary,
        fc.boolean(),
        (fixes, zones, settings, gaps, isHalfOpen) => {
          const boundary = isHalfOpen ? 'half-open' : 'closed';
          const track = trackOf(fixes);
          const index = indexOf(zones, fixes, boundary);
          const all = splitByZone(track, index, { ...gaps, settings });
          const steps = slowSteps(track, settings, gaps, null);
          expect(all.length > 0).toBe(track.length > 1);
          for (const [i, run] of all.entries()) {
            expect(run.from).toBeLessThan(run.to);
            expect(run.from).toBe(i === 0 ? track.time[0] : all[i - 1]!.to);
            if (i > 0) expect(run.zoneId).not.toBe(all[i - 1]!.zoneId);
          }
          if (all.length > 0) expect(all.at(-1)!.to).toBe(track.time[track.length - 1]);
          for (const { i, from, to, kind } of steps) {
            for (const share of [0.03, 0.31, 0.5, 0.77, 0.96]) {
              const time = from + (to - from) * share;
              // A border within a millisecond of the instant decides by rounding.
              if (all.some((run) => Math.abs(run.from - time) <= 1)) continue;
              const run = all.find((one) => one.from <= time && time < one.to)!;
              const lonStep = ((track.lon[i + 1]! - track.lon[i]! + 540) % 360) - 180;
              const at = [
                track.lon[i]! + lonStep * share,
                track.lat[i]! + (track.lat[i + 1]! - track.lat[i]!) * share,
              ] as const;
              const first = index.rows.find((zone) => zoneContains(zone, at, { boundary }));
              const isNear = index.rows.some(
                (zone) =>
                  zoneContains(zone, at, { boundary }) !==
                  zoneContains(zone, [at[0] + 1e-9, at[1] + 1e-9], { boundary }),
              );
              if (!isNear) expect(run.zoneId).toBe(kind === 'gap' ? null : (first?.id ?? null));
            }
          }
        },
      ),
      runs,
    );
  });

  it('shares out the total: each measured metre in one run, the metres of gaps in those of null', () => {
    fc.assert(
      fc.property(
        drives(2, 20),
        zonesArbitrary,
        settingsArbitrary,
        gapArbitrary,
        (fixes, zones, settings, gaps) => {
          const track = trackOf(fixes);
          const meter = meterTrack(track, settings, gaps);
          const all = splitByZone(track, indexOf(zones, fixes), { ...gaps, settings });
          const measures = all.map(({ from, to }) => meter.between(from, to));
          const { maxSpeedKph, ...sum } = sumOf(measures);
          const total = meter.total();
          expectClose({ ...sum, maxSpeedKph: total.maxSpeedKph }, total);
          // The mean of a part can be above its speeds.
          expect(maxSpeedKph ?? 0).toBeGreaterThanOrEqual((total.maxSpeedKph ?? 0) * (1 - 1e-9));
          for (const [i, { zoneId }] of all.entries())
            if (zoneId !== null) expect(measures[i]!.unmeasuredMeters).toBe(0);
        },
      ),
      runs,
    );
  });

  it('equals the visits in a half-open tiling without gaps', () => {
    fc.assert(
      fc.property(drives(2, 25), (fixes) => {
        const track = trackOf(fixes);
        const { lon, lat } = fixes[0]!;
        const tiles = Array.from({ length: 16 }, (_, k) => {
          const [x, y] = [lon - 0.012 + 0.006 * (k % 4), lat - 0.012 + 0.006 * Math.floor(k / 4)];
          const geometry = [[x, y], [x + 0.006, y], [x + 0.006, y + 0.006], [x, y + 0.006]]; // biome-ignore format: a ring
          return { id: `t${k}`, type: { key: 'polygon' }, geometry } as never;
        });
        if (Math.abs(lon) > 179) return;
        const index = new ZoneIndex(tiles, { boundary: 'half-open' });
        const options = { maxGapSeconds: Number.POSITIVE_INFINITY };
        const visits = findVisits(track, index, { ...options, maxCrossedMeters: Number.POSITIVE_INFINITY })
          .map(({ zoneId, enter, exit }) => ({
            zoneId,
            from: enter,
            to: exit ?? track.time[track.length - 1]!,
          }))
          .filter(({ from, to }) => from < to);
        // An absence of less than a millisecond parts visits, but not runs.
        const spans: typeof visits = [];
        for (const visit of visits) {
          const before = spans.find(({ zoneId, to }) => zoneId === visit.zoneId && to === visit.from);
          if (before) before.to = visit.to;
          else spans.push(visit);
        }
        const cells = splitByZone(track, index, options).filter(({ zoneId }) => zoneId !== null);
        const byZone = (
          a: { zoneId: string | null; from: number },
          b: { zoneId: string | null; from: number },
        ): number => a.from - b.from || String(a.zoneId).localeCompare(String(b.zoneId));
        expect(cells.toSorted(byZone)).toEqual(spans.toSorted(byZone));
      }),
      runs,
    );
  });

  it('is one run of null without zones, and none for an empty track or a lone fix', () => {
    const index = new ZoneIndex([]);
    const fixes = [0, 10, 20].map((s) => ({ time: START + s * 1000, lon: 37, lat: 55 }));
    expect(splitByZone(trackOf(fixes), index)).toEqual([{ zoneId: null, from: START, to: START + 20_000 }]);
    expect(splitByZone(trackOf(fixes.slice(0, 1)), index)).toEqual([]);
    expect(splitByZone(trackOf([]), index)).toEqual([]);
  });

  it('stays in a zone on whose border the unit rests, and drops a touch', () => {
    const box = (id: string, west: number, east: number): never =>
      ({ id, type: { key: 'polygon' }, geometry: [[west, 0], [east, 0], [east, 1], [west, 1]] }) as never; // biome-ignore format: a ring
    const index = new ZoneIndex([box('b', 1, 2), box('a', 0, 1)]);
    const at = (s: number, lon: number, lat: number): Fix => ({ time: START + s * 1000, lon, lat });
    const rest = trackOf([at(0, 1, 0.5), at(10, 1, 0.5), at(20, 0.99, 0.5)]);
    expect(splitByZone(rest, index)).toEqual([
      { zoneId: 'b', from: START, to: START + 10_000 },
      { zoneId: 'a', from: START + 10_000, to: START + 20_000 },
    ]);
    const touch = trackOf([at(0, 1.9, 1.1), at(10, 2.1, 0.9)]);
    expect(splitByZone(touch, index)).toEqual([{ zoneId: null, from: START, to: START + 10_000 }]);
    const shared = new ZoneIndex([box('a', 0, 1), box('b', 1, 2)]);
    expect(
      splitByZone(trackOf([at(0, 0.5, 0.3), at(7, 1.5, 0.7)]), shared).map(({ zoneId }) => zoneId),
    ).toEqual(['a', 'b']);
  });

  it('gives the same with an index that has the public methods alone', () => {
    fc.assert(
      fc.property(drives(0, 12), zonesArbitrary, (fixes, zones) => {
        const index = indexOf(zones, fixes);
        const plain = {
          at: (position: never) => index.at(position),
          crossing: (a: never, b: never) => index.crossing(a, b),
          ordinalOf: (id: string) => index.ordinalOf(id),
        };
        const track = trackOf(fixes);
        expect(splitByZone(track, plain as never)).toEqual(splitByZone(track, index));
      }),
      { ...runs, numRuns: volume(1000) },
    );
  });
});

describe('measureVisits', () => {
  it('measures each visit by its span, and counts from the visit before', () => {
    fc.assert(
      fc.property(drives(0, 20), zonesArbitrary, (fixes, zones) => {
        const track = trackOf(fixes);
        const meter = meterTrack(track);
        const visits = findVisits(track, indexOf(zones, fixes));
        const measured = measureVisits(visits, meter);
        const last = new Map<string, number | null>();
        for (const [i, { measure, secondsSinceLast, ...visit }] of measured.entries()) {
          expect(visit).toEqual(visits[i]);
          expect(measure).toEqual(meter.between(visit.enter, visit.exit ?? meter.to!));
          if (visit.enter === visit.exit) expect(measure.durationSeconds + measure.distanceMeters).toBe(0);
          // Nothing of a gap is in a visit.
          expect(measure.unmeasuredSeconds).toBe(0);
          const before = last.get(visit.zoneId);
          expect(secondsSinceLast).toBe(before === undefined ? null : (visit.enter - before!) / 1000);
          last.set(visit.zoneId, visit.exit);
        }
      }),
      runs,
    );
  });

  it('refuses what is not a list of visits, or not a meter', () => {
    const meter = meterTrack(trackOf([]));
    expect(errorOf(() => measureVisits({} as never, meter))).toMatchObject({
      code: 'visits-type',
      field: 'visits',
    });
    expect(errorOf(() => measureVisits([{}] as never, meter))).toMatchObject({
      code: 'visit-invalid',
      field: 'visits[0]',
    });
    expect(errorOf(() => measureVisits([], {} as never))).toMatchObject({
      code: 'meter-invalid',
      field: 'meter',
    });
  });
});

describe('sumByZone', () => {
  const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'America/Havana', 'Asia/Tehran', 'Pacific/Apia'];

  it('cuts at local midnight as Temporal does, and the days sum to all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', null), fc.nat(3e5), fc.nat(3e5)), { maxLength: 6 }),
        fc.constantFrom(...ZONES),
        fc.constantFrom('day', 'month'),
        fc.constantFrom('1998-03-28', '2005-10-28', '2011-12-28', '2026-03-27', '2026-10-23'),
        (rows, timeZone, by, date) => {
          const base = Temporal.Instant.from(`${date}T21:30:00Z`).epochMilliseconds;
          const items = rows.map(([zoneId, start, length]) => ({
            zoneId,
            from: base + start * 1000,
            to: base + (start + length) * 1000,
          }));
          const fixes = Array.from({ length: 200 }, (_, i) => ({
            time: base + i * HOUR,
            lon: 37 + i * 1e-3,
            lat: 55,
          }));
          const meter = meterTrack(trackOf(fixes));
          const sums = sumByZone(items, meter, { by: by as 'day', timeZone });
          const wanted = new Map<string, { count: number; seconds: number }>();
          for (const { zoneId, from, to } of items) {
            let start = from;
            do {
              const local = Temporal.Instant.fromEpochMilliseconds(start)
                .toZonedDateTimeISO(timeZone)
                .toPlainDate();
              const dayStart = (day: Temporal.PlainDate): number =>
                day.toZonedDateTime({ timeZone }).epochMilliseconds;
              let day = local;
              // The clocks were set back over midnight: the new day goes on.
              if (dayStart(day.add({ days: 1 })) <= start) day = day.add({ days: 1 });
              const end = Math.min(to, dayStart(day.add({ days: 1 })));
              const key = `${zoneId} ${by === 'day' ? day.toString() : day.toString().slice(0, 7)}`;
              const sum = wanted.get(key) ?? { count: 0, seconds: 0 };
              wanted.set(key, {
                count: sum.count + (start === from ? 1 : 0),
                seconds: sum.seconds + (end - start) / 1000,
              });
              start = end;
            } while (start < to);
          }
          const found = sums.map(({ zoneId, period, count, measure }) => [
            `${zoneId} ${period}`,
            { count, seconds: measure.durationSeconds },
          ]);
          expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
          expect(found.length).toBe(wanted.size);
          const all = sumByZone(items, meter);
          for (const { zoneId, count, measure, period } of all) {
            const own = sums.filter((row) => row.zoneId === zoneId);
            expect(period).toBe(null);
            expect(own.reduce((sum, row) => sum + row.count, 0)).toBe(count);
            expectClose(sumOf(own.map((row) => row.measure)), measure);
          }
        },
      ),
      { ...runs, numRuns: volume(2000) },
    );
  });

  it('sorts by period, then by the first span of the zone, and takes open visits up to the last fix', () => {
    const day = 24 * HOUR;
    const fixes = [0, 1, 2].map((i) => ({ time: START + i * day, lon: 37, lat: 55 }));
    const meter = meterTrack(trackOf(fixes));
    const span = (
      zoneId: string | null,
      from: number,
      to: number,
    ): { zoneId: string | null; from: number; to: number } => ({
      zoneId,
      from: START + from,
      to: START + to,
    });
    const open = { zoneId: 'c', enter: START + 2 * day - HOUR, exit: null };
    const sums = sumByZone(
      [span('b', 0, day), span('a', HOUR, 2 * HOUR), span(null, day, day), open],
      meter,
      { by: 'day' },
    );
    expect(sums.map(({ zoneId, period, count }) => [zoneId, period, count])).toEqual([
      ['b', '2026-03-02', 1],
      ['a', '2026-03-02', 1],
      ['b', '2026-03-03', 0],
      [null, '2026-03-03', 1],
      ['c', '2026-03-04', 1],
    ]);
    expect(sums.at(-1)!.measure.durationSeconds).toBe(3600);
  });

  it('refuses wrong spans, options and zones of time', () => {
    const meter = meterTrack(trackOf([]));
    expect(errorOf(() => sumByZone(5 as never, meter))).toMatchObject({ code: 'spans-type', field: 'items' });
    expect(errorOf(() => sumByZone([{ zoneId: 'a', from: 2, to: 1 }], meter))).toMatchObject({
      code: 'span-invalid',
      field: 'items[0]',
    });
    expect(errorOf(() => sumByZone([], meter, { timeZone: 'Mars' }))).toMatchObject({
      code: 'tz-unknown',
      field: 'options.timeZone',
    });
    expect(errorOf(() => sumByZone([], meter, { by: 'week' } as never))).toMatchObject({
      code: 'option-value',
      field: 'options.by',
    });
    expect(errorOf(() => sumByZone([], 5 as never))).toMatchObject({ code: 'meter-invalid' });
  });
});

describe('findRides', () => {
  const visit = (zoneId: string, enter: number, exit: number | null): Visit => ({
    zoneId,
    seen: 'inside',
    end: exit === null ? 'open' : 'left',
    enter,
    exit,
    enterBounds: [enter - 1, enter],
    exitBounds: exit === null ? null : [exit, exit + 1],
    fixCount: 1,
  });

  it('equals the rule read word by word', () => {
    const ids = ['a', 'b', 'c'];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...ids), fc.nat(12), fc.option(fc.nat(4))), { maxLength: 9 }),
        fc.option(fc.subarray(ids)),
        fc.option(fc.subarray(ids)),
        fc.nat(2),
        fc.boolean(),
        (rows, from, to, minStaySeconds, allowCircle) => {
          const visits = rows
            .map(([id, enter, length]) =>
              visit(id, enter * 1000, length === null ? null : (enter + length) * 1000),
            )
            .sort((a, b) => a.enter - b.enter);
          const kept = visits.filter(
            ({ enter, exit }) => exit === null || exit - enter >= minStaySeconds * 1000,
          );
          const entries = [
            ...kept
              .filter(
                ({ zoneId, exit, enter }) => exit !== null && exit > enter && (from ?? ids).includes(zoneId),
              )
              .map((v) => ({ v, at: v.exit!, is: 'departure', rank: 0 })),
            ...kept
              .filter(({ zoneId }) => (to ?? ids).includes(zoneId))
              .map((v) => ({ v, at: v.enter, is: 'arrival', rank: 1 })),
            ...kept
              .filter(({ zoneId, exit, enter }) => exit === enter && (from ?? ids).includes(zoneId))
              .map((v) => ({ v, at: v.exit!, is: 'departure', rank: 2 })),
          ];
          entries.sort((a, b) => a.at - b.at || a.rank - b.rank);
          const wanted = entries.flatMap((one, i) => {
            const next = entries[i + 1];
            const isRide =
              one.is === 'departure' &&
              next?.is === 'arrival' &&
              (allowCircle || one.v.zoneId !== next.v.zoneId);
            return isRide ? [[one.v.zoneId, next.v.zoneId, one.at, next.at]] : [];
          });
          const rides = findRides(visits, {
            ...(from && { from }),
            ...(to && { to }),
            minStaySeconds,
            allowCircle,
          });
          expect(rides.map((ride) => [ride.fromZoneId, ride.toZoneId, ride.from, ride.to])).toEqual(wanted);
          for (const ride of rides)
            expect([ride.fromBounds[0], ride.toBounds[1]]).toEqual([ride.from, ride.to]);
        },
      ),
      { ...runs, numRuns: volume(20_000) },
    );
  });

  it('refuses wrong options and visits', () => {
    expect(errorOf(() => findRides([], { from: 'a' } as never))).toMatchObject({
      code: 'option-value',
      field: 'options.from',
    });
    expect(errorOf(() => findRides([], { to: [5] } as never))).toMatchObject({
      code: 'option-value',
      field: 'options.to[0]',
    });
    expect(errorOf(() => findRides([{ zoneId: 'a', enter: 1, exit: 2 }] as never))).toMatchObject({
      code: 'visit-invalid',
    });
    expect(errorOf(() => findRides(null as never))).toMatchObject({ code: 'visits-type' });
  });
});

it('has zones of every kind in these tests', () => {
  expect(PLACES.map(({ type }) => type.key).sort()).toEqual([
    'circle',
    'circle',
    'line',
    'point',
    'polygon',
    'polygon',
  ]);
});
