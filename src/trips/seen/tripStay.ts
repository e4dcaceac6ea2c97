/** The stays of a unit in a trip's zones as known at `now`, with the bounds of their ends. */

import type { Visit } from '../../tracks/visit.js';
import type { TripPlan } from '../plan/planTrip.js';
import type { TripRules } from '../terms/tripRules.js';
import type { Holes, TimeRange } from './holes.js';
import { hasRest, type Rests } from './restFinder.js';
import type { Evidence } from './zoneWatch.js';

/** A visit to one of the trip's zones. */
export interface ObservedVisit {
  readonly visit: Visit;
  /** The first point that is this zone. */
  readonly zone: number;
  /** The evidence of its fixes; `null` without positions, when its duration decides. */
  readonly evidence: Evidence | null;
  /** Of an open visit: time of its last fix in the zone; `null`: not known. */
  readonly lastInside: number | null;
}

/** A stay in a zone of the trip: one visit, or several visits joined into one presence (T16 to T18). */
export interface TripStay {
  /** The first point that is this zone. */
  readonly zone: number;
  readonly enter: number;
  /** `null` while it is open. */
  readonly exit: number | null;
  /** Bounds of the entry; both equal the entry if it was seen. */
  readonly arrival: TimeRange;
  readonly isArrivalSeen: boolean;
  /** Whether no fix precedes it, so that it may have begun before the window. */
  readonly isFromNowhere: boolean;
  /** Whether the first fix of all began it. */
  readonly isFirstFix: boolean;
  /** Bounds of the exit; of an open stay up to `now`. */
  readonly departure: TimeRange;
  /** Of an open stay: time of the last fix in the zone. */
  readonly lastInside: number;
  /** Whether it is or may hold a stop (T22). */
  readonly isStop: boolean;
  /** Whether its fixes show a stop (T20). */
  readonly isSeenStop: boolean;
  /** Whether it is open and too short so far, so that it counts tentatively (T23). */
  readonly isYoung: boolean;
  /** The gaps over which its visits were joined. */
  readonly gaps: readonly TimeRange[];
  /** The visits that were joined; empty for a stay of one visit. */
  readonly parts: readonly StayPart[];
  readonly visit: Visit;
}

export interface StayRules extends Pick<TripRules, 'serviceMs' | 'minStayMs' | 'leaveConfirmMs'> {
  readonly window: TripPlan['window'];
  readonly now: number;
  readonly holes: Holes;
  readonly rests: Rests;
}

/** Why a visit is one presence with the visit before it. `handOver`: another unit took over in the zone. */
export type Joint = 'gap' | 'return' | 'drift' | 'handOver';

/** One visit of a stay, with the bounds of its ends and the reason why it was joined to the visit before it in the zone. */
export interface StayPart {
  readonly zone: number;
  readonly visit: Visit;
  readonly exit: number | null;
  readonly arrival: TimeRange;
  readonly isArrivalSeen: boolean;
  readonly departure: TimeRange;
  readonly lastInside: number;
  readonly evidence: Evidence | null;
  readonly joint: Joint | null;
}

/** The visits that are known by `now`, by `enter`, then by zone, each with its joint. */
export function partsAt(visits: readonly ObservedVisit[], rules: StayRules): StayPart[] {
  const known = visits
    .filter(({ visit }) => visit.enterBounds[1] <= rules.now)
    .sort((a, b) => a.visit.enter - b.visit.enter || a.zone - b.zone || exitOf(a.visit) - exitOf(b.visit));
  const lastOf = new Map<number, StayPart>();
  const parts: StayPart[] = [];
  known.forEach((observed, i) => {
    const next = known[i + 1];
    // Of given visits that begin at one instant the longest stays.
    if (next !== undefined && next.visit.enter === observed.visit.enter && next.zone === observed.zone)
      return;
    const part = partOf(observed, lastOf.get(observed.zone), rules);
    lastOf.set(part.zone, part);
    parts.push(part);
  });
  return parts;
}

function partOf(
  { visit, zone, evidence, lastInside }: ObservedVisit,
  before: StayPart | undefined,
  rules: StayRules,
): StayPart {
  const { now, holes } = rules;
  const { enter, exit, enterBounds, exitBounds } = visit;
  const isArrivalSeen = !holes.isBetween(enterBounds[0] ?? Number.NEGATIVE_INFINITY, enterBounds[1]);
  const isOpen = exit === null || exitBounds === null || (exitBounds[1] ?? exitBounds[0]) > now;
  return {
    zone,
    visit: isOpen && visit.end !== 'open' ? openOf(visit) : visit,
    exit: isOpen ? null : exit,
    arrival: isArrivalSeen ? [enter, enter] : arrivalOf(visit, zone, rules),
    isArrivalSeen,
    departure: isOpen ? [now, now] : departureOf(exit, exitBounds, zone, rules),
    lastInside: lastInside ?? enterBounds[1],
    evidence,
    joint: before === undefined ? null : jointOf(before, visit, evidence, rules),
  };
}

function jointOf(
  before: StayPart,
  { enter }: Visit,
  evidence: Evidence | null,
  { leaveConfirmMs }: StayRules,
): Joint | null {
  const { end, exitBounds } = before.visit;
  if (end === 'gap' && exitBounds?.[1] === enter) return 'gap';
  if (end === 'handed-over' && enter === before.exit) return 'handOver';
  if (end === 'zone-changed') return null;
  if (before.exit === null || enter - before.exit < leaveConfirmMs || enter < before.exit) return 'return';
  return evidence === null || evidence.drift === null ? null : 'drift';
}

/** The visit without its exit, which is not known by `now`. */
function openOf(visit: Visit): Visit {
  return { ...visit, end: 'open', exit: null, exitBounds: null };
}

/** Bounds of an unseen entry: the fixes around it, narrowed by the way from the fix before (T35). */
function arrivalOf({ enter, enterBounds }: Visit, zone: number, rules: StayRules): TimeRange {
  const [before, after] = enterBounds;
  if (before === null) return [Math.min(rules.window.from, enter), after];
  return [Math.min(before + rules.holes.wayFrom(zone, before), enter), after];
}

function departureOf(
  exit: number,
  [before, after]: readonly [number, number | null],
  zone: number,
  { holes, now }: StayRules,
): TimeRange {
  if (!holes.isBetween(before, after ?? now)) return [exit, exit];
  const latest = after === null ? now : after - holes.wayTo(zone, after);
  return [before, Math.max(latest, exit)];
}

function exitOf({ exit }: Visit): number {
  return exit ?? Number.POSITIVE_INFINITY;
}

/** The stays that count, by `enter`, then by zone. `withDrift`: exits by drift are undone too (T18). `cuts`: joints that do not join. */
export function staysOf(
  parts: readonly StayPart[],
  rules: StayRules,
  withDrift: boolean,
  cuts: ReadonlySet<StayPart> = NO_CUTS,
): TripStay[] {
  const chains: StayPart[][] = [];
  const chainOf = new Map<number, StayPart[]>();
  for (const part of parts) {
    const chain = chainOf.get(part.zone);
    if (chain !== undefined && isJoined(part, withDrift) && !cuts.has(part)) {
      chain.push(part);
      continue;
    }
    const own = [part];
    chainOf.set(part.zone, own);
    chains.push(own);
  }
  return chains.flatMap((chain) => counting(joined(chain, rules), rules));
}

const NO_CUTS: ReadonlySet<StayPart> = new Set();

export function isJoined({ joint }: StayPart, withDrift: boolean): boolean {
  return joint === 'drift' ? withDrift : joint !== null;
}

/** One stay of visits that are one presence. */
function joined(parts: readonly StayPart[], rules: StayRules): TripStay {
  const [first, last] = [parts[0]!, latest(parts)];
  const { zone, arrival, isArrivalSeen } = first;
  const isSeenStop = hasSeenStop(parts, [arrival, last.departure], rules);
  return {
    zone,
    enter: first.visit.enter,
    exit: last.exit,
    arrival,
    isArrivalSeen,
    isFromNowhere: !isArrivalSeen && first.visit.enterBounds[0] === null,
    isFirstFix: first.visit.enterBounds[0] === null,
    departure: last.departure,
    lastInside: last.lastInside,
    isStop: isSeenStop || mayHoldStop(parts, [arrival, last.departure], rules),
    isSeenStop,
    isYoung: false,
    gaps: parts.length === 1 ? NO_SPANS : parts.flatMap((part, i) => gapBefore(part, parts[i - 1])),
    parts: parts.length === 1 ? NO_PARTS : parts,
    visit: parts.length === 1 ? first.visit : visitOfAll(parts, last),
  };
}

const NO_SPANS: readonly TimeRange[] = [];
const NO_PARTS: readonly StayPart[] = [];

/** The part that ends last. Given visits may lie within others. */
function latest(parts: readonly StayPart[]): StayPart {
  return parts.reduce((a, b) =>
    (b.exit ?? Number.POSITIVE_INFINITY) >= (a.exit ?? Number.POSITIVE_INFINITY) ? b : a,
  );
}

function gapBefore({ joint, visit }: StayPart, before: StayPart | undefined): TimeRange[] {
  // A crossing before the gap is over when the unit was last in the zone, and not at the fix before it.
  return joint === 'gap' && before !== undefined ? [[before.exit ?? before.departure[0], visit.enter]] : [];
}

function visitOfAll(parts: readonly StayPart[], last: StayPart): Visit {
  const { end, exit, exitBounds } = last.visit;
  return {
    ...parts[0]!.visit,
    seen: parts.some(({ visit }) => visit.seen === 'inside') ? 'inside' : 'crossed',
    end,
    exit,
    exitBounds,
    fixCount: parts.reduce((sum, { visit }) => sum + visit.fixCount, 0),
  };
}

/** Whether a stay is a seen stop (T20). Without positions its least duration decides. */
function hasSeenStop(
  parts: readonly StayPart[],
  [arrival, departure]: readonly [TimeRange, TimeRange],
  { serviceMs, rests }: StayRules,
): boolean {
  if (serviceMs === 0) return true;
  if (parts[0]!.evidence === null) return departure[0] - arrival[1] >= serviceMs;
  return hasRest(rests.seen, seenSpans(parts, serviceMs), serviceMs);
}

function seenSpans(parts: readonly StayPart[], serviceMs: number): TimeRange[] {
  return parts.map(({ visit, lastInside }) => seenSpan(visit, lastInside, serviceMs));
}

/** The time of a visit that was seen in the zone. An end is interpolated on a step shorter than a stop; else it is the time of a fix. */
export function seenSpan(
  { enter, exit, enterBounds, exitBounds }: Visit,
  lastInside: number | null,
  serviceMs: number,
): TimeRange {
  const [before, first] = enterBounds;
  const from = before !== null && first - before < serviceMs ? enter : first;
  if (exit === null || exitBounds === null) return [from, lastInside ?? first];
  const [last, after] = exitBounds;
  return [from, after !== null && after - last < serviceMs ? exit : last];
}

/** Whether a stay could hold a stop that was not seen (T22), or that noise hides. Without positions its longest duration decides. */
function mayHoldStop(
  parts: readonly StayPart[],
  [arrival, departure]: readonly [TimeRange, TimeRange],
  { serviceMs, holes, rests }: StayRules,
): boolean {
  if (parts[0]!.evidence === null) return departure[1] - arrival[0] >= serviceMs;
  return (
    parts.some(({ evidence }) => evidence?.mayStop === true) ||
    hasRest(rests.possible, seenSpans(parts, serviceMs), serviceMs) ||
    holes.couldStay(parts[0]!.zone, [arrival[0], departure[1]], serviceMs, [arrival, departure])
  );
}

/** The stay if it counts: long enough, or tentatively while open before the window's end (T23). */
function counting(stay: TripStay, { minStayMs, now, window }: StayRules): TripStay[] {
  if (stay.departure[1] - stay.arrival[0] >= minStayMs) return [stay];
  return stay.exit === null && now < window.to ? [{ ...stay, isYoung: true }] : [];
}
