/** Seeded rings, and functions that measure them with each peer. */

import { area as turfArea, length as turfLength } from '@turf/turf';
import CheapRuler from 'cheap-ruler';
import geographiclib from 'geographiclib-geodesic';
import { destination, measureZone, type Position } from '../src/index.js';

export interface Measured {
  readonly area: number;
  readonly perimeter: number;
}

/** A ring around a centre whose radius varies smoothly by a fifth. Vertices in order of azimuth; not closed. */
export function ringAround(
  centre: Position,
  acrossMeters: number,
  vertices: number,
  random: () => number,
): Position[] {
  const [phase, lobes] = [random() * 2 * Math.PI, 2 + Math.floor(random() * 6)];
  return Array.from({ length: vertices }, (_, k) => {
    const turn = k / vertices;
    const radius = (acrossMeters / 2) * (0.9 + 0.1 * Math.sin(2 * Math.PI * lobes * turn + phase));
    return destination(centre, 360 * turn, radius);
  });
}

export type Measurer = (ring: readonly Position[]) => Measured;

export const wayzoneRing: Measurer = (ring) => {
  const { area, perimeter } = measureZone({ type: { key: 'polygon' }, geometry: ring });
  return { area: area ?? Number.NaN, perimeter: perimeter ?? Number.NaN };
};

export const geographiclibRing: Measurer = (ring) => {
  const polygon = geographiclib.Geodesic.WGS84.Polygon(false);
  for (const [lon, lat] of ring) polygon.AddPoint(lat, lon);
  const { area, perimeter } = polygon.Compute(false, true);
  return { area: Math.abs(area ?? Number.NaN), perimeter };
};

export const turfRing: Measurer = (ring) => {
  const geometry = { type: 'Polygon' as const, coordinates: [closed(ring)] };
  return {
    area: turfArea(geometry),
    perimeter: turfLength({ type: 'Feature', properties: {}, geometry }, { units: 'meters' }),
  };
};

export const cheapRulerRing: Measurer = (ring) => {
  let [south, north] = [90, -90];
  for (const [, lat] of ring) {
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  const ruler = new CheapRuler((south + north) / 2, 'meters');
  const coordinates = closed(ring);
  return { area: ruler.area([coordinates]), perimeter: ruler.lineDistance(coordinates) };
};

function closed(ring: readonly Position[]): [number, number][] {
  return [...ring, ring[0]!].map(([lon, lat]) => [lon, lat]);
}
