/** Points whose servings an amendment left as they were (T49a), for the search of an assignment of the others. */

import type { Settled } from '../seen/settlement.js';
import type { TripStay } from '../seen/tripStay.js';
import type { Assignment } from './assignment.js';
import { NEVER, type Serving, servingOf } from './serving.js';

export interface HeldPoints {
  /** By point: its serving, or `null`. */
  readonly servings: Assignment;
  /** The zone of each point; a held point has one of its own. */
  readonly zones: readonly number[];
  /** By point: its zone if it is the first of it in the list, else `null`. */
  readonly firstOfZone: readonly (number | null)[];
  /** Whether a stay may serve a point between held ones by the order of turns (T25). */
  mayServe(point: number, stay: TripStay): boolean;
}

export function heldPoints(
  settled: readonly (Settled | null)[],
  zones: readonly number[],
  isStrict: boolean,
): HeldPoints {
  const servings = settled.map((own, point) => own && servingOf(stayOf(own, zones.length + point)));
  const firstOfZone = zones.map((zone, point) => (zone === point ? zone : null));
  if (!isStrict || servings.every((serving) => serving === null))
    return {
      servings,
      zones: zones.map((zone, point) => (servings[point] ? zones.length + point : zone)),
      firstOfZone,
      mayServe: () => true,
    };
  // A visit is not over before the turns of the held points before it, nor do the held points after it end before its turn.
  const least = boundsOf(servings, (bound, { arrival }) => Math.max(bound, arrival), NEVER);
  const most = boundsOf(
    servings.toReversed(),
    (bound, { end }) => Math.min(bound, end!),
    Number.POSITIVE_INFINITY,
  ).reverse();
  return {
    servings,
    zones: zones.map((zone, point) => (servings[point] ? zones.length + point : zone)),
    firstOfZone,
    mayServe: (point, { enter, exit }) =>
      least[point]! <= most[point]! && enter <= most[point]! && (exit === null || exit >= least[point]!),
  };
}

/** By point: a bound by the held points before it. */
function boundsOf(
  servings: Assignment,
  next: (bound: number, serving: Serving) => number,
  start: number,
): number[] {
  let bound = start;
  return servings.map((serving) => {
    const own = bound;
    if (serving !== null) bound = next(bound, serving);
    return own;
  });
}

function stayOf({ point, isStop, isSeenStop }: Settled, zone: number): TripStay {
  const visit = point.visit!;
  const [earliest, latest] = point.arrivalBounds!;
  // Of a shared visit its points after the first one have the whole of it as bounds (T24), and yet their turn is its entry.
  const entered = earliest === point.arrival! ? earliest : Math.min(latest, visit.enterBounds[1]);
  return {
    zone,
    enter: point.arrival!,
    exit: point.departure!,
    arrival: [earliest, entered],
    isArrivalSeen: true,
    isFromNowhere: false,
    isFirstFix: false,
    departure: point.departureBounds!,
    lastInside: point.departure!,
    isStop,
    isSeenStop,
    isYoung: false,
    gaps: [],
    parts: [],
    visit,
  };
}
