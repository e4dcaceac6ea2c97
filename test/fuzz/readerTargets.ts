/** Targets for file readers. Each writer must be able to write what was read, and reading it again must give the same. */

import { strToU8, zipSync } from 'fflate';
import { WayzoneError } from '../../src/core/errors.js';
import type { Fix, ForeignData } from '../../src/core/fix.js';
import { readPosition } from '../../src/core/input.js';
import type { Pair as LonLat } from '../../src/core/wire.js';
import {
  fromCsv,
  fromGeoJson,
  fromGpx,
  fromKml,
  fromKmz,
  readCsv,
  readGeoJson,
  readGpx,
  readKml,
  toFeatureCollection,
  toFixCsv,
  toGpx,
  toKml,
  toKmz,
  toZoneCsv,
} from '../../src/interchange/index.js';
import { deepFreeze } from '../frozen.js';
import { kml, TRAPS } from '../interchange/traps.js';
import { MAX_MILLISECONDS, MAX_OUTLINE_MILLISECONDS } from './attempt.js';
import { encode, MAX_BYTES } from './mutate.js';
import { checkEqual, checkForeign, Finding, hashOf, mustNotThrow } from './oracle.js';
import { FIXES, ROUTE, ZONES } from './samples.js';
import { fixture, json, parsed, type Target } from './target.js';

interface Options {
  readonly axisOrder?: 'lonlat' | 'latlon';
  readonly defaultWidthMeters?: number;
}

type Value = ForeignData['value'];

/** A reader, its streaming version, and writers with the readers of their formats. */
interface Pair {
  readonly read: (input: Uint8Array, options: Options) => ForeignData;
  readonly stream?: (chunks: Iterable<Uint8Array>, options: Options) => Promise<ForeignData>;
  /** Whether the stream must give the same result as the whole. Default true. */
  readonly streamsAlike?: (input: Uint8Array) => boolean;
  readonly writes: readonly {
    /** The part of the value that the file contains. */
    readonly of: (value: Value) => readonly unknown[];
    readonly write: (value: Value, options: Options) => string | Uint8Array;
    readonly read: (input: string | Uint8Array, options: Options) => ForeignData;
  }[];
}

async function checkPair(
  { read, stream, streamsAlike, writes }: Pair,
  input: Uint8Array,
  isTimed: boolean,
): Promise<void> {
  const before = input.slice();
  const hash = hashOf(input);
  const options: Options = hash % 3 === 0 ? { axisOrder: 'latlon' } : {};
  const start = process.cpuUsage();
  const data = read(input, options);
  const { user, system } = process.cpuUsage(start);
  if (isTimed && user + system > 1000 * MAX_MILLISECONDS)
    throw new Finding(`reading took ${(user + system) / 1000} ms`);
  checkEqual(input, before, 'the input and its copy');
  checkForeign(data, options.axisOrder);
  // A stream keeps what it read before a file breaks off, and the whole file is refused, so their results differ.
  const isSound = !data.issues.some(({ code }) => BROKEN.has(code));
  if (stream !== undefined && hash % 4 === 0 && isSound && streamsAlike?.(input) !== false) {
    checkEqual(await stream(chunksOf(input, hash), options), data, 'the readings of chunks and of the whole');
  }
  for (const pair of writes) {
    const write = (value: Value): string | Uint8Array =>
      pair.write(value, { ...options, defaultWidthMeters: 25 });
    const value = deepFreeze(writable(data.value, write));
    if (pair.of(value).length === 0) continue;
    const text = mustNotThrow('the writer of what was read', () => write(value));
    const back = mustNotThrow('the reader of what was written', () => pair.read(text, options));
    const wrong = back.issues.find(({ severity }) => severity === 'error');
    if (wrong !== undefined) throw new Finding(`written and read: ${JSON.stringify(wrong)}`);
    checkEqual(pair.of(back.value), pair.of(value), 'what was written and what came back');
  }
}

const BROKEN: ReadonlySet<string> = new Set([
  'crs-unsupported',
  'encoding',
  'json-syntax',
  'limit-depth',
  'limit-text',
  'xml-malformed',
]);

/** Codes of shapes that a reader accepts although they have no outline. */
const SHAPE_CODES: ReadonlySet<string> = new Set([
  'edge-ambiguous',
  'outline-empty',
  'ring-zero-area',
  'radius-range',
  'width-range',
]);

/** The value without zones and routes that the writer rejects for their shape. */
function writable(value: Value, write: (value: Value) => unknown): Value {
  const none: Value = { zones: [], groups: [], routes: [], tracks: [] };
  const isWritable = (one: Partial<Value>): boolean => {
    try {
      write({ ...none, ...one });
      return true;
    } catch (error) {
      return !(error instanceof WayzoneError && SHAPE_CODES.has(error.code));
    }
  };
  const zones = value.zones.filter((zone) => isWritable({ zones: [zone] }));
  const routes = value.routes.filter((route) => isWritable({ routes: [route] }));
  return { ...value, zones, routes };
}

const positionsOf = (pairs: readonly LonLat[]): unknown[] =>
  pairs.map(([a, b]) =>
    Math.abs(b) > 90 ? readPosition([b, a], 'pair').reverse() : readPosition([a, b], 'pair'),
  );

/** Fixes with longitudes wrapped, as writers write them. */
const fixesOf = (fixes: readonly Fix[]): readonly Fix[] =>
  fixes.map((fix) => {
    const [lon, lat] = readPosition([fix.lon, fix.lat], 'fix');
    return { ...fix, lon, lat };
  });

/** Chunks of the input, split at positions that depend on its content. */
function chunksOf(input: Uint8Array, hash: number): Uint8Array[] {
  const size = 1 + (hash % 97);
  return Array.from({ length: Math.ceil(input.length / size) }, (_, i) =>
    input.slice(i * size, (i + 1) * size),
  );
}

const KML: Pair = {
  read: fromKml,
  stream: readKml,
  writes: [
    {
      of: ({ zones, groups }) => [...zones, ...groups],
      write: ({ zones, groups, routes }, options) => toKml(zones, { groups, routes, ...options }),
      read: fromKml,
    },
  ],
};

const KMZ: Pair = {
  read: fromKmz,
  writes: [
    {
      of: ({ zones }) => zones,
      write: ({ zones, groups, routes }, options) => toKmz(zones, { groups, routes, ...options }),
      read: (input, options) => fromKmz(input as Uint8Array, options),
    },
  ],
};

/** A name without control characters, which XML cannot contain, even as references that the reader repairs. */
const nameInXml = (name: string): string =>
  name.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD').trim();

const GPX: Pair = {
  read: fromGpx,
  stream: readGpx,
  writes: [
    {
      of: ({ tracks, zones, routes }) => [
        ...tracks.map(({ name, fixes }) => [nameInXml(name), fixesOf(fixes)]),
        ...zones.map(({ name, geometry }) => [nameInXml(name), positionsOf(geometry)]),
        ...routes.map(({ name, points }) => [
          nameInXml(name),
          points.map(({ geometry }) => positionsOf(geometry ?? [])),
        ]),
      ],
      write: ({ zones, routes, tracks }, options) => toGpx({ zones, routes, tracks }, options),
      read: fromGpx,
    },
  ],
};

const GEOJSON: Pair = {
  read: fromGeoJson,
  stream: readGeoJson,
  // In other objects the stream may meet `features` before it knows the type of the object.
  streamsAlike: (input) => {
    const root = parsed(input);
    return (root as { type?: unknown } | undefined)?.type === 'FeatureCollection';
  },
  writes: [
    {
      of: ({ zones }) => zones,
      write: ({ zones }, options) => JSON.stringify(toFeatureCollection(zones, { all: true, ...options })),
      read: fromGeoJson,
    },
  ],
};

/** The CSV writer replaces NUL by U+FFFD. */
const withoutNul = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '\ufffd'));

const CSV: Pair = {
  read: (input, options) => fromCsv(input, { ...options, speedUnit: 'kph' }),
  stream: (chunks, options) => readCsv(chunks, { ...options, speedUnit: 'kph' }),
  writes: [
    {
      of: ({ zones }) => zones.map(withoutNul),
      write: ({ zones }, options) => toZoneCsv(zones, options),
      read: (input, options) => fromCsv(input, { ...options, as: 'zones' }),
    },
    {
      of: ({ tracks }) =>
        tracks.map(({ unitId, fixes }) => [withoutNul(unitId.replace(/^'/, '')), fixesOf(fixes)]),
      write: ({ tracks }) => toFixCsv(tracks),
      read: (input, options) => fromCsv(input, { ...options, as: 'fixes' }),
    },
  ],
};

const traps = (kind: string): Uint8Array[] =>
  TRAPS.filter((trap) => trap.kind === kind && trap.row !== 46)
    .map(({ input }) => input())
    .map((input) => (typeof input === 'string' ? encode(input) : input))
    .filter(({ length }) => length < MAX_BYTES / 16);

const TRACK = { name: 'Van', unitId: 'v', fixes: FIXES };
const MULTI = kml(
  '<Style id="s"><LineStyle><color>ff0000ff</color></LineStyle></Style><Folder><name>F</name><Placemark id="a"><styleUrl>#s</styleUrl><MultiGeometry><Point><coordinates>1,2</coordinates></Point><LineString><coordinates>1,2,3 4,5,6</coordinates></LineString></MultiGeometry><ExtendedData><Data name="width"><value>5</value></Data><SchemaData><SimpleData name="a">1</SimpleData></SchemaData></ExtendedData></Placemark><Placemark><Track><when>2020-01-01T00:00:00Z</when><when>2020-01-01T00:01:00Z</when><coord>1 2 3</coord><coord>1.01 2 3</coord><angles>5 0 0</angles></Track></Placemark></Folder>',
);
const COLLECTION = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      id: 7,
      properties: { name: 'x', width: 5 },
      geometry: {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    },
    {
      type: 'Feature',
      properties: null,
      geometry: {
        type: 'GeometryCollection',
        geometries: [
          {
            type: 'LineString',
            coordinates: [
              [179, 1],
              [181, 2, 9],
            ],
          },
        ],
      },
    },
  ],
};

/** A KMZ file with stored (0) or compressed (6) entries. */
const kmzOf = (text: string, level: 0 | 6): Uint8Array =>
  zipSync(
    { 'doc.kml': [strToU8(text), { level }], 'images/a.png': [new Uint8Array(20), { level }] },
    { mtime: '1980-01-01' },
  );

/** Documents that link each other. */
const LINKED: Uint8Array = zipSync(
  {
    'doc.kml': strToU8(kml('<NetworkLink><name>B</name><Link><href>b.kml</href></Link></NetworkLink>')),
    'b.kml': strToU8(kml(`${MULTI}<NetworkLink><Url><href>./doc.kml</href></Url></NetworkLink>`)),
  },
  { level: 0, mtime: '1980-01-01' },
);

const target = (name: string, format: Target['format'], pair: Pair, seeds: Target['seeds']): Target => ({
  name,
  format,
  milliseconds: MAX_OUTLINE_MILLISECONDS,
  seeds,
  run: (input, isTimed) => checkPair(pair, input, isTimed),
});

export const READER_TARGETS: readonly Target[] = [
  target('kml', 'xml', KML, () => [
    fixture('city-zones.kml'),
    encode(toKml(ZONES, { groups: [{ id: 'g', name: 'G', geozones: [{ id: 'disc' }] }], routes: [ROUTE] })),
    encode(MULTI),
    ...traps('kml'),
  ]),
  target('kmz', 'bytes', KMZ, () => [
    toKmz(ZONES),
    kmzOf(MULTI, 0),
    kmzOf(MULTI, 6),
    LINKED,
    ...traps('kmz'),
  ]),
  target('gpx', 'xml', GPX, () => [
    fixture('city-van.gpx', 40),
    encode(toGpx({ zones: ZONES.slice(0, 2), routes: [ROUTE], tracks: [TRACK] })),
    ...traps('gpx'),
  ]),
  target('geojson', 'json', GEOJSON, () => [
    fixture('city-zones.geojson'),
    json(toFeatureCollection(ZONES, { all: true })),
    json(COLLECTION),
    ...traps('geojson'),
  ]),
  target('csv', 'csv', CSV, () => [
    fixture('broken-rows.csv'),
    fixture('city-night.csv', 20),
    encode(toZoneCsv(ZONES)),
    encode(toFixCsv([TRACK])),
    encode('id;name;wkt;width\na;"A ""x""";"POLYGON((0 0,1 0,1 1,0 0),(0.2 0.1,0.3 0.1,0.3 0.2,0.2 0.1))";5'),
    ...traps('csv'),
  ]),
];
