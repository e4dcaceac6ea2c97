import type { Geozone, Pair, Position, WrittenShape } from '../../src/index.js';
import { wkt } from '../wkt.js';

type Random = () => number;

/** Positions that are hard for zones: cities, the antimeridian, 0/0 and both poles. */
export const PLACES: readonly Position[] = wkt('37.6 55.7, 179.9 -16.5, 0 0, 12 89.5, -70 -89.8, -179.99 65');

/** Ids that are names of members of objects, empty, of unpaired surrogates, as long as allowed, or equal in another normal form. */
export const HOSTILE_IDS: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  '',
  '1',
  ' ',
  '\ud800',
  'x\udfffy',
  'a'.repeat(65_536),
  'é',
  'e\u0301',
  '😀',
  '漢',
];

const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);

/** A star polygon of 3 to 12 vertices around `place`, `reach` degrees wide; it never self-intersects. */
export function star(random: Random, [lon, lat]: Position, reach: number): Pair[] {
  const vertices = 3 + Math.floor(random() * 10);
  const spread = reach / Math.max(0.02, Math.cos((lat * Math.PI) / 180));
  const ring = Array.from({ length: vertices }, (_, k): Pair => {
    const angle = (2 * Math.PI * (k + 0.5 * random())) / vertices;
    const radius = 0.3 + 0.7 * random();
    const y = lat + reach * radius * Math.sin(angle);
    return [wrap(lon + Math.min(60, spread) * radius * Math.cos(angle)), Math.max(-90, Math.min(90, y))];
  });
  return random() < 0.5 ? ring : ring.reverse();
}

export function shapeAt(random: Random, place: Position, reach: number): WrittenShape {
  const kind = random();
  const near = (): Pair => [
    wrap(place[0] + (random() - 0.5) * reach),
    Math.max(-90, Math.min(90, place[1] + (random() - 0.5) * reach)),
  ];
  const meters = reach * 60_000;
  if (kind < 0.4) return { type: { key: 'polygon' }, geometry: star(random, place, reach) };
  if (kind < 0.6) return { type: { key: 'circle' }, geometry: [near()], width: meters * random() };
  if (kind < 0.65) return { type: { key: 'point' }, geometry: [near()] };
  const line = Array.from({ length: 1 + Math.floor(random() * 5) }, near);
  return { type: { key: 'line' }, geometry: line, width: 1 + meters * random() * 0.4 };
}

export function zoneAt(random: Random, id: string, place: Position, reach: number): Geozone {
  return { id, name: id, ...shapeAt(random, place, reach) };
}

/** A position near `place`; half of them are on its latitude or longitude. */
export function probeAt(random: Random, place: Position, reach: number): Position {
  const lon = random() < 0.1 ? place[0] : wrap(place[0] + (random() - 0.5) * 3 * reach);
  const lat = random() < 0.1 ? place[1] : place[1] + (random() - 0.5) * 3 * reach;
  return [lon, Math.max(-90, Math.min(90, lat))];
}
