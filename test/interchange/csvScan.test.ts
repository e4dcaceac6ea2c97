import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WayzoneError } from '../../src/core/errors.js';
import type { FixBatch, ForeignData } from '../../src/core/fix.js';
import { fixOfBatch } from '../../src/interchange/common/fixBatches.js';
import { ForeignBuilder } from '../../src/interchange/common/foreignBuilder.js';
import { NumberScanner, TimeScanner } from '../../src/interchange/common/numberScanner.js';
import { parseTime } from '../../src/interchange/common/parseTime.js';
import { CsvBytes } from '../../src/interchange/csv/csvBytes.js';
import { CsvRows } from '../../src/interchange/csv/readWhole.js';
import { type CsvOptions, fromCsv, readCsv } from '../../src/interchange/index.js';
import { seeded, volume } from '../volume.js';

type Records = readonly (readonly [record: readonly string[], line: number] | string)[];

const OPTIONS = { relax_column_count: true, skip_empty_lines: true } as const;

/** The records of a text by csv-parse alone. */
function recordsOfParser(text: string, delimiter: string): Records {
  const records: (readonly [readonly string[], number] | string)[] = [];
  try {
    parse(text, {
      ...OPTIONS,
      delimiter,
      on_record: (record: string[], { lines }) => {
        records.push([record, lines]);
        return null;
      },
    });
  } catch {
    records.push('csv-syntax');
  }
  return records;
}

/** The records by the readers of bytes, for bytes in two chunks. */
function recordsOfBytes(bytes: Uint8Array, cut: number, delimiter: string): Records {
  const records: (readonly [readonly string[], number] | string)[] = [];
  const rows = {
    read: (record: readonly string[], line: number): void => void records.push([record, line]),
    layout: (): null => null,
  };
  const builder = new ForeignBuilder({});
  const reader = new CsvBytes(rows, builder, { delimiter });
  const from = reader.read(bytes.subarray(0, cut), false);
  if (!reader.isOver) reader.read(bytes.subarray(from), true);
  return [...records, ...builder.issues.toArray().map(({ code }) => code)];
}

/** Texts of fragments that are difficult for readers of tables. */
const hostileText = fc
  .array(
    fc.constantFrom(
      'a',
      'b,c',
      ',',
      ',',
      '"',
      '""',
      '"x"',
      '"x\ny"',
      '"p""q"',
      '\n',
      '\n',
      '\r\n',
      '\r\n',
      '\r',
      ' ',
      '\0',
      'é',
      '\uFEFF',
      ';',
      '1',
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))
  // To csv-parse, NUL after a closing quote is the end of the text.
  .filter((text) => !text.includes('"\0'));

describe('rows are cut into the same cells as by csv-parse', () => {
  test('hostile texts, cut at every byte', () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom(',', ';'), (text, delimiter) => {
        const bytes = new TextEncoder().encode(text);
        const wanted = recordsOfParser(text, delimiter);
        for (let cut = 0; cut <= bytes.length; cut++) {
          expect(recordsOfBytes(bytes, cut, delimiter), `cut at ${cut}`).toEqual(wanted);
        }
      }),
      { numRuns: volume(10_000) },
    );
  });

  test('delimiters of several characters or outside ASCII, cut at every byte', () => {
    for (const delimiter of ['::', 'é', 'x', '=>', '\u2028']) {
      for (const lineEnd of ['\n', '\r\n', '\r']) {
        const text = [['a', 'b:'], ['1', '"2"', '"p""q"'], ['', ''], ['="3"'], ['"4"', 'c']]
          .map((cells) => cells.join(delimiter))
          .join(lineEnd);
        const bytes = new TextEncoder().encode(text);
        const wanted = recordsOfParser(text, delimiter);
        for (let cut = 0; cut <= bytes.length; cut++) {
          expect(recordsOfBytes(bytes, cut, delimiter), `${delimiter}, cut at ${cut}`).toEqual(wanted);
        }
      }
    }
  });

  test.each([
    ['a,b\n1,2"3\n', 'a quote only at the start of a cell, received one within a cell', 2],
    ['a,b\n1,"2"3\n', 'a delimiter or the end of the row after a closing quote, received other text', 2],
    ['a,b\n\n1,"2\n3\n', 'a quote at the end of the cell, received the end of the file', 3],
  ])('%j: the line and the problem', (text, problem, line) => {
    const builder = new ForeignBuilder({});
    new CsvBytes(new CsvRows({ as: 'zones' }, builder), builder, {}).read(
      new TextEncoder().encode(text),
      true,
    );
    const issues = builder.issues.toArray();
    const message = `expected ${problem}; the rest is not read`;
    expect(issues.find(({ code }) => code === 'csv-syntax')).toMatchObject({
      severity: 'error',
      message,
      line,
    });
  });

  test.each(['"', '\n', 'a\rb', ';"'])('%j cannot be a delimiter', (delimiter) => {
    expect(() => fromCsv('a', { delimiter })).toThrow(
      expect.objectContaining({ code: 'option-value', field: 'delimiter' }) as Error,
    );
  });
});

/** `fromCsv` without the readers of bytes: csv-parse reads all rows. */
function twin(text: string, options: CsvOptions, delimiter: string): ForeignData {
  const builder = new ForeignBuilder(options);
  const rows = new CsvRows(options, builder);
  try {
    parse(text, {
      ...OPTIONS,
      delimiter,
      on_record: (record: string[], { lines }) => {
        rows.read(record, lines);
        return null;
      },
    });
  } catch (error) {
    if (error instanceof WayzoneError) builder.issues.caught(error);
    else builder.issues.error('csv-syntax', '', (error as Error).message);
  }
  rows.finish(true);
  return ownSyntax(builder.toForeignData());
}

/** The data without the words and lines of errors of syntax, which the two parsers choose. */
function ownSyntax({ value, issues }: ForeignData): ForeignData {
  const own = issues.map((issue) =>
    issue.code === 'csv-syntax'
      ? { code: issue.code, severity: issue.severity, field: '', message: '' }
      : issue,
  );
  return { value, issues: own };
}

/** Values of cells by column. The first one is plain, the others are unusual or invalid. */
const CELLS: Readonly<Record<string, readonly string[]>> = {
  unit: ['a', 'a', 'b', 'car 7', 'é', ' a', 'a ', '', '\u00a0a', '"', 'x"y', 'a,b', 'Z'.repeat(300), 'ключ'],
  time: [
    '2026-03-02T08:00:00Z',
    '2026-03-02T08:00:00.123Z',
    '2026-03-02 08:00:01.123456789+05:30',
    '2026-12-31T23:59:60Z',
    '2026-02-30T00:00:00Z',
    '2028-02-29T23:59:59-18:00',
    '20260302T080000Z',
    '2026-03-02T24:00:00Z',
    '2026-03-02T08:00Z',
    '0099-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-03-02T08:00:00',
    '2026-03-02t08:00:00z',
    '2026-13-02T08:00:00Z',
    '2026-03-02T08:00:00.Z',
    '2026-03-02T08:00:00.1234567890123456Z',
    '2026-03-02T08:00:00+19:00',
    '2026-03-02T08:60:00Z',
    '',
    'x',
    '2026-03-02T08:00:00 Z',
    '2026-03-02T08:00:00+0530',
    '1772438400',
    '-1',
    '1772438400.5',
    '8640000000000001',
  ],
  lat: [
    '55.7',
    '-0',
    '90',
    '90.0000001',
    '+1.5',
    '1e1',
    '',
    ' 5',
    '.5',
    '5.',
    '00012.5',
    '1,5',
    '55.123456789012345678',
    '0x10',
    '-',
    '1.2.3',
  ],
  lon: [
    '37.6',
    '-180',
    '540',
    '541',
    '0.00000000000000000000001',
    '12345678901234567890',
    '37.61234567890123',
    '1-2',
    'NaN',
    '179.99999999999999',
  ],
  speed_kph: ['', '36', '0.1', '-1', 'fast', ' ', '-0', '36.6', '1e3'],
  mileage_m: ['', '12.5', '-1', '1e5', '0'],
  ignition: ['', '1', '0', 'on', 'OFF', 'maybe', ' 1', '2', '10'],
  note: ['', 'x', '"quoted"', 'a"b', 'two\nlines', 'é', ',', "'"],
};

interface Table {
  readonly text: string;
  readonly delimiter: string;
}

/** A random table. Cells are quoted if necessary, but some are quoted needlessly and some wrongly not. */
function tableOf(seed: number): Table {
  const random = seeded(seed);
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!;
  const delimiter = pick([',', ',', ';', '\t', '|']);
  const lineEnd = pick(['\n', '\n', '\r\n']);
  const names = Object.keys(CELLS).filter((name) => random() < 0.8 || !/note|ignition/.test(name));
  if (random() < 0.2) names.reverse();
  const quoteAll = random() < 0.3;
  const oddness = pick([0.02, 0.2]);
  const cellOf = (name: string): string => {
    const list = CELLS[name]!;
    const text = random() < oddness ? pick(list) : name === 'note' ? 'n' : list[0]!;
    const needs = /["\r\n]/.test(text) || text.includes(delimiter);
    const isQuoted = quoteAll || random() < 0.02 ? random() > 0.005 : needs && random() > 0.02;
    return isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const rows = Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
    const cells = names.map(cellOf);
    if (random() < oddness / 4) cells.push(pick(['', 'more']));
    if (random() < oddness / 4) cells.pop();
    return cells.join(delimiter);
  });
  const head = names.join(delimiter);
  const ends = rows.map(() => (random() < 0.01 ? pick(['\r', '\n', '\r\n', '\n\n']) : lineEnd));
  if (random() < 0.5) ends[ends.length - 1] = '';
  return { text: `${head}${lineEnd}${rows.map((row, i) => row + ends[i]!).join('')}`, delimiter };
}

const VARIANTS: readonly CsvOptions[] = [
  {},
  { timeZoneOffsetMinutes: -90 },
  { timeFormat: 'epoch-seconds' },
  { timeFormat: 'epoch-milliseconds', columns: { unit: 'note' } },
  { limits: { maxVertices: 3 } },
  { limits: { maxFeatures: 1, maxIssues: 1 } },
  { unitId: 'one', columns: { unit: 'no such column' } },
];

describe('values and issues are the same as by csv-parse', () => {
  test('random tables with unusual cells, whole and cut at every byte', async () => {
    const count = volume(3000);
    for (let seed = 1; seed <= count; seed++) {
      const { text, delimiter } = tableOf(seed);
      const options = VARIANTS[seed % VARIANTS.length]!;
      const wanted = twin(text, options, delimiter);
      const own = { ...options, delimiter };
      expect(ownSyntax(fromCsv(text, own)), `seed ${seed}`).toEqual(wanted);
      const bytes = new TextEncoder().encode(text);
      const step = seed % 10 === 0 ? 1 : 37;
      for (let cut = seed % step; cut < bytes.length; cut += step) {
        const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
        expect(ownSyntax(await readCsv(chunks, own)), `seed ${seed}, cut at ${cut}`).toEqual(wanted);
      }
    }
  });

  test('a first line `sep=;` names the delimiter, also for a file cut at any byte', async () => {
    const table = 'unit;time;lat;lon;note\na,2;2026-03-01T00:00:00Z;1;2;x\na,2;2026-03-01T00:00:01Z;1;y;x\n';
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      const text = table.replaceAll('\n', lineEnd);
      const wanted = fromCsv(text, { delimiter: ';' });
      const { value } = wanted;
      expect(value.tracks).toMatchObject([{ unitId: 'a,2', fixes: [{ lat: 1, lon: 2 }] }]);
      const issues = wanted.issues.map((issue) => ({ ...issue, line: issue.line! + 1 }));
      expect(issues.map(({ code, line }) => [code, line])).toEqual([
        ['csv-columns', 2],
        ['coord-type', 4],
      ]);
      for (const first of ['sep=;', 'SEP=;', '"sep=;"', '\ufeffsep=;']) {
        const bytes = new TextEncoder().encode(first + lineEnd + text);
        expect(fromCsv(bytes), first).toEqual({ value, issues });
        for (let cut = 0; cut < bytes.length; cut++) {
          const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
          expect(await readCsv(chunks), `${first}, cut at ${cut}`).toEqual({ value, issues });
        }
      }
    }
    expect(fromCsv(`sep=|\n${table}`, { delimiter: ';' }).value).toEqual(fromCsv(table).value);
    expect(fromCsv('sep=;').issues).toMatchObject([
      { code: 'csv-columns', message: expect.stringContaining('empty file') as string },
    ]);
    expect(fromCsv('sep=;;\n').issues[0]).toMatchObject({ code: 'csv-columns', line: 1 });
  });

  test('random tables in chunks of one byte', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const { text, delimiter } = tableOf(seed);
      const bytes = new TextEncoder().encode(text);
      const chunks = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
      expect(ownSyntax(await readCsv(chunks, { delimiter })), `seed ${seed}`).toEqual(
        twin(text, {}, delimiter),
      );
    }
  });

  test('invalid UTF-8 gives one issue a line, and U+FFFD in texts', async () => {
    const bytes = Buffer.from(
      'unit,time,lat,lon,note\nab,2026-01-01T00:00:00Z,1,2,x\nab,2026-01-01T00:00:01Z,1,2,y\n',
      'latin1',
    );
    bytes[bytes.indexOf('ab')] = 0xff;
    bytes[bytes.indexOf(',x') + 1] = 0xc3;
    const wanted = twin(new TextDecoder().decode(bytes), {}, ',');
    for (const data of [fromCsv(bytes), await readCsv([bytes.subarray(0, 40), bytes.subarray(40)])]) {
      expect(data.value).toEqual(wanted.value);
      const isOfText = ({ code }: { readonly code: string }): boolean => code === 'encoding';
      expect(data.issues.filter(isOfText)).toMatchObject([{ severity: 'warning', line: 2 }]);
      expect(data.issues.filter((issue) => !isOfText(issue))).toEqual(wanted.issues);
    }
  });

  test('a row longer than a chunk, and an unclosed quote', async () => {
    const note = 'x'.repeat(200_000);
    const text = `unit,time,lat,lon,note\na,2026-01-01T00:00:00Z,1,2,"${note}\n${note}"\na,2026-01-01T00:00:01Z,1,2,\n`;
    for (const file of [text, `${text}a,2026-01-01T00:00:02Z,1,2,"${note}`]) {
      const bytes = new TextEncoder().encode(file);
      const chunks = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, i) =>
        bytes.subarray(1000 * i, 1000 * (i + 1)),
      );
      expect(ownSyntax(await readCsv(chunks))).toEqual(twin(file, {}, ','));
    }
  });
});

describe('onFixes', () => {
  test('gets the same fixes as onFix, in the order of the file, for many units', async () => {
    const random = seeded(5);
    const rows = Array.from({ length: 20_000 }, (_, i) => {
      const unit = `unit ${Math.floor(random() * 3000)}`;
      const speed = random() < 0.5 ? '' : (random() * 90).toFixed(2);
      return `${unit},${new Date(1772438400000 + i * 1000).toISOString()},${random() * 90},${random() * 180},${speed}`;
    });
    const bytes = new TextEncoder().encode(`unit,time,lat,lon,speed_kph\n${rows.join('\n')}\n`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) =>
      bytes.subarray(65_536 * i, 65_536 * (i + 1)),
    );
    const single: [string, unknown][] = [];
    await readCsv(chunks, { onFix: (unit, fix) => void single.push([unit, fix]) });
    const columns: [string, unknown][] = [];
    const onFixes = (batch: FixBatch): void => {
      for (let i = 0; i < batch.length; i++)
        columns.push([batch.unitIds[batch.unit[i]!]!, fixOfBatch(batch, i)]);
    };
    const { value, issues } = await readCsv(chunks, { onFixes });
    expect(issues).toEqual([]);
    expect(value.tracks).toEqual([]);
    expect(columns).toHaveLength(20_000);
    expect(columns).toEqual(single);
    const tracks = fromCsv(bytes).value.tracks;
    expect(tracks.flatMap(({ unitId, fixes }) => fixes.map((fix) => [unitId, fix]))).toHaveLength(20_000);
    expect(tracks.map(({ unitId }) => unitId)).toEqual([...new Set(columns.map(([unit]) => unit))]);
  });

  test('units whose names share a hash take linear time', () => {
    // Thousands of these names share the last bits of their 32-bit FNV-1a hash.
    const names = Array.from({ length: 60_000 }, (_, i) => `unit ${i}`);
    const rows = [...names, ...names].map((name) => `${name},2026-01-01T00:00:00Z,1,2`);
    const { tracks } = fromCsv(`unit,time,lat,lon\n${rows.join('\n')}`).value;
    expect(tracks).toHaveLength(60_000);
    expect(tracks.every(({ fixes }) => fixes.length === 2)).toBe(true);
  });

  test('an error of onFixes is thrown by the reader', async () => {
    const bytes = new TextEncoder().encode('time,lat,lon\n2026-01-01T00:00:00Z,1,2\n');
    const onFixes = (): void => {
      throw new TypeError('mine');
    };
    expect(() => fromCsv(bytes, { onFixes })).toThrow('mine');
    await expect(readCsv([bytes], { onFixes })).rejects.toThrow('mine');
  });
});

describe('numbers and times in bytes', () => {
  test('every number is the same as by Number, or is left to it', () => {
    const random = seeded(11);
    const scanner = new NumberScanner();
    const bits = new Float64Array(1);
    const words = new BigUint64Array(bits.buffer);
    const digits = (count: number): string =>
      Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
    const kinds: readonly (() => string)[] = [
      () => (random() * 360 - 180).toFixed(6),
      () => String(random() * 360 - 180),
      () => `0.000${digits(1 + Math.floor(random() * 17))}`,
      () => digits(1 + Math.floor(random() * 22)),
      () => `${digits(1 + Math.floor(random() * 12))}.${digits(Math.floor(random() * 14))}`,
      // Half-way between two doubles, as near as 22 digits allow.
      () => {
        bits[0] = 2 ** Math.floor(random() * 8) * (1 + random());
        const low = bits[0];
        words[0]!++;
        const scale = 10n ** 20n;
        const middle = (exact(low) * scale + exact(bits[0]) * scale) / 2n ** 61n;
        const text = middle.toString().padStart(21, '0');
        return `${text.slice(0, -20)}.${text.slice(-20, -20 + 12 + Math.floor(random() * 8))}`;
      },
    ];
    let unread = 0;
    const count = volume(400_000);
    for (let i = 0; i < count; i++) {
      const text = (random() < 0.3 ? '-' : '') + kinds[i % kinds.length]!();
      const bytes = new TextEncoder().encode(`${text},9`);
      const value = scanner.read(bytes, 0);
      if (Number.isNaN(value)) unread++;
      else if (!Object.is(value, Number(text)) || scanner.end !== text.length) {
        expect([text, value, scanner.end]).toEqual([text, Number(text), text.length]);
      }
    }
    // Numbers of more than 22 digits, and some half-way between two doubles, are not read.
    expect(unread / count).toBeLessThan(0.1);
  });

  test.each(['', '-', '+', '.5', '1e', 'x', '--1', '12345678901234567890123', `0.${'0'.repeat(23)}1`])(
    '%j is not read as a number',
    (text) => {
      const value = new NumberScanner().read(new TextEncoder().encode(`${text},`), 0);
      if (text === '1e') expect(value).toBe(1);
      else expect(value).toBeNaN();
    },
  );

  test('every time is the same as by parseTime, or is left to it', () => {
    const random = seeded(12);
    const scanner = new TimeScanner(60);
    let read = 0;
    for (let i = 0; i < volume(100_000); i++) {
      const at = new Date(Math.floor((random() - 0.2) * 4e12));
      let text = at.toISOString().slice(0, 19);
      if (random() < 0.5) text = text.replace('T', ' ');
      if (random() < 0.5) text += `.${String(random()).slice(2, 3 + Math.floor(random() * 15))}`;
      text += ['Z', 'z', '', '+03:00', '-11:30', '+18:59'][Math.floor(random() * 6)]!;
      if (random() < 0.3) {
        const place = Math.floor(random() * text.length);
        text = text.slice(0, place) + '0123456789:-TZ. '[Math.floor(random() * 16)]! + text.slice(place + 1);
      }
      const bytes = new TextEncoder().encode(`${text},2026-03-02T08:00:00Z`);
      const time = scanner.read(bytes, 0);
      // The caller checks the text after a time.
      if (Number.isNaN(time) || scanner.end !== text.length) continue;
      read++;
      const parsed = parseTime(text, 60);
      if (parsed?.time !== time || parsed.note === 'leap-second')
        expect([text, time]).toEqual([text, parsed]);
    }
    expect(read).toBeGreaterThan(volume(100_000) / 2);
  });
});

/** The double times 2^60 as a whole number. */
function exact(value: number): bigint {
  let scale = 60n;
  let own = value;
  while (!Number.isInteger(own)) {
    own *= 2;
    scale--;
  }
  return BigInt(own) * 2n ** scale;
}
