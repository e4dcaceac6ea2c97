import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { toFixCsv } from '../../src/interchange/index.js';
import { DATE, DRIVE, timed, trip } from '../trips/journeys.js';
import { testFolder, wayzone } from './wayzone.js';

/** Whatever names the input contains, no output cell is a spreadsheet formula and no output page gains markup. */

const { at, put } = testFolder('safe');
const SRC = resolve(import.meta.dirname, '../../src');

/** First characters of a spreadsheet formula, full-width forms included. */
const STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20'];
const NAMES = STARTS.map((start) => `${start}HYPERLINK("http://127.0.0.1/","x")`);
const MARKUP = '</script><script>alert(1)</script><img src=x onerror=alert(2)><!-- "\'& \u2028 ]]>';

let zones = '';
let tracks = '';
let trips = '';
beforeAll(() => {
  const features = [...NAMES, MARKUP].map((name, i) => ({
    type: 'Feature',
    id: name,
    properties: { name, width: 3000, type: 'circle', note: name },
    geometry: { type: 'Point', coordinates: [0.05 * i, 0] },
  }));
  // Invalid zones with each name, since issues quote names.
  const bad = NAMES.map((name) => ({
    type: 'Feature',
    id: name,
    properties: { [name]: 1 },
    geometry: { type: name, coordinates: [0, 91] },
  }));
  zones = put(
    '=zones.geojson',
    JSON.stringify({ type: 'FeatureCollection', features: [...features, ...bad] }),
  );
  const units = [...NAMES, MARKUP];
  tracks = put(
    '+day.csv',
    toFixCsv(units.map((unitId) => ({ name: unitId, unitId, fixes: DRIVE }))).replace(/(^|\n)("?)'/g, '$1$2'),
  );
  const list = units.map((name, i) => {
    const own = timed(trip('ABC', { id: name, name, unit: { id: name } }));
    return { ...own, points: own.points.map((point) => ({ ...point, name: `${name}${i}` })) };
  });
  trips = put('@trips.json', JSON.stringify(list));
});

/** Expects no cell to begin like a formula, except numbers, and at least `minimum` cells with the apostrophe that prevents it. */
function expectNoFormulas(csv: string, minimum: number): void {
  const rows = parse(csv, { relax_column_count: false }) as string[][];
  let prefixed = 0;
  for (const cell of rows.flat()) {
    if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell)) continue;
    expect(
      STARTS.some((start) => cell.startsWith(start)),
      JSON.stringify(cell),
    ).toBe(false);
    if (cell.startsWith("'")) prefixed++;
  }
  expect(prefixed).toBeGreaterThanOrEqual(minimum);
}

describe('tables', () => {
  const day = ['--date', DATE, '--time-zone', 'UTC'];
  const COMMANDS: readonly (readonly [name: string, argv: () => string[], minimum: number])[] = [
    ['locate', () => ['locate', zones, '--positions', tracks], 20],
    ['visits', () => ['visits', '--zones', zones, '--tracks', tracks], 10],
    ['movement', () => ['movement', tracks], 10],
    ['trips', () => ['trips', '--trips', trips, '--tracks', tracks, ...day], 30],
    ['trips by runs', () => ['trips', '--trips', trips, '--tracks', tracks, ...day, '--rows', 'runs'], 10],
  ];

  test.each(COMMANDS)('%s', async (_, argv, minimum) => {
    const { out, err } = await wayzone(...argv(), '--format', 'csv');
    expect(err).not.toContain('wayzone --help');
    expectNoFormulas(out, minimum);
  });

  test('validate', async () => {
    const { out } = await wayzone('validate', zones, trips, '--format', 'csv');
    expectNoFormulas(out, 0);
    expect(out).toContain('geojson-type');
  });

  test('convert, and its issues', async () => {
    await wayzone('convert', zones, at('zones.csv'), '--issues', at('issues.csv'));
    await wayzone('convert', tracks, at('fixes.csv'), '--speed-unit', 'kph');
    expectNoFormulas(readFileSync(at('zones.csv'), 'utf8'), NAMES.length);
    expectNoFormulas(readFileSync(at('issues.csv'), 'utf8'), 0);
    expectNoFormulas(readFileSync(at('fixes.csv'), 'utf8'), NAMES.length);
  });

  test('only toCsv writes CSV', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const makers = files.filter((name) =>
      readFileSync(join(SRC, name), 'utf8').includes("from '#lazy/csvStringify"),
    );
    expect(makers.map((name) => basename(name))).toEqual(['toCsv.ts']);
  });
});

describe('pages', () => {
  /** Expects the page to have only its own three scripts, and its data block to contain no tags. */
  const expectOwnMarkup = (html: string): void => {
    expect(html.match(/<script/gi)).toHaveLength(3);
    expect(html.match(/<\/script/gi)).toHaveLength(3);
    expect(html).not.toContain('<img');
    const data = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(html)![1]!;
    expect(data).not.toContain('<');
    expect(JSON.stringify(JSON.parse(data))).toContain('alert(1)');
  };

  test('a report has no markup in its page and no formulas in its tables', async () => {
    const argv = ['report', '--zones', zones, '--tracks', tracks, '--trips', trips, '--time-zone', 'UTC'];
    await wayzone(...argv, '--title', MARKUP, '--out', at('report'));
    const read = (name: string): string => readFileSync(join(at('report'), name), 'utf8');
    expectOwnMarkup(read('index.html'));
    for (const name of ['visits.csv', 'movement.csv', 'trips.csv']) expectNoFormulas(read(name), 10);
    expect(read('zones.kml')).not.toMatch(/<script|<img/);
  });

  test('the scripts of pages insert texts as text, not as HTML', () => {
    const folder = join(SRC, 'report/client');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    expect(scripts.length).toBeGreaterThan(5);
    for (const name of scripts) {
      const script = readFileSync(join(folder, name), 'utf8');
      expect(script, name).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|Function\(|srcdoc/,
      );
      // Leaflet takes a string as markup, so the scripts pass elements only.
      expect(
        script.match(/\.(?:bindTooltip|bindPopup|setContent)\((?!(?:\(\) => )?textBlock\()/g),
        name,
      ).toBeNull();
    }
  });
});
