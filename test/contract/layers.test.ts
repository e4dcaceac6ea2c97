import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FILES, IMPORTS, layerOf, SRC } from './sourceImports.js';

/** The other layers that each layer may import. Imports go down only. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  core: [],
  planar: ['core'],
  geodesy: ['core'],
  zones: ['geodesy', 'planar', 'core'],
  interchange: ['zones', 'geodesy', 'planar', 'core'],
  tracks: ['zones', 'geodesy', 'planar', 'core'],
  algebra: ['zones', 'geodesy', 'planar', 'core'],
  tiles: ['zones', 'geodesy', 'planar', 'core'],
  hours: ['core'],
  listing: ['zones', 'geodesy', 'planar', 'core'],
  routing: ['zones', 'geodesy', 'planar', 'core'],
  schemas: ['zones', 'geodesy', 'planar', 'core'],
  trips: ['tracks', 'zones', 'geodesy', 'planar', 'core'],
  operator: ['trips', 'tracks', 'zones', 'geodesy', 'planar', 'core'],
  parallel: ['trips', 'tracks', 'zones', 'geodesy', 'planar', 'core'],
  report: ['trips', 'interchange', 'tracks', 'zones', 'geodesy', 'planar', 'core'],
  cli: [
    'parallel',
    'report',
    'trips',
    'hours',
    'algebra',
    'tiles',
    'interchange',
    'routing',
    'tracks',
    'zones',
    'geodesy',
    'planar',
    'core',
  ],
  '.': ['zones', 'geodesy', 'core'],
};

/** Third-party packages and Node modules that a layer may load. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  core: [],
  planar: ['robust-predicates'],
  geodesy: ['geographiclib-geodesic'],
  zones: ['rbush'],
  interchange: [
    'saxes',
    'csv-stringify/sync',
    'fflate',
    'fzstd',
    'hyparquet-compressors',
    'hyparquet-writer',
    'hyparquet-writer/src/datapage.js',
    'hyparquet-writer/src/encoding.js',
    'hyparquet-writer/src/snappy.js',
    'proj4',
  ],
  tracks: [],
  algebra: ['rbush'],
  tiles: ['pbf'],
  hours: [],
  listing: [],
  routing: ['osrm-text-instructions'],
  schemas: ['typebox'],
  trips: [],
  operator: [],
  parallel: [],
  // The page's script draws the vector tiles that it holds.
  report: ['@mapbox/vector-tile', 'pbf'],
  cli: ['cli-progress', 'commander', 'pbf', 'pmtiles'],
  '.': [],
};

/** Layers that run in Node only. */
const NODE: readonly string[] = ['cli', 'parallel'];

describe('layers', () => {
  test('there are files and imports to check', () => {
    expect(FILES.length).toBeGreaterThan(30);
    expect(IMPORTS.length).toBeGreaterThan(100);
  });

  test('every folder of src is a known layer', () => {
    expect([...new Set(FILES.map(layerOf))].filter((layer) => !(layer in BELOW))).toEqual([]);
  });

  test('imports go down only, never sideways', () => {
    const wrong = IMPORTS.filter(
      ({ layer, to }) => to !== null && to !== layer && !BELOW[layer]!.includes(to),
    );
    expect(wrong).toEqual([]);
  });

  test('imports between the folders of trips go down only', () => {
    const folders = ['plan', 'terms', 'seen', 'assign', 'judge', 'predict', 'follow', 'words', ''];
    const wrong: string[] = [];
    let count = 0;
    for (const file of FILES.filter((path) => layerOf(path) === 'trips'))
      for (const [, target] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
        const inTrips = relative(join(SRC, 'trips'), join(dirname(file), target!));
        if (inTrips.startsWith('..')) continue;
        const [own, other] = [dirname(relative(join(SRC, 'trips'), file)), dirname(inTrips)].map((folder) =>
          folders.indexOf(folder === '.' ? '' : folder),
        );
        count++;
        if (own === -1 || other === -1 || other! > own!) wrong.push(`${relative(SRC, file)}: ${target}`);
      }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });

  test('a package loads only with the layer that needs it; Node modules load only in cli and parallel', () => {
    const wrong = IMPORTS.filter(({ layer, target, to }) => {
      if (to !== null) return false;
      return target.startsWith('node:') ? !NODE.includes(layer) : !PACKAGES[layer]!.includes(target);
    });
    expect(wrong).toEqual([]);
  });

  test('no clock, no randomness and no environment below cli', () => {
    const impure =
      /\bDate\.now\b|\bnew Date(?:\(\)|(?! *\())|\bMath\.random\b|\bprocess\.|\bperformance\.|\bcrypto\.|\bset(?:Timeout|Interval)\b|\bfetch\(/;
    // Page scripts run in a browser.
    const isPure = (file: string): boolean => layerOf(file) !== 'cli' && !/report\/client\//.test(file);
    const wrong = FILES.filter(isPure).flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, i) =>
          impure.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line) ? [`${relative(SRC, file)}:${i + 1}`] : [],
        ),
    );
    expect(wrong).toEqual([]);
  });
});

test("the host's page imports public names, and of other sources only those that it shares with the report", () => {
  const folder = join(SRC, '../host/src/page/client');
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const targets = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/\b(?:from|import\() ?'([^']+)'/g)].map(
      ([, target]) => target!,
    ),
  );
  const outside = new Set(targets.filter((target) => target.startsWith('../')));
  expect([...outside].sort()).toEqual([
    '../../../../src/report/client/shared/index.js',
    '../pageSettings.js',
  ]);
  expect(targets.length).toBeGreaterThan(100);
});
