/** The way to a pending point: when it begins, how late it begins, and the blend of two forecasts of its end. */

import type { PendingPoint, PendingRun, ServedPoint } from '../terms/predict.js';

/** Standard deviation of an engine's time of the way, a share of the time that is left. */
const ENGINE_ERROR = 0.08;
/** Standard deviation of the plan plus the present delay: a share of the time since the delay was seen, and its least value in seconds. */
const PLAN_ERROR = 0.3;
const PLAN_ERROR_SECONDS = 60;

/** The end of the remaining service at an open stay, not before `time`; `time` on the way (T52). */
export function startOfWay(last: ServedPoint | null, time: number, serviceMs: number): number {
  if (last === null || last.departure !== null) return time;
  return Math.max(time, last.plannedDeparture ?? last.arrival + serviceMs);
}

const PACE_MEMORY = 0.9;
const PACE_PRIOR_LEGS = 3;
/** A leg tells of the pace at most this much more, or less, than was expected. */
const PACE_STEP = 1.3;
/** The plan is trusted this far from the legs. */
const PLAN_PACE = 1.25;
/** Of two opinions of the usual pace the legs weigh 3 and the plan 2. */
const PLAN_WEIGHT = 2 / 5;
/** A leg with over this share and this time more than expected has a rest in it, or a jam in one place. */
const REST_SHARE = 1.1;
const REST_MS = 600_000;
/** A unit that leaves this soon after its planned departure may have waited for it. */
const WAIT_MS = 60_000;

/** When the unit is to leave a point; the run begins at the planned time of its first point. */
function leavingOf({ index, plannedArrival, plannedDeparture }: PendingPoint): number | null {
  return plannedDeparture ?? (index === 0 ? (plannedArrival ?? null) : null);
}

/** Seconds after the plan at which a served point was left, or will be at `start`; without a planned departure the delay of the arrival. */
export function delayOf(last: ServedPoint, start: number): number | null {
  const leaving = leavingOf(last);
  if (leaving !== null) return ((last.departure ?? Math.max(leaving, start)) - leaving) / 1000;
  return last.plannedArrival === null ? null : (last.arrival - last.plannedArrival) / 1000;
}

/** Seconds that the unit stays at a point from its arrival on; `null` if not known. */
export type StayOf = (index: number, arrival: number) => number | null;

/** Epoch milliseconds at which the unit leaves a point, arriving at `arrival`: after its stay, not before its planned departure. */
export function leavesAt(point: PendingPoint, arrival: number, stayOf: StayOf): number {
  const { plannedArrival, plannedDeparture } = point;
  const isPlanned = typeof plannedArrival === 'number' && typeof plannedDeparture === 'number';
  const planned = isPlanned ? Math.max(0, plannedDeparture - plannedArrival) / 1000 : 0;
  const stay = stayOf(point.index, arrival) ?? planned;
  return Math.max(arrival + stay * 1000, leavingOf(point) ?? Number.NEGATIVE_INFINITY);
}

/** The start and the delay of a way where the caller knows the stays. */
export interface WayAhead {
  /** Epoch milliseconds. */
  readonly start: number;
  /** Departure from the last point, or `start`, epoch milliseconds. */
  readonly begin: number;
  readonly delaySeconds: number | null;
  /** When the delay was seen, epoch milliseconds. */
  readonly delayAt: number;
}

/**
 * The way from the last point on. `pending` may come from a caller's own code, with only its order and its points.
 */
export function wayOf(pending: PendingRun, time: number, stayOf: StayOf): WayAhead {
  const { served = [], start: begin = time, delaySeconds = null } = pending as Partial<PendingRun>;
  const last = served.at(-1);
  if (last === undefined) return { start: begin, begin, delaySeconds, delayAt: time };
  const leave = last.departure ?? Math.max(begin, leavesAt(last, last.arrival, stayOf));
  const start = last.departure === null ? leave : begin;
  const stay = stayOf(last.index, last.arrival);
  const isTimed = leavingOf(last) !== null || last.plannedArrival === null || stay === null;
  const delay = isTimed ? delayOf(last, leave) : (leave - last.plannedArrival) / 1000 - stay;
  return { start, begin: leave, delaySeconds: delay ?? delaySeconds, delayAt: leave };
}

/**
 * The plan plus the present delay, epoch milliseconds. A planned departure on the way takes up what the stay leaves free of a delay, and
 * all of an earliness.
 */
export function planned(
  target: PendingPoint,
  pending: PendingRun,
  delaySeconds: number | null,
  stayOf: StayOf,
): number | null {
  if (delaySeconds === null || typeof target.plannedArrival !== 'number') return null;
  let delay = delaySeconds * 1000;
  if (pending.passageOrder === 'strict') {
    for (const point of pending.points) {
      if (point.index >= target.index) break;
      if (typeof point.plannedDeparture !== 'number') continue;
      const arrival = (point.plannedArrival ?? point.plannedDeparture) + delay;
      delay = leavesAt(point, arrival, stayOf) - point.plannedDeparture;
    }
  }
  return target.plannedArrival + delay;
}

/** Milliseconds from point `index`, left at `at`, to the one after it. */
export type LegOf = (index: number, at: number) => number;

/** A leg under way: the time that it took so far, the time that this part should have taken (milliseconds), and the driven share of the leg. */
export interface LegDriven {
  readonly actual: number;
  readonly expected: number;
  readonly share: number;
}

/**
 * The pace of the run so far, times `usual`: the time that its legs took over the time that they would have taken at the pace `usual`.
 *
 * - A leg is the time from one departure to the next; a planned wait at its end is left out, a leg with a rest in it does not count, and none counts as
 *   more than 1.3 times faster or slower than usual.
 * - Each leg weighs a tenth less than the one after it, and the leg under way by the share that is driven. Three legs at the usual pace are added.
 * - The answer is from 2/3 to 3/2 of `usual`.
 */
export function paceOf(
  served: readonly ServedPoint[],
  legOf: LegOf,
  stayOf: StayOf,
  usual: number,
  underWay: LegDriven | null,
): number {
  let [actual, expected, weights] = [0, 0, 0];
  const count = (took: number, wanted: number, share: number, memory: number): void => {
    if (wanted <= 0 || hasRest(took, wanted)) return;
    const own = wanted * Math.min(PACE_STEP, Math.max(1 / PACE_STEP, took / wanted));
    actual = memory * actual + own;
    expected = memory * expected + wanted;
    weights = memory * weights + share;
  };
  for (const [i, to] of served.entries()) {
    const from = served[i - 1];
    if (from === undefined || from.departure === null || to.departure === null) continue;
    if (to.index !== from.index + 1) continue;
    const hasWaited = to.plannedDeparture !== null && to.departure <= to.plannedDeparture + WAIT_MS;
    const stay = hasWaited ? null : stayOf(to.index, to.arrival);
    const end = stay === null ? to.arrival : to.departure;
    const wanted = usual * legOf(from.index, from.departure) + 1000 * (stay ?? 0);
    count(end - from.departure, wanted, 1, PACE_MEMORY);
  }
  if (underWay !== null) count(underWay.actual, usual * underWay.expected, underWay.share, 1);
  if (expected === 0 || weights === 0) return usual;
  const prior = (PACE_PRIOR_LEGS * expected) / weights;
  return usual * Math.min(1.5, Math.max(2 / 3, (actual + prior) / (expected + prior)));
}

function hasRest(took: number, wanted: number): boolean {
  return took > REST_SHARE * wanted && took - wanted > REST_MS;
}

/**
 * The pace at which a run is expected to begin: the geometric mean of two opinions, the legs (1, weight 3) and the plan, which allows so much for them,
 * from 4/5 to 5/4 (weight 2). A planned leg with a rest in it tells nothing.
 */
export function usualPace(
  { served = [], points }: Partial<PendingRun>,
  legOf: LegOf,
  stayOf: StayOf,
): number {
  const all = [...served, ...(points ?? [])].sort((a, b) => a.index - b.index);
  let [planned, legs] = [0, 0];
  for (const [i, to] of all.entries()) {
    const from = all[i - 1];
    if (from === undefined || to.index !== from.index + 1) continue;
    if (typeof from.plannedArrival !== 'number' || typeof to.plannedArrival !== 'number') continue;
    // The run begins at the planned time of its first point.
    const leaves = from.index === 0 ? leavingOf(from)! : leavesAt(from, from.plannedArrival, stayOf);
    const [allowed, wanted] = [to.plannedArrival - leaves, legOf(from.index, leaves)];
    if (allowed <= 0 || hasRest(allowed, wanted)) continue;
    planned += allowed;
    legs += wanted;
  }
  if (legs === 0) return 1;
  return Math.min(PLAN_PACE, Math.max(1 / PLAN_PACE, planned / legs)) ** PLAN_WEIGHT;
}

/** The share of the engine in the blend. */
export function engineShare(leftSeconds: number, carriedSeconds: number): number {
  const engine = (ENGINE_ERROR * Math.max(0, leftSeconds)) ** 2;
  const plan = PLAN_ERROR_SECONDS ** 2 + (PLAN_ERROR * Math.max(0, carriedSeconds)) ** 2;
  return plan / (engine + plan);
}

/** Seconds from the start of the way to the arrival, blended from two forecasts (epoch ms) by their inverse variances. */
export function blend(
  engine: number,
  plan: number | null,
  { start, delayAt }: WayAhead,
  time: number,
): number {
  if (plan === null) return Math.max(0, engine - start) / 1000;
  const share = engineShare((engine - time) / 1000, (engine - delayAt) / 1000);
  return Math.max(0, share * engine + (1 - share) * plan - start) / 1000;
}
