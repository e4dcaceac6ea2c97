import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import { expect } from 'vitest';
import { type Geozone, ZoneIndex } from '../../../src/index.js';
import { fromGeoJson } from '../../../src/interchange/index.js';
import {
  findVisits,
  measureVisits,
  meterTrack,
  readTrack,
  splitByZone,
  sumByZone,
  type Track,
} from '../../../src/tracks/index.js';
import { needs, POSTGIS } from '../../needs.js';
import { seeded } from '../../volume.js';
import { type Postgis, startPostgis } from './startPostgis.js';

/**
 * PostGIS as a twin of the ledger: the share of each step that lies in each polygon, by `ST_Intersection` in the plane of lon and lat, times
 * the step's geodesic length.
 */

const START = Date.UTC(2026, 0, 5);
const STEP_SECONDS = 30;
/** Crossings are rounded to whole ms: half of one at 120 km/h are 17 mm, at each end of a run. */
const METERS_OF_CROSSING = 0.02;

type Ring = readonly (readonly [number, number])[];

/** A drive with turns at up to 120 km/h. */
function driveFrom([lon0, lat0]: readonly [number, number], count: number, random: () => number): Track {
  let [lon, lat, heading, kph] = [lon0, lat0, 2 * Math.PI * random(), 90];
  const fixes = Array.from({ length: count }, (_, i) => {
    if (random() < 0.1) kph = random() < 0.2 ? 0 : 40 + 80 * random();
    if (random() < 0.1) heading += 3 * (random() - 0.5);
    const degrees = (kph * STEP_SECONDS) / 3.6 / 111_320;
    lon += (degrees * Math.sin(heading)) / Math.cos((lat * Math.PI) / 180);
    lat += degrees * Math.cos(heading);
    return { time: START + i * STEP_SECONDS * 1000, lon, lat, speedKph: kph };
  });
  return readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY });
}

/** Metres of each track in each zone: `[track, zone, metres, pieces]`. Zones are GeoJSON geometries. */
function metersIn(
  tracks: readonly Track[],
  zones: readonly { readonly id: string; readonly geometry: object }[],
): [number, string, number, number][] {
  const lines = tracks.map(({ lon, lat }) => Array.from(lon, (value, i) => [value, lat[i]!]));
  const postgis: Postgis = startPostgis();
  try {
    return postgis.query(`
    create temp table zone as
      select item->>'id' as id, ST_GeomFromGeoJSON(item->'geometry') as shape
      from jsonb_array_elements($$${JSON.stringify(zones)}$$::jsonb) as item;
    create temp table step as
      select track, ST_MakeLine(
        ST_SetSRID(ST_MakePoint((line->(n - 1)->>0)::float8, (line->(n - 1)->>1)::float8), 4326),
        ST_SetSRID(ST_MakePoint((line->n->>0)::float8, (line->n->>1)::float8), 4326)) as way
      from jsonb_array_elements($$${JSON.stringify(lines)}$$::jsonb) with ordinality as t(line, track),
        generate_series(1, jsonb_array_length(line) - 1) as n;
    select coalesce(json_agg(json_build_array(track - 1, id, meters, pieces)), '[]') from (
      select track, id, sum(ST_Length(inside) / ST_Length(way) * ST_Length(way::geography)) as meters, count(*) as pieces
      from (select track, id, way, ST_Intersection(way, shape) as inside from step join zone on way && shape
        where ST_Length(way) > 0) as part
      group by track, id) as sums;
  `) as [number, string, number, number][];
  } finally {
    postgis.stop();
  }
}

needs(POSTGIS).test('lengths inside overlapping polygons are those of PostGIS (needs PostGIS)', () => {
  const random = seeded(20261127);
  const zones = Array.from({ length: 40 }, (_, z) => {
    const [lon, lat] = [13 + 0.3 * random(), 52 + 0.2 * random()];
    const corners = 5 + Math.floor(12 * random());
    const ring: [number, number][] = Array.from({ length: corners }, (_, k) => {
      const [angle, size] = [(2 * Math.PI * k) / corners, 0.01 + 0.06 * random()];
      return [lon + size * Math.cos(angle), lat + 0.6 * size * Math.sin(angle)];
    });
    ring.push(ring[0]!);
    return { id: `z${z}`, type: { key: 'polygon' as const }, geometry: ring as Ring };
  });
  const index = new ZoneIndex(zones as never);
  const tracks = Array.from({ length: 10 }, () =>
    driveFrom([13 + 0.3 * random(), 52 + 0.2 * random()], 300, random),
  );
  const shapes = zones.map(({ id, geometry }) => ({
    id,
    geometry: { type: 'Polygon', coordinates: [geometry] },
  }));
  const expected = new Map(metersIn(tracks, shapes).map(([track, id, meters]) => [`${track} ${id}`, meters]));
  let compared = 0;
  for (const [t, track] of tracks.entries()) {
    const options = { maxCrossedMeters: Number.POSITIVE_INFINITY };
    const visits = measureVisits(findVisits(track, index, options), meterTrack(track));
    for (const { id } of zones) {
      const own = visits.filter(({ zoneId }) => zoneId === id);
      const meters = own.reduce((sum, { measure }) => sum + measure.distanceMeters, 0);
      const known = expected.get(`${t} ${id}`) ?? 0;
      expect(
        Math.abs(meters - known),
        `track ${t}, zone ${id}: ${meters} m, PostGIS ${known} m`,
      ).toBeLessThan(1e-8 * known + 2 * METERS_OF_CROSSING * (own.length + 1));
      if (known > 0) compared++;
    }
  }
  expect(compared).toBeGreaterThan(100);
});

needs(POSTGIS).test('mileage by state is that of PostGIS, and adds up (needs PostGIS)', () => {
  const path = createRequire(import.meta.url).resolve('us-atlas/states-10m.json');
  const topology = JSON.parse(readFileSync(path, 'utf8'));
  const collection = feature(topology, topology.objects.states) as unknown as {
    readonly features: readonly { readonly id: string; readonly geometry: object }[];
  };
  // The states of the middle west, whose borders follow rivers and meridians.
  const names = new Set(['17', '19', '20', '21', '29', '31', '40', '47', '05', '18']);
  const features = collection.features.filter(({ id }) => names.has(id));
  const { value } = fromGeoJson(JSON.stringify({ type: 'FeatureCollection', features }));
  const zones = [...value.zones] as Geozone[];
  expect(zones).toHaveLength(names.size);
  const index = new ZoneIndex(zones);
  const random = seeded(20261128);
  // Begins at vertices of the borders, so that most drives cross some.
  const vertices = zones.flatMap(({ geometry }) => geometry).filter(([lon]) => lon > -98 && lon < -86);
  const tracks = Array.from({ length: 12 }, () =>
    driveFrom(vertices[Math.floor(random() * vertices.length)]! as [number, number], 250, random),
  );
  const shapes = features.map(({ geometry }, i) => ({ id: zones[i]!.id, geometry }));
  const expected = new Map(metersIn(tracks, shapes).map(([track, id, meters]) => [`${track} ${id}`, meters]));
  let [crossings, states] = [0, 0];
  for (const [t, track] of tracks.entries()) {
    const meter = meterTrack(track);
    const runs = splitByZone(track, index);
    const sums = sumByZone(runs, meter);
    crossings += runs.length - 1;
    for (const { id } of zones) {
      const known = expected.get(`${t} ${id}`) ?? 0;
      const own = sums.find(({ zoneId }) => zoneId === id)?.measure.distanceMeters ?? 0;
      expect(Math.abs(own - known), `track ${t}, state ${id}: ${own} m, PostGIS ${known} m`).toBeLessThan(
        1e-8 * known + METERS_OF_CROSSING * (runs.length + 1),
      );
      if (known > 0) states++;
    }
    const total = sums.reduce((sum, { measure }) => sum + measure.distanceMeters, 0);
    expect(Math.abs(total - meter.total().distanceMeters)).toBeLessThan(1e-6);
  }
  expect(Math.min(crossings, states)).toBeGreaterThan(20);
});
