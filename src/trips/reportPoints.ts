/** What became of each point. */

import { type Gap, isInGaps } from './gaps.js';
import { type Serving, timeStatus } from './serving.js';
import type { PlannedPoint, TripPlan } from './tripPlan.js';
import type { PointReport, PointStatus } from './tripReport.js';

export interface RunState {
  readonly plan: TripPlan;
  readonly assignment: readonly (Serving | null)[];
  /** The points that were visited out of turn. */
  readonly outOfOrder: ReadonlySet<number>;
  readonly isStrict: boolean;
  readonly finishOnDeparture: boolean;
  readonly isOver: boolean;
  gaps(): readonly Gap[] | null;
}

export function reportPoints(state: RunState): PointReport[] {
  return state.plan.points.map((point) => {
    const { index, name, plannedArrival, plannedDeparture } = point;
    const serving = state.assignment[index] ?? null;
    const arrivalDeviation = serving?.arrivalDeviation ?? null;
    const departureDeviation = serving?.departureDeviation ?? null;
    return {
      index,
      name,
      status: serving === null ? unservedStatus(point, state) : servedStatus(index, serving, state),
      plannedArrival,
      plannedDeparture,
      arrival: serving?.arrival ?? null,
      departure: serving?.departure ?? null,
      arrivalDeviationSeconds: arrivalDeviation === null ? null : arrivalDeviation / 1000,
      departureDeviationSeconds: departureDeviation === null ? null : departureDeviation / 1000,
      arrivalStatus: timeStatus(arrivalDeviation, point.arrivalToleranceSeconds),
      departureStatus: timeStatus(departureDeviation, point.departureToleranceSeconds),
      outOfOrder: state.outOfOrder.has(index),
      visit: serving === null ? null : { ...serving.stay.visit, zoneId: String(index) },
    };
  });
}

function servedStatus(index: number, { stay }: Serving, state: RunState): PointStatus {
  const mustLeave = state.finishOnDeparture && index === state.assignment.length - 1;
  return !state.isOver && stay.exit === null && (stay.isYoung || mustLeave) ? 'inside' : 'passed';
}

/** What is visited out of turn alone is `skipped`, whatever is known of the time at which it was due. */
function unservedStatus(point: PlannedPoint, state: RunState): PointStatus {
  const isPassedOver = state.isStrict && nextServed(state, point.index) !== null;
  if (!state.isOver && !isPassedOver) return 'pending';
  if (state.outOfOrder.has(point.index)) return 'skipped';
  const gaps = state.gaps();
  if (gaps !== null && isInGaps(gaps, ...ownWindow(point, state))) return 'no_data';
  return isPassedOver ? 'skipped' : 'missed';
}

/**
 * When the point was due: its planned times with their tolerances; without a plan from the departure (else arrival) of the served
 * point before it to the arrival at the one after it, each end that has none (or no order) being the window's.
 */
function ownWindow(point: PlannedPoint, state: RunState): [from: number, to: number] {
  const start =
    shifted(point.plannedArrival, point.arrivalToleranceSeconds, -1) ??
    shifted(point.plannedDeparture, point.departureToleranceSeconds, -1);
  const end =
    shifted(point.plannedDeparture, point.departureToleranceSeconds, 1) ??
    shifted(point.plannedArrival, point.arrivalToleranceSeconds, 1);
  if (start !== null && end !== null) return [Math.min(start, end), Math.max(start, end)];
  const { from, to } = state.plan.window;
  if (!state.isStrict) return [from, to];
  const before = state.assignment.findLast((serving, i) => i < point.index && serving !== null);
  const opens = before?.departure ?? before?.arrival ?? from;
  const closes = nextServed(state, point.index)?.arrival ?? to;
  // A served visit may end after the next one begins, as zones may overlap.
  return [Math.min(opens, closes), Math.max(opens, closes)];
}

function shifted(time: number | null, seconds: number | null, side: -1 | 1): number | null {
  return time === null || seconds === null ? null : time + side * seconds * 1000;
}

function nextServed({ assignment }: RunState, index: number): Serving | null {
  return assignment.find((serving, i) => i > index && serving !== null) ?? null;
}
