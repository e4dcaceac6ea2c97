import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { describeTable, fromCsv, readCsv, type TableHints } from '../../src/interchange/index.js';
import { errorOf } from '../errorOf.js';

const HEADER = 'unit;time;lat;lon';

function fixesOf(text: string, table: TableHints = {}): readonly Fix[] {
  return fromCsv(text, { table }).value.tracks.flatMap(({ fixes }) => fixes);
}

function codes(text: string, table: TableHints = {}): string[] {
  return fromCsv(text, { table }).issues.map(({ code, severity }) => `${severity} ${code}`);
}

const iso = (list: readonly Fix[]): string[] => list.map(({ time }) => new Date(time).toISOString());

describe('describeTable', () => {
  test('says what each column is, on which evidence, and asks what the table does not say', () => {
    const text =
      'ТС;Время;Широта;Долгота;Скорость\nА1;05.02.2026 08:00;56,30;44,01;0\nА1;05.02.2026 08:01;56,31;44,02;61\n';
    const table = describeTable(new TextEncoder().encode(text));
    expect(table).toMatchObject({
      form: 'delimited',
      kind: 'fixes',
      encoding: 'utf-8',
      delimiter: ';',
      decimal: ',',
      headerLine: 1,
    });
    expect(table.columns.map(({ name, role }) => [name, role])).toEqual([
      ['ТС', 'unit'],
      ['Время', 'time'],
      ['Широта', 'lat'],
      ['Долгота', 'lon'],
      ['Скорость', 'speed'],
    ]);
    expect(table.columns[1]).toMatchObject({
      format: 'dmy',
      examples: ['05.02.2026 08:00', '05.02.2026 08:01'],
    });
    expect(table.questions.map(({ code }) => code)).toEqual(['time-zone-missing', 'speed-unit']);
    expect(table.questions.map(({ flag }) => flag.split(' ')[0])).toEqual(['--time-zone', '--speed-unit']);
    // Plain data, which a program can store.
    expect(JSON.parse(JSON.stringify(table))).toEqual(table);
  });

  test('a description that is changed and given back reads the table', async () => {
    const bytes = new TextEncoder().encode(
      'ТС;Время;Широта;Долгота;Скорость\nА1;05.02.2026 08:00;56,30;44,01;36\n',
    );
    const table = describeTable(bytes);
    expect(fromCsv(bytes, { table }).value.tracks).toEqual([]);
    const columns = table.columns.map((column) =>
      column.role === 'speed' ? { ...column, unit: 'mps' } : column,
    );
    const own = { ...table, timeZone: 'Europe/Moscow', columns };
    const { value, issues } = fromCsv(bytes, { table: own });
    expect(value.tracks).toEqual([
      {
        name: 'А1',
        unitId: 'А1',
        fixes: [{ time: Date.UTC(2026, 1, 5, 5), lon: 44.01, lat: 56.3, speedKph: 36 * 3.6 }],
      },
    ]);
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    const chunks = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
    expect(await readCsv(chunks, { table: own })).toEqual({ value, issues });
  });

  test('refuses hints that are wrong', () => {
    const bytes = 'time,lat,lon\n';
    const cases: readonly (readonly [unknown, string])[] = [
      [{ timezone: 'UTC' }, 'option-unknown'],
      [{ timeZone: 'Mars/Base' }, 'tz-unknown'],
      [{ encoding: 'klingon' }, 'option-value'],
      [{ delimiter: '' }, 'option-value'],
      [{ delimiter: '"' }, 'option-value'],
      [{ decimal: ';' }, 'option-value'],
      [{ dateOrder: 'ydm' }, 'option-value'],
      [{ date: '2026-02-30' }, 'option-value'],
      [{ columns: 'time' }, 'option-value'],
      [{ columns: [1] }, 'option-value'],
      [{ profile: 5 }, 'option-value'],
      [5, 'option-type'],
    ];
    for (const [hints, code] of cases) {
      expect(
        errorOf(() => describeTable(bytes, hints as never)),
        JSON.stringify(hints),
      ).toMatchObject({
        code,
      });
      expect(
        errorOf(() => fromCsv(bytes, { table: hints as never })),
        JSON.stringify(hints),
      ).toMatchObject({ code });
    }
    expect(errorOf(() => describeTable(5 as never))).toMatchObject({ code: 'input-type' });
  });
});

describe('local times', () => {
  const BERLIN = { timeZone: 'Europe/Berlin' };

  test('a doubled hour is settled by the order of the rows of each unit', () => {
    const rows = ['02:10', '02:40', '02:20', '02:50', '03:00'].flatMap((clock, i) => [
      `a;25.10.2026 ${clock};52.5;${13 + i / 1000}`,
      `b;25.10.2026 ${clock};52.6;${13 + i / 1000}`,
    ]);
    const { value, issues } = fromCsv(`${HEADER}\n${rows.join('\n')}`, { table: BERLIN });
    const wanted = ['00:10', '00:40', '01:20', '01:50', '02:00'].map(
      (clock) => `2026-10-25T${clock}:00.000Z`,
    );
    for (const { fixes } of value.tracks) expect(iso(fixes)).toEqual(wanted);
    expect(issues.map(({ code }) => code)).toContain('time-doubled');
    // Newest first.
    const reversed = fromCsv(`${HEADER}\n${[...rows].reverse().join('\n')}`, { table: BERLIN });
    for (const { fixes } of reversed.value.tracks) expect(iso(fixes)).toEqual([...wanted].reverse());
  });

  test('a skipped hour is an error of its row', () => {
    const text = `${HEADER}\na;29.03.2026 01:59;52.5;13\na;29.03.2026 02:30;52.5;13.001\na;29.03.2026 03:00;52.5;13.002`;
    expect(iso(fixesOf(text, BERLIN))).toEqual(['2026-03-29T00:59:00.000Z', '2026-03-29T01:00:00.000Z']);
    expect(codes(text, BERLIN)).toContain('error time-skipped');
  });

  test.each([
    ['05/02/2026 08:00', '13/02/2026 08:00', '2026-02-05'],
    ['05/02/2026 08:00', '05/13/2026 08:00', '2026-05-02'],
    ['5.2.26 08:00', '6.2.26 08:00', '2026-02-05'],
    ['5 февраля 2026 г. 08:00', '6 февраля 2026 г. 08:00', '2026-02-05'],
    ['5. Februar 2026 08:00', '6. Mai 2026 08:00', '2026-02-05'],
    ['Feb 5, 2026 8:00 AM', 'Feb 6, 2026 8:00 AM', '2026-02-05'],
    ['20260205080000', '20260206080000', '2026-02-05'],
    ['46058,3333333333', '46059,3333333333', '2026-02-05'],
  ])('the whole column decides: %s and %s', (first, second, day) => {
    const text = `${HEADER}\na;${first};52.5;13\na;${second};52.5;13`;
    expect(iso(fixesOf(text, { timeZone: 'UTC' }))[0]).toBe(`${day}T08:00:00.000Z`);
  });

  test('what the column cannot decide is asked, and a contradiction too', () => {
    expect(codes(`${HEADER}\na;05/02/2026 08:00;52.5;13`, { timeZone: 'UTC' })).toContain(
      'error date-order-unknown',
    );
    const both = `${HEADER}\na;13/02/2026 08:00;52.5;13\na;02/13/2026 08:00;52.5;13`;
    expect(codes(both, { timeZone: 'UTC' })).toContain('error date-order-unknown');
    expect(fixesOf(both, { timeZone: 'UTC' })).toEqual([]);
  });
});

describe('whose track', () => {
  const path = (unit: string, lat: number, column: string): string[] =>
    Array.from(
      { length: 8 },
      (_, i) => `2026-01-15T05:0${i}:${unit === 'b' ? '30' : '00'}Z,${lat + i / 1000},44,${column}`,
    );

  test('rows of two units are never one: a column that parts them is proposed, else it is an error', () => {
    const mixed = (columnOf: (unit: string) => string): string => {
      const [a, b] = [path('a', 56, columnOf('a')), path('b', 57, columnOf('b'))];
      return `time,lat,lon,Borttecken\n${a.flatMap((row, i) => [row, b[i]!]).join('\n')}`;
    };
    const { value, issues } = fromCsv(mixed((unit) => unit));
    expect(value.tracks).toEqual([]);
    expect(issues).toMatchObject([{ code: 'unit-column-unknown', severity: 'error' }]);
    expect(issues[0]!.message).toContain('--unit-column Borttecken');
    expect(
      fromCsv(
        mixed((unit) => unit),
        { columns: { unit: 'Borttecken' } },
      ).value.tracks,
    ).toHaveLength(2);
    expect(fromCsv(mixed(() => 'x')).issues).toMatchObject([{ code: 'unit-missing', severity: 'error' }]);
  });

  test('several tables in one file, each with its unit above', () => {
    const part = (unit: string, lat: number): string =>
      `Объект: ${unit}\nВремя;Широта;Долгота\n2026-01-15T05:00:00Z;${lat};44\n2026-01-15T05:01:00Z;${lat};44.001\nИтого;2\n`;
    const { value } = fromCsv(`${part('А1', 56)}\n${part('Б2', 57)}`);
    expect(value.tracks.map(({ unitId, fixes }) => [unitId, fixes.length])).toEqual([
      ['А1', 2],
      ['Б2', 2],
    ]);
  });

  test('a second table with other columns is an error, not rows of the first', () => {
    const text = `${HEADER}\na;2026-01-15T05:00:00Z;56,1;44\n\nlat;lon;unit;time\n57;45;b;2026-01-15T05:00:00Z\n`;
    const { value, issues } = fromCsv(text, { table: { decimal: ',' } });
    expect(value.tracks.map(({ unitId }) => unitId)).toEqual(['a']);
    expect(issues.map(({ code }) => code)).toContain('columns-unknown');
  });
});

describe('zones in tables', () => {
  test('centres with radii: units of the header, of a column, and of the caller', () => {
    const named = fromCsv('Название;Широта;Долгота;Радиус, км\nДепо;56,3419;44,0521;0,25\n');
    expect(named.value.zones).toMatchObject([
      { name: 'Депо', type: { key: 'circle' }, width: 250, geometry: [[44.0521, 56.3419]] },
    ]);
    const column = fromCsv('name,lat,lon,radius,radius_units\na,56,44,1000,ft\nb,56,44,1,mi\n');
    expect(column.value.zones.map(({ width }) => width)).toEqual([304.8, 1609.344]);
    const bare = 'name,lat,lon,radius\na,56,44,250\n';
    expect(fromCsv(bare).value.zones).toEqual([]);
    expect(fromCsv(bare).issues.map(({ code }) => code)).toContain('radius-unit-unknown');
    expect(fromCsv(bare, { table: { radiusUnit: 'm' } }).value.zones).toMatchObject([{ width: 250 }]);
  });

  test('a radius that is negative or no number is an error of its row', () => {
    const { value, issues } = fromCsv('name,lat,lon,radius (m)\na,56,44,-5\nb,56,44,wide\nc,56,44,50\n');
    expect(value.zones.map(({ name }) => name)).toEqual(['c']);
    expect(issues.filter(({ code }) => code === 'number-invalid').map(({ line }) => line)).toEqual([2, 3]);
  });

  test('areas without a circle are asked about: Traccar writes them latitude first', () => {
    const areas = 'id,name,area\n1,Yard,"POLYGON ((56.3 44.0, 56.3 44.1, 56.4 44.1, 56.3 44.0))"\n';
    expect(fromCsv(areas).value.zones).toEqual([]);
    expect(fromCsv(areas).issues).toMatchObject([{ code: 'axis-order-suspect', severity: 'error' }]);
    const [zone] = fromCsv(areas, { table: { axisOrder: 'latlon' } }).value.zones;
    expect(zone!.geometry).toContainEqual([44.1, 56.4]);
    const [other] = fromCsv(areas, { table: { axisOrder: 'lonlat' } }).value.zones;
    expect(other!.geometry).toContainEqual([56.4, 44.1]);
  });

  test('a vertex a row', () => {
    const rows = ['y,2,56.1,44.1', 'y,1,56,44', 'y,3,56,44.1', 'z,1,50,40', 'z,2,50,40.1', 'z,3,50.1,40.1'];
    const { value } = fromCsv(`name,vertex,lat,lon\n${rows.join('\n')}\n`);
    expect(value.zones.map(({ name, type }) => [name, type.key])).toEqual([
      ['y', 'polygon'],
      ['z', 'polygon'],
    ]);
    expect(value.zones[0]!.geometry).toHaveLength(4);
    expect(value.zones[0]!.geometry).toContainEqual([44.1, 56.1]);
  });
});
