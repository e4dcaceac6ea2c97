import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellText, toCsv } from '../../src/interchange/csv/toCsv.js';
import { csvOf, xlsxOf } from '../../src/report/client/savedTable.js';
import { fromTable } from './fromTable.js';

/** What the page saves, against the library's own writer and reader of tables. */

const text = fc.string({
  unit: fc.constantFrom('a', 'Ж', '"', '=', ',', '-', '+', '@', '\r', '\n', ' ', '1', '.'),
});
const rows = fc.array(fc.tuple(text, fc.double({ noNaN: true, noDefaultInfinity: true }), text), {
  maxLength: 6,
});
const COLUMNS = ['one', 'two', 'three'].map((title) => ({ title, isTime: false }));

test('a file without semicolons is, but for its byte mark, what toCsv writes', () => {
  fc.assert(
    fc.property(rows, (cells) => {
      const own = csvOf(COLUMNS, cells, 'en');
      expect(own.startsWith('\uFEFF')).toBe(true);
      // Quotes are optional: both are read as the same cells.
      const cellsOf = (csv: string): string =>
        csv.replace(/"((?:[^"]|"")*)"/g, (_, inner: string) => inner.replaceAll('""', '"'));
      const expected = toCsv(['one', 'two', 'three'], cells);
      expect(cellsOf(own.slice(1))).toBe(cellsOf(expected));
    }),
  );
});

test('Russian files have decimal commas and semicolons, which the reader finds', () => {
  const csv = csvOf(
    COLUMNS,
    [
      ['a;b', 1.5, 'x'],
      ['c', 22.25, 'y, z'],
      ['d', 3.75, '=1+1'],
    ],
    'ru',
  );
  expect(fromTable(Buffer.from(csv))).toEqual([
    ['one', 'two', 'three'],
    ['a;b', '1,5', 'x'],
    ['c', '22,25', 'y, z'],
    ['d', '3,75', "'=1+1"],
  ]);
});

test('times are wall times in both forms, and columns of one title stay apart', () => {
  const columns = [
    { title: 'km', isTime: false },
    { title: 'km', isTime: false },
    { title: 'at', isTime: true },
  ];
  const given = [[1, 2, Date.UTC(2026, 2, 2, 8, 15, 20)]];
  expect(csvOf(columns, given, 'en')).toContain('1,2,2026-03-02 08:15:20\r\n');
  const [head, row] = fromTable(xlsxOf(columns, given));
  expect(head).toEqual(['km', 'km 2', 'at']);
  expect(row!.slice(0, 2)).toEqual(['1', '2']);
  expect(row![2]).toContain('2026-03-02');
  expect(cellText('=1')).toBe("'=1");
});
