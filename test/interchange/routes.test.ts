import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Geozone, Route, RoutePoint } from '../../src/core/wire.js';
import {
  fromGeoJson,
  fromGpx,
  fromKml,
  fromKmz,
  toFeatureCollection,
  toGpx,
  toKml,
  toKmz,
  writeFeatureCollection,
} from '../../src/interchange/index.js';
import { buildRouting, routeFromRouting } from '../../src/routing/index.js';
import { volume } from '../volume.js';
import { pair } from './arbitraryZones.js';

const TEXT = '55.75,37.61;55.70,37.50;55.80,37.40';
const ZONE: Geozone = {
  id: 'z',
  name: 'Z',
  type: { key: 'point' },
  geometry: [[1, 2]],
  is_show_on_map: true,
};

const built = async (name: string): Promise<Route> =>
  routeFromRouting(await buildRouting(TEXT, { optimize: true }), { id: 'r', name, widthMeters: 50 });

const point: fc.Arbitrary<RoutePoint> = fc
  .tuple(fc.constantFrom('point', 'circle', 'line' as const), fc.string(), pair, pair)
  .filter(([key, , [x1], [x2]]) => key !== 'line' || Math.abs(x1 - x2) < 179)
  .map(
    ([key, name, a, b]): RoutePoint => ({
      name,
      type: { key },
      width: 5,
      geometry: key === 'line' ? [a, b] : [a],
    }),
  );
const routes: fc.Arbitrary<Route[]> = fc
  .array(fc.record({ name: fc.string(), company_id: fc.string(), points: fc.array(point, { maxLength: 4 }) }))
  .map((list) => list.map((route, i): Route => ({ id: `r${i}`, ...route })));

describe('routes in KML', () => {
  test('are read back unchanged, together with zones and groups', () => {
    fc.assert(
      fc.property(routes, fc.boolean(), (list, grouped) => {
        const groups = grouped ? [{ id: 'g', name: 'G', geozones: [{ id: 'z' }] }] : [];
        const { value, issues } = fromKml(toKml([ZONE], { groups, routes: list }));
        expect(issues).toEqual([]);
        expect(value).toEqual({
          zones: [ZONE],
          groups,
          routes: list,
          tracks: [],
          document: { name: 'Geozones' },
        });
      }),
      { numRuns: volume(1000), seed: 20_261_125 },
    );
  });

  test('a built route is read back with its stops and lines, also from KMZ', async () => {
    const route = await built('Milk </kml>');
    expect(fromKml(toKml([], { routes: [route] })).value.routes).toEqual([route]);
    expect(fromKmz(toKmz([], { routes: [route] })).value.routes).toEqual([route]);
    expect(toKml([], { routes: [route] })).toContain('<LineString>');
  });

  test('a Folder of a route with added content is read as a group of zones, so that nothing is lost', async () => {
    const route = await built('Milk');
    const foreign = '<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>';
    for (const more of [foreign, `<Folder>${foreign}</Folder>`]) {
      const { value } = fromKml(toKml([], { routes: [route] }).replace('</Folder>', `${more}</Folder>`));
      expect(value.routes).toEqual([]);
      expect(value.zones).toHaveLength(route.points.length + 1);
      expect(value.groups.at(-1)?.geozones).toHaveLength(route.points.length + 1);
    }
  });

  test('coordinates are written as geometry; the error of an invalid route has its path', () => {
    const at = { name: 'A', type: { key: 'point' as const }, coordinates: [[1, 2]] as [number, number][] };
    const back = fromKml(toKml([], { routes: [{ id: '', name: '', points: [at] }] })).value.routes;
    expect(back).toEqual([
      { id: '', name: '', points: [{ name: 'A', type: { key: 'point' }, geometry: [[1, 2]] }] },
    ]);
    const bad = { ...at, coordinates: [[1, 91]] as [number, number][] };
    for (const write of [toKml, toFeatureCollection]) {
      expect(() => write([ZONE], { routes: [{ id: '', name: '', points: [at, bad] }] })).toThrow(
        expect.objectContaining({ code: 'lat-range', field: 'routes[0].points[1].geometry[0][1]' }),
      );
      expect(() => write([], { routes: [{ id: '', name: '' } as Route] })).toThrow(
        expect.objectContaining({ code: 'route-points', field: 'routes[0].points' }),
      );
    }
  });
});

test('GeoJSON has a feature for each point with its route; writeFeatureCollection writes the same', async () => {
  const route = await built('Milk');
  const options = { all: true, lines: 'line', circles: 'point', routes: [route] } as const;
  const collection = toFeatureCollection([ZONE], options);
  expect(collection.features.map(({ geometry }) => geometry.type)).toEqual([
    'Point',
    'Point',
    'LineString',
    'Point',
    'LineString',
    'Point',
  ]);
  expect(collection.features[2]?.properties).toMatchObject({
    name: '1 → 2',
    wayzone: { width: 50, route: { id: 'r', name: 'Milk' } },
  });
  let text = '';
  const sink = (chunk: string): void => {
    text += chunk;
  };
  await writeFeatureCollection([ZONE], sink, options);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(collection)));
  const { zones } = fromGeoJson(JSON.stringify(collection)).value;
  expect(zones.slice(1).map(({ name, type, geometry }) => ({ name, type, width: 50, geometry }))).toEqual(
    route.points,
  );
});

test('GPX has the stops and every vertex of the lines, in order', async () => {
  const route = await built('Milk');
  const [back] = fromGpx(toGpx({ routes: [route] })).value.routes;
  expect(back?.points.map((stop) => stop.geometry?.[0])).toEqual(
    route.points.flatMap((stop) => stop.geometry ?? []),
  );
  expect(back?.points.map((stop) => stop.name).filter(Boolean)).toEqual(['1', '1 → 2', '2', '2 → 3', '3']);
});
