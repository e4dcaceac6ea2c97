import { describe, expect, test } from 'vitest';
import { lonStep, wrapLon } from '../../src/core/angles.js';
import type { ZoneOptions, ZoneShape } from '../../src/index.js';
import { prepareZone } from '../../src/zones/preparedZone.js';
import { readShape } from '../../src/zones/readShape.js';
import { seeded, volume } from '../volume.js';
import { PLACES, probeAt, shapeAt } from './generators.js';
import { everyEdgeZone, plainZone } from './oracle/plainZones.js';

/** Calls `check` with zones of each kind at each place and two positions near each; some are vertices of the zone. */
function forZones(
  count: number,
  check: (shape: ZoneShape, options: ZoneOptions, ends: [number, number, number, number]) => void,
): void {
  const random = seeded(19);
  for (let i = 0; i < volume(count, Math.max(25, count / 80)); i++) {
    const place = PLACES[i % PLACES.length]!;
    const reach = [0.1, 3, 0.001][i % 3]!;
    const shape = shapeAt(random, place, reach);
    const [lon, lat] = i % 5 === 0 ? shape.geometry[0]! : probeAt(random, place, reach);
    const [toLon, toLat] = probeAt(random, place, reach);
    const ends: [number, number, number, number] = [wrapLon(lon), lat, wrapLon(toLon), toLat];
    if (Math.abs(ends[2] - ends[0]) === 180) continue;
    check(shape, i % 2 === 0 ? {} : { boundary: 'half-open' }, ends);
  }
}

describe('a prepared zone equals one that tests all edges', () => {
  test('in containment, to the last bit of the coordinates', () => {
    let hits = 0;
    forZones(20_000, (shape, options, ends) => {
      const [lon, lat] = ends;
      const wanted = plainZone(shape, options).contains(lon, lat);
      expect({ shape, ends, inside: prepareZone(shape, options).contains(lon, lat) }).toEqual({
        shape,
        ends,
        inside: wanted,
      });
      if (wanted) hits++;
    });
    expect(hits).toBeGreaterThan(50);
  });

  test('in the distance to the border, to a micrometre', () => {
    forZones(4000, (shape, options, [lon, lat]) => {
      const own = prepareZone(shape, options).signedDistanceMeters(lon, lat);
      expect(Math.abs(own - plainZone(shape, options).signedDistanceMeters(lon, lat))).toBeLessThan(2e-6);
    });
  });

  test('in the intervals of segments: exactly for polygons and circles; borders of lines to two micrometres', () => {
    let lines = 0;
    forZones(10_000, (shape, options, ends) => {
      const own = prepareZone(shape, options).intervals(...ends);
      const normal = readShape(shape, options);
      if (normal.key !== 'line') {
        expect({ shape, ends, own }).toEqual({
          shape,
          ends,
          own: plainZone(shape, options).intervals(...ends),
        });
        return;
      }
      const zone = everyEdgeZone(normal.coords, normal.halfWidth);
      expect({ shape, ends, count: own.length }).toEqual({
        shape,
        ends,
        count: zone.intervals(...ends).length,
      });
      const [aLon, aLat, bLon, bLat] = ends;
      for (const t of own.filter((fraction) => fraction > 0 && fraction < 1)) {
        const meters = zone.signedDistanceMeters(
          wrapLon(aLon + t * lonStep(aLon, bLon)),
          aLat + t * (bLat - aLat),
        );
        expect(Math.abs(meters)).toBeLessThan(2e-6);
        lines++;
      }
    });
    expect(lines).toBeGreaterThan(25);
  });
});
