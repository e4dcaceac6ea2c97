import { expect, test } from 'vitest';
import type { Issue } from '../../src/core/fix.js';
import { FlatPairs } from '../../src/core/wire.js';
import { type Geozone, ZoneIndex } from '../../src/index.js';
import { flatReadGeoJson, fromGeoJson } from '../../src/interchange/geojson/fromGeoJson.js';
import { seeded } from '../volume.js';
import { wkt } from '../wkt.js';

/** Rings that the fast path into an index reads, and rings that it leaves to the general reader of shapes. */
const RINGS: readonly (readonly (readonly number[])[])[] = [
  wkt('1 1, 3 1, 3 3, 1 3, 1 1'),
  wkt('1 1, 1 3, 3 3, 3 1'),
  wkt('0 0, 2 -0, 2 1e-13, 1 2'),
  wkt('179 1, -179 1, -179 3, 179 3'),
  wkt('181 1, 182 1, 182 2'),
  wkt('-120 60, 0 60, 120 60'),
  wkt('0 89, 90 89, 180 89, -90 90'),
  wkt('1 1, 1 1, 2 1, 2 2, 1 2, 1 1, 1 1'),
  wkt('1 1, 2 2, 3 3, 4 4'),
  wkt('1 1, 3 3, 3 1, 1 3'),
  wkt('0 1, 180 1, 90 2'),
];

function indexOf(zones: readonly Geozone[]): { index: ZoneIndex<Geozone>; issues: Issue[] } {
  const issues: Issue[] = [];
  const index = new ZoneIndex(zones, { onIssue: (issue) => issues.push(issue as Issue) });
  return { index, issues };
}

test('an index of zones with flat positions equals the index of the same zones with pairs', async () => {
  const random = seeded(9);
  const many = Array.from({ length: 300 }, () => {
    const [x, y] = [random() * 20 - 10, random() * 20 - 10];
    return Array.from({ length: 3 + Math.floor(random() * 9) }, () => [x + random() * 3, y + random() * 3]);
  });
  const features = [...RINGS, ...many].flatMap((ring, i) => [
    { type: 'Feature', id: `p${i}`, properties: null, geometry: { type: 'Polygon', coordinates: [ring] } },
    {
      type: 'Feature',
      id: `l${i}`,
      properties: i % 2 === 0 ? { width: 500 } : {},
      geometry: { type: 'LineString', coordinates: ring },
    },
  ]);
  const bytes = new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));
  const flat = (await flatReadGeoJson([bytes], {}, 'index')).value.zones;
  const pairs = fromGeoJson(bytes).value.zones;
  expect(flat.some(({ geometry }) => (geometry as unknown) instanceof FlatPairs)).toBe(true);
  const [a, b] = [indexOf(flat), indexOf(pairs)];
  expect(a.issues).toEqual(b.issues);
  expect(b.issues.length).toBeGreaterThan(0);
  expect(a.index.ids()).toEqual(b.index.ids());
  for (const id of b.index.ids()) expect(a.index.get(id), id).toEqual(b.index.get(id));
  for (let i = 0; i < 5000; i++) {
    const position = i % 3 === 0 ? [random() * 360 - 180, random() * 180 - 90] : [random() * 6, random() * 6];
    expect(a.index.at(position as [number, number])).toEqual(b.index.at(position as [number, number]));
  }
  const copy = ZoneIndex.fromBuffer(a.index.toBuffer());
  expect(copy.get('p0')).toEqual(b.index.get('p0'));
  // `update` accepts a flat row too.
  expect(a.index.update({ ...flat[0]!, name: 'new' })).toBe(true);
  expect(a.index.get('p0')).toEqual({ ...pairs[0], name: 'new' });
});
