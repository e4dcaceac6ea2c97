/** The outline of any zone as rings on one plane of degrees. */

import { wrapLon } from '../core/angles.js';
import type { MultiPolygon, Polygon, Position } from '../core/geometry.js';
import type { WrittenShape, ZoneOptions, ZoneShape } from '../core/wire.js';
import type { NormalShape } from '../zones/kinds/index.js';
import { readShape } from '../zones/readShape.js';
import { zoneOutline } from '../zones/zoneOutline.js';
import { TOLERANCE_SHARE } from './boundaryError.js';
import type { MeshPoint } from './ringMesh.js';

export interface Frame {
  /** Open rings: the shell of each polygon first, then its holes; the polygon is on their left. */
  readonly polygons: MeshPoint[][][];
  /** Degrees added to longitudes so that the zone does not meet the antimeridian. */
  readonly turned: 0 | 180;
  /** Whether rounding may have moved vertices. If so, the outline must grow a little to contain the zone. */
  readonly isInexact: boolean;
  /** Largest width by which the outline of a circle or line exceeds the zone, metres. */
  readonly slackMeters: number;
}

const LEAST_TOLERANCE = 0.01;

export function fitFrameOf(shape: ZoneShape, options: ZoneOptions): Frame {
  const normal = readShape(shape, options);
  const { plain, tolerance } = asShape(normal);
  const outlineOptions = tolerance === 0 ? {} : { toleranceMeters: tolerance };
  const outline = zoneOutline(plain(0), outlineOptions);
  const isCut = meetsBothSides(outline);
  const turnedOutline = isCut ? zoneOutline(plain(180), outlineOptions) : outline;
  const isTurned = isCut && !meetsBothSides(turnedOutline);
  const polygons = openRings(isTurned ? turnedOutline : outline);
  const isPolygon = normal.key === 'polygon';
  return {
    polygons,
    turned: isTurned ? 180 : 0,
    isInexact: isPolygon && (isTurned || (!isCut && hasNewVertex(polygons, normal))),
    slackMeters: 2 * tolerance,
  };
}

/**
 * Returns a function that makes the shape with its longitudes turned by some degrees. Circles and lines are wider by the tolerance, so that
 * their outline contains them.
 */
function asShape(normal: NormalShape): { plain: (degrees: number) => WrittenShape; tolerance: number } {
  const pairOf = (lon: number, lat: number, degrees: number): [number, number] => [
    wrapLon(lon + degrees),
    lat,
  ];
  const pairs = (coords: Float64Array, degrees: number): [number, number][] =>
    Array.from({ length: coords.length / 2 }, (_, i) => pairOf(coords[2 * i]!, coords[2 * i + 1]!, degrees));
  if (normal.key === 'polygon') {
    const plain = (degrees: number): WrittenShape => ({
      type: { key: 'polygon' },
      geometry: [],
      parts: normal.parts.map((part) => part.map(({ coords }) => pairs(coords, degrees))),
    });
    return { plain, tolerance: 0 };
  }
  const size = normal.key === 'line' ? normal.halfWidth : normal.radius;
  const tolerance = Math.max(LEAST_TOLERANCE, size * TOLERANCE_SHARE);
  // An empty zone stays empty; its outline then reports the error.
  const wide = size === 0 ? 0 : size + 1.01 * tolerance;
  const plain = (degrees: number): WrittenShape =>
    normal.key === 'line'
      ? { type: { key: 'line' }, geometry: pairs(normal.coords, degrees), width: 2 * wide }
      : { type: { key: 'circle' }, geometry: [pairOf(normal.lon, normal.lat, degrees)], width: wide };
  return { plain, tolerance };
}

function openRings(outline: Polygon | MultiPolygon): MeshPoint[][][] {
  const polygons = outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
  return polygons.map((rings) =>
    rings.map((ring: readonly Position[]) => ring.slice(0, -1).map(([x, y]): MeshPoint => [x, y])),
  );
}

function meetsBothSides(outline: Polygon | MultiPolygon): boolean {
  const xs = openRings(outline).flat(2);
  return xs.some(([x]) => x === 180) && xs.some(([x]) => x === -180);
}

/** Whether the outline has a vertex that is not one of the zone's: a crossing of rings. */
function hasNewVertex(polygons: readonly MeshPoint[][][], normal: NormalShape): boolean {
  if (normal.key !== 'polygon') return false;
  const own = new Set<string>();
  for (const { coords } of normal.parts.flat()) {
    for (let i = 0; i < coords.length; i += 2) own.add(`${coords[i]} ${coords[i + 1]}`);
  }
  return polygons.flat(2).some(([x, y]) => !own.has(`${x} ${y}`));
}
