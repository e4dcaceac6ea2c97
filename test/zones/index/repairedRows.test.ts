/** Rows that need a repair take the fast way in: their shapes and rows equal those of clean rows, and of the one shape reader. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FlatPairs } from '../../../src/core/wire.js';
import { type Geozone, ZoneIndex, zoneContains } from '../../../src/index.js';
import { volume } from '../../volume.js';

type Loose = number[][];

/** Damage that a reader repairs, applied to a list of positions. Each item says at which position. */
const DAMAGE: readonly ((list: Loose, at: number) => Loose)[] = [
  (list, at) => [...list.slice(0, at + 1), [...list[at]!], ...list.slice(at + 1)],
  (list) => list.map((pair, i) => [...pair, i]),
  (list, at) => list.map((pair, i) => (i === at ? [...pair, 7] : pair)),
  (list) => list.map((pair) => [...pair, 0, Number.NaN]),
  (list) => list.map(([lon, lat, ...rest]) => [lon! + 360, lat!, ...rest]),
  (list, at) => list.map(([lon, lat, ...rest], i) => [i === at ? lon! - 360 : lon!, lat!, ...rest]),
  (list) => [...list, [...list[0]!]],
  (list) => [...list, [...list[0]!], [...list[0]!]],
  (list, at) => list.map((pair, i) => (i === at ? [-0, pair[1]!, ...pair.slice(2)] : pair)),
  (list, at) => list.map((pair, i) => (i === at ? ([...pair, 'note'] as unknown as number[]) : pair)),
];

const damages = fc.array(fc.tuple(fc.nat(DAMAGE.length - 1), fc.nat(20)), { maxLength: 4 });
/** Wheels around 0/0, in a city, at ±180 and at a pole. */
const places = fc.constantFrom([0, 0], [37.6, 55.7], [179.999, -17], [-180, 66], [20, 89.999], [-120, -90]);
const kinds = fc.constantFrom('polygon', 'line', 'parts', 'circle', 'point');

function wheel([lon, lat]: readonly number[], corners: number): Loose {
  return Array.from({ length: corners }, (_, i) => {
    const angle = (i / corners) * 2 * Math.PI;
    const y = Math.min(90, Math.max(-90, lat! + 0.01 * Math.sin(angle)));
    return [lon! + 0.01 * Math.cos(angle), y];
  });
}

const damaged = (list: Loose, all: readonly (readonly [number, number])[]): Loose =>
  all.reduce((now, [kind, at]) => DAMAGE[kind]!(now, at % now.length), list);

function rowOf(kind: string, list: Loose, hole: Loose): Geozone {
  const given = { id: 'z', name: 'n', width: 40, type: { key: kind } };
  if (kind === 'circle' || kind === 'point') return { ...given, geometry: [list[0]!] } as never;
  if (kind === 'parts') {
    return { ...given, type: { key: 'polygon' }, geometry: list, parts: [[list, hole]] } as never;
  }
  return { ...given, geometry: list } as never;
}

/** What `make` gives, or the code of its error. */
function outcome<T>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('damaged rows contain what the shape reader says, and come back as given', () => {
  fc.assert(
    fc.property(
      kinds,
      places,
      fc.integer({ min: 3, max: 9 }),
      damages,
      damages,
      fc.boolean(),
      (kind, place, corners, outer, inner, isLatLon) => {
        const order = (list: Loose): Loose =>
          isLatLon ? list.map(([lon, lat, ...rest]) => [lat!, lon!, ...rest]) : list;
        const hole = damaged(
          wheel(place, corners).map(([lon, lat]) => [(lon! + place[0]!) / 2, (lat! + place[1]!) / 2]),
          inner,
        );
        const list = damaged(wheel(place, corners), outer);
        const row = rowOf(kind, order(list), hole);
        const options = { axisOrder: isLatLon ? 'latlon' : 'lonlat' } as const;
        const index = outcome(() => new ZoneIndex([row], options));
        const asked = [
          place,
          ...wheel(place, 12),
          ...wheel(place, 5).map(([lon, lat]) => [lon! - 0.004, lat!]),
        ].map(([lon, lat]) => [lon!, Math.min(90, Math.max(-90, lat!))] as const);
        const said = outcome(() => asked.map((position) => zoneContains(row, position, options)));
        if (typeof index === 'string' || typeof said === 'string') {
          expect(index).toBe(said);
          return;
        }
        const stored = ZoneIndex.fromBuffer<Geozone>(index.toBuffer());
        for (const holder of [index, stored]) {
          expect(asked.map((position) => holder.at(position).length > 0)).toEqual(said);
        }
        expect(index.get('z')).toEqual(row);
        expect(JSON.stringify(stored.get('z'))).toBe(JSON.stringify(row));
        // A row replaced by itself, and rows in an array of numbers, give the same.
        index.update(row);
        expect(index.get('z')).toEqual(row);
        expect(asked.map((position) => index.at(position).length > 0)).toEqual(said);
      },
    ),
    { numRuns: volume(4000), seed: 20_261_125 },
  );
});

test('rows of plain numbers are repaired as pairs are', () => {
  fc.assert(
    fc.property(fc.constantFrom('polygon', 'line'), places, damages, (kind, place, all) => {
      const pairs = damaged(wheel(place, 6), all).map(([lon, lat]) => [lon!, lat!]);
      const flat = new FlatPairs(Float64Array.from(pairs.flat()), 0, pairs.length);
      const row = rowOf(kind, pairs, []);
      const [one, other] = [
        outcome(() => new ZoneIndex([row])),
        outcome(() => new ZoneIndex([{ ...row, geometry: flat as never }])),
      ];
      if (typeof one === 'string' || typeof other === 'string') {
        expect(other).toBe(one);
        return;
      }
      expect(other.get('z')).toEqual(one.get('z'));
      expect(other.stats().vertices).toBe(one.stats().vertices);
    }),
    { numRuns: volume(2000), seed: 20_261_125 },
  );
});

test('a list that throws at the second reading changes nothing', () => {
  const ring = wheel([10, 50], 5);
  let reads = 0;
  const trap = new Proxy([...ring, ring.at(-1)!], {
    get: (list, key) => {
      if (key === '0' && ++reads > 1) throw new Error('gone');
      return Reflect.get(list, key) as unknown;
    },
  });
  const index = new ZoneIndex([rowOf('polygon', ring, [])]);
  expect(() => index.update({ ...rowOf('polygon', [], []), geometry: trap as never })).toThrow();
  expect(index.at([10, 50])).toEqual(['z']);
  expect(index.get('z')).toEqual(rowOf('polygon', ring, []));
});
