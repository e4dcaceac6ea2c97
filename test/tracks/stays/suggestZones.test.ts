import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geodesicDistance } from '../../../src/geodesy/distanceMeters.js';
import { ZoneIndex } from '../../../src/index.js';
import { suggestZones, type UnitStay } from '../../../src/tracks/index.js';
import { NearTree } from '../../../src/tracks/stays/nearTree.js';
import { errorOf } from '../../errorOf.js';
import { volume } from '../../volume.js';
import { METERS_PER_DEGREE_LAT, METERS_PER_DEGREE_LON, START } from '../planeIndex.js';

const DAY = 86_400_000;

function stay(day: number, x: number, y = 0, unitId = 'van', minutes = 10): UnitStay {
  const from = START + day * DAY;
  const centre = [10 + x / METERS_PER_DEGREE_LON, y / METERS_PER_DEGREE_LAT] as const;
  return { unitId, from, to: from + minutes * 60_000, centre };
}

describe('suggestZones', () => {
  it('suggests a circle around the stays of several days', () => {
    const stays = [
      stay(0, 0),
      stay(1, 10),
      stay(2, 20, 0, 'truck', 30),
      stay(3, 5000),
      stay(3, 60, 0, 'bus', 20),
    ];
    const [zone, ...none] = suggestZones(stays);
    expect(none).toEqual([]);
    expect(zone).toMatchObject({ visits: 4, days: 4, units: 3, medianStaySeconds: 900 });
    expect(zone!.shape).toMatchObject({ type: { key: 'circle' } });
    // 45 m from the median to the farthest.
    expect(zone!.shape.width).toBeCloseTo(65, 3);
    expect(suggestZones([])).toEqual([]);
  });

  it('leaves out places with too few visits or days', () => {
    const stays = [0, 0.1, 0.2].map((day) => stay(day, 0));
    expect(suggestZones(stays)).toEqual([]);
    expect(suggestZones(stays, { minDays: 1 })).toHaveLength(1);
    expect(suggestZones(stays, { minDays: 1, minVisits: 4 })).toEqual([]);
    // Midnight of Kamchatka lies between the first two.
    expect(
      suggestZones([stay(0, 0), stay(0.6, 0), stay(0.7, 0)], { timeZone: 'Asia/Kamchatka' }),
    ).toHaveLength(1);
  });

  it('makes a row of places of a street of stays', () => {
    const street = Array.from({ length: 60 }, (_, i) => stay(i % 5, 20 * i));
    const zones = suggestZones(street);
    expect(zones.length).toBeGreaterThan(4);
    for (const { shape } of zones) expect(shape.width).toBeLessThanOrEqual(95);
    expect(zones.map(({ visits }) => visits)).toEqual(
      zones.map(({ visits }) => visits).sort((a, b) => b - a),
    );
  });

  it('leaves out stays in known zones', () => {
    const stays = [0, 1, 2].flatMap((day) => [stay(day, 0), stay(day, 1000)]);
    const known = new ZoneIndex([
      { id: 'depot', type: { key: 'circle' }, geometry: [stay(0, 0).centre], width: 100 },
    ]);
    expect(suggestZones(stays)).toHaveLength(2);
    expect(suggestZones(stays, { known }).map(({ shape }) => shape.geometry[0])).toEqual([
      stay(0, 1000).centre,
    ]);
  });

  it('suggests the same over the antimeridian, and in any order', () => {
    const at = (lon: number, day: number): UnitStay => ({ ...stay(day, 0), centre: [lon, 60] });
    const stays = [at(179.9999, 0), at(-179.9999, 1), at(180, 2), at(-180, 3)];
    const [zone] = suggestZones(stays);
    expect(zone!.visits).toBe(4);
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.integer({ min: 0, max: 9 }),
            fc.integer({ min: 0, max: 400 }),
            fc.integer({ min: 0, max: 200 }),
          ),
        ),
        fc.func(fc.integer()),
        (rows, key) => {
          const all = rows.map(([day, x, y], i) => stay(day, x, y, `unit ${i % 3}`));
          const other = all.map((item, i) => [key(i), item] as const).sort((a, b) => a[0] - b[0]);
          expect(suggestZones(other.map(([, item]) => item))).toEqual(suggestZones(all));
        },
      ),
      { numRuns: volume(2000) },
    );
  });

  it('refuses what is no list of stays', () => {
    expect(errorOf(() => suggestZones({} as never))).toMatchObject({ code: 'visits-type' });
    for (const given of [null, { ...stay(0, 0), unitId: 1 }, { ...stay(0, 0), to: 0 }])
      expect(errorOf(() => suggestZones([given as never]))).toMatchObject({ code: 'visit-invalid' });
    expect(errorOf(() => suggestZones([{ ...stay(0, 0), centre: [0, 91] }]))).toMatchObject({
      field: expect.stringMatching(/^stays\[0\]\.centre/),
    });
    expect(errorOf(() => suggestZones([], { linkMeters: 0 }))).toMatchObject({ code: 'option-value' });
    expect(errorOf(() => suggestZones([], { timeZone: 'Mars' }))).toMatchObject({ code: 'tz-unknown' });
    expect(errorOf(() => suggestZones([], { known: [] as never }))).toMatchObject({ code: 'index-type' });
  });
});

describe('NearTree', () => {
  it('finds what a comparison with every position finds, anywhere', () => {
    const spot = fc.record({
      lon: fc.oneof(fc.constant(10), fc.constant(180), fc.constant(-180)),
      lat: fc.oneof(
        fc.constant(0),
        fc.constant(59.9),
        fc.constant(84),
        fc.constant(89.9999),
        fc.constant(-90),
      ),
    });
    const offsets = fc.array(
      fc.tuple(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -300, max: 300 })),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(spot, offsets, fc.integer({ min: 1, max: 150 }), ({ lon, lat }, list, limit) => {
        const scale = Math.max(0.001, Math.cos((lat * Math.PI) / 180));
        const positions = list.map(([x, y]): [number, number] => {
          const east = lon + x / METERS_PER_DEGREE_LON / scale;
          const wrapped = east > 180 ? east - 360 : east < -180 ? east + 360 : east;
          return [wrapped, Math.max(-90, Math.min(90, lat + y / METERS_PER_DEGREE_LAT))];
        });
        const tree = new NearTree(positions, limit);
        const near = (i: number): number[] =>
          positions.flatMap(([otherLon, otherLat], j) => {
            const meters = geodesicDistance(positions[i]![0], positions[i]![1], otherLon, otherLat);
            return meters <= limit ? [j] : [];
          });
        for (let i = 0; i < positions.length; i++) expect(tree.near(positions[i]!)).toEqual(near(i));
        const counts = positions.map((_, i) => near(i).length);
        const densest = positions.length === 0 ? null : counts.indexOf(Math.max(...counts));
        expect(tree.densest()).toBe(densest);
      }),
      { numRuns: volume(4000) },
    );
  });
});
