/** `get` returns the fields of a row in their order, from the index and from its buffer. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Geozone, ZoneIndex } from '../../../src/index.js';
import { seeded } from '../../volume.js';
import { PLACES, zoneAt } from '../generators.js';
import { parts, polygon } from './worlds.js';

const RING = [[10, 50], [11, 50], [11, 51]] as const; // biome-ignore format: a triangle

/** Fields that no zone has, of any value in JSON, some with names that objects treat in their own way. */
const UNKNOWN: fc.Arbitrary<readonly (readonly [string, unknown])[]> = fc.array(
  fc.tuple(
    fc.oneof(
      fc.string().map((text) => `x${text}`),
      fc.constantFrom('7', '0', '-1', 'toString', 'constructor', '', '\ud800', 'ключ'),
    ),
    fc.jsonValue({ noUnicodeString: false }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  ),
  { maxLength: 6 },
);

/** The row with its fields in another order. */
function shuffled(row: object, keys: readonly number[]): Geozone {
  const entries = Object.entries(row).map((entry, i) => [keys[i % keys.length]!, entry] as const);
  return Object.fromEntries(
    entries.sort(([p], [q]) => p - q).map(([, entry]) => entry),
  ) as unknown as Geozone;
}

test('a row has the same JSON text before and after a buffer, whatever the order of its fields', () => {
  const random = seeded(1213);
  const zones = (id: string): Geozone[] => [
    zoneAt(random, id, PLACES[Math.floor(random() * PLACES.length)]!, 0.3),
    polygon(id, RING),
    polygon(id, [...RING, RING[0]]),
    polygon(id, RING, [RING.map(([x, y]) => [10.8 + (x - 10) / 20, 50.2 + (y - 50) / 20] as const)]),
    parts(
      id,
      [...RING],
      [...RING, RING[0]].map(([x, y]) => [x + 5, y] as const),
    ),
    { ...parts(id, [...RING]), geometry: [[1, 2]] },
    { ...polygon(id, RING), geometry: RING.map((pair) => [...pair, 3] as never) },
  ];
  const order = fc.array(fc.integer(), { minLength: 1, maxLength: 9 });
  const rows = fc.array(fc.tuple(UNKNOWN, order, fc.nat(6)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(rows, fc.boolean(), (list, verify) => {
      const given = list.map(([unknown, keys, kind], i) =>
        shuffled({ ...Object.fromEntries(unknown), ...zones(`id ${i}`)[kind]! }, keys),
      );
      const texts = given.map((row) => JSON.stringify(row));
      const index = new ZoneIndex(given);
      const opened = ZoneIndex.fromBuffer<Geozone>(index.toBuffer(), { verify });
      const again = ZoneIndex.fromBuffer<Geozone>(opened.toBuffer({ shared: true }));
      for (const [i, row] of given.entries()) {
        for (const holder of [index, opened, again]) {
          expect(holder.get(`id ${i}`)).toEqual(row);
          expect(JSON.stringify(holder.get(`id ${i}`))).toBe(texts[i]);
        }
      }
      // Edits of the opened index keep the order too, and do not disturb the others.
      const moved = { ...given[0]!, name: 'moved' };
      opened.update(moved);
      expect(JSON.stringify(opened.get('id 0'))).toBe(JSON.stringify(moved));
    }),
    { seed: 20_261_124 },
  );
});

test('an own field "__proto__" stays an own field', () => {
  const row = JSON.parse(
    '{"name":"n","__proto__":{"a":1},"id":"p","width":5,"type":{"key":"circle"},"geometry":[[1,2]],"z":0}',
  ) as Geozone;
  const opened = ZoneIndex.fromBuffer<Geozone>(new ZoneIndex([row]).toBuffer());
  expect(JSON.stringify(opened.get('p'))).toBe(JSON.stringify(row));
  expect(Object.getPrototypeOf(opened.get('p'))).toBe(Object.prototype);
});
