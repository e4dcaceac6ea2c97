/** Random wire zones of every kind, with fields and texts that are difficult for formats. Readers must return what JSON makes of them. */

import fc from 'fast-check';
import type { Geozone, Pair } from '../../src/core/wire.js';

export const NASTY: readonly string[] = [
  ']]>',
  '<script>',
  '&amp;',
  '-->',
  '\u0000\u001f',
  '\uFFFE',
  '\uD800',
  '\u202E',
  ' a\r\nb\t',
  '__proto__',
  '=1',
  '日本😀',
];

export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(...NASTY),
);
const lon = fc
  .double({ min: -179, max: 179, noNaN: true })
  .map((value) => (Math.abs(value) < 1e-9 ? 0 : value));
const lat = fc
  .double({ min: -80, max: 80, noNaN: true })
  .map((value) => (Math.abs(value) < 1e-9 ? 0 : value));
export const pair: fc.Arbitrary<Pair> = fc.tuple(lon, lat);

/** A quadrilateral, closed or open, clockwise or counterclockwise. */
export const quad: fc.Arbitrary<Pair[]> = fc
  .tuple(
    fc.double({ min: -170, max: 170, noNaN: true }),
    fc.double({ min: -70, max: 70, noNaN: true }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([west, south, closed, reversed]) => {
    const ring: Pair[] = [
      [west, south],
      [west + 0.3, south],
      [west + 0.3, south + 0.2],
      [west, south + 0.1],
    ];
    if (reversed) ring.reverse();
    const [first] = ring;
    return closed && first !== undefined ? [...ring, first] : ring;
  });

/** A line as long as a town. The corridor of a line around the Earth would have too many vertices. */
const line: fc.Arbitrary<Pair[]> = fc
  .tuple(
    pair,
    fc.array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 })), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([[x, y], steps]) => [
    [x, y],
    ...steps.map(([dx, dy]) => [x + dx / 1000 + 1e-5, y + dy / 1000] as const),
  ]);

const shape: fc.Arbitrary<object> = fc.oneof(
  pair.map((place) => ({ type: { key: 'point' }, geometry: [place] })),
  pair.map((place) => ({ type: { key: 'circle', value: 'Circle' }, geometry: [place], width: 250.5 })),
  fc.tuple(line, fc.boolean()).map(([geometry, wide]) => ({
    type: { key: 'line' },
    geometry,
    ...(wide ? { width: 30 } : {}),
  })),
  quad.map((ring) => ({ type: { key: 'polygon' }, geometry: ring })),
  fc.tuple(quad, quad).map(([a, b]) => ({ type: { key: 'polygon' }, geometry: a, parts: [[a], [b]] })),
);

const zone: fc.Arbitrary<Geozone> = fc
  .tuple(
    shape,
    text,
    fc.record(
      {
        color: fc.constantFrom({ key: '#F56C6C', value: 'x' }, null, { key: 'red' }, { key: '#123abc' }),
        icon: fc.constantFrom({ key: 'school' }, { key: 'tree' }, null),
        is_show_on_map: fc.boolean(),
        is_delete: fc.constantFrom(true, 0, 'true'),
        companies: fc.constant([{ id: 'c' }]),
        polygon_geometry: fc.array(pair, { maxLength: 3 }),
        area: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
        description: text,
        note: fc.dictionary(text, text, { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.constantFrom('further', 'a"b', '\u0001', '__proto__'), text, { maxKeys: 2 }),
  )
  .map(([shaped, name, fields, more]) => {
    const entries = [
      ...Object.entries(shaped),
      ['name', name],
      ...Object.entries(fields),
      ...Object.entries(more),
    ];
    // The wire is JSON, so the zone is what JSON makes of the object (no -0, for example).
    return JSON.parse(JSON.stringify(Object.fromEntries(entries))) as Geozone;
  });

/** Lists of zones with different ids. */
export const zones: fc.Arbitrary<Geozone[]> = fc
  .array(zone, { maxLength: 4 })
  .chain((list) =>
    fc
      .uniqueArray(fc.oneof(text, fc.uuid()), { minLength: list.length, maxLength: list.length })
      .map((ids) =>
        list.map((item, i) => ({ ...item, id: (JSON.parse(JSON.stringify(ids[i])) as string) ?? '' })),
      ),
  );

/** The zone with the pairs in the other axis order. */
export function swapped(item: Geozone): Geozone {
  const swap = (pairs: readonly Pair[]): Pair[] => pairs.map(([a, b]) => [b, a]);
  const drawn = item.polygon_geometry;
  return {
    ...item,
    geometry: swap(item.geometry),
    ...(drawn === undefined ? {} : { polygon_geometry: swap(drawn) }),
  };
}
