import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { type ParquetColumnType, toParquet } from '../../src/interchange/index.js';
import { seeded, volume } from '../volume.js';

/** `toParquet` beside `hyparquet-writer`, which gets the same cells as lists: the bytes are equal. */

const random = seeded(11);
const whole = (end: number): number => Math.floor(end * random());
function pick<Item>(items: readonly Item[]): Item {
  return items[whole(items.length)]!;
}

const WORDS = [
  '',
  'a',
  'ä',
  '\u{1F600}',
  '\u{1F600}x',
  '\uFFFD',
  '\uE000',
  '\uD800',
  '\uDC00a',
  '\uD800\uD801',
];
const START = 1_772_438_400_000;
/** Makers of the cells of a column: few values and many, edges of the type, nothing but nulls. */
const MAKERS: Readonly<Record<ParquetColumnType, readonly (() => unknown)[]>> = {
  text: [
    () => pick(WORDS),
    () => `unit ${whole(3)}`,
    () => `${random()}`,
    () => `zone ${whole(300)}`.repeat(40),
    () => null,
  ],
  number: [
    () => 360 * random() - 180,
    () => whole(9),
    () => pick([0, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 5e-324]),
    () => -0,
    () => null,
  ],
  integer: [
    () => whole(9),
    () => Math.floor((random() - 0.5) * 2 ** 53),
    () => pick([0, -0, -1, 2 ** 53 - 1, 1 - 2 ** 53, 2 ** 31, -(2 ** 32)]),
  ],
  time: [
    () => START + 10_000 * whole(99),
    () => START + 1e9 * random(),
    () => pick([8.64e15, -8.64e15, -0.5, -1e12 * random()]),
  ],
  boolean: [() => random() < 0.5, () => true],
};
const TYPES = Object.keys(MAKERS) as ParquetColumnType[];

/** Cells of two makers in runs, some of them null. */
function cellsOf(type: ParquetColumnType, count: number): unknown[] {
  const makers = [pick(MAKERS[type]), pick(MAKERS[type])] as const;
  const [nulls, mixed, longest] = [pick([0, 0, 0.1, 0.9]), pick([0, 0.5]), pick([1, 30])];
  const cells: unknown[] = [];
  while (cells.length < count) {
    const cell = random() < nulls ? pick([null, undefined]) : makers[random() < mixed ? 1 : 0]();
    for (let left = 1 + whole(longest); left > 0 && cells.length < count; left--) cells.push(cell);
  }
  return cells;
}

const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  boolean: { type: 'BOOLEAN' },
} as const;

/** The file by the package alone. */
function twin(types: readonly ParquetColumnType[], columns: readonly (readonly unknown[])[]): Uint8Array {
  const writer = new ByteWriter();
  const schema = types.map((type, k) => ({
    name: `c${k}`,
    repetition_type: 'OPTIONAL' as const,
    ...ELEMENTS[type],
  }));
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: 'schema', num_children: types.length }, ...schema],
    kvMetadata: [],
    createdBy: 'wayzone',
  });
  const columnData = types.map((type, k) => ({
    name: `c${k}`,
    data: columns[k]!.map((cell) => {
      if (cell === undefined || (typeof cell === 'number' && !Number.isFinite(cell))) return null;
      return cell !== null && (type === 'integer' || type === 'time')
        ? BigInt(Math.trunc(cell as number))
        : cell;
    }),
  }));
  void parquet.write({ columnData, rowGroupSize: 131_072 });
  void parquet.finish();
  return writer.getBytes();
}

test('the bytes are those of hyparquet-writer', async () => {
  for (let i = 0; i < volume(600); i++) {
    const types = Array.from({ length: 1 + whole(4) }, () => pick(TYPES));
    // A page has 131,072 numbers, and as many rows has a row group.
    const count = i % 12 === 0 ? pick([131_071, 131_072, 150_000]) : pick([1, 2, 8, 9, 17, 1000, 1001, 5000]);
    const columns = types.map((type) => cellsOf(type, count));
    const rows = Array.from({ length: count }, (_, row) => columns.map((cells) => cells[row]));
    const bytes = await toParquet(Object.fromEntries(types.map((type, k) => [`c${k}`, type])), rows);
    expect(Buffer.compare(bytes, twin(types, columns)), `case ${i}: ${types.join(' ')}, ${count} rows`).toBe(
      0,
    );
  }
});
