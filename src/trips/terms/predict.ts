/** The `predict` function, its arguments and its result. */

import { lonStep, wrapLon } from '../../core/angles.js';
import type { Position } from '../../core/geometry.js';
import type { PassageOrderTypeKey } from '../../core/trip.js';
import type { ZoneOptions } from '../../core/wire.js';
import { readShape } from '../../zones/readShape.js';
import type { PlannedPoint } from '../plan/planTrip.js';
import type { TripZone } from '../plan/tripZones.js';

/** A point of the trip that is still to be visited. */
export interface PendingPoint extends TripZone {
  /** The point's place in the trip's list, from 0. */
  readonly index: number;
  /** `[lon, lat]` in degrees: the centre of a circle or point, the middle vertex of a line, the middle of a polygon's box. */
  readonly position: Position;
  /** Planned time, epoch milliseconds; `null` if the point has no such time. */
  readonly plannedArrival: number | null;
  /** Planned time, epoch milliseconds; `null` if the point has no such time. */
  readonly plannedDeparture: number | null;
}

/** A served point with its arrival and departure. */
export interface ServedPoint extends PendingPoint {
  /** Epoch milliseconds. */
  readonly arrival: number;
  /** Epoch milliseconds; `null` while the unit is there. */
  readonly departure: number | null;
}

/** State of a run at a forecast: its pending points, its served points and its delay. */
export interface PendingRun {
  /** `strict`: the points are visited in list order. */
  readonly passageOrder: PassageOrderTypeKey;
  /** The pending points in list order; the requested point is one of them. */
  readonly points: readonly PendingPoint[];
  /**
   * Start of the way, epoch milliseconds: the time of the fix. While the unit is at a point: the planned departure, else the arrival plus the
   * trip's `serviceSeconds`, but not before the fix.
   */
  readonly start: number;
  /**
   * The present delay, seconds, + late: the delay of the departure from the last served point with a planned time. While the unit is still
   * there, `start` is the departure. Without a planned departure it is the delay of the arrival, except at the first point, whose planned
   * arrival counts as its departure. `null` before such a point.
   */
  readonly delaySeconds: number | null;
  /** The served points in order of arrival. If the last `departure` is `null`, the unit is still at that point. */
  readonly served: readonly ServedPoint[];
  /** IANA name of the trip's time zone. */
  readonly timeZone: string;
}

/**
 * Seconds from `pending.start` until the unit arrives at `point`, or `null` if unknown. `from` is `[lon, lat]` of the unit's last fix, and
 * `time` is the time of that fix, epoch milliseconds. The function is called at every fix in the window for every pending point, in list order.
 * `pending` lists all pending points. The answer of your own function is not blended with the plan.
 */
export type Predict = (
  from: Position,
  point: PendingPoint,
  time: number,
  pending: PendingRun,
) => number | null;

/** The points of a trip as a `predict` function receives them. */
export function pendingPoints(
  zones: readonly TripZone[],
  plan: readonly PlannedPoint[],
  options: ZoneOptions,
): PendingPoint[] {
  return zones.map((zone, index) => {
    const { plannedArrival, plannedDeparture } = plan[index]!;
    return { ...zone, index, position: positionOf(zone, options), plannedArrival, plannedDeparture };
  });
}

function positionOf(zone: TripZone, options: ZoneOptions): Position {
  const shape = readShape(zone, options);
  switch (shape.key) {
    case 'line': {
      const middle = 2 * Math.floor(shape.coords.length / 4);
      return [shape.coords[middle]!, shape.coords[middle + 1]!];
    }
    case 'polygon': {
      const [ring] = shape.parts[0]!;
      return middleOf(ring!.coords);
    }
    default:
      return [shape.lon, shape.lat];
  }
}

/** The middle of a ring's box. Longitudes are continuous from the first vertex on. */
function middleOf(coords: Float64Array): Position {
  const first = coords[0]!;
  let [west, east, south, north] = [0, 0, 90, -90];
  for (let i = 0; i < coords.length; i += 2) {
    const lon = lonStep(first, coords[i]!);
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, coords[i + 1]!);
    north = Math.max(north, coords[i + 1]!);
  }
  return [wrapLon(first + (west + east) / 2), (south + north) / 2];
}
