/** Features with times are tracks, in the forms that programs write, and back. */

import { expect, test } from 'vitest';
import type { RawTrack } from '../../src/core/fix.js';
import {
  fromGeoJson,
  type GeoJsonOptions,
  readGeoJson,
  toFeatureCollection,
  toMovingFeatures,
} from '../../src/interchange/index.js';

const T0 = Date.UTC(2026, 2, 2, 8);
const iso = (minutes: number): string => new Date(T0 + minutes * 60_000).toISOString();

function point(lon: number, properties: object, lat = 50): object {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lon, lat] } };
}

function line(coordinates: readonly (readonly number[])[], properties: object): object {
  return { type: 'Feature', properties, geometry: { type: 'LineString', coordinates } };
}

/** The tracks of features, the same from an object, a text and a stream. */
async function tracksOf(
  features: readonly object[],
  options: GeoJsonOptions = {},
): Promise<readonly RawTrack[]> {
  const root = { type: 'FeatureCollection', features };
  const bytes = new TextEncoder().encode(JSON.stringify(root));
  const data = fromGeoJson(bytes, options);
  expect(data.value.zones).toEqual([]);
  expect(fromGeoJson(root, options).value).toEqual(data.value);
  expect((await readGeoJson([bytes], options)).value).toEqual(data.value);
  return data.value.tracks;
}

test('points of a phone are the fixes of its unit, in the unit of its speeds', async () => {
  const features = [0, 1, 2].map((i) =>
    point(10 + i / 100, {
      timestamp: iso(i),
      speed: 12,
      altitude: 100,
      horizontal_accuracy: 30,
      device_id: 'ph',
      motion: ['driving'],
    }),
  );
  const [track] = await tracksOf(features, { table: { speedUnit: 'mps' } });
  expect(track?.unitId).toBe('ph');
  expect(track?.fixes[1]).toEqual({
    time: T0 + 60_000,
    lon: 10.01,
    lat: 50,
    speedKph: 43.2,
    altitudeMeters: 100,
    accuracyMeters: 30,
  });
  const { issues } = fromGeoJson({ type: 'FeatureCollection', features });
  expect(issues.map(({ code }) => code)).toContain('speed-unit');
});

test.each([
  ['time', iso(1)],
  ['timestamp', (T0 + 60_000) / 1000],
  ['timestamp', T0 + 60_000],
  ['tracked_at', '2026-03-02 09:01:00+01:00'],
])('a point with %s %s is a fix', async (key, value) => {
  const [track] = await tracksOf([point(10, { [key]: value })], { fileName: 'van.geojson' });
  expect(track).toMatchObject({ unitId: 'van', fixes: [{ time: T0 + 60_000, lon: 10, lat: 50 }] });
});

test('times without a zone are asked about', async () => {
  const feature = point(10, { time: '2026-03-02T08:00:00', speed_kph: 1 });
  const { value, issues } = fromGeoJson(feature);
  expect(value.tracks).toEqual([]);
  expect(issues.map(({ code }) => code)).toEqual(['time-zone-missing']);
  const [track] = await tracksOf([feature], { table: { timeZone: 'Europe/Berlin' } });
  expect(track?.fixes[0]?.time).toBe(T0 - 3_600_000);
});

test.each([
  ['a name and no quantity of a fix', { name: 'Depot', timestamp: iso(0) }],
  ['a radius', { timestamp: iso(0), radius: 30, speed: 4 }],
  ['the time of an edit in OpenStreetMap', { '@timestamp': iso(0) }],
  ['the time at which it was made', { created_at: iso(0) }],
  ['a number that is no time', { time: 8 }],
])('a point with %s is a zone', (_, properties) => {
  const { value } = fromGeoJson(point(10, properties));
  expect([value.zones.length, value.tracks.length]).toEqual([1, 0]);
});

test('`as` decides for zones, or for fixes', async () => {
  const named = point(10, { name: 'Depot', timestamp: iso(0) });
  expect(await tracksOf([named], { as: 'fixes' })).toHaveLength(1);
  const fix = point(10, { timestamp: iso(0) });
  expect(fromGeoJson(fix, { as: 'zones' }).value.zones).toHaveLength(1);
  const track = line(
    [
      [10, 50],
      [11, 50],
    ],
    { coordTimes: [iso(0), iso(1)] },
  );
  expect(fromGeoJson(track, { as: 'zones' }).value.zones).toHaveLength(1);
});

const LINE = [
  [10, 50],
  [10.1, 50],
  [10.2, 50],
];
test.each([
  ['coordTimes', line(LINE, { name: 'van', coordTimes: [iso(0), iso(1), iso(2)] })],
  [
    'coordinateProperties',
    line(LINE, {
      name: 'van',
      coordinateProperties: { times: [iso(0), iso(1), iso(2)], heart: [70, 71, 72] },
    }),
  ],
  ['datetimes', line(LINE, { vehicle: 'van', datetimes: [T0, T0 + 60_000, T0 + 120_000] })],
  [
    'a fourth number',
    line(
      LINE.map((pair, i) => [...pair, 0, T0 / 1000 + 60 * i]),
      { vendor: 0, name: 'van' },
    ),
  ],
  [
    'lists of several lines',
    {
      type: 'Feature',
      properties: { name: 'van', coordTimes: [[iso(0), iso(1)], [iso(2)]] },
      geometry: { type: 'MultiLineString', coordinates: [LINE.slice(0, 2), LINE.slice(2)] },
    },
  ],
  [
    'MF-JSON',
    {
      type: 'Feature',
      properties: { name: 'van' },
      temporalGeometry: {
        type: 'MovingPoint',
        datetimes: [iso(0), iso(1), '2026-03-02T08:02:00Z'],
        coordinates: LINE,
        interpolation: 'Linear',
      },
    },
  ],
  [
    'MF-JSON of MobilityDB',
    {
      type: 'Feature',
      properties: { name: 'van' },
      temporalGeometry: {
        type: 'MovingPoint',
        sequences: [
          { coordinates: LINE.slice(0, 2), datetimes: [iso(0), iso(1)], lower_inc: true, upper_inc: true },
          { coordinates: LINE.slice(2), datetimes: ['2026-03-02T08:02:00+00'] },
        ],
      },
    },
  ],
])('a line with times is a track: %s', async (_, feature) => {
  const tracks = await tracksOf([feature]);
  expect(new Set(tracks.map(({ unitId }) => unitId))).toEqual(new Set(['van']));
  const fixes = tracks.flatMap((track) => track.fixes);
  expect(fixes.map(({ time, lon, lat }) => [time, lon, lat])).toEqual(
    LINE.map(([lon, lat], i) => [T0 + i * 60_000, lon, lat]),
  );
});

test('a bare MovingPoint is a track', () => {
  const { value } = fromGeoJson({
    type: 'MovingPoint',
    coordinates: LINE,
    datetimes: [iso(0), iso(1), iso(2)],
  });
  expect(value.tracks[0]?.fixes).toHaveLength(3);
});

test('a position without its time is left out, with a warning', () => {
  const { value, issues } = fromGeoJson(line(LINE, { name: 'van', coordTimes: [iso(0), null] }));
  expect(value.tracks[0]?.fixes).toHaveLength(1);
  expect(issues).toMatchObject([{ code: 'time-missing', severity: 'warning' }]);
});

test.each([
  ['an unknown word', 'a day', 'time-invalid'],
  ['a position that is none', iso(0), 'coord-type'],
  ['a latitude of 95', iso(0), 'lat-range'],
])('%s in a line with times leaves out that fix', (what, time, code) => {
  const bad = what === 'a latitude of 95' ? [10, 95] : what === 'a position that is none' ? ['a'] : [10, 50];
  const feature = { type: 'Feature', properties: { coordTimes: [time, iso(1)] } };
  const geometry = { type: 'LineString', coordinates: [bad, [11, 50]] };
  const { value, issues } = fromGeoJson({ ...feature, geometry });
  expect(value.tracks[0]?.fixes).toHaveLength(1);
  expect(issues.map((issue) => issue.code)).toEqual([code]);
});

const WRITTEN: RawTrack[] = [
  {
    name: 'Van 7',
    unitId: 'v7',
    fixes: [
      { time: T0, lon: 179.9, lat: 50, speedKph: 40, ignition: true },
      { time: T0 + 1, lon: -179.9, lat: 50, altitudeMeters: 3, courseDegrees: 90, valid: false },
      { time: T0 + 60_000, lon: -179.8, lat: 50, mileageMeters: 1, satellites: 0, accuracyMeters: 7 },
    ],
  },
  {
    name: 'b',
    unitId: 'b',
    fixes: [
      { time: T0, lon: 1, lat: 2, altitudeMeters: 7 },
      { time: T0 + 5, lon: 1, lat: 3, altitudeMeters: 8 },
    ],
  },
  { name: 'c', unitId: 'c', fixes: [{ time: T0, lon: 1, lat: 2, speedKph: 3.25, ignition: false }] },
];

test('tracks are written with all fields, and read back unchanged', () => {
  const collection = toFeatureCollection([], { tracks: [...WRITTEN, { name: 'd', unitId: 'd', fixes: [] }] });
  expect(collection.features.map(({ geometry }) => geometry.type)).toEqual([
    'LineString',
    'LineString',
    'Point',
  ]);
  const { value, issues } = fromGeoJson(JSON.stringify(collection));
  expect(issues).toEqual([]);
  expect(value.tracks).toEqual(WRITTEN);
});

test('MF-JSON is written with speeds, and read back', () => {
  const collection = toMovingFeatures(WRITTEN);
  expect(collection.features[0]?.temporalProperties[0]).toEqual({
    datetimes: [iso(0)],
    speed: { type: 'Measure', form: 'KMH', values: [40], interpolation: 'Linear' },
  });
  const { value, issues } = fromGeoJson(JSON.stringify(collection));
  expect(issues).toEqual([]);
  expect(value.tracks.map(({ unitId, fixes }) => [unitId, fixes.length])).toEqual([
    ['v7', 3],
    ['b', 2],
    ['c', 1],
  ]);
  expect(value.tracks[0]?.fixes[0]).toEqual({ time: T0, lon: 179.9, lat: 50, speedKph: 40 });
  expect(value.tracks[1]?.fixes).toEqual(WRITTEN[1]!.fixes);
});

test('MF-JSON has rising times and no track without fixes', () => {
  const fixes = [2, 1, 1].map((minute, i) => ({ time: T0 + minute * 60_000, lon: i, lat: 0 }));
  const { features } = toMovingFeatures([
    { name: 'u', unitId: 'u', fixes },
    { name: 'e', unitId: 'e', fixes: [] },
  ]);
  expect(features.map(({ temporalGeometry }) => temporalGeometry.coordinates)).toEqual([
    [
      [1, 0],
      [0, 0],
    ],
  ]);
});
