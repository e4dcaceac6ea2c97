/** The way to a pending point: when it begins, how late it begins, and the blend of two forecasts of its end. */

import type { LastPoint, PendingPoint, PendingRun } from './predict.js';

/** Standard deviation of an engine's time of the way, a share of the time that is left. */
export const ENGINE_ERROR = 0.15;
/** The same where the legs were learned from earlier runs. */
export const LEARNED_ERROR = 0.1;
/** Standard deviation of the plan plus the present delay: a share of the time since the delay was seen, and seconds at least. */
export const PLAN_ERROR = 0.12;
export const PLAN_ERROR_SECONDS = 60;

/** The end of the remaining service at an open stay, not before `time`; `time` on the way (T52). */
export function startOfWay(last: LastPoint | null, time: number, serviceMs: number): number {
  if (last === null || last.departure !== null) return time;
  return Math.max(time, last.plannedDeparture ?? last.arrival + serviceMs);
}

/** When the unit is to leave a point; the run begins at the planned time of its first point. */
function leavingOf({ index, plannedArrival, plannedDeparture }: PendingPoint): number | null {
  return plannedDeparture ?? (index === 0 ? (plannedArrival ?? null) : null);
}

/** Seconds after the plan at which a served point was left, or will be at `start`; without a planned departure the delay of the arrival. */
export function delayOf(last: LastPoint, start: number): number | null {
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
export interface Way {
  /** Epoch milliseconds. */
  readonly start: number;
  readonly delaySeconds: number | null;
  /** When the delay was seen, epoch milliseconds. */
  readonly delayAt: number;
}

/**
 * The way from the last point on. `pending` may come from a caller's own code, with only its order and its points.
 */
export function wayOf(pending: PendingRun, time: number, stayOf: StayOf): Way {
  const { last = null, start: begin = time, delaySeconds = null } = pending as Partial<PendingRun>;
  if (last === null) return { start: begin, delaySeconds, delayAt: time };
  const leave = last.departure ?? Math.max(begin, leavesAt(last, last.arrival, stayOf));
  const start = last.departure === null ? leave : begin;
  const stay = stayOf(last.index, last.arrival);
  const isTimed = leavingOf(last) !== null || last.plannedArrival === null || stay === null;
  const delay = isTimed ? delayOf(last, leave) : (leave - last.plannedArrival) / 1000 - stay;
  return { start, delaySeconds: delay ?? delaySeconds, delayAt: leave };
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

/** The share of the engine in the blend. */
export function engineShare(leftSeconds: number, carriedSeconds: number, engineError: number): number {
  const engine = (engineError * Math.max(0, leftSeconds)) ** 2;
  const plan = PLAN_ERROR_SECONDS ** 2 + (PLAN_ERROR * Math.max(0, carriedSeconds)) ** 2;
  return plan / (engine + plan);
}

/** Seconds from the start of the way to the arrival, blended from two forecasts (epoch ms) by their inverse variances. */
export function blend(
  engine: number,
  plan: number | null,
  { start, delayAt }: Way,
  time: number,
  engineError: number,
): number {
  if (plan === null) return Math.max(0, engine - start) / 1000;
  const share = engineShare((engine - time) / 1000, (engine - delayAt) / 1000, engineError);
  return Math.max(0, share * engine + (1 - share) * plan - start) / 1000;
}
