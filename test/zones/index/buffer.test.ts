import { describe, expect, test } from 'vitest';
import { type Geozone, WayzoneError, ZoneIndex } from '../../../src/index.js';
import { internalsOf } from '../../../src/zones/index/index.js';
import { errorOf } from '../../errorOf.js';
import { LONG, seeded } from '../../volume.js';
import { HOSTILE_IDS, PLACES, probeAt, zoneAt } from '../generators.js';

const circle = (id: string, lon: number, lat: number, width: number): Geozone => ({
  id,
  name: `name of ${id.slice(0, 9)}`,
  type: { key: 'circle' },
  geometry: [[lon, lat]],
  width,
});

function sample(seed: number, count: number): Geozone[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, i) => ({
    ...zoneAt(random, i < HOSTILE_IDS.length ? HOSTILE_IDS[i]! : `z${i}`, PLACES[i % PLACES.length]!, 0.3),
    name: `zone «${i}»`,
    color: { key: '#F56C6C' },
  }));
}

describe('a buffer', () => {
  test.each([false, true])('restores the same index (with cells: %s)', (cells) => {
    const rows = sample(91, 120);
    const index = new ZoneIndex(rows, { boundary: 'half-open' });
    index.learnAll();
    const random = seeded(92);
    for (const shared of [false, true] as const) {
      const buffer = shared ? index.toBuffer({ cells, shared }) : index.toBuffer({ cells });
      const before = new Uint8Array(buffer).slice();
      const opened = ZoneIndex.fromBuffer(buffer, { verify: !shared });
      expect(opened.size).toBe(120);
      expect(opened.ids()).toEqual(index.ids());
      for (const row of rows) {
        expect(opened.get(row.id)).toEqual(row);
        expect(opened.ordinalOf(row.id)).toBe(index.ordinalOf(row.id));
      }
      expect([opened.has('nobody'), opened.get('hasOwnProperty'), opened.idOf(120)]).toEqual([
        false,
        null,
        null,
      ]);
      for (let i = 0; i < 120; i++) {
        const probe = probeAt(random, PLACES[i % PLACES.length]!, 0.3);
        expect(opened.at(probe)).toEqual(index.at(probe));
        expect(opened.nearest(probe, { count: 2 })).toEqual(index.nearest(probe, { count: 2 }));
      }
      expect(opened.crossing([37, 55.5], [38, 55.9])).toEqual(index.crossing([37, 55.5], [38, 55.9]));
      expect(opened.intersecting([37, 55, 38, 56])).toEqual(index.intersecting([37, 55, 38, 56]));
      expect(Buffer.from(opened.toBuffer()).equals(Buffer.from(index.toBuffer()))).toBe(true);
      // Edits of the reader do not change the original.
      expect(opened.remove('1')).toBe(true);
      expect(opened.update(circle('constructor', 37.6, 55.7, 5))).toBe(true);
      expect(opened.add(circle('new', 37.6, 55.7, 7))).toBe(true);
      expect(errorOf(() => opened.add(circle('toString', 0, 0, 1))).code).toBe('duplicate-id');
      const scan = opened.ids().filter((id) => internalsOf(opened)!.prepared(id)!.contains(37.6, 55.7));
      expect(opened.at([37.6, 55.7])).toEqual(scan);
      expect(scan).toContain('new');
      expect([opened.has('1'), opened.size, opened.ordinalOf('new'), opened.idOf(4)]).toEqual([
        false,
        120,
        120,
        null,
      ]);
      expect(Buffer.from(buffer).equals(before)).toBe(true);
      const again = ZoneIndex.fromBuffer(opened.toBuffer());
      expect(again.ids()).toEqual(opened.ids());
      expect([again.ordinalOf('new'), again.idOf(4), again.at([37.6, 55.7])]).toEqual([120, null, scan]);
    }
  });

  test('keeps the options with which rows are read', () => {
    const options = {
      axisOrder: 'latlon',
      lineWidth: 'each-side',
      defaultWidthMeters: 7,
      includeDeleted: true,
    } as const;
    const opened = ZoneIndex.fromBuffer(new ZoneIndex<Geozone>([], options).toBuffer());
    const row: Geozone = {
      id: 'p',
      name: '',
      type: { key: 'point' },
      geometry: [[55.7, 37.6]],
      is_delete: true,
    };
    opened.add(row);
    expect(opened.at([37.6, 55.7])).toEqual(['p']);
    expect(opened.get('p')).toEqual(row);
    expect(opened.nearest([37.6, 55.701])[0]!.distanceMeters).toBeCloseTo(104.35, 1);
  });

  test('answers by ordinals without rows', () => {
    const index = new ZoneIndex(sample(93, 60));
    const opened = ZoneIndex.fromBuffer(index.toBuffer({ rows: false }));
    const positions = Float64Array.of(37.6, 55.7, 0, 0, 12, 89.5);
    expect(opened.atMany(positions)).toEqual(index.atMany(positions));
    expect(opened.size).toBe(0);
  });

  test('refuses a row that JSON cannot represent, with its own error', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const index = new ZoneIndex([{ ...circle('a', 0, 0, 1), loop }]);
    expect(errorOf(() => index.toBuffer())).toMatchObject({ code: 'buffer-row', field: 'rows["a"]' });
  });
});

test('an edit before the first query is found, with any cells in the buffer', () => {
  const index = new ZoneIndex([circle('a', 10, 10, 500), circle('b', 11, 11, 500)]);
  index.learnAll();
  const opened = ZoneIndex.fromBuffer(index.toBuffer({ cells: true }));
  opened.add(circle('c', 10.5, 10.5, 500));
  opened.remove('a');
  expect([opened.at([10.5, 10.5]), opened.at([10, 10]), opened.at([11, 11])]).toEqual([['c'], [], ['b']]);
});

test('an invalid buffer is refused with a code', () => {
  const buffer = new ZoneIndex(sample(94, 20)).toBuffer();
  const changed = (change: (words: Uint32Array) => void): ArrayBuffer => {
    const copy = buffer.slice(0);
    change(new Uint32Array(copy));
    return copy;
  };
  const codeOf = (value: unknown): string => errorOf(() => ZoneIndex.fromBuffer(value as ArrayBuffer)).code;
  expect([null, undefined, 'text', 64, [1], {}, { buffer, byteLength: 8 }].map(codeOf)).toEqual(
    Array(7).fill('buffer-type'),
  );
  expect([new Uint8Array(64), new DataView(new ArrayBuffer(64))].map(codeOf)).toEqual(
    Array(2).fill('buffer-foreign'),
  );
  const moved = buffer.slice(0);
  structuredClone(moved, { transfer: [moved] });
  expect(codeOf(moved)).toBe('buffer-truncated');
  expect(codeOf(new ArrayBuffer(0))).toBe('buffer-truncated');
  expect(codeOf(new ArrayBuffer(64))).toBe('buffer-foreign');
  expect(codeOf(changed((words) => words.set([1], 1)))).toBe('buffer-version');
  expect(codeOf(changed((words) => words.set([0x0403_0201], 2)))).toBe('buffer-byte-order');
  expect(codeOf(buffer.slice(0, buffer.byteLength - 8))).toBe('buffer-truncated');
  expect(codeOf(changed((words) => words.set([words[50]! ^ 1], 50)))).toBe('buffer-damaged');
  expect(codeOf(new TextEncoder().encode('{"type":"FeatureCollection","features":[]}').buffer)).toBe(
    'buffer-foreign',
  );
});

test('10,000 damaged buffers are refused', () => {
  const random = seeded(95);
  const index = new ZoneIndex(sample(96, 40));
  index.learnAll();
  const buffers = [index.toBuffer(), index.toBuffer({ cells: true }), new ZoneIndex([]).toBuffer()];
  for (let i = 0; i < (LONG ? 10_000 : 600); i++) {
    const whole = buffers[i % buffers.length]!;
    let damaged = whole.slice(0);
    const bytes = new Uint8Array(damaged);
    const kind = random();
    if (kind < 0.3) {
      damaged = whole.slice(0, Math.floor(random() * whole.byteLength));
    } else if (kind < 0.8) {
      const at = Math.floor(random() * bytes.length);
      bytes[at] = bytes[at]! ^ (1 << Math.floor(random() * 8));
    } else if (kind < 0.9) {
      for (let k = 0; k < 20; k++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      if (bytes.every((byte, at) => byte === new Uint8Array(whole)[at])) continue;
    } else {
      const from = Math.floor((random() * bytes.length) / 2);
      bytes.copyWithin(from, from + 8);
      if (bytes.every((byte, at) => byte === new Uint8Array(whole)[at])) continue;
    }
    const error = errorOf(() => ZoneIndex.fromBuffer(damaged));
    expect(error).toBeInstanceOf(WayzoneError);
    expect(error.code).toMatch(/^buffer-(truncated|foreign|version|byte-order|damaged)$/);
  }
});

test('a buffer keeps ids of any text', () => {
  const random = seeded(97);
  const ids = [
    ...HOSTILE_IDS,
    ...Array.from({ length: 500 }, () =>
      String.fromCharCode(...Array.from({ length: 9 }, () => random() * 65_536)),
    ),
  ];
  const opened = ZoneIndex.fromBuffer(new ZoneIndex(ids.map((id) => circle(id, 37, 55, 10))).toBuffer());
  expect(opened.ids()).toEqual(ids);
  for (const [i, id] of ids.entries()) expect(opened.ordinalOf(id)).toBe(i);
  expect(opened.at([37, 55])).toEqual(ids);
});

test('the first queries after fromBuffer build nothing, and edits are counted', () => {
  const rows = sample(98, 80);
  const opened = ZoneIndex.fromBuffer<Geozone>(new ZoneIndex(rows).toBuffer());
  const before = opened.stats();
  expect(before.bytes).toBeGreaterThan(80 * 8);
  expect(opened.has('z50')).toBe(true);
  expect(opened.get('z51')).toEqual(rows[51]);
  expect(opened.nearest([0, 0], { count: 3 })).toHaveLength(3);
  opened.intersecting([30, 50, 40, 60]);
  opened.crossing([37, 55.5], [38, 55.9]);
  expect(opened.stats()).toEqual(before);
  opened.add(circle('new', 1, 1, 1));
  opened.nearest([0, 0]);
  expect(opened.stats().bytes).toBeGreaterThan(before.bytes);
});

test('ids are found in an opened buffer, also after edits', () => {
  const ids = Array.from({ length: 150 }, (_, i) => `id ${2 * i}`);
  const opened = ZoneIndex.fromBuffer<Geozone>(
    new ZoneIndex(ids.map((id) => circle(id, 37, 55, 10))).toBuffer(),
    { verify: false },
  );
  expect(ids.map((id) => opened.ordinalOf(id))).toEqual(ids.map((_, i) => i));
  expect([opened.has('id'), opened.ordinalOf('id 1')]).toEqual([false, null]);
  for (const id of ids.slice(100)) opened.remove(id);
  for (const id of ids.slice(120).reverse()) opened.add(circle(id, 37, 55, 10));
  expect(ids.map((id) => opened.has(id))).toEqual(ids.map((_, i) => i < 100 || i >= 120));
  expect(opened.ordinalOf(ids[149]!)).toBe(150);
  const again = ZoneIndex.fromBuffer<Geozone>(opened.toBuffer());
  expect(ids.map((id) => again.ordinalOf(id))).toEqual(ids.map((id) => opened.ordinalOf(id)));
  expect(again.ids()).toEqual(opened.ids());
});

test('a view of the bytes is read in place, or copied if it does not begin at a multiple of 8', () => {
  const index = new ZoneIndex(sample(101, 30).slice(13));
  const bytes = Buffer.from(index.toBuffer());
  const answers = (opened: ZoneIndex<Geozone>): unknown => [
    opened.ids(),
    opened.at([37.6, 55.7]),
    opened.nearest([0, 0], { count: 5 }),
    opened.get('z20'),
  ];
  const expected = answers(index);
  for (const Memory of [ArrayBuffer, SharedArrayBuffer]) {
    for (const offset of [0, 1, 4, 8, 15]) {
      const memory = new Uint8Array(new Memory(bytes.length + 40)).fill(0xa5);
      const view = memory.subarray(offset, offset + bytes.length);
      view.set(bytes);
      const before = memory.slice();
      for (const given of [
        view,
        Buffer.from(memory.buffer, offset, bytes.length),
        new DataView(memory.buffer, offset, bytes.length),
      ]) {
        const opened = ZoneIndex.fromBuffer<Geozone>(given, { verify: offset % 2 === 0 });
        expect(answers(opened)).toEqual(expected);
        opened.add(circle('new', 1, 1, 1));
        opened.remove('z20');
        opened.learnAll();
      }
      expect(memory.slice()).toEqual(before);
    }
  }
  // A small Buffer of Node is a part of its pool.
  const small = Buffer.from(new Uint8Array(new ZoneIndex([circle('a', 1, 1, 5)]).toBuffer()));
  const pooled = Buffer.allocUnsafe(small.length);
  small.copy(pooled);
  expect(ZoneIndex.fromBuffer(pooled).at([1, 1])).toEqual(['a']);
  expect(errorOf(() => ZoneIndex.fromBuffer(bytes.subarray(0, bytes.length - 8))).code).toBe(
    'buffer-truncated',
  );
  expect(errorOf(() => ZoneIndex.fromBuffer(bytes.subarray(0, bytes.length - 3))).code).toBe(
    'buffer-truncated',
  );
});
