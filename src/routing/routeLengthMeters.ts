/** Measures a route of the wire format. */

import { lonStep, wrapLon } from '../core/angles.js';
import { inputError, isArray } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { guarded, readPositions } from '../core/input.js';
import { type OptionTable, readOptions } from '../core/options.js';
import type { Route, RoutePoint, ZoneOptions } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';
import { isZoneTypeKey, ZONE_TYPES } from '../core/zoneTypes.js';
import { geodesicDistance } from '../geodesy/distanceMeters.js';
import { lineMeters } from '../geodesy/edgeSums.js';

const OPTIONS: OptionTable<Pick<ZoneOptions, 'axisOrder'>> = { axisOrder: ZONE_OPTIONS.axisOrder };

/**
 * Metres along the points in the order of the route: the geodesics between the points, and the length of every line point. A polygon counts as
 * the middle of its bounding box. Fewer than two points without a line give 0.
 *
 * The legs of an engine give the length by road. Cost: O(n). Errors: `route-points` for a value without a list of points, `zone-type`,
 * `geometry-count`, `option-type`, `option-value`, and the errors of a position on `points[i].geometry[j]`.
 *
 * @example
 * import { routeLengthMeters } from 'wayzone/routing';
 * const at = (lon) => ({ name: '', type: { key: 'circle' }, width: 50, geometry: [[lon, 0]] });
 * routeLengthMeters({ points: [at(0), at(1), at(0)] }); // 222638.98158…
 */
export function routeLengthMeters(
  route: Pick<Route, 'points'>,
  options: Pick<ZoneOptions, 'axisOrder'> = {},
): number {
  const { axisOrder } = readOptions(options, OPTIONS);
  const points = guarded('points', () => {
    const list: unknown = route.points;
    if (!isArray(list)) throw inputError('route-points', 'points', 'an array', list);
    return list as readonly RoutePoint[];
  });
  let meters = 0;
  let last: Position | null = null;
  points.forEach((point, i) => {
    const { first, end, own } = guarded(`points[${i}]`, () => readPlace(point, `points[${i}]`, axisOrder));
    if (last !== null) meters += geodesicDistance(last[0], last[1], first[0], first[1]);
    meters += own;
    last = end;
  });
  return meters;
}

interface RoutePlace {
  readonly first: Position;
  readonly end: Position;
  /** Length of the point itself, metres from its first position to its last. */
  readonly own: number;
}

function readPlace(point: RoutePoint, field: string, axisOrder: 'lonlat' | 'latlon'): RoutePlace {
  const key: unknown = point?.type?.key;
  const name = (point?.geometry ?? null) === null ? 'coordinates' : 'geometry';
  const positions = readPositions(point?.[name] as readonly Position[], `${field}.${name}`, axisOrder);
  if (!isZoneTypeKey(key)) {
    throw inputError('zone-type', `${field}.type.key`, 'point, circle, line or polygon', key);
  }
  const { pairs } = ZONE_TYPES[key];
  const least = pairs === 'line' ? 2 : pairs === 'ring' ? 3 : 1;
  const isOne = pairs === 'one';
  if (positions.length < least || (isOne && positions.length > 1)) {
    const what = isOne ? 'one pair' : `at least ${least} pairs`;
    throw inputError('geometry-count', `${field}.${name}`, what, positions.length);
  }
  const first = positions[0]!;
  if (pairs === 'line') return { first, end: positions.at(-1)!, own: lineMeters(positions.flat()) };
  const place = isOne ? first : middleOf(positions);
  return { first: place, end: place, own: 0 };
}

/** The middle of the box around a ring; longitudes are unrolled from the first one. */
function middleOf(ring: readonly Position[]): Position {
  let lon = ring[0]![0];
  let [west, east] = [lon, lon];
  let [south, north] = [90, -90];
  ring.forEach(([x, y], i) => {
    if (i > 0) lon += lonStep(ring[i - 1]![0], x);
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, y);
    north = Math.max(north, y);
  });
  return [wrapLon((west + east) / 2), (south + north) / 2];
}
