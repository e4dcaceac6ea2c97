/** `findRides`: the ways of a unit between zones. */

import { inputError, isArray } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import { type OptionTable, OWN, readOptions } from '../../core/options.js';
import type { Visit } from '../visit.js';
import { notAVisit, readStays } from './readSpans.js';

/** A way from the exit of one zone to the next entry of another. */
export interface Ride {
  /** Id of the zone where the ride begins. */
  readonly fromZoneId: string;
  /** Id of the zone where the ride ends. */
  readonly toZoneId: string;
  /** Epoch milliseconds: the exit. */
  readonly from: number;
  /** Epoch milliseconds: the entry. */
  readonly to: number;
  /** `exitBounds` of the visit before. */
  readonly fromBounds: NonNullable<Visit['exitBounds']>;
  /** `enterBounds` of the visit after. */
  readonly toBounds: Visit['enterBounds'];
}

/** Options of `findRides`. */
export interface RideOptions {
  /** Ids of the zones where rides begin. Default: all. */
  readonly from?: readonly string[] | undefined;
  /** Ids of the zones where rides end. Default: all. */
  readonly to?: readonly string[] | undefined;
  /** Least duration of a closed visit that counts, seconds. Default 0. */
  readonly minStaySeconds?: number | undefined;
  /** Whether a ride may end in the zone where it began. Default false. */
  readonly allowCircle?: boolean | undefined;
}

const OPTIONS: OptionTable<RideOptions> = {
  from: OWN,
  to: OWN,
  minStaySeconds: { default: 0 },
  allowCircle: { default: false },
};

/**
 * The rides of a unit, in order of time. A ride is a departure directly followed by an arrival.
 *
 * - Departures are the exits of visits to `from` zones. Arrivals are the enters of visits to `to` zones. A closed visit shorter than
 *   `minStaySeconds` is neither. An open visit of any length is an arrival and has no departure.
 * - Departures and arrivals are sorted by time. At one instant the order is: exits of visits that began earlier, arrivals, exits of visits
 *   without duration. Equal entries keep the order of the list.
 * - A ride from a zone to itself counts only with `allowCircle`. Otherwise it is dropped with its departure.
 *
 * `meter.between(ride.from, ride.to)` measures a ride. Errors: `visits-type`, `visit-invalid`, `option-type`, `option-unknown`, `option-value`.
 * Cost: O(n log n).
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { findRides, findVisits, readTrack } from 'wayzone/tracks';
 * const site = (id, lon) => ({ id, type: { key: 'circle' }, geometry: [[lon, 55.7]], width: 500 });
 * const index = new ZoneIndex([site('depot', 37.6), site('quarry', 37.7)]);
 * const track = readTrack([37.6, 37.65, 37.7].map((lon, i) => ({ time: 1772438400000 + i * 300000, lon, lat: 55.7 })));
 * findRides(findVisits(track, index)).map(({ fromZoneId, toZoneId }) => [fromZoneId, toZoneId]); // [['depot', 'quarry']]
 * ```
 */
export function findRides(visits: readonly Visit[], options: RideOptions = {}): Ride[] {
  const { from, to, minStaySeconds, allowCircle } = readOptions(options, OPTIONS);
  const [isOrigin, isGoal] = [readIds(from, 'from'), readIds(to, 'to')];
  const calls: Call[] = [];
  for (const [position, visit] of readStays<Visit>(visits).entries()) {
    const { zoneId, enter, exit, enterBounds, exitBounds } = visit;
    if (!isArray(enterBounds) || (exit !== null && !isArray(exitBounds))) throw notAVisit(visit, position);
    if (exit !== null && exit - enter < minStaySeconds * 1000) continue;
    if (isGoal(zoneId)) calls.push({ visit, time: enter, rank: ARRIVAL });
    if (exit !== null && isOrigin(zoneId)) {
      calls.push({ visit, time: exit, rank: exit > enter ? EXIT : BRIEF_EXIT });
    }
  }
  calls.sort((a, b) => a.time - b.time || a.rank - b.rank);
  const rides: Ride[] = [];
  for (let i = 1; i < calls.length; i++) {
    const [departure, arrival] = [calls[i - 1]!, calls[i]!];
    if (departure.rank === ARRIVAL || arrival.rank !== ARRIVAL) continue;
    if (departure.visit.zoneId === arrival.visit.zoneId && !allowCircle) continue;
    rides.push(rideBetween(departure.visit, arrival.visit));
  }
  return rides;
}

/** A departure or an arrival. */
interface Call {
  readonly visit: Visit;
  readonly time: number;
  readonly rank: number;
}

/** The order at one instant. */
const EXIT = 0;
const ARRIVAL = 1;
const BRIEF_EXIT = 2;

function rideBetween(before: Visit, after: Visit): Ride {
  const [left, leftBefore] = before.exitBounds!;
  return {
    fromZoneId: before.zoneId,
    toZoneId: after.zoneId,
    from: before.exit!,
    to: after.enter,
    fromBounds: [left, leftBefore],
    toBounds: [after.enterBounds[0], after.enterBounds[1]],
  };
}

function readIds(given: unknown, name: 'from' | 'to'): (zoneId: string) => boolean {
  if (given === undefined || given === null) return () => true;
  const field = `options.${name}`;
  const ids = guarded(field, () => {
    if (!isArray(given)) throw inputError('option-value', field, 'a list of ids', given);
    return Array.from<unknown>(given);
  });
  const wrong = ids.findIndex((id) => typeof id !== 'string');
  if (wrong >= 0) throw inputError('option-value', `${field}[${wrong}]`, 'an id', ids[wrong]);
  const set = new Set(ids);
  return (zoneId) => set.has(zoneId);
}
