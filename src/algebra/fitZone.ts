/** A zone as a polygon with few vertices. */

import { wrapLon } from '../core/angles.js';
import { WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { guarded } from '../core/input.js';
import { type OptionTable, OWN, readOption, readOptions } from '../core/options.js';
import type { Pair, WrittenShape, ZoneOptions, ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';
import { measureZone } from '../zones/measureZone.js';
import { hullOf, leastBoxAround, rounded, widened } from './enclose.js';
import { boundaryError, type Frame, fitFrameOf } from './fitFrame.js';
import { type MeshPoint, RingMesh } from './ringMesh.js';
import { simplify } from './simplify.js';

/** Options of `fitZone`. */
export interface FitOptions extends Pick<ZoneOptions, 'axisOrder' | 'lineWidth' | 'defaultWidthMeters'> {
  /** Greatest number of vertices of all rings together, at least 3. Closing vertices are not counted. */
  readonly maxVertices: number;
  /**
   * `outer`: every position of the zone stays inside. `nearest`: only vertices of the zone remain, with the least change of area. Default
   * `outer`.
   */
  readonly side?: 'outer' | 'nearest' | undefined;
  /** Decimals of a degree to which vertices are rounded, 0 to 12. Default: none. */
  readonly decimals?: number | undefined;
}

/** Result of `fitZone`. */
export interface FittedZone {
  /** A polygon; with `parts` if it has holes or several parts. */
  readonly shape: WrittenShape;
  /** Greatest distance between the boundaries of the zone and the polygon, in either direction, metres. At most 5 mm or 0.1 % too small. */
  readonly maxErrorMeters: number;
  /** Area of the polygon divided by the area of the zone. */
  readonly areaRatio: number;
}

const OPTIONS: OptionTable<FitOptions, 'maxVertices' | 'decimals' | 'defaultWidthMeters'> = {
  maxVertices: OWN,
  side: { words: ['outer', 'nearest'] },
  decimals: OWN,
  axisOrder: ZONE_OPTIONS.axisOrder,
  lineWidth: ZONE_OPTIONS.lineWidth,
  defaultWidthMeters: OWN,
};

/** Growth of an outline that rounding has moved, degrees; 1e-11 degrees ≈ 1 µm. */
const ROUNDING_DEGREES = 1e-11;
/** Growth of an outline before it is rounded, in cells of the grid, in the order of trial. */
const GRID_MARGINS: readonly number[] = [0.75, 1, 1.5, 3];

/**
 * A zone as a polygon of at most `maxVertices` vertices, for devices with little memory.
 *
 * With `outer` every position of the zone stays inside, also after rounding to `decimals`. A hole may shrink or vanish, never grow. Vertices
 * that turn inward are left out, an edge becomes the point where its neighbours meet, and holes are filled: each time the change with the least
 * area. If this is not enough, parts become their convex hull, a rectangle or a triangle. With `nearest` vertices and holes are left out, and
 * parts are kept. Rings never cross.
 *
 * A circle or a line is replaced by an outline around it, which is at most 0.2 % of the radius or half-width (at least 2 cm) larger.
 *
 * Errors: the errors of the shape and of `zoneOutline`; `option-value` for fewer than 3 vertices; `limit-vertices` if no such polygon exists or
 * is found. `nearest` needs three vertices for each part. Zones around a pole, and zones wider than the map allows, are not possible. Cost: O(n
 * log n), and for `maxErrorMeters` a search of both boundaries.
 *
 * @example
 * ```ts
 * import { fitZone } from 'wayzone/algebra';
 * const circle = { type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 100 };
 * const { shape, areaRatio } = fitZone(circle, { maxVertices: 8, decimals: 6 });
 * shape.geometry.length <= 8; // true
 * areaRatio < 1.1; // true
 * ```
 */
export function fitZone(shape: ZoneShape, options: FitOptions): FittedZone {
  const { maxVertices, side, decimals, ...zoneOptions } = readOptions(options, OPTIONS);
  const whole = (value: unknown, name: string, min: number, max?: number): number =>
    guarded(`options.${name}`, () =>
      readOption(
        { default: -1, min, isWhole: true, ...(max !== undefined && { max }) },
        value ?? Number.NaN,
        `options.${name}`,
      ),
    );
  const most = whole(maxVertices, 'maxVertices', 3);
  const digits = decimals === undefined || decimals === null ? null : whole(decimals, 'decimals', 0, 12);
  const given = zoneOptions as ZoneOptions;
  const frame = fitFrameOf(shape, given);
  const polygons = side === 'outer' ? outerFit(frame, most, digits) : nearestFit(frame, most, digits);
  if (polygons.flat().some(hasHalfTurn)) throw impossible(most);
  const slack = side === 'outer' ? frame.slackMeters : frame.slackMeters / 2;
  const fitted = shapeOf(polygons, frame.turned, given.axisOrder ?? 'lonlat');
  const area = measureZone(shape, given).area;
  return {
    shape: fitted,
    maxErrorMeters: boundaryError(polygons.flat(), frame.polygons.flat()) + slack,
    areaRatio: measureZone(fitted, { axisOrder: given.axisOrder ?? 'lonlat' }).area / area,
  };
}

function outerFit({ polygons, isInexact }: Frame, most: number, decimals: number | null): MeshPoint[][][] {
  const grid = { decimals };
  const start = startOf(polygons, isInexact, decimals);
  if (start !== null) {
    const mesh = new RingMesh(start);
    if (simplify(mesh, most, true, grid)) return polygonsOf(mesh);
  }
  // As a last resort, one convex ring around all parts.
  const hull =
    start === null ? startOf([[hullOf(polygons.flat(2))]], true, decimals) : [[hullOf(start.flat(2))]];
  if (hull === null) throw impossible(most);
  const mesh = new RingMesh(hull);
  if (simplify(mesh, most, true, grid)) return polygonsOf(mesh);
  const box = leastBoxAround(hull[0]![0]!, most === 3, decimals);
  if (box === null) throw impossible(most);
  return [[box]];
}

/** The rings to start from: on the grid, and around all of the zone. */
function startOf(
  polygons: MeshPoint[][][],
  isInexact: boolean,
  decimals: number | null,
): MeshPoint[][][] | null {
  const fits = (rings: MeshPoint[][][] | null): boolean =>
    rings?.flat(2).every(([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 90) ?? false;
  if (decimals === null) {
    const wide = isInexact ? widened(polygons, ROUNDING_DEGREES, null) : polygons;
    return fits(wide) ? wide : null;
  }
  const isOnGrid = !isInexact && polygons.every((rings) => rings.every((ring) => isRounded(ring, decimals)));
  if (isOnGrid) return polygons;
  for (const cells of GRID_MARGINS) {
    const wide = widened(polygons, cells * 10 ** -decimals, decimals);
    if (fits(wide)) return wide;
  }
  return null;
}

/** Whether an edge spans 180° or more: as an edge of a zone it would go the other way round. Around a pole the plane has such edges. */
function hasHalfTurn(ring: readonly MeshPoint[]): boolean {
  return ring.some(([x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    const isOnPole = Math.abs(y) === 90 && nextY === y;
    return Math.abs(nextX - x) >= 180 && !isOnPole;
  });
}

function isRounded(ring: readonly MeshPoint[], decimals: number): boolean {
  const same = rounded(ring, decimals);
  return same.length === ring.length && same.every(([x, y], i) => x === ring[i]![0] && y === ring[i]![1]);
}

function nearestFit({ polygons }: Frame, most: number, decimals: number | null): MeshPoint[][][] {
  const start = polygons
    .map((rings) => rings.map((ring) => rounded(ring, decimals)))
    .filter(([shell]) => shell!.length >= 3)
    .map(([shell, ...holes]) => [shell!, ...holes.filter((ring) => ring.length >= 3)]);
  const mesh = new RingMesh(start);
  if (start.length === 0 || !simplify(mesh, most, false, { decimals })) throw impossible(most);
  return polygonsOf(mesh);
}

/** The remaining rings as polygons, each hole after its shell. */
function polygonsOf(mesh: RingMesh): MeshPoint[][][] {
  const polygons: MeshPoint[][][] = [];
  for (let ring = 0; ring < mesh.sizes.length; ring++) {
    if (mesh.sizes[ring] === 0) continue;
    if (mesh.isHole[ring]) polygons.at(-1)!.push(mesh.points(ring));
    else polygons.push([mesh.points(ring)]);
  }
  return polygons;
}

function shapeOf(
  polygons: readonly MeshPoint[][][],
  turned: number,
  axisOrder: 'lonlat' | 'latlon',
): WrittenShape {
  const back = polygons.map((rings) =>
    rings.map((ring): Position[] => ring.map(([x, y]) => [turned === 0 ? x : wrapLon(x - turned), y])),
  );
  const areas = polygons.map(([shell]) => {
    const [x0, y0] = shell![0]!;
    return shell!.reduce((sum, [x, y], i) => {
      const [nextX, nextY] = shell![(i + 1) % shell!.length]!;
      return sum + (x - x0) * (nextY - y0) - (nextX - x0) * (y - y0);
    }, 0);
  });
  const largest = back[areas.indexOf(Math.max(...areas))]![0]!;
  const geometry = largest.map(([lon, lat]): Pair => (axisOrder === 'latlon' ? [lat, lon] : [lon, lat]));
  const isPlain = back.length === 1 && back[0]!.length === 1;
  const closed = (ring: Position[]): Position[] => [...ring, ring[0]!];
  return {
    type: { key: 'polygon' },
    geometry,
    ...(!isPlain && { parts: back.map((rings) => rings.map(closed)) }),
  };
}

function impossible(most: number): WayzoneError {
  return new WayzoneError(
    'limit-vertices',
    'options.maxVertices',
    `expected a zone that fits ${most} vertices, received one that does not`,
  );
}
