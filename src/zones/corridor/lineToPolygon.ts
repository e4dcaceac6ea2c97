/** The corridor of a line zone as one flat ring, as the platform's endpoint returns it. */

import { guarded } from '../../core/input.js';
import { checkOptions, type OptionTable } from '../../core/options.js';
import type { ZoneOptions, ZoneShape } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneOptions.js';
import { joinBySeams } from '../../planar/joinBySeams.js';
import { pointInRing } from '../../planar/pointInRing.js';
import { readShape } from '../readShape.js';
import { isInOnePiece, type Ring } from '../ring.js';
import { unrolledRing } from '../unrolledRing.js';
import { type CorridorRings, corridorRings } from './corridor.js';
import { CORRIDOR_OPTIONS, type CorridorOptions, corridorPlanOf } from './readCorridor.js';

/**
 * Degrees beyond which a ring is moved back, so that its middle is on the map. Doubles are coarser from 128 to 256 than below 128;
 * otherwise longitudes below 128 would be moved above 128 and rounded.
 */
const COARSE_DEGREES = 232;

/** Options for reading the zone, and some of `corridor`. */
export type LineToPolygonOptions = ZoneOptions & Pick<CorridorOptions, 'toleranceMeters' | 'edges' | 'cap'>;

const OPTIONS: OptionTable<LineToPolygonOptions, 'defaultWidthMeters' | 'toleranceMeters'> = {
  ...ZONE_OPTIONS,
  ...CORRIDOR_OPTIONS,
};

/**
 * The corridor of a line zone as `polygon_geometry` of the wire format: one closed ring of pairs in the caller's axis order.
 *
 * A seam of zero width connects each hole to the outer boundary. It runs due west from the westernmost vertex of the hole and back. So the
 * even-odd rule and the signed area both see the holes. At the antimeridian longitudes continue past ±180. A corridor over a pole or around the
 * Earth is closed along the edge of the map. Accuracy, validity and cost: as `corridor`. Errors: the errors of a line zone on `geometry` and
 * `width`; `tolerance-range`; `option-value`.
 *
 * @example
 * ```ts
 * import { lineToPolygon } from 'wayzone';
 * lineToPolygon({ width: 50, geometry: [[37.6, 55.7], [37.61, 55.7]] }, { cap: 'flat' }).polygon_geometry.length; // 5
 * ```
 */
export function lineToPolygon(
  line: Pick<ZoneShape, 'width' | 'geometry'>,
  options: LineToPolygonOptions = {},
): { polygon_geometry: [number, number][] } {
  checkOptions(options, OPTIONS);
  const shape = guarded('geometry', () => ({
    type: { key: 'line' as const },
    geometry: line.geometry,
    width: line.width ?? null,
  }));
  const normal = readShape(shape, options);
  if (normal.key !== 'line') throw new TypeError('a line reads as a line');
  const found = corridorRings(corridorPlanOf(normal.coords, normal.halfWidth, options));
  return { polygon_geometry: flatRing(found, options.axisOrder) };
}

/**
 * One closed ring of pairs in the axis order, counterclockwise, around the same region as all rings.
 *
 * A hole stays open: a seam runs from its westernmost vertex due west to the next boundary, and the ring follows it there and back. Across
 * the antimeridian longitudes continue past ±180. A corridor over a pole or all around the Earth is closed along the edge of the map.
 */
function flatRing(
  { rings: ringsOf, cut }: CorridorRings,
  axisOrder: 'lonlat' | 'latlon' | undefined,
): [number, number][] {
  const rings = ringsOf();
  // A corridor around the Earth is closed along the edge of the map.
  const isAround = rings.some(({ turns }) => turns !== 0) || rings.filter(({ hole }) => !hole).length !== 1;
  const joined = joinBySeams(
    isAround ? cut().flatMap((part) => part.map((ring) => ring.slice(1).flat())) : runningOn(rings),
  );
  const first = axisOrder === 'latlon' ? 1 : 0;
  const pairs: [number, number][] = [];
  for (let i = 0; i < joined.length; i += 2) pairs.push([joined[i + first]!, joined[i + 1 - first]!]);
  pairs.push([joined[first]!, joined[1 - first]!]);
  return pairs;
}

/** The shell with continuous longitudes, and the holes moved into it. */
function runningOn(rings: readonly Ring[]): Float64Array[] {
  const [shell, ...holes] = rings.map(({ coords }) => coords);
  const first = moved(shell!, 0);
  return [first, ...holes.map((hole) => placed(hole, first))];
}

/** Continuous longitudes, moved east by whole turns. A long ring is centred on the map instead. Each value is rounded once. */
function moved(coords: Float64Array, turns: number): Float64Array {
  if (turns === 0 && isInOnePiece(coords)) return coords;
  const lons = unrolledRing(coords);
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  for (const lon of lons) {
    if (lon < west) west = lon;
    if (lon > east) east = lon;
  }
  const back = Math.max(-west, east) < COARSE_DEGREES ? 0 : Math.round((west + east) / 720);
  return coords.map((value, i) =>
    i % 2 === 0 ? value + 360 * (Math.round((lons[i / 2]! - value) / 360) - back + turns) : value,
  );
}

/** Moves the hole east or west by whole turns until it is inside the shell. */
function placed(hole: Float64Array, shell: Float64Array): Float64Array {
  for (const turns of [0, 1, -1, 2, -2]) {
    const ring = moved(hole, turns);
    if (pointInRing(ring[0]!, ring[1]!, shell) >= 0) return ring;
  }
  return hole;
}
