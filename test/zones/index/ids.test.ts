import { expect, test } from 'vitest';
import { type Geozone, ZoneIndex } from '../../../src/index.js';

const zone = (id: string): Geozone => ({
  id,
  name: id,
  type: { key: 'circle' },
  geometry: [[37, 55]],
  width: 10,
});

test.each([
  ['built', (zones: Geozone[]) => new ZoneIndex(zones)],
  [
    'opened from a buffer',
    (zones: Geozone[]) => ZoneIndex.fromBuffer<Geozone>(new ZoneIndex(zones).toBuffer()),
  ],
])('ids of an index that was %s are found, removed and added again', (_, indexOf) => {
  const ids = Array.from({ length: 200 }, (_id, i) => `id ${i}`);
  const index = indexOf(ids.map(zone));
  for (const [i, id] of ids.entries()) expect(index.ordinalOf(id)).toBe(i);
  expect(index.ordinalOf('id 200')).toBe(null);
  for (const id of [ids[0]!, ids[199]!]) {
    expect(() => index.add(zone(id))).toThrow(expect.objectContaining({ code: 'duplicate-id' }));
    expect(index.remove(id)).toBe(true);
    expect(index.has(id)).toBe(false);
    expect(index.add(zone(id))).toBe(true);
    expect(index.ordinalOf(id)).toBe(id === ids[0] ? 200 : 201);
  }
  expect(() => new ZoneIndex([...ids, ids[150]!].map(zone))).toThrow(
    expect.objectContaining({ code: 'duplicate-id', field: 'zones[200].id' }),
  );
});

test('an id that is added and removed many times is known exactly while its zone is there', () => {
  const index = new ZoneIndex<Geozone>([zone('stays')]);
  for (let i = 0; i < 1000; i++) {
    const id = `guest ${i % 7}`;
    index.add(zone(id));
    expect(index.ordinalOf(id)).toBe(i + 1);
    index.remove(id);
    expect(index.has(id)).toBe(false);
  }
  expect(index.ordinalOf('stays')).toBe(0);
  expect(index.size).toBe(1);
});
