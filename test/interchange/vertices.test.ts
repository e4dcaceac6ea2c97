import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeTable, fromCsv } from '../../src/interchange/index.js';
import { volume } from '../volume.js';
import { wkt } from '../wkt.js';

/** Polygons in a cell of a table, and tables whose rows are quoted as a whole. */

const RING = [
  [100.5, 13.7],
  [100.6, 13.7],
  [100.6, 13.8],
] as const;
const zonesOf = (text: string, table: object = {}): ReturnType<typeof fromCsv> => fromCsv(text, { table });

/** Ways to write a ring of `[lon, lat]`. */
const FORMS: readonly (readonly [
  name: string,
  order: 'latlon' | 'lonlat',
  write: (ring: readonly (readonly [number, number])[]) => string,
])[] = [
  ['lat, lon; …', 'latlon', (ring) => ring.map(([lon, lat]) => `${lat}, ${lon}`).join('; ')],
  ['lat,lon;…', 'latlon', (ring) => ring.map(([lon, lat]) => `${lat},${lon}`).join(';')],
  ['lon lat, …', 'lonlat', (ring) => ring.map(([lon, lat]) => `${lon} ${lat}`).join(', ')],
  ['lon,lat | …', 'lonlat', (ring) => ring.map(([lon, lat]) => `${lon},${lat}`).join(' | ')],
  ['[[lat, lon], …]', 'latlon', (ring) => `[${ring.map(([lon, lat]) => `[${lat}, ${lon}]`).join(', ')}]`],
  ['(lon lat),…', 'lonlat', (ring) => ring.map(([lon, lat]) => `(${lon} ${lat})`).join(',')],
  ['lines', 'latlon', (ring) => ring.map(([lon, lat]) => `${lat} ${lon}`).join('\n')],
];

const quote = (cell: string): string => `"${cell}"`;

describe('positions of a zone in one cell', () => {
  test.each(FORMS)('%s: the order by the range of latitudes', (_, order, write) => {
    const text = `Название;Контур\nСклад;${quote(write(RING))}\n`;
    const table = describeTable(text);
    expect(table.kind).toBe('zones');
    expect(table.questions).toEqual([]);
    expect(table.columns[1]).toMatchObject({ role: 'vertices', format: order });
    expect(table.assumptions.some(({ message }) => message.includes('at most 90'))).toBe(true);
    const { value, issues } = zonesOf(text);
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(value.zones).toHaveLength(1);
    expect(value.zones[0]).toMatchObject({ name: 'Склад', type: { key: 'polygon' } });
    expect(value.zones[0]!.geometry.slice(0, 3)).toEqual(RING);
  });

  test.each(FORMS)('%s: near Moscow the order is asked, and nothing is read', (_, order, write) => {
    const ring = [
      [37.5, 55.7],
      [37.6, 55.7],
      [37.6, 55.8],
    ] as const;
    for (const header of ['name;polygon', 'name;geometry', 'name;coordinates']) {
      const text = `${header}\nDepot;${quote(write(ring))}\n`;
      const table = describeTable(text);
      expect(table.questions.map(({ code }) => code)).toEqual(['axis-order-suspect']);
      expect(table.columns[1]!.format).toBe(null);
      for (const given of [{}, table]) {
        const { value, issues } = zonesOf(text, given);
        expect(value.zones).toEqual([]);
        expect(
          issues.some(({ code, severity }) => code === 'axis-order-suspect' && severity === 'error'),
        ).toBe(true);
      }
      for (const given of [
        { axisOrder: order },
        { ...table, axisOrder: order },
        describeTable(text, { axisOrder: order }),
      ])
        expect(zonesOf(text, given).value.zones[0]!.geometry.slice(0, 3)).toEqual(ring);
      const turned = order === 'latlon' ? 'lonlat' : 'latlon';
      expect(zonesOf(text, { axisOrder: turned }).value.zones[0]!.geometry[0]).toEqual([55.7, 37.5]);
    }
  });

  test('decimal commas, closed rings and lines', () => {
    const text =
      'Название;Точки\nа;"55,70 137,50; 55,70 137,60; 55,80 137,60; 55,70 137,50"\nб;"55,70 137,50; 55,70 137,60; 55,80 137,60"\n';
    const { value } = zonesOf(text);
    expect(value.zones.map(({ geometry }) => geometry[0])).toEqual(wkt('137.5 55.7, 137.5 55.7'));
    expect(value.zones[0]!.geometry).toEqual(value.zones[1]!.geometry);
  });

  test('pairs of both orders are asked about; a broken list is an error of its row', () => {
    const both =
      'name;ring\na;"13.7 100.5, 13.7 100.6, 13.8 100.6"\nb;"100.5 13.7, 100.6 13.7, 100.6 13.8"\n';
    expect(describeTable(both).questions[0]!.message).toContain('some pairs');
    const broken =
      'name;ring\na;"13.7 100.5, 13.7 100.6, 13.8 100.6"\nb;"13.7 100.5, north, 13.8 100.6"\nc;"13.7 100.5, 13.7 100.6, 13.8 900.6"\n' +
      Array.from({ length: 20 }, (_, i) => `z${i};"13.7 100.5, 13.7 100.6, 13.8 100.6"\n`).join('');
    const { value, issues } = zonesOf(broken);
    expect(value.zones).toHaveLength(21);
    expect(
      issues.filter(({ severity }) => severity === 'error').map(({ line, field }) => [line, field]),
    ).toEqual([
      [3, 'vertices'],
      [4, 'vertices'],
    ]);
  });

  test('a ring that crosses itself is an error with its line', () => {
    const text = 'name;ring\na;"13.7 100.5, 13.8 100.6, 13.7 100.6, 13.8 100.5"\n';
    const { value, issues } = zonesOf(text);
    expect(value.zones.length + issues.filter(({ line }) => line === 2).length).toBeGreaterThan(0);
  });

  test('any ring is read as it was written, or its order is asked', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_600_000, max: 1_600_000 }),
        fc.integer({ min: -800_000, max: 800_000 }),
        fc.integer({ min: 3, max: 12 }),
        fc.constantFrom(...FORMS),
        (x, y, count, [, order, write]) => {
          const ring = Array.from({ length: count }, (_, k): [number, number] => [
            (x + Math.round(1000 * Math.cos((2 * Math.PI * k) / count))) / 10_000,
            (y + Math.round(1000 * Math.sin((2 * Math.PI * k) / count))) / 10_000,
          ]);
          const text = `id,name,ring\n1,"a, b",${quote(write(ring))}\n`;
          const table = describeTable(text);
          if (ring.some(([lon]) => Math.abs(lon) > 90)) expect(table.questions).toEqual([]);
          else expect(table.questions.map(({ code }) => code)).toEqual(['axis-order-suspect']);
          const { value } = zonesOf(text, table.questions.length === 0 ? {} : { axisOrder: order });
          expect(value.zones.map(({ id, name, geometry }) => [id, name, geometry.slice(0, count)])).toEqual([
            ['1', 'a, b', ring],
          ]);
        },
      ),
      { seed: 37, numRuns: volume(2000) },
    );
  });
});

describe('rows that are quoted as a whole', () => {
  const plain =
    'unit,time,lat,lon\nvan-1,2026-01-15T05:00:00Z,56.305221,44.010433\nvan-1,2026-01-15T05:01:00Z,56.308469,44.014439\n';
  const inner = [
    'unit,time,lat,lon,note',
    'van-1,2026-01-15T05:00:00Z,56.305221,44.010433,"a, b"',
    'van-1,2026-01-15T05:01:00Z,56.308469,44.014439,',
  ];

  test('are read, and it is said', () => {
    const text = plain.trimEnd().split('\n').map(quote).join('\r\n');
    const { value, issues } = fromCsv(text);
    expect(value.tracks).toEqual(fromCsv(plain).value.tracks);
    expect(
      issues.some(({ code, message }) => code === 'table-assumed' && message.includes('one quoted cell')),
    ).toBe(true);
  });

  test('also with quotes within, other delimiters and empty cells after them', () => {
    const twice = inner.map((line) => quote(line.replaceAll('"', '""'))).join('\n');
    expect(fromCsv(twice).value.tracks).toEqual(fromCsv(plain).value.tracks);
    const trailing = inner.map((line) => `${quote(line.replaceAll('"', '""'))},,,`).join('\n');
    expect(fromCsv(trailing).value.tracks).toEqual(fromCsv(plain).value.tracks);
    const semicolons = plain
      .trimEnd()
      .split('\n')
      .map((line) => quote(line.replaceAll(',', ';')))
      .join('\n');
    expect(fromCsv(semicolons).value.tracks).toEqual(fromCsv(plain).value.tracks);
  });
});
