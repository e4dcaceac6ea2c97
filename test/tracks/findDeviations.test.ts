import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { type Position, signedDistanceMeters, ZoneIndex } from '../../src/index.js';
import {
  type Deviation,
  type DeviationOptions,
  findDeviations,
  findVisits,
  readTrack,
} from '../../src/tracks/index.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { fixAt, METERS_PER_DEGREE_LAT, METERS_PER_DEGREE_LON, START } from './planeIndex.js';

function at(x: number, y: number): Position {
  return [10 + x / METERS_PER_DEGREE_LON, y / METERS_PER_DEGREE_LAT];
}

/** Along x from 0 to 1000 m. */
const LINE: Position[] = [at(0, 0), at(1000, 0)];
/** Two parallel arms, 400 m apart: the middle between them is 200 m from both. */
const HAIRPIN: Position[] = [at(0, 0), at(2000, 0), at(2000, 400), at(0, 400)];

function deviations(
  fixes: readonly Fix[],
  options?: DeviationOptions,
  line: readonly Position[] = LINE,
  width = 100,
): Deviation[] {
  return findDeviations(readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY }), line, width, options);
}

/** `20 40: 100` in seconds and rounded metres. */
function short(list: readonly Deviation[]): string[] {
  return list.map(
    ({ from, to, maxMeters }) => `${(from - START) / 1000} ${(to - START) / 1000}: ${maxMeters.toFixed(2)}`,
  );
}

describe('findDeviations', () => {
  it('finds where a track is outside the corridor, and how far from the line', () => {
    const fixes = [fixAt(0, 0, 0), fixAt(100, 100, 100), fixAt(200, 200, 0), fixAt(300, 300, 0)];
    expect(short(deviations(fixes))).toEqual(['50 150: 100.00']);
    expect(short(deviations(fixes, { lineWidth: 'each-side' }, LINE, 101))).toEqual([]);
    expect(short(deviations(fixes, {}, LINE, 50))).toEqual(['25 175: 100.00']);
  });

  it('finds nothing for a track inside and for an empty track; the boundary is inside', () => {
    expect(deviations([])).toEqual([]);
    expect(deviations([fixAt(0, 0), fixAt(60, 900, 40)])).toEqual([]);
    expect(deviations([fixAt(0, 500, 49.9999), fixAt(60, 500, 0)])).toEqual([]);
  });

  it('measures from the position of a line whose positions are all equal', () => {
    const fixes = [fixAt(0, 500, -1000), fixAt(60, 500, 300), fixAt(120, 800, 0)];
    for (const count of [2, 3, 200]) {
      const line = Array.from({ length: count }, () => at(500, 0));
      expect(short(deviations(fixes, {}, line))).toEqual(['0 43.846: 1000.00', '48.462 120: 300.00']);
    }
  });

  it('also finds the greatest distance between two fixes', () => {
    const fixes = [fixAt(0, -100, 0), fixAt(60, -100, 0)];
    expect(short(deviations(fixes))).toEqual(['0 60: 100.00']);
    // From arm to arm: both fixes are in the corridor, the middle between them is 200 m from either arm.
    expect(short(deviations([fixAt(0, 500, 0), fixAt(400, 500, 400)], {}, HAIRPIN))).toEqual([
      '50 350: 200.00',
    ]);
    // Hardly more degrees to the east than to the north.
    const east = (401 * METERS_PER_DEGREE_LON) / METERS_PER_DEGREE_LAT;
    expect(short(deviations([fixAt(0, 500, 0), fixAt(400, 500 + east, 400)], {}, HAIRPIN))).toEqual([
      '50 350: 200.00',
    ]);
  });

  it('follows a unit along one parallel or one meridian', () => {
    const across: Position[] = [at(0, -500), at(0, 500)];
    const eastward = [fixAt(0, -100, 0), fixAt(40, -60, 0), fixAt(240, 140, 0), fixAt(300, 140, 0)];
    expect(short(deviations(eastward, {}, across))).toEqual(['0 50: 100.00', '150 300: 140.00']);
    const northward = [fixAt(0, 500, -100), fixAt(40, 500, -60), fixAt(240, 500, 140), fixAt(300, 500, 140)];
    expect(short(deviations(northward))).toEqual(['0 50: 100.00', '150 300: 140.00']);
  });

  it('begins at the first fix and ends at the last one if these are outside', () => {
    const fixes = [
      fixAt(0, 100, 80),
      fixAt(10, 200, 80),
      fixAt(20, 300, 20),
      fixAt(30, 400, 120),
      fixAt(40, 500, 120),
    ];
    expect(short(deviations(fixes))).toEqual(['0 15: 80.00', '23 40: 120.00']);
    expect(short(deviations([fixAt(0, 100, 80)]))).toEqual(['0 0: 80.00']);
  });

  it('counts deviations of at least minSeconds that exceed the exit buffer', () => {
    const fixes = [fixAt(0, 0, 0), fixAt(100, 100, 100), fixAt(200, 200, 0)];
    expect(short(deviations(fixes, { minSeconds: 100 }))).toEqual(['50 150: 100.00']);
    expect(deviations(fixes, { minSeconds: 100.001 })).toEqual([]);
    expect(deviations(fixes, { exitBufferMeters: 50.01 })).toEqual([]);
    expect(short(deviations(fixes, { exitBufferMeters: 49.99 }))).toEqual(['50 150: 100.00']);
  });

  it('is divided by a fix in the corridor, but not by a touch between two fixes', () => {
    const out = [fixAt(0, 100, 80), fixAt(10, 200, 0), fixAt(20, 300, 80)];
    expect(deviations(out)).toHaveLength(2);
  });

  it('is cut by a gap', () => {
    const fixes = [fixAt(0, 100, 80), fixAt(60, 200, 90), fixAt(3661, 300, 100), fixAt(3700, 300, 100)];
    expect(short(deviations(fixes))).toEqual(['0 60: 90.00', '3661 3700: 100.00']);
    expect(short(deviations(fixes, { maxGapSeconds: 3601 }))).toEqual(['0 3700: 100.00']);
    const half = [10, -170].map((lon, i) => ({ time: START + i * 1000, lon, lat: 1 }));
    expect(deviations(half)).toHaveLength(2);
  });

  it('reads the line in its own axis order', () => {
    const swapped = LINE.map(([lon, lat]): Position => [lat, lon]);
    const fixes = [fixAt(0, 100, 80), fixAt(60, 200, 80)];
    expect(deviations(fixes, { axisOrder: 'latlon' }, swapped)).toEqual(deviations(fixes));
  });

  it('finds the greatest distance of a dense walk, within a centimetre, anywhere on Earth', () => {
    let compared = 0;
    for (let seed = 0; seed < volume(400); seed++) {
      const random = seeded(seed);
      const [lon0, lat0] = [random() * 360 - 180, random() * 140 - 70];
      const spread = seed % 4 === 0 ? 1 : 0.002 + 0.03 * random();
      const near = (): Position => {
        const lon = lon0 + ((random() - 0.5) * spread) / Math.cos((lat0 * Math.PI) / 180);
        return [lon > 180 ? lon - 360 : lon <= -180 ? lon + 360 : lon, lat0 + (random() - 0.5) * spread];
      };
      const line = Array.from({ length: 6 }, near);
      const width = 40 + 200 * random();
      const fixes = Array.from({ length: 3 }, (_, i) => {
        const [lon, lat] = near();
        return { time: START + i * 60_000, lon, lat };
      });
      const shape = { type: { key: 'line' }, geometry: line, width } as const;
      for (const { from, to, maxMeters } of deviations(fixes, {}, line, width)) {
        compared++;
        let most = 0;
        for (let k = 0; k <= 400; k++) {
          const time = from + ((to - from) * k) / 400;
          most = Math.max(most, signedDistanceMeters(shape, positionAt(fixes, time)) + width / 2);
        }
        // The walk has steps of some metres, so it may miss the maximum by half a step.
        const step = (spread * 111_000 * 3) / 400;
        expect(maxMeters, `seed ${seed}`).toBeGreaterThan(most - Math.max(0.01, 1e-5 * most) - 1e-3);
        expect(maxMeters, `seed ${seed}`).toBeLessThan(most + step);
      }
    }
    expect(compared).toBeGreaterThan(volume(400) / 2);
  });

  it('is the complement of the visits to the corridor', () => {
    for (let seed = 0; seed < volume(400); seed++) {
      const random = seeded(50_000 + seed);
      const fixes = Array.from({ length: 12 }, (_, i) =>
        fixAt(60 * i, 1200 * random() - 100, (random() - 0.5) * 300),
      );
      const track = readTrack(fixes);
      const index = new ZoneIndex([{ id: 'line', type: { key: 'line' }, geometry: LINE, width: 100 }]);
      const visits = findVisits(track, index, { maxCrossedMeters: Number.POSITIVE_INFINITY });
      const rest: number[][] = [];
      let time = track.time[0]!;
      for (const { enter, exit } of visits) {
        if (enter > time) rest.push([time, enter]);
        time = exit ?? Number.POSITIVE_INFINITY;
      }
      if (time < track.time.at(-1)!) rest.push([time, track.time.at(-1)!]);
      const found = deviations(fixes)
        .filter(({ from, to }) => to > from)
        .map(({ from, to }) => [from, to]);
      expect(found, `seed ${50_000 + seed}`).toEqual(rest);
    }
  });

  it('names the invalid argument', () => {
    const fixes = [fixAt(0, 0)];
    expect(errorOf(() => deviations(fixes, {}, []))).toMatchObject({
      code: 'line-too-short',
      field: 'geometry',
    });
    expect(errorOf(() => deviations(fixes, {}, LINE, -1))).toMatchObject({ code: 'width-range' });
    expect(errorOf(() => deviations(fixes, {}, [at(0, 0), [0, 91]]))).toMatchObject({ code: 'lat-range' });
    for (const name of ['minSeconds', 'exitBufferMeters', 'maxGapSeconds']) {
      expect(errorOf(() => deviations(fixes, { [name]: -1 }))).toMatchObject({
        code: 'option-value',
        field: `options.${name}`,
      });
    }
    expect(errorOf(() => deviations(fixes, 7 as never))).toMatchObject({ code: 'option-type' });
    expect(errorOf(() => findDeviations({} as never, LINE, 100))).toMatchObject({ code: 'track-invalid' });
  });
});

/** Straight in lon/lat between fixes that are one minute apart. */
function positionAt(fixes: readonly { lon: number; lat: number }[], time: number): Position {
  const at = Math.min((time - START) / 60_000, fixes.length - 1);
  const i = Math.min(Math.floor(at), fixes.length - 2);
  const [a, b] = [fixes[i]!, fixes[i + 1]!];
  const turn = b.lon - a.lon > 180 ? -360 : b.lon - a.lon < -180 ? 360 : 0;
  const lon = a.lon + (at - i) * (b.lon + turn - a.lon);
  return [lon > 180 ? lon - 360 : lon <= -180 ? lon + 360 : lon, a.lat + (at - i) * (b.lat - a.lat)];
}
