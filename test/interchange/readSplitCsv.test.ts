import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fix, FixBatch, Issue } from '../../src/core/fix.js';
import { fixAt } from '../../src/interchange/common/fixBatches.js';
import { CsvPieceReader } from '../../src/interchange/csv/csvPieceReader.js';
import {
  type CsvPieceAnswer,
  type CsvPiecePool,
  readSplitCsv,
} from '../../src/interchange/csv/readSplitCsv.js';
import { type CsvOptions, readCsv } from '../../src/interchange/index.js';
import { volume } from '../volume.js';

interface Outcome {
  readonly fixes: readonly (readonly [unit: string, fix: Fix])[];
  readonly issues: readonly Issue[];
}

const HEADER = 'unit,time,lat,lon,note';
const TIME = '2026-03-01T00:00:00Z';

function chunksOf(bytes: Uint8Array, length: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += length) chunks.push(bytes.slice(at, at + length));
  return chunks;
}

function collector(): { readonly fixes: [string, Fix][]; readonly onFixes: (batch: FixBatch) => void } {
  const fixes: [string, Fix][] = [];
  const onFixes = (batch: FixBatch): void => {
    for (let i = 0; i < batch.length; i++) fixes.push([batch.unitIds[batch.unit[i]!]!, fixAt(batch, i)]);
  };
  return { fixes, onFixes };
}

async function whole(chunks: readonly Uint8Array[], options: CsvOptions): Promise<Outcome> {
  const { fixes, onFixes } = collector();
  const { issues } = await readCsv(chunks, { ...options, onFixes });
  return { fixes, issues };
}

/** Reads pieces with three readers, which answer late, as threads do. */
async function split(
  chunks: readonly Uint8Array[],
  options: CsvOptions,
  pieceBytes: number,
): Promise<Outcome & { readonly pieces: number }> {
  const all = collector();
  const waiting: (() => void)[] = [];
  let pieces = 0;
  const readers: { reader: CsvPieceReader; own: ReturnType<typeof collector> }[] = [];
  const answer = (most: number): void => {
    while (waiting.length > most) waiting.shift()!();
  };
  const pool: CsvPiecePool = {
    begin: async (start) => {
      for (let i = 0; i < 3; i++) {
        const own = collector();
        readers.push({ reader: new CsvPieceReader(start, { ...options, onFixes: own.onFixes }), own });
      }
      await Promise.resolve();
    },
    send: async (bytes, onAnswer) => {
      const { reader, own } = readers[pieces++ % 3]!;
      const result = reader.read(bytes);
      const fixes = own.fixes.splice(0);
      waiting.push(() => {
        const given: CsvPieceAnswer = { ...result, bytes };
        if (onAnswer(given)) for (const fix of fixes) all.fixes.push(fix);
      });
      answer(4);
      await Promise.resolve();
    },
    finish: async () => {
      answer(0);
      await Promise.resolve();
    },
  };
  const { issues } = await readSplitCsv(chunks, { ...options, onFixes: all.onFixes }, pool, pieceBytes);
  return { fixes: all.fixes, issues, pieces };
}

/** Expects the same fixes and issues from `readSplitCsv` and `readCsv`. Returns the number of pieces. */
async function expectSame(
  bytes: Uint8Array,
  chunkBytes: number,
  pieceBytes: number,
  options: CsvOptions = {},
): Promise<number> {
  const chunks = chunksOf(bytes, chunkBytes);
  const one = await whole(chunks, options);
  const { pieces, ...several } = await split(chunks, options, pieceBytes);
  expect(several).toEqual(one);
  return pieces;
}

function table(rows: readonly string[], lineEnd = '\n'): Uint8Array {
  return new TextEncoder().encode([HEADER, ...rows, ''].join(lineEnd));
}

const row = (i: number, note: string): string => `u${i % 4},${TIME},${i % 90},${i % 180},${note}`;

test.each(['\n', '\r\n'])(
  'quoted line ends at every boundary of pieces: every cut gives the rows of readCsv (%j)',
  async (lineEnd) => {
    const rows = Array.from({ length: 25 }, (_, i) =>
      i % 7 === 3 ? `,,x,${i},"bad${lineEnd}row"` : row(i, `"a${lineEnd}""${lineEnd}u,${TIME},1,1,"`),
    );
    const bytes = table(rows, lineEnd);
    let pieces = 0;
    for (let pieceBytes = 1; pieceBytes < 400; pieceBytes += pieceBytes < 90 ? 1 : 13) {
      pieces += await expectSame(bytes, 97, pieceBytes);
      pieces += await expectSame(bytes, pieceBytes + 40, pieceBytes);
    }
    expect(pieces).toBeGreaterThan(1000);
  },
);

test('a first line `sep=;` names the delimiter', async () => {
  const rows = Array.from({ length: 30 }, (_, i) =>
    row(i, i % 7 === 3 ? '"a\n""b"' : '5').replaceAll(',', ';'),
  );
  const text = ['sep=;', HEADER.replaceAll(',', ';'), ...rows, ''].join('\n');
  expect(await expectSame(new TextEncoder().encode(text), 50, 200)).toBeGreaterThan(2);
  const { fixes } = await whole([new TextEncoder().encode(text)], {});
  expect(fixes).toHaveLength(30);
});

test('issues beyond the limit are counted over all pieces, and lines are those of the file', async () => {
  const rows = Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? row(i, '') : `u,${TIME},x,${i},"\n"`));
  const options = { limits: { maxIssues: 7 } };
  expect(await expectSame(table(rows), 100, 500, options)).toBeGreaterThan(5);
  const { issues } = await split(chunksOf(table(rows), 100), options, 500);
  expect(issues.slice(0, 3)).toMatchObject([
    { code: 'csv-columns', line: 1 },
    { code: 'coord-type', line: 4 },
    { code: 'coord-type', line: 6 },
  ]);
  expect(issues.at(-1)!.message).toBe('193 further issues of this kind, 200 in all');
});

const middle = (odd: string): Uint8Array =>
  table([
    ...Array.from({ length: 30 }, (_, i) => row(i, 'a')),
    odd,
    ...Array.from({ length: 30 }, (_, i) => row(i, '"b\n"')),
  ]);

test.each([
  ['a quote inside a cell', row(1, 'a 5" pipe')],
  ['text after a closing quote', row(1, '"a"b')],
  ['an unclosed quote', row(1, '"a')],
  ['a row that ends with CR LF', `${row(1, 'a')}\r`],
  ['a row that ends with CR', `${row(1, 'a')}\r${row(2, 'a')}`],
])('after %s the rows are read in this thread', async (_, odd) => {
  for (const pieceBytes of [60, 200, 777, 1500]) {
    expect(await expectSame(middle(odd), 100, pieceBytes)).toBeGreaterThan(0);
  }
});

test('a line end without CR in a file with CR LF', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => row(i, i === 40 ? 'a\nb' : '"a"'));
  for (const pieceBytes of [60, 200, 777]) await expectSame(table(rows, '\r\n'), 100, pieceBytes);
});

test('issues of invalid UTF-8 keep their place among the other issues', async () => {
  const bytes = table(
    Array.from({ length: 60 }, (_, i) => row(i, i === 20 || i === 50 ? '\u00e9' : 'x')),
  ).slice();
  const bad = table(Array.from({ length: 60 }, (_, i) => (i % 9 === 0 ? `,${TIME},1,2,` : row(i, '"a\nb"'))));
  bad[700] = 0xff;
  for (const pieceBytes of [60, 200, 777]) {
    await expectSame(bytes, 100, pieceBytes);
    await expectSame(bad, 100, pieceBytes);
  }
});

test('other encodings, zones, a header without rows and an empty file are read in this thread', async () => {
  const utf16 = Uint8Array.from(Buffer.from(`\ufeff${HEADER}\n${row(1, 'a')}\n${row(2, 'b')}\n`, 'utf16le'));
  const zones = new TextEncoder().encode('id,wkt\na,POINT (1 2)\nb,POINT (1 2)\n');
  for (const bytes of [utf16, zones, table([]), new Uint8Array(0), new TextEncoder().encode(HEADER)]) {
    expect(await expectSame(bytes, 10, 5)).toBe(0);
  }
});

const cell = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    '"a"',
    '"a\nb"',
    '"a\r\nb"',
    '"a""b"',
    '"',
    'a"b',
    '"a"b',
    '\r',
    'é',
    '1e400',
    ' 5 ',
  ),
  fc.nat(99).map(String),
);
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(99), cell).map(([i, note]) => row(i, note.startsWith('"a') ? note : 'n')),
  },
  { weight: 2, arbitrary: fc.array(cell, { maxLength: 6 }).map((cells) => cells.join(',')) },
);

test('random tables in random chunks and pieces', async () => {
  const cases = fc.record({
    lines: fc.array(line, { maxLength: 25 }),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    chunkBytes: fc.integer({ min: 5, max: 300 }),
    pieceBytes: fc.integer({ min: 1, max: 300 }),
    maxIssues: fc.constantFrom(2, 100),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ lines, lineEnd, chunkBytes, pieceBytes, maxIssues }) => {
      await expectSame(table(lines, lineEnd), chunkBytes, pieceBytes, { limits: { maxIssues } });
    }),
    { numRuns: volume(300) },
  );
});
