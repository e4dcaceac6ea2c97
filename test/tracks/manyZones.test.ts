import { expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { ZoneIndex, type ZoneRow } from '../../src/index.js';
import { findVisits, readTrack, VisitTracker, type ZoneIndexLike } from '../../src/tracks/index.js';
import { internalsOf } from '../../src/zones/index/index.js';
import { START } from './planeIndex.js';

it('a step through many zones, some of them twice, gives the same visits as an index without columns', () => {
  const rows = Array.from({ length: 60 }, (_, i): ZoneRow => {
    const [w, s] = [0.001 * (i % 7), -0.01 - 0.0001 * i];
    // A U, which a segment along the equator crosses twice, and circles around its middle.
    const u = [[w, s], [w + 0.03, s], [w + 0.03, 0.01], [w + 0.02, 0.01], [w + 0.02, -0.005], [w + 0.01, -0.005], [w + 0.01, 0.01], [w, 0.01], [w, s]] as const; // biome-ignore format: pairs
    return i % 2 === 0
      ? { id: `u ${i}`, type: { key: 'polygon' }, geometry: u }
      : { id: `o ${i}`, type: { key: 'circle' }, geometry: [[0.015, 0]], width: 300 + 20 * i };
  });
  const index = new ZoneIndex(rows);
  const plain: ZoneIndexLike = {
    at: (position) => index.at(position),
    crossing: (a, b) => index.crossing(a, b),
    prepared: (id) => internalsOf(index)!.prepared(id),
    ordinalOf: (id) => index.ordinalOf(id),
    get: (id) => index.get(id),
  };
  const lons = [-0.05, 0.005, 0.015, 0.025, 0.08, 0.015, 0.015, 0.1, -0.05];
  const fixes = lons.map((lon, i): Fix => ({ time: START + i * 600_000, lon, lat: 1e-5 * i }));
  const options = { maxCrossedMeters: Number.POSITIVE_INFINITY };
  const visits = findVisits(readTrack(fixes), index, options);
  expect(visits.length).toBeGreaterThan(200);
  expect(visits).toEqual(findVisits(readTrack(fixes), plain, options));
  const [one, other] = [index, plain].map((each) => {
    const tracker = new VisitTracker(each, options);
    return fixes.map((fix) => tracker.push('unit', fix));
  });
  expect(one).toEqual(other);
});
