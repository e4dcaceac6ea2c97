/**
 * What a reader returns can be used: index, measures, tiles, validators and all writers take it. Over small files of each format, those of others where they are
 * there, and mutations of all.
 */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { WayzoneError } from '../../src/core/errors.js';
import type { ForeignData } from '../../src/core/fix.js';
import { measureZone, ZoneIndex } from '../../src/index.js';
import {
  fromCsv,
  fromGeoJson,
  fromGpx,
  fromKml,
  toFeatureCollection,
  toFixCsv,
  toGeoParquet,
  toGpx,
  toKml,
  toKmz,
  toMovingFeatures,
  toZoneCsv,
} from '../../src/interchange/index.js';
import { toFixParquet } from '../../src/interchange/parquet/toGeoParquet.js';
import {
  validateFix,
  validateGeozone,
  validateGeozoneGroup,
  validateRoute,
} from '../../src/schemas/index.js';
import { zoneTile } from '../../src/tiles/index.js';
import { readTrack } from '../../src/tracks/index.js';
import { type Format, mutate } from '../fuzz/mutate.js';
import { seeded, volume } from '../volume.js';
import { dataFiles } from './realData.js';

type Reader = (bytes: Uint8Array) => ForeignData;

const READERS: Readonly<Record<string, Reader>> = {
  geojson: (bytes) => fromGeoJson(bytes),
  kml: (bytes) => fromKml(bytes),
  gpx: (bytes) => fromGpx(bytes),
  lines: (bytes) => fromGpx(bytes, { as: 'lines' }),
  csv: (bytes) => fromCsv(bytes),
};

const ID = '0b6d9f3e-5c1a-4f0e-8a53-0f5c3a6e2d11';

/** The row with an id and a name of the wire, which files do not have, and a width where they leave it to whoever reads them. */
function named<Row extends object>(row: Row): Row {
  const { name, type, width } = row as { name?: string; type?: { key: string }; width?: number };
  const isOfSize = type !== undefined && type.key !== 'point' && type.key !== 'polygon';
  return {
    ...row,
    ...(Object.hasOwn(row, 'id') ? { id: ID } : {}),
    name: (name ?? '').trim() === '' ? 'A' : name!.slice(0, 100),
    ...(isOfSize && width === undefined ? { width: 10 } : {}),
  };
}

/** Written each in its own pass, so that a failure names it. */
const USES: Readonly<Record<string, (value: ForeignData['value']) => unknown>> = {
  index: ({ zones }) => new ZoneIndex([...zones], { defaultWidthMeters: 10 }),
  measures: ({ zones }) => zones.map((zone) => measureZone(zone, { defaultWidthMeters: 10 })),
  tiles: ({ zones }) => zoneTile(new ZoneIndex([...zones], { defaultWidthMeters: 10 }), { z: 0, x: 0, y: 0 }),
  geojson: ({ zones, routes, tracks }) => toFeatureCollection(zones, { all: true, routes, tracks }),
  csv: ({ zones }) => toZoneCsv(zones),
  kml: ({ zones, groups, routes }) => toKml({ zones, groups, routes }),
  gpx: ({ zones, routes, tracks }) =>
    toGpx({ zones: zones.filter(({ type }) => type.key === 'point'), routes, tracks }),
  tracks: ({ tracks }) => tracks.map(({ fixes }) => readTrack(fixes)),
  fixCsv: ({ tracks }) => toFixCsv(tracks),
  mfjson: ({ tracks }) => toMovingFeatures(tracks),
  kmz: ({ zones, groups, routes }) => toKmz({ zones, groups, routes, tracks: [] }),
  parquet: async ({ zones }) => await toGeoParquet(zones),
  fixParquet: async ({ tracks }) => await toFixParquet(tracks),
  validators: ({ zones, groups, routes, tracks }) => {
    for (const zone of zones) validateGeozone(named(zone));
    for (const group of groups)
      validateGeozoneGroup({ ...named(group), geozones: group.geozones.map(() => ({ id: ID })) });
    for (const route of routes) validateRoute({ ...named(route), points: route.points.map(named) });
    for (const { fixes } of tracks) for (const fix of fixes) validateFix(fix);
  },
};

const SLOW: ReadonlySet<string> = new Set(['kmz', 'parquet', 'fixParquet']);

/** Years beyond 9999 are in no file. */
const ALLOWED: ReadonlySet<string> = new Set(['time-range', 'hole-outside']);

/** What `validate` is for: an index takes it, and the drawing is another's. */
const DOUBTFUL: ReadonlySet<string> = new Set([
  'hole-outside',
  'hole-overlap',
  'ring-self-intersects',
  'part-overlap',
  'limit-errors',
  // A line that stays at one place is a disc.
  'line-too-short',
  // A route without points.
  'empty',
]);

/** `isWhole`: by all uses; else without those that take more time than all others together. */
async function check(name: string, read: Reader, bytes: Uint8Array, isWhole: boolean): Promise<void> {
  const { value } = read(bytes);
  for (const [use, run] of Object.entries(USES)) {
    if (!isWhole && SLOW.has(use)) continue;
    try {
      await run(value);
    } catch (error) {
      if (error instanceof WayzoneError && ALLOWED.has(error.code)) continue;
      const reasons = error instanceof WayzoneError ? (error.errors ?? []).map(({ reason }) => reason) : [];
      if (reasons.length > 0 && reasons.every((reason) => DOUBTFUL.has(reason ?? ''))) continue;
      const text = new TextDecoder().decode(bytes);
      const words =
        error instanceof WayzoneError ? `${error.code} ${error.field}: ${error.message}` : String(error);
      throw new Error(`${use} of ${name}: ${words}\n${text.slice(0, 4000)}`, { cause: error });
    }
  }
}

const SEAM =
  '[[[[180,40],[180,50],[170,50],[170,40],[180,40]]],[[[-170,40],[-170,50],[-180,50],[-180,40],[-170,40]]]]';
const feature = (geometry: string, properties = '{"name":"A","radius":30}'): string =>
  `{"type":"Feature","id":"a","properties":${properties},"geometry":${geometry}}`;
const KML_RING = '<LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing>';

const SMALL: readonly (readonly [format: string, text: string])[] = [
  [
    'geojson',
    `{"type":"FeatureCollection","features":[${[
      feature('{"type":"Point","coordinates":[1,2]}'),
      feature('{"type":"Polygon","coordinates":[[[0,0],[1,1],[2,2],[0,0]]]}', '{}'),
      feature('{"type":"Polygon","coordinates":[[[-90,0],[90,0],[90,9],[-90,0]]]}', '{}'),
      feature('{"type":"LineString","coordinates":[[1,2],[1,2],[3,4]]}', '{"width":20}'),
      feature('{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}', '{}'),
      feature(`{"type":"MultiPolygon","coordinates":${SEAM}}`),
      feature('{"type":"Polygon","coordinates":[[[-180,70],[180,70],[180,90],[-180,90],[-180,70]]]}', '{}'),
      feature(
        '{"type":"GeometryCollection","geometries":[{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}]}',
      ),
      feature(
        '{"type":"Point","coordinates":[1,2,7]}',
        '{"timestamp":"2026-03-02T08:00:00Z","device_id":"u","accuracy":3}',
      ),
      feature(
        '{"type":"LineString","coordinates":[[1,2],[3,4]]}',
        '{"coordTimes":["2026-03-02T08:00:00Z","2026-03-02T08:01:00Z"]}',
      ),
    ].join(',')}]}`,
  ],
  [
    'kml',
    `<kml xmlns:gx="g"><Document><Folder><name>F &amp; G</name><Placemark id="a"><name>A</name><MultiGeometry><Polygon><outerBoundaryIs>${KML_RING}</outerBoundaryIs></Polygon><LineString><coordinates>1,2 3,4</coordinates></LineString><Point><coordinates>5,6</coordinates></Point></MultiGeometry></Placemark></Folder><Placemark><gx:Track><when>2026-03-02T08:00:00Z</when><gx:coord>1 2 3</gx:coord><when>2026-03-02T08:01:00Z</when><gx:coord>2 2 3</gx:coord></gx:Track></Placemark></Document></kml>`,
  ],
  [
    'gpx',
    '<gpx version="1.1"><wpt lat="1" lon="2"><name>W</name></wpt><rte><rtept lat="1" lon="2"/><rtept lat="2" lon="2"/></rte><trk><name>v</name><trkseg><trkpt lat="1" lon="2"><time>2026-03-02T08:00:00Z</time></trkpt></trkseg><trkseg><trkpt lat="1" lon="2"><ele>3</ele><time>2026-03-02T08:01:00Z</time></trkpt><trkpt lat="1.1" lon="2"><time>2026-03-02T08:02:00Z</time></trkpt></trkseg></trk></gpx>',
  ],
  [
    'csv',
    'id,name,radius,wkt\na,A,30,POINT(1 2)\nb,B,,"POLYGON((0 0,9 0,9 9,0 0),(1 1,2 1,2 2,1 1))"\nc,C,,"MULTIPOINT((1 2),EMPTY)"\n',
  ],
  [
    'csv',
    'unit,time,lat,lon,speed_kmh\nu,2026-03-02T08:00:00Z,1,2,30\nu,2026-03-02T08:01:00Z,1.01,2,65535\n',
  ],
  [
    'csv',
    'Имя;Широта;Долгота;Радиус, м\nДепо;56,3;44,0;250\nГараж;56,4;44,1;\nДаль;56,4;44,1;8650000000000000\n',
  ],
  [
    'csv',
    '[{"name":"Depot","area":"CIRCLE (51.05 6.94, 200)"},{"name":"Yard","area":"POLYGON ((51 6, 51.1 6, 51.1 6.1, 51 6))"}]',
  ],
];

const ENDINGS: Readonly<Record<string, string>> = { json: 'geojson', ndjson: 'csv', tsv: 'csv' };
/** Files of others up to this size are mutated and read whole. */
const MOST_BYTES = 30_000;

interface Sample {
  readonly name: string;
  readonly format: string;
  readonly bytes: Uint8Array;
}

const samples: Sample[] = SMALL.map(([format, text], i) => ({
  name: `${format} ${i}`,
  format,
  bytes: new TextEncoder().encode(text),
}));
for (const folder of ['reported', 'dialects', 'kml', 'tracks/gpx', 'zones']) {
  for (const path of dataFiles(folder, '')) {
    const ending = /\.([a-z]+)$/.exec(basename(path))?.[1] ?? '';
    const format = ENDINGS[ending] ?? ending;
    if (!Object.hasOwn(READERS, format)) continue;
    const bytes = readFileSync(path);
    if (bytes.length <= MOST_BYTES) samples.push({ name: basename(path), format, bytes });
  }
}

const readersOf = (format: string): Reader[] =>
  (format === 'gpx' ? ['gpx', 'lines'] : [format]).map((own) => READERS[own]!);

test('what is read of each file can be used', async () => {
  for (const { name, format, bytes } of samples)
    for (const read of readersOf(format)) await check(name, read, bytes, true);
});

let ran = 0;
afterAll(() => expect(ran).toBeGreaterThan(0));

const FORMATS: Readonly<Record<string, Format>> = { geojson: 'json', kml: 'xml', gpx: 'xml', csv: 'csv' };

test('so can what is read of mutations', async () => {
  const random = seeded(58);
  const below = (count: number): number => Math.floor(random() * count);
  const count = volume(20_000);
  for (let i = 0; i < count; i++) {
    const { name, format, bytes } = samples[below(i % 2 === 0 ? SMALL.length : samples.length)]!;
    const mutant = mutate(bytes, samples[below(samples.length)]!.bytes, FORMATS[format]!, below);
    for (const read of readersOf(format)) await check(`${name}, mutation ${i}`, read, mutant, i % 20 === 0);
    ran++;
  }
});
