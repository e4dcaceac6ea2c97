/** The stays of a unit in a trip's zones as known at `now`, with the bounds of their ends. */

import type { Visit } from '../tracks/visit.js';
import type { Holes, Span } from './holes.js';
import type { Parked } from './parkedWatch.js';
import type { TripPlan } from './tripPlan.js';
import type { TripRules } from './tripRules.js';

/** A visit to one of the trip's zones. */
export interface ObservedVisit {
  readonly visit: Visit;
  /** The first point that is this zone. */
  readonly zone: number;
  /** The findings about a stop from its fixes; `null` without positions, when its duration decides. */
  readonly parked: Parked | null;
  /** Whether the unit is still there at the fix after the gap that ends the visit. */
  readonly isThereAfterGap: boolean;
}

/** A stay in a zone of the trip: one visit, or visits joined over gaps. */
export interface TripStay {
  /** The first point that is this zone. */
  readonly zone: number;
  readonly enter: number;
  /** `null` while it is open. */
  readonly exit: number | null;
  /** When the unit left; `null` if the stay is open, if the unit was still there after a gap, or if unknown. */
  readonly left: number | null;
  /** Bounds of the entry; both equal the entry if it was seen. */
  readonly arrival: Span;
  readonly isArrivalSeen: boolean;
  /** Whether no fix precedes it, so that it may have begun before the window. */
  readonly isFromNowhere: boolean;
  /** Bounds of the exit; of an open stay up to `now`. */
  readonly departure: Span;
  readonly isStop: boolean;
  /** Whether the seen part of the stay is a stop by itself. */
  readonly isSeenStop: boolean;
  /** Whether it is open and too short so far, so that it counts tentatively. */
  readonly isYoung: boolean;
  /** The gaps over which its parts were joined. */
  readonly gaps: readonly Span[];
  /** The stays that were joined over gaps; empty for a stay of one part. */
  readonly parts: readonly TripStay[];
  readonly visit: Visit;
}

export interface StayRules extends Pick<TripRules, 'serviceMs' | 'minStayMs' | 'acceptCrossed'> {
  readonly window: TripPlan['window'];
  readonly now: number;
  readonly holes: Holes;
}

/** The stays of visits that are known by `now`, by `enter`, then by zone. */
export function staysAt(visits: readonly ObservedVisit[], rules: StayRules): TripStay[] {
  const stays: TripStay[] = [];
  for (const observed of visits) {
    if (observed.visit.enterBounds[1] <= rules.now) stays.push(stayOf(observed, rules));
  }
  return withoutRepeats(stays.sort((a, b) => a.enter - b.enter || a.zone - b.zone || exitOf(a) - exitOf(b)));
}

function stayOf({ visit, zone, parked, isThereAfterGap }: ObservedVisit, rules: StayRules): TripStay {
  const { now, holes, serviceMs } = rules;
  const { enter, exit, enterBounds, exitBounds } = visit;
  const isArrivalSeen = !holes.isBetween(enterBounds[0] ?? Number.NEGATIVE_INFINITY, enterBounds[1]);
  const arrival = isArrivalSeen ? ([enter, enter] as const) : arrivalOf(visit, zone, rules);
  const isOpen = exit === null || exitBounds === null || (exitBounds[1] ?? exitBounds[0]) > now;
  const departure = isOpen ? ([now, now] as const) : departureOf(exit, exitBounds, zone, rules);
  // A single literal: spreading objects costs several times as much.
  return {
    zone,
    enter,
    exit: isOpen ? null : exit,
    left: isOpen || isThereAfterGap ? null : exit,
    arrival,
    isArrivalSeen,
    isFromNowhere: !isArrivalSeen && enterBounds[0] === null,
    departure,
    isStop: isStop(parked, arrival, departure, serviceMs),
    isSeenStop: parked === null ? departure[0] - arrival[1] >= serviceMs : parked.isSeen,
    isYoung: false,
    gaps: NO_SPANS,
    parts: NO_PARTS,
    visit: isOpen && visit.end !== 'open' ? openOf(visit) : visit,
  };
}

/** The visit without its exit, which is not known by `now`. */
function openOf(visit: Visit): Visit {
  return { ...visit, end: 'open', exit: null, exitBounds: null };
}

const NO_SPANS: readonly Span[] = [];
const NO_PARTS: readonly TripStay[] = [];

/** Bounds of an unseen entry: the fixes around it, narrowed by the way from the fix before. */
function arrivalOf({ enter, enterBounds }: Visit, zone: number, rules: StayRules): Span {
  const [before, after] = enterBounds;
  if (before === null) return [Math.min(rules.window.from, enter), after];
  return [Math.min(before + rules.holes.wayFrom(zone, before), enter), after];
}

function departureOf(
  exit: number,
  [before, after]: readonly [number, number | null],
  zone: number,
  { holes, now }: StayRules,
): Span {
  if (!holes.isBetween(before, after ?? now)) return [exit, exit];
  const latest = after === null ? now : after - holes.wayTo(zone, after);
  return [before, Math.max(latest, exit)];
}

/** Whether a stay is a stop if the unit may have stood still while unseen. */
function isStop(parked: Parked | null, arrival: Span, departure: Span, serviceMs: number): boolean {
  const isLongEnough = departure[1] - arrival[0] >= serviceMs;
  if (parked === null) return isLongEnough;
  return (
    parked.isSeen ||
    parked.isPossible ||
    parked.headUntil - arrival[0] >= serviceMs ||
    departure[1] - parked.tailFrom >= serviceMs ||
    (parked.isStill && isLongEnough)
  );
}

/** Keeps the longest of the stays of a zone that begin at one instant. */
function withoutRepeats(stays: readonly TripStay[]): TripStay[] {
  return stays.filter((stay, i) => {
    const next = stays[i + 1];
    return next === undefined || next.enter !== stay.enter || next.zone !== stay.zone;
  });
}

function exitOf(stay: TripStay): number {
  return stay.exit ?? Number.POSITIVE_INFINITY;
}

/** Joins stays that end at a gap with those that begin at its other end. */
export function joinGaps(stays: readonly TripStay[], serviceMs: number): TripStay[] {
  const joined: TripStay[] = [];
  const lastOf = new Map<number, number>();
  for (const stay of stays) {
    const at = lastOf.get(stay.zone);
    const before = at === undefined ? undefined : joined[at];
    if (at !== undefined && before?.visit.end === 'gap' && before.visit.exitBounds?.[1] === stay.enter) {
      joined[at] = acrossGap(before, stay, serviceMs);
    } else {
      lastOf.set(stay.zone, joined.push(stay) - 1);
    }
  }
  return joined;
}

function acrossGap(before: TripStay, stay: TripStay, serviceMs: number): TripStay {
  const gap: Span = [before.departure[0], stay.enter];
  const isHidden = gap[1] - gap[0] >= serviceMs;
  return {
    ...joinTwo(before, stay),
    isStop: before.isStop || stay.isStop || isHidden,
    gaps: [...before.gaps, gap],
    parts: [...(before.parts.length > 0 ? before.parts : [before]), stay],
  };
}

/** Joins stays of a zone if the unit was away for less than `leaveConfirmMs` between them. */
export function joinReturns(stays: readonly TripStay[], zone: number, leaveConfirmMs: number): TripStay[] {
  const joined: TripStay[] = [];
  let last = -1;
  for (const stay of stays) {
    const before = joined[last];
    if (stay.zone !== zone) {
      joined.push(stay);
    } else if (before === undefined || before.left === null || stay.enter - before.left >= leaveConfirmMs) {
      last = joined.push(stay) - 1;
    } else {
      joined[last] = { ...undone(before, stay), parts: partsOfBoth(before, stay) };
    }
  }
  return joined;
}

/** Merges two stays into one, without the exit between them. */
function undone(before: TripStay, stay: TripStay): TripStay {
  return {
    ...joinTwo(before, stay),
    isStop: before.isStop || stay.isStop,
    gaps: [...before.gaps, ...stay.gaps],
    parts: NO_PARTS,
  };
}

/** Joins the last part of one stay with the first part of the next. */
function partsOfBoth(before: TripStay, stay: TripStay): readonly TripStay[] {
  if (before.parts.length === 0 && stay.parts.length === 0) return NO_PARTS;
  const [first, second] = [before, stay].map((own) => (own.parts.length === 0 ? [own] : own.parts));
  return [...first!.slice(0, -1), undone(first!.at(-1)!, second![0]!), ...second!.slice(1)];
}

function joinTwo(first: TripStay, second: TripStay): TripStay {
  const { exit, left, departure } = second;
  return {
    ...first,
    exit,
    left,
    departure,
    isSeenStop: first.isSeenStop || second.isSeenStop,
    visit: {
      ...first.visit,
      seen: first.visit.seen === 'crossed' ? second.visit.seen : 'inside',
      end: second.visit.end,
      exit: second.visit.exit,
      exitBounds: second.visit.exitBounds,
      fixCount: first.visit.fixCount + second.visit.fixCount,
    },
  };
}

/** The stays that count: long enough, or tentatively while open before the window's end; crossed ones if accepted. */
export function countingStays(
  stays: readonly TripStay[],
  { acceptCrossed, minStayMs, now, window }: StayRules,
): TripStay[] {
  const counting: TripStay[] = [];
  for (const stay of stays) {
    if (stay.visit.seen === 'crossed' && !acceptCrossed) continue;
    if (stay.departure[1] - stay.arrival[0] >= minStayMs) counting.push(stay);
    else if (stay.exit === null && now < window.to) counting.push({ ...stay, isYoung: true });
  }
  return counting;
}
