import { expect, test } from 'vitest';
import { type Geozone, ZoneIndex } from '../../../src/index.js';
import { hashUnits } from '../../../src/zones/index/rows/codeUnits.js';

const zone = (id: string): Geozone => ({
  id,
  name: id,
  type: { key: 'circle' },
  geometry: [[37, 55]],
  width: 10,
});

/** Ids whose hashes end in the same ten bits, as an enemy would choose them. */
function collidingIds(count: number): string[] {
  const ids: string[] = [];
  for (let i = 0; ids.length < count; i++) if ((hashUnits(`id ${i}`) & 1023) === 5) ids.push(`id ${i}`);
  return ids;
}

test('ids made to collide are told apart, found, removed and added again', () => {
  const ids = collidingIds(200);
  const index = new ZoneIndex(ids.map(zone));
  for (const [i, id] of ids.entries()) expect(index.ordinalOf(id)).toBe(i);
  expect(index.ordinalOf(collidingIds(201)[200]!)).toBe(null);
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

test('an id that comes and goes many times is known exactly while it is there', () => {
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
