import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { detectTrips, type MovementItem, readTrack } from '../../src/tracks/index.js';
import { fixAt, START } from './planeIndex.js';
import { allSpans, fixesOf, PLAIN, report, spans } from './shortDrives.js';

describe('detectTrips, by hand', () => {
  it('finds a trip from the last fix at rest to the first one of the parking after it', () => {
    const { trips, parkings, stops } = report(PLAIN);
    expect(trips).toHaveLength(1);
    const [lon, lat] = [PLAIN[2]!.lon, PLAIN[2]!.lat];
    expect(trips[0]).toMatchObject({
      from: START + 600_000,
      to: START + 900_000,
      start: [lon, lat],
      end: [PLAIN[7]!.lon, PLAIN[7]!.lat],
      durationSeconds: 300,
      maxSpeedKph: 40,
    });
    expect(trips[0]!.distanceMeters).toBeCloseTo(3000, 3);
    expect(spans(parkings)).toEqual(['0 10', '15 25']);
    expect(parkings[0]).toMatchObject({ distanceMeters: 0, maxSpeedKph: 0, durationSeconds: 600 });
    expect(stops).toEqual([]);
  });

  it('finds no trip for no fix, one fix or one place', () => {
    const none = { trips: [], parkings: [], stops: [], unknown: [], issues: [] };
    expect(report([])).toEqual(none);
    expect(report([fixAt(0, 0)])).toEqual(none);
    expect(allSpans(report([fixAt(0, 0), fixAt(300, 0)]))).toEqual({
      trips: [],
      parkings: ['0 5'],
      stops: [],
    });
    expect(report([fixAt(0, 0), fixAt(300, 0)]).parkings[0]).toMatchObject({ maxSpeedKph: 0 });
    expect(report([fixAt(0, 0), fixAt(0, 5), fixAt(0, 9)])).toEqual(none);
  });

  it('counts values equal to minmovespeed and minparktime as reached', () => {
    const slow = fixesOf([
      ...[0, 5].map((m) => [m, 0, 0] as const),
      [6, 50, 3],
      [7, 100, 3],
      [8, 150, 2.99],
      [13, 150, 0],
    ]);
    expect(allSpans(report(slow))).toEqual({ trips: ['5 8'], parkings: ['0 5', '8 13'], stops: [] });
    // Displacement decides, whatever the speeds: the bounds alone are those of a unit at rest.
    expect(allSpans(report(slow, { tripdetector_minmovespeed: 3.01 }))).toEqual({
      trips: ['6 7'],
      parkings: ['0 6', '7 13'],
      stops: [],
    });
    expect(spans(report(slow, { tripdetector_minparktime: 361 }).parkings)).toEqual([]);
  });

  it('tells a parked unit with a stale speed from a frozen receiver by the next position, and not before', () => {
    // Ten minutes at rest, ten on the way, one position for twenty minutes at 36 km/h; then ten minutes on the way from there, or 12 km on.
    const way = (minute: number, x: number): (readonly [number, number, number])[] =>
      Array.from({ length: 40 }, (_, i) => [minute + (i + 1) / 4, x + 150 * (i + 1), 36]);
    const held = Array.from({ length: 80 }, (_, i) => [20 + (i + 1) / 4, 6000, 36] as const);
    const begin = [...[0, 5, 10].map((minute) => [minute, 0, 0] as const), ...way(10, 0), ...held];
    const found = (rows: Parameters<typeof fixesOf>[0]): object =>
      allSpans(report(fixesOf(rows), {}, { jump: 'speed' }));
    expect(found([...begin, ...way(40, 6000)])).toMatchObject({
      trips: ['10 20', '40.25 50'],
      parkings: ['0 10', '20 40.25'],
    });
    expect(found([...begin, ...way(40, 18_000)])).toMatchObject({ trips: ['10 50'], parkings: ['0 10'] });
    expect(found(begin)).toMatchObject({ trips: ['10 20'], parkings: ['0 10'] });
  });

  it('parks a unit that fell silent on the way where it rests after the silence', () => {
    const bus = fixesOf([
      [0, 0, 40],
      [1, 600, 40],
      [15, 950, 0],
      [20, 950, 0],
      [30, 950, 0],
    ]);
    const [parking] = report(bus).parkings;
    expect([parking!.from, parking!.to]).toEqual([START + 60_000, START + 1_800_000]);
    const [, , there] = bus;
    expect(parking!.centre).toEqual([there!.lon, there!.lat]);
    // Without a witness, and after a drive that ended before the silence, it is where the silence began.
    const [, first] = bus;
    for (const speedKph of [0, undefined]) {
      const rows = bus.map((fix, i) =>
        i === 1
          ? { time: fix.time, lon: fix.lon, lat: fix.lat, ...(speedKph !== undefined && { speedKph }) }
          : fix,
      );
      expect(report(rows).parkings[0]!.centre).toEqual([first!.lon, first!.lat]);
    }
  });

  it('distinguishes stops and parkings by their duration', () => {
    const rows = fixesOf([
      [0, 0, 0],
      [5, 0, 0],
      [6, 600, 36],
      [7, 900, 0],
      [11, 900, 0],
      [12, 1500, 36],
      [13, 2000, 0],
      [14, 2600, 36],
      [15, 3000, 0],
      [20, 3000, 0],
    ]);
    expect(allSpans(report(rows))).toEqual({
      trips: ['5 15'],
      parkings: ['0 5', '15 20'],
      stops: ['7 11'],
    });
    expect(allSpans(report(rows, { tripdetector_minparktime: 240 }))).toEqual({
      trips: ['5 7', '11 15'],
      parkings: ['0 5', '7 11', '15 20'],
      stops: [],
    });
  });

  it('drops a trip that is too short in time or distance, and joins the parkings around it', () => {
    const hop = fixesOf([
      [0, 0, 0],
      [5, 0, 0],
      [6, 90, 5],
      [7, 95, 0],
      [12, 95, 0],
    ]);
    expect(allSpans(report(hop))).toEqual({ trips: [], parkings: ['0 12'], stops: [] });
    expect(report(hop).parkings[0]).toMatchObject({ maxSpeedKph: 5 });
    expect(report(hop).parkings[0]!.distanceMeters).toBeCloseTo(95, 3);
    expect(spans(report(hop, { tripdetector_mintripdist: 94.9 }).trips)).toEqual(['5 7']);
    expect(report(hop, { tripdetector_mintripdist: 0, tripdetector_mintriptime: 121 }).trips).toEqual([]);
    expect(spans(report(hop, { tripdetector_mintripdist: 0, tripdetector_mintriptime: 120 }).trips)).toEqual([
      '5 7',
    ]);
  });

  it('joins parkings whose last and next places are near, however far from there the first one began', () => {
    // 45 m within the place after 20 minutes, and 85 m farther after half an hour.
    const metersAt = (second: number): number => {
      if (second < 1890) return 45 * Math.min(1, Math.max(0, (second - 1200) / 10));
      return second < 2690 ? 45 + 85 * Math.min(1, (second - 1890) / 100) : 130 + 15 * (second - 2690);
    };
    const yard = Array.from({ length: 320 }, (_, i) => fixAt(10 * i, metersAt(10 * i), 0, { speedKph: 0 }));
    expect(report(yard).parkings.map(({ from, to }) => [from - START, to - START])).toEqual([[0, 2_690_000]]);
  });

  it('joins parts across short rests before it drops short trips: several short hops are one trip', () => {
    const rows = fixesOf([
      [0, 0, 0],
      [5, 0, 0],
      [6, 60, 5],
      [7, 60, 0],
      [8, 120, 5],
      [9, 120, 0],
      [14, 120, 0],
    ]);
    expect(allSpans(report(rows))).toEqual({ trips: ['5 9'], parkings: ['0 5', '9 14'], stops: ['6 7'] });
  });

  it('drops the stops with the trip', () => {
    const rows = fixesOf([
      [0, 0, 0],
      [5, 0, 0],
      [6, 20, 5],
      [7, 20, 0],
      [8, 40, 5],
      [9, 40, 0],
      [14, 40, 0],
    ]);
    expect(allSpans(report(rows))).toEqual({ trips: [], parkings: ['0 14'], stops: [] });
  });

  it('cuts at a gap longer than maxintervalmsg, whose step does not count', () => {
    const rows = fixesOf([
      [0, 0, 36],
      [1, 600, 36],
      [62, 1200, 36],
      [63, 1800, 36],
    ]);
    const { trips } = report(rows);
    expect(spans(trips)).toEqual(['0 1', '62 63']);
    expect(trips[1]!.distanceMeters).toBeCloseTo(600, 3);
    // 600 m in 61 minutes: the unit stood for most of them.
    expect(allSpans(report(rows, { advanced_maxintervalmsg: 3660 }))).toEqual({
      trips: ['0 1', '62 63'],
      parkings: ['1 62'],
      stops: [],
    });
    expect(report(rows).unknown).toEqual([]);
    const far = rows.map((fix, i) => (i < 2 ? fix : { ...fix, lon: fix.lon + 0.02 }));
    const found = report(far);
    expect(spans(found.trips)).toEqual(['0 1', '62 63']);
    expect(found.unknown).toMatchObject([{ reason: 'gap', durationSeconds: 3660 }]);
  });

  it('continues a rest over a gap if the unit is at the same place', () => {
    const asleep = fixesOf([
      [0, 0, 36],
      [1, 600, 36],
      [2, 900, 0],
      [600, 1099, 0],
      [601, 1700, 36],
      [602, 2300, 36],
    ]);
    expect(allSpans(report(asleep))).toEqual({ trips: ['0 2', '600 602'], parkings: ['2 600'], stops: [] });
    const away = (x: number): Fix[] =>
      fixesOf([
        [0, 0, 36],
        [1, 600, 36],
        [2, 900, 0],
        [600, x, 0],
        [605, x, 0],
      ]);
    expect(allSpans(report(away(1890)))).toEqual({ trips: ['0 2'], parkings: ['2 605'], stops: [] });
    expect(allSpans(report(away(1910)))).toEqual({ trips: ['0 2'], parkings: ['600 605'], stops: [] });
  });

  it('cuts at a jump longer than maxdistancemsg, or with `jump: speed` only at a jump that is too fast', () => {
    const rows = fixesOf([
      [0, 0, 90],
      [1, 900, 90],
      [2, 2400, 90],
      [3, 3300, 90],
      [3.1, 4600, 90],
      [5, 5500, 90],
    ]);
    expect(spans(report(rows).trips)).toEqual(['0 1', '2 3', '3.1 5']);
    expect(spans(report(rows, {}, { jump: 'speed' }).trips)).toEqual(['0 3', '3.1 5']);
    expect(spans(report(rows, {}, { jump: 'speed', maxJumpSpeedKph: 80 }).trips)).toEqual([
      '0 1',
      '2 3',
      '3.1 5',
    ]);
    expect(spans(report(rows, { tripdetector_maxdistancemsg: 1501 }).trips)).toEqual(['0 5']);
  });

  it('a rest at the end of a piece that is too short for a parking is in no list', () => {
    const rows = fixesOf([
      [0, 0, 0],
      [4, 0, 0],
      [5, 600, 36],
      [6, 1200, 36],
      [7, 1500, 0],
      [11, 1500, 0],
    ]);
    expect(allSpans(report(rows))).toEqual({ trips: ['4 7'], parkings: [], stops: [] });
  });

  it('uses ignition and speed if configured; fixes without ignition are decided by speed', () => {
    const rows = PLAIN.map((fix, i) => ({ ...fix, ...(i !== 4 && { ignition: i >= 3 && i < 6 }) }));
    expect(allSpans(report(rows))).toMatchObject({ trips: ['10 15'] });
    expect(allSpans(report(rows, { key_tripdetector_movedetect: 'ignition' }))).toEqual({
      trips: ['10 15'],
      parkings: ['0 10', '15 25'],
      stops: [],
    });
    const withoutIgnition = PLAIN.map((fix) => ({ ...fix }));
    expect(report(withoutIgnition, { key_tripdetector_movedetect: 'ignition' })).toEqual(report(PLAIN));
  });

  it('uses the speed of each step if fixes have none', () => {
    const bare = PLAIN.map(({ time, lon, lat }) => ({ time, lon, lat }));
    const { trips, parkings } = report(bare);
    expect(spans(trips)).toEqual(['10 15']);
    expect(spans(parkings)).toEqual(['0 10', '15 25']);
    expect(trips[0]!.maxSpeedKph).toBeCloseTo(36, 3);
    const jump = report(
      fixesOf([
        [0, 0, null],
        [1, 5000, null],
      ]),
    );
    expect(jump).toMatchObject({ trips: [], parkings: [], stops: [], unknown: [{ reason: 'jump' }] });
  });

  it('gpscorrect removes the drift of a parked unit from distances and fixes its position', () => {
    const rows = fixesOf([
      [0, 0, 0],
      [2, 20, 1],
      [4, -20, 1],
      [6, 10, 0],
      [7, 610, 36],
      [8, 700, 0],
      [9, 720, 0],
      [10, 1300, 36],
      [11, 1350, 0],
      [16, 1400, 0],
    ]);
    const plain = report(rows);
    const pinned = report(rows, { tripdetector_gpscorrect: '1' });
    expect(allSpans(pinned)).toEqual(allSpans(plain));
    const rounded = (items: readonly MovementItem[]): number[] =>
      items.map(({ distanceMeters }) => Math.round(distanceMeters * 1000) / 1000);
    expect([plain.trips, plain.parkings, plain.stops].map(rounded)).toEqual([[1340], [90, 50], [20]]);
    expect([pinned.trips, pinned.parkings, pinned.stops].map(rounded)).toEqual([[1320], [0, 0], [0]]);
    for (const { start, end } of [...pinned.parkings, ...pinned.stops]) expect(end).toEqual(start);
    expect(plain.parkings[0]!.end).not.toEqual(plain.parkings[0]!.start);
    expect(pinned.trips[0]!.start).toEqual([rows[3]!.lon, rows[3]!.lat]);
  });

  it('mileagecoeff multiplies all distances, and decides no trip', () => {
    const [trip] = report(PLAIN, { advanced_mileagecoeff: '1.5' }).trips;
    expect(trip!.distanceMeters).toBeCloseTo(4500, 3);
    expect(report(PLAIN, { advanced_mileagecoeff: 0.01 }).trips[0]!.distanceMeters).toBeCloseTo(30, 3);
  });

  it('follows the unit across the antimeridian and cuts at 180° of longitude', () => {
    const over = [179.99, 179.998, -179.995, -179.989].map((lon, i) => ({
      time: START + i * 60_000,
      lon,
      lat: 0,
      speedKph: 50,
    }));
    const { trips } = report(over);
    expect(trips[0]!.distanceMeters).toBeCloseTo(0.021 * 111_319.4908, 0);
    const half = [-100, 80, 80.01, 80.02].map((lon, i) => ({
      time: START + (i === 0 ? 0 : 6e7 + i * 60_000),
      lon,
      lat: 0,
      speedKph: 50,
    }));
    const huge = { tripdetector_maxdistancemsg: 1e9, advanced_maxintervalmsg: 1e9 };
    expect(spans(report(half, huge).trips)).toEqual(['1001 1003']);
  });
});

describe('jumps that may be drives', () => {
  const hour = (everySeconds: number, kph: number): Fix[] =>
    Array.from({ length: 3600 / everySeconds + 1 }, (_, i) => ({
      time: START + i * everySeconds * 1000,
      lon: 37,
      lat: 50 + (i * everySeconds * kph) / 3.6 / 111_320,
      speedKph: kph,
    }));

  it('are cut by the default of 1,000 m, and counted by an issue', () => {
    const track = readTrack(hour(60, 110));
    const { trips, issues } = detectTrips(track);
    expect(trips).toEqual([]);
    expect(issues).toMatchObject([
      { code: 'jump-plausible', severity: 'warning', field: 'settings.tripdetector_maxdistancemsg' },
    ]);
    expect(issues[0]!.message).toContain('received 60 longer ones up to 200 km/h');
    expect(detectTrips(track, {}, { jump: 'speed' })).toMatchObject({ trips: [{ durationSeconds: 3600 }] });
    expect(detectTrips(track, {}, { jump: 'speed' }).issues).toEqual([]);
    expect(detectTrips(readTrack(hour(30, 110))).issues).toEqual([]);
  });

  it('tells no stop that the rest at the end of its trip takes: the trip ends where that begins', () => {
    // Seconds, metres east and north, km/h. A jump follows the rest.
    const rows: [number, number, number, number | null][] = [
      [0, 0, 0, null],
      [30, -574, 475, 1],
      [35, -634, 483, 44],
      [40, -689, 490, 40],
      [70, -688, 489, 2],
      [100, -685, 486, 2],
      [105, -685, 486, 1],
      [165, -658, 473, 1],
      [225, 452, -45, null],
    ];
    const fixes = rows.map(([seconds, x, y, speedKph]) =>
      fixAt(seconds, x, y, speedKph === null ? {} : { speedKph }),
    );
    const { trips, stops } = detectTrips(readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY }));
    expect(trips.map(({ from, to }) => [(from - START) / 1000, (to - START) / 1000])).toEqual([[0, 70]]);
    expect(stops).toEqual([]);
  });
});
