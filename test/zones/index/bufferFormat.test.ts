/** The buffer format word by word: each wrong word has its own error, also if the content is not verified. */

import { expect, test } from 'vitest';
import { type Geozone, type WayzoneError, ZoneIndex } from '../../../src/index.js';
import { bytesOf, openSections as sectionsOf, writeSections } from '../../../src/zones/index/bufferFormat.js';
import { errorOf } from '../../errorOf.js';
import { wkt } from '../../wkt.js';
import { circle } from './worlds.js';

const SECTIONS = [
  Float64Array.of(1.5, -2.5),
  Uint8Array.of(1, 2, 3),
  new Uint16Array(0),
  Uint32Array.of(7, 8, 2 ** 32 - 1),
] as const;

const openSections = (buffer: unknown, count: number, verify: boolean): ReturnType<typeof sectionsOf> =>
  sectionsOf(bytesOf(buffer), count, verify);

/** Opens the three sections with some words changed, and returns the error. */
function changed(words: Readonly<Record<number, number>>, count = 4, verify = false): WayzoneError {
  const buffer = writeSections(SECTIONS, false) as ArrayBuffer;
  const view = new Uint32Array(buffer);
  for (const [at, word] of Object.entries(words)) view[Number(at)] = word;
  return errorOf(() => openSections(buffer, count, verify));
}

test('sections are in order at multiples of 8, and their bytes are unchanged', () => {
  for (const shared of [false, true]) {
    const buffer = writeSections(SECTIONS, shared);
    expect(buffer instanceof SharedArrayBuffer).toBe(shared);
    const words = new Uint32Array(buffer);
    // 32 bytes of header and 16 per section, so that the first section is at 96.
    expect(buffer.byteLength).toBe(96 + 16 + 8 + 0 + 16);
    expect([...words.subarray(0, 6)]).toEqual([0x585a_5957, 7, 0x0102_0304, 4, 136, 0]);
    expect([...words.subarray(8, 24)]).toEqual([96, 0, 16, 0, 112, 0, 3, 0, 120, 0, 0, 0, 120, 0, 12, 0]);
    for (const verify of [false, true]) {
      const sections = openSections(buffer, 4, verify);
      expect(sections).toEqual(wkt('96 16, 112 3, 120 0, 120 12'));
    }
    expect([...new Float64Array(buffer, 96, 2)]).toEqual([1.5, -2.5]);
    expect([...new Uint8Array(buffer, 112, 8)]).toEqual([1, 2, 3, 0, 0, 0, 0, 0]);
    expect([...new Uint32Array(buffer, 120, 4)]).toEqual([7, 8, 2 ** 32 - 1, 0]);
  }
});

test('only the part of the memory that a view covers is written', () => {
  const memory = Float64Array.of(1, 2, 3, 4);
  const buffer = writeSections([memory.subarray(1, 3)], false);
  expect([...new Float64Array(buffer, 48, 2)]).toEqual([2, 3]);
});

test('errors in the header or the table are found without reading the content', () => {
  const cases: [Readonly<Record<number, number>>, string, string][] = [
    [{ 0: 1 }, 'buffer-foreign', 'expected a buffer that ZoneIndex.toBuffer wrote, received another'],
    [{ 1: 2 }, 'buffer-version', 'expected version 7, received 2'],
    [
      { 2: 0x0403_0201 },
      'buffer-byte-order',
      'expected the byte order of this machine, received the other one',
    ],
    [{ 2: 5 }, 'buffer-damaged', 'expected a whole header, received a damaged one'],
    [{ 3: 5 }, 'buffer-damaged', 'expected 4 sections, received 5'],
    [{ 4: 144 }, 'buffer-truncated', 'expected 144 bytes, received 136'],
    [{ 5: 1 }, 'buffer-truncated', `expected ${2 ** 32 + 136} bytes, received 136`],
    // Offsets in the table that are not a multiple of 8, inside the table, or inside another section; sections beyond the end.
    ...[{ 8: 97 }, { 8: 88 }, { 12: 104 }, { 10: 24 }, { 20: 128 }, { 22: 17 }, { 9: 1 }, { 23: 1 }].map(
      (words): [Readonly<Record<number, number>>, string, string] => [
        words,
        'buffer-damaged',
        'expected sections in order within the buffer, received others',
      ],
    ),
  ];
  for (const [words, code, message] of cases) {
    expect([words, changed(words)]).toMatchObject([words, { code, field: 'buffer', message }]);
  }
  // A section may reach to the very end of the buffer.
  expect(() => openSections(Object.assign(writeSections(SECTIONS, false)), 4, true)).not.toThrow();
  expect(changed({}, 3)).toMatchObject({
    code: 'buffer-damaged',
    message: 'expected 3 sections, received 4',
  });
  expect(changed({}, 5)).toMatchObject({
    code: 'buffer-damaged',
    message: 'expected 5 sections, received 4',
  });
});

test('verification finds each changed word of the content and of the checksum', () => {
  for (const at of [6, 7, 24, 27, 28, 30, 31, 33]) {
    expect([at, changed({ [at]: 0x1234_5678 }, 4, true)]).toMatchObject([
      at,
      { code: 'buffer-damaged', message: 'expected content of the given checksum, received changed content' },
    ]);
  }
});

test('memory that was transferred has no bytes', () => {
  const memory = new ArrayBuffer(64);
  const view = new DataView(memory, 8);
  structuredClone(memory, { transfer: [memory] });
  expect([memory, view].map((gone) => errorOf(() => openSections(gone, 4, true)).code)).toEqual([
    'buffer-truncated',
    'buffer-truncated',
  ]);
});

test('refuses other types, and buffers that are too short for a header', () => {
  expect(errorOf(() => openSections('text', 4, true))).toMatchObject({
    code: 'buffer-type',
    field: 'buffer',
    message: 'expected an ArrayBuffer, a SharedArrayBuffer or a view of one, received "text"',
  });
  for (const bytes of [0, 8, 31]) {
    expect(errorOf(() => openSections(new ArrayBuffer(bytes), 4, true))).toMatchObject({
      code: 'buffer-truncated',
      message: `expected a header of 32 bytes, received ${bytes}`,
    });
  }
  expect(errorOf(() => openSections(new ArrayBuffer(32), 4, true)).code).toBe('buffer-foreign');
  // A header only, which gives its own length as the whole.
  const alone = new Uint32Array(8);
  alone.set([0x585a_5957, 7, 0x0102_0304, 4, 32, 0]);
  expect(errorOf(() => openSections(alone.buffer, 4, false)).code).toBe('buffer-damaged');
  const odd = new ArrayBuffer(100);
  new Uint32Array(odd).set([0x585a_5957, 7, 0x0102_0304, 4, 100, 0]);
  expect(errorOf(() => openSections(odd, 4, false)).code).toBe('buffer-damaged');
});

test('refuses an index with invalid sections or options', () => {
  const damaged = (change: (words: Uint32Array, bytes: Uint8Array) => void): WayzoneError => {
    const buffer = new ZoneIndex<Geozone>([circle('a', 1, 1, 5)], { boundary: 'closed' }).toBuffer();
    change(new Uint32Array(buffer), new Uint8Array(buffer));
    return errorOf(() => ZoneIndex.fromBuffer(buffer, { verify: false }));
  };
  expect(damaged((words, bytes) => bytes.set([0x78], words[8]!))).toMatchObject({
    code: 'buffer-damaged',
    field: 'buffer',
    message: 'expected options in JSON, received other text',
  });
  expect(damaged((words) => words.set([words[14]! - 1], 14))).toMatchObject({
    code: 'buffer-damaged',
    field: 'buffer',
    message: 'expected a section of numbers of 8 bytes, received 15 bytes',
  });
});

test('keeps rows of any length, and a missing row has none', () => {
  const rows = Array.from({ length: 9 }, (_, i) => ({
    ...circle(`${'long id '.repeat(i * i)}${i}`, i, i, 5),
    name: '«»'.repeat(300 * i),
    color: { key: '😀'.repeat(7 * i) },
  }));
  const index = new ZoneIndex<Geozone>(rows);
  const opened = ZoneIndex.fromBuffer<Geozone>(index.toBuffer());
  expect(rows.map(({ id }) => opened.get(id))).toEqual(rows);
  expect(opened.ids()).toEqual(rows.map(({ id }) => id));
  const names = ZoneIndex.fromBuffer<Geozone>(index.toBuffer({ rows: false }));
  expect([
    names.size,
    names.idOf(0),
    names.get('0'),
    names.has('0'),
    names.ordinalOf('0'),
    names.ids(),
  ]).toEqual([0, null, null, false, null, []]);
  expect([...names.atMany(Float64Array.of(3, 3)).zones]).toEqual([3]);
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  const bad = new ZoneIndex([{ ...circle('a"b', 0, 0, 1), loop }]);
  expect(errorOf(() => bad.toBuffer())).toMatchObject({
    code: 'buffer-row',
    field: 'rows["a\\"b"]',
    message: 'expected a row that JSON.stringify accepts, received another',
  });
});
