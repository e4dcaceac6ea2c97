import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { WayzoneError } from '../../src/core/errors.js';
import { describeTable, fromCsv } from '../../src/interchange/index.js';
import { seeded, volume } from '../volume.js';

interface Parts {
  readonly sheet?: string;
  readonly workbook?: string;
  readonly strings?: string;
  readonly styles?: string;
}

const RELS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="/xl/worksheets/sheet2.xml"/></Relationships>';

const STYLES =
  '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="0.00&quot;days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="14"/></cellXfs></styleSheet>';

function workbook({ sheet = '', workbook: book, strings, styles = STYLES }: Parts): Uint8Array {
  return zipSync({
    'xl/workbook.xml': strToU8(
      book ??
        '<workbook xmlns:r="x"><sheets><sheet name="Лист1" r:id="r1"/><sheet name="Other" r:id="r2"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(RELS),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
    'xl/worksheets/sheet2.xml': strToU8('<worksheet><sheetData/></worksheet>'),
    'xl/styles.xml': strToU8(styles),
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': strToU8(strings) }),
  });
}

const text = (cell: string, value: string): string =>
  `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
const HEADER = `<row r="1">${text('A1', 'ТС')}${text('B1', 'Время')}${text('C1', 'Широта')}${text('D1', 'Долгота')}</row>`;
const row = (number: number, serial: string, style = 1): string =>
  `<row r="${number}">${text(`A${number}`, 'А1')}<c r="B${number}" s="${style}"><v>${serial}</v></c><c r="C${number}"><v>56.3</v></c><c r="D${number}"><v>4.401E1</v></c></row>`;

const MOSCOW = { timeZone: 'Europe/Moscow' };

describe('XLSX', () => {
  test('dates are wall times, numbers are numbers, and gaps in rows are empty cells', () => {
    const bytes = workbook({ sheet: HEADER + row(2, '46037.333333333336') + row(4, '46037.334027777778') });
    expect(describeTable(bytes)).toMatchObject({
      form: 'xlsx',
      sheet: 'Лист1',
      questions: [{ code: 'time-zone-missing' }],
    });
    const { value } = fromCsv(bytes, { table: MOSCOW });
    expect(value.tracks).toEqual([
      {
        name: 'А1',
        unitId: 'А1',
        fixes: [
          { time: Date.UTC(2026, 0, 15, 5), lon: 44.01, lat: 56.3 },
          { time: Date.UTC(2026, 0, 15, 5, 1), lon: 44.01, lat: 56.3 },
        ],
      },
    ]);
  });

  test('workbooks that count days from 1904', () => {
    const book =
      '<workbook xmlns:r="x"><workbookPr date1904="1"/><sheets><sheet name="S" r:id="r1"/></sheets></workbook>';
    const bytes = workbook({ workbook: book, sheet: HEADER + row(2, String(46037.333333333336 - 1462)) });
    expect(fromCsv(bytes, { table: MOSCOW }).value.tracks[0]!.fixes[0]!.time).toBe(Date.UTC(2026, 0, 15, 5));
  });

  test('a fix at midnight has a time, a day has none', () => {
    const read = (style: number, ...serials: readonly string[]): unknown => {
      const { value, issues } = fromCsv(
        workbook({ sheet: HEADER + serials.map((own, i) => row(i + 2, own, style)).join('') }),
        { table: { timeZone: 'UTC' } },
      );
      return value.tracks[0]?.fixes.map(({ time }) => time) ?? issues.map(({ code }) => code);
    };
    const midnight = Date.UTC(2026, 0, 15);
    expect(read(1, '46036.75', '46037', '46037.25')).toEqual(
      [-6, 0, 6].map((hour) => midnight + hour * 3_600_000),
    );
    expect(read(1, '46037', '46038')).toEqual([midnight, midnight + 86_400_000]);
    expect(read(3, '46037', '46038')).toContain('time-format-unknown');
  });

  test('units are not joined when a number lost the digits that tell them apart', () => {
    const units = ['89701012345678901237', '89701012345678901244'].map(
      (unit, i) =>
        `<row><c><v>${unit}</v></c><c s="1"><v>46037.5</v></c><c><v>${55 + i}</v></c><c><v>37</v></c></row>`,
    );
    const { value, issues } = fromCsv(workbook({ sheet: HEADER + units.join('') }), { table: MOSCOW });
    expect(value.tracks).toEqual([]);
    expect(issues.map(({ code }) => code)).toContain('digits-lost');
    const whole = units.join('').replaceAll(/89701(\d{15})/g, '$1');
    expect(fromCsv(workbook({ sheet: HEADER + whole }), { table: MOSCOW }).value.tracks).toMatchObject([
      { unitId: '12345678901237' },
      { unitId: '12345678901244' },
    ]);
  });

  test('shared texts with runs, and sheets by name', () => {
    const strings =
      '<sst><si><t>time</t></si><si><r><t>la</t></r><r><t>t</t></r><rPh><t>x</t></rPh></si><si><t>lon</t></si></sst>';
    const shared = (i: number): string => `<c t="s"><v>${i}</v></c>`;
    const sheet = `<row>${shared(0)}${shared(1)}${shared(2)}</row><row><c t="str"><v>2026-01-15T05:00:00Z</v></c><c><v>1</v></c><c><v>2</v></c></row>`;
    const bytes = workbook({ sheet, strings });
    expect(fromCsv(bytes).value.tracks[0]!.fixes).toEqual([
      { time: Date.UTC(2026, 0, 15, 5), lon: 2, lat: 1 },
    ]);
    expect(() => fromCsv(bytes, { table: { sheet: 'None' } })).toThrow(WayzoneError);
  });

  test('a bomb, a missing part and a cut file are issues', () => {
    const bomb = workbook({ sheet: `${HEADER}<row><c><v>${'0'.repeat(60_000_000)}</v></c></row>` });
    expect(bomb.length).toBeLessThan(100_000);
    expect(fromCsv(bomb).issues).toMatchObject([{ code: 'limit-inflated', severity: 'error' }]);
    const whole = workbook({ sheet: HEADER + row(2, '46037') });
    expect(fromCsv(whole.subarray(0, whole.length - 30)).issues).toMatchObject([{ code: 'xlsx-corrupt' }]);
    expect(fromCsv(zipSync({ 'a.txt': strToU8('x') })).issues).toMatchObject([{ code: 'xlsx-corrupt' }]);
    const wide = workbook({ sheet: '<row r="1"><c r="XFE1"><v>1</v></c></row>' });
    expect(fromCsv(wide).issues).toMatchObject([{ code: 'xlsx-corrupt' }]);
    const dtd = workbook({ strings: '<!DOCTYPE sst [<!ENTITY a "x">]><sst><si><t>&a;</t></si></sst>' });
    expect(fromCsv(dtd).issues).toMatchObject([{ code: 'xlsx-corrupt' }]);
  });

  test('flipped bytes never throw without a code', () => {
    const whole = workbook({ sheet: HEADER + row(2, '46037.3') + row(3, '46037.4') });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        (flips) => {
          const bytes = Uint8Array.from(whole);
          for (const [at, value] of flips) bytes[at] = value;
          const { issues } = fromCsv(bytes);
          for (const { code, message } of issues) expect(code.length * message.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: volume(4000), seed: 7 },
    );
  });
});

describe('mutated tables', () => {
  const SEEDS: readonly string[] = [
    'ТС;Время;Широта;Долгота;Скорость, км/ч\nА1;15.01.2026 08:00;56,30;44,01;0\nА1;15.01.2026 08:01;56,31;44,02;34\nИтого;;;;\n',
    'sep=;\nunit;time;lat;lon\na;2/5/2026 8:10:00 AM;"56°18\'18.7""N";"44°0\'1""E"\n',
    '$GPRMC,010000.00,A,3351.90858,S,15112.59400,E,0.000,35.0,200326,,,A*77\n$GPGGA,010000.00,3351.90858,S,15112.59400,E,1,09,1.1,92.0,M,14.0,M,,*41\n',
    '[{"deviceId":3,"fixTime":"2026-01-15T05:00:00Z","protocol":"a","latitude":56.3,"longitude":44,"speed":1}]',
    'REG;1768453200;44.01;56.30;0;35;ALT:92.0,ign:0;SATS:9;;\n',
    'name,lat,lon,radius (m)\na,56,44,5\n',
    'WKT;id;name;area\n"POLYGON ((44 56, 45 56, 45 57, 44 56))";1;a;"CIRCLE (56 44, 5)"\n',
  ];
  const PIECES = [
    '"',
    ';',
    ',',
    '\t',
    '\r',
    '\n',
    '\u0000',
    'é',
    '٣',
    '{',
    '[',
    ']',
    '1e309',
    '-',
    '24:00',
    '99',
    'UTC+3',
    ' ',
    'NaN',
    '°',
    '\ud800',
  ];

  test('never throw without a code, never give what is no number, and end', () => {
    const random = seeded(11);
    for (let run = 0; run < volume(8000); run++) {
      let table = SEEDS[run % SEEDS.length]!;
      const edits = 1 + Math.floor(random() * 6);
      for (let i = 0; i < edits; i++) {
        const at = Math.floor(random() * table.length);
        const piece =
          random() < 0.3
            ? table.slice(at, at + Math.floor(random() * 40))
            : PIECES[Math.floor(random() * PIECES.length)]!;
        table = table.slice(0, at) + piece + table.slice(at + Math.floor(random() * 4));
      }
      const bytes = new TextEncoder().encode(table);
      if (random() < 0.3) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      const hints =
        random() < 0.5
          ? ({ timeZone: 'Europe/Berlin', dateOrder: 'dmy', speedUnit: 'kph', coordinates: 'dms' } as const)
          : {};
      const { value } = fromCsv(bytes, { table: { fileName: 'x.csv', ...hints } });
      for (const { fixes } of value.tracks) {
        for (const fix of fixes)
          for (const own of Object.values(fix))
            expect(typeof own === 'boolean' || Number.isFinite(own)).toBe(true);
      }
    }
  });

  test('many quotes without an end, and many columns, take linear time', () => {
    const text = `unit;time;lat;lon\n${'"a\n'.repeat(60_000)}`;
    expect(fromCsv(text, { table: { delimiter: ';' } }).value.tracks).toEqual([]);
    expect(
      fromCsv(`unit;time;lat;lon${';x'.repeat(50_000)}\n`, { table: { delimiter: ';' } }).value.tracks,
    ).toEqual([]);
  });
});
