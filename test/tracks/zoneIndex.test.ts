import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { findVisits, readTrack } from '../../src/tracks/index.js';
import { internalsOf } from '../../src/zones/index/index.js';
import type { ZoneRow } from '../../src/zones/index/types.js';
import { ZoneIndex } from '../../src/zones/zoneIndex.js';
import { seeded } from '../volume.js';
import { wkt } from '../wkt.js';
import { START } from './planeIndex.js';

const ZONES: readonly ZoneRow[] = [
  { id: 'circle', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 400 },
  {
    id: 'polygon',
    type: { key: 'polygon' },
    geometry: wkt('37.59 55.69, 37.61 55.692, 37.6 55.698, 37.605 55.71'),
  },
  {
    id: 'line',
    type: { key: 'line' },
    geometry: wkt('37.58 55.7, 37.6 55.705, 37.62 55.695'),
    width: 150,
  },
];

function drive(places: readonly (readonly [number, number])[], everySeconds = 60): Fix[] {
  return places.map(([lon, lat], i) => ({ time: START + i * everySeconds * 1000, lon, lat }));
}

function wander(seed: number, count: number): Fix[] {
  const random = seeded(seed);
  let [lon, lat] = [37.6, 55.7];
  const places = Array.from({ length: count }, (): [number, number] => {
    lon += 0.01 * (random() - 0.5) + 0.05 * (37.6 - lon);
    lat += 0.006 * (random() - 0.5) + 0.05 * (55.7 - lat);
    return [lon, lat];
  });
  return drive(places);
}

describe('findVisits on a ZoneIndex', () => {
  it('enters and leaves on the boundary of each kind of zone', () => {
    const index = new ZoneIndex(ZONES);
    const track = readTrack(wander(7, 400));
    const visits = findVisits(track, index);
    expect(new Set(visits.map((visit) => visit.zoneId)).size).toBe(3);
    for (const { zoneId, enter, exit, enterBounds, exitBounds } of visits) {
      const zone = internalsOf(index)!.prepared(zoneId);
      for (const [time, bounds] of [
        [enter, enterBounds],
        [exit, exitBounds],
      ] as const) {
        if (time === null || !bounds || bounds[0] === null || bounds[1] === null) continue;
        const i = track.time.indexOf(bounds[0]);
        const f = (time - bounds[0]) / (bounds[1] - bounds[0]);
        const along = (column: Float64Array): number =>
          (column[i] as number) + f * ((column[i + 1] as number) - (column[i] as number));
        // The fastest step moves less than 2 cm in a millisecond.
        expect(Math.abs(zone?.signedDistanceMeters(along(track.lon), along(track.lat)) ?? 9)).toBeLessThan(
          0.02,
        );
      }
    }
  });

  it('counts the fixes in the zone', () => {
    const index = new ZoneIndex(ZONES);
    const track = readTrack(wander(8, 300));
    const visits = findVisits(track, index);
    for (const id of index.ids()) {
      let inside = 0;
      for (let i = 0; i < track.length; i++) {
        inside += Number(index.at([track.lon[i] as number, track.lat[i] as number]).includes(id));
      }
      const own = visits.filter((visit) => visit.zoneId === id);
      expect(own.reduce((sum, visit) => sum + visit.fixCount, 0)).toBe(inside);
    }
  });

  it('leaves by the distance in metres when there is an exit buffer', () => {
    const index = new ZoneIndex(ZONES.slice(0, 1));
    // 0.005° of latitude are 557 m here: 157 m beyond the circle.
    const track = readTrack(drive(wkt('37.6 55.7, 37.6 55.705, 37.6 55.7')));
    expect(findVisits(track, index)).toHaveLength(2);
    expect(findVisits(track, index, { exitBufferMeters: 156 })).toHaveLength(2);
    expect(findVisits(track, index, { exitBufferMeters: 158 })).toMatchObject([{ end: 'open', fixCount: 2 }]);
  });

  it('follows the unit across the antimeridian', () => {
    const index = new ZoneIndex([
      { id: 'strait', type: { key: 'circle' }, geometry: [[180, 65]], width: 1000 },
    ]);
    const track = readTrack(drive(wkt('179.96 65, 179.99 65, -179.99 65, -179.96 65')));
    const [visit, ...more] = findVisits(track, index);
    expect(more).toEqual([]);
    expect(visit).toMatchObject({ seen: 'inside', end: 'left', fixCount: 2 });
    // The way is symmetric in time.
    const { enter, exit } = visit as { enter: number; exit: number };
    expect(enter - START + (exit - START)).toBe(180_000);
  });

  it('does not leave a zone over a pole, where every longitude is the same position', () => {
    const index = new ZoneIndex([{ id: 'pole', type: { key: 'circle' }, geometry: [[0, 90]], width: 5000 }]);
    const track = readTrack(drive(wkt('10 89.97, 10 90, 150 90, 150 89.99, 150 89.9'), 600));
    expect(findVisits(track, index)).toMatchObject([{ zoneId: 'pole', end: 'left', fixCount: 4 }]);
  });
});
