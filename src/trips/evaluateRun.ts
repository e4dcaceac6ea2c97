/** One run of a trip: what is read of it once, and what became of it by what is known at a time. */

import { guarded } from '../core/gate.js';
import type { ActivationTypeKey, PassageOrderTypeKey, Trip } from '../core/trip.js';
import { type Activation, activate } from './activation.js';
import { assignArbitrary } from './assignArbitrary.js';
import { assignStrict } from './assignStrict.js';
import { assignWaiting } from './assignWaiting.js';
import type { Gap } from './gaps.js';
import { findOutOfTurn, type OutOfTurn } from './outOfTurn.js';
import { planTrip } from './planTrip.js';
import { reportPoints } from './reportPoints.js';
import { offersByPoint, type Serving } from './serving.js';
import type { Sightings } from './sightings.js';
import { eventsOf, totalsOf, violationsOf } from './summarise.js';
import type { TripPlan } from './tripPlan.js';
import type { TripOptions, TripReport, TripStatus } from './tripReport.js';
import { readActivation, readPassageOrder, readTripRules, type TripRules } from './tripRules.js';
import { countingStays, joinStays, type TripStay } from './tripStay.js';
import { zoneNumbers } from './zoneNumbers.js';

export interface TripRun {
  readonly unitId: string | null;
  readonly plan: TripPlan;
  readonly rules: TripRules;
  readonly passageOrder: PassageOrderTypeKey;
  readonly activationKind: ActivationTypeKey;
  /** The zone of each point. */
  readonly zones: readonly number[];
}

/** Errors as `evaluateTrip`, but for those of shapes and sightings. */
export function prepareRun(trip: Trip, date: string, options: TripOptions): TripRun {
  const rules = readTripRules(options);
  const plan = planTrip(trip, date, options);
  const unitId: unknown = guarded('unit', () => trip.unit?.id);
  return {
    unitId: typeof unitId === 'string' ? unitId : null,
    plan,
    rules,
    passageOrder: readPassageOrder(trip),
    activationKind: readActivation(trip, plan),
    zones: zoneNumbers(trip, rules.defaultWidthMeters),
  };
}

export function evaluateRun(run: TripRun, seen: Sightings, now: number): TripReport {
  const { plan, rules, zones, activationKind } = run;
  const { window } = plan;
  const isStrict = run.passageOrder === 'strict';
  const stays = staysThatCount(run, seen.stays, now);
  const activation = activate(activationKind, plan, stays, rules.leaveConfirmMs, now);
  const assignment = activation === null ? plan.points.map(() => null) : assign(run, stays, activation);
  const finishedAt = activation && finishOf(activation, assignment, isStrict, rules, window.to);
  // The clock may activate a trip only after its window, when the next date's window cuts it short.
  const mayStillStart = activation === null && activationKind === 'time_of_first_point';
  const isOver = finishedAt !== null || (now >= window.to && !mayStillStart);
  const outOfTurn: OutOfTurn[] =
    activation !== null && isStrict
      ? findOutOfTurn(stays, assignment, {
          zones,
          waits: rules.waits,
          activation,
          finishedAt,
          windowEnd: window.to,
        })
      : [];
  let gaps: readonly Gap[] | null | undefined;
  const points = reportPoints({
    plan,
    assignment,
    outOfOrder: new Set(outOfTurn.map(({ pointIndex }) => pointIndex)),
    isStrict,
    finishOnDeparture: rules.finishOnDeparture,
    isOver,
    gaps: () => {
      if (gaps === undefined) gaps = seen.gaps();
      return gaps;
    },
  });
  const violations = violationsOf(points);
  let status: TripStatus = isOver ? 'not_started' : 'scheduled';
  if (finishedAt !== null) status = violations.length > 0 ? 'finished_with_violations' : 'finished';
  else if (activation !== null) status = isOver ? 'aborted' : 'active';
  const activatedAt = activation?.time ?? null;
  return {
    tripId: plan.tripId,
    unitId: run.unitId,
    date: plan.date,
    timeZone: plan.timeZone,
    window,
    passageOrder: run.passageOrder,
    status,
    activatedAt,
    finishedAt,
    lastFixAt: seen.lastFixAt,
    startedInside:
      (activation?.startedInside ?? false) ||
      assignment.some((serving) => serving !== null && serving.arrival < window.from),
    defaultWidthMeters: rules.defaultWidthMeters,
    defaultDeviationMinutes: rules.defaultDeviationMinutes,
    points,
    totals: totalsOf(
      points,
      activatedAt === null ? null : seen.distanceMeters(activatedAt, finishedAt ?? window.to),
    ),
    violations,
    events: eventsOf({ status, activatedAt, finishedAt, window, points }, outOfTurn),
  };
}

function staysThatCount(run: TripRun, stays: readonly TripStay[], now: number): TripStay[] {
  const { plan, rules, activationKind } = run;
  const joined = activationKind === 'leaving_first_point' ? joinStays(stays, 0, rules.leaveConfirmMs) : stays;
  return countingStays(joined, rules, now, plan.window.to);
}

function assign(run: TripRun, stays: readonly TripStay[], activation: Activation): (Serving | null)[] {
  const { plan, rules, zones } = run;
  const offers = offersByPoint(stays, { ...rules, plan, zones, activation });
  const mustServeFirst = activation.stay !== null;
  if (run.passageOrder === 'arbitrary') return assignArbitrary(offers, zones, mustServeFirst);
  return rules.waits ? assignWaiting(offers) : assignStrict(offers, mustServeFirst);
}

/** When the trip was finished: never by a visit that counts only for now. */
function finishOf(
  activation: Activation,
  assignment: readonly (Serving | null)[],
  isStrict: boolean,
  rules: TripRules,
  windowEnd: number,
): number | null {
  const needed = isStrict ? assignment.slice(-1) : assignment;
  let finish = activation.time;
  for (const serving of needed) {
    if (serving === null || serving.stay.isYoung) return null;
    const onDeparture = isStrict && rules.finishOnDeparture;
    const time = onDeparture ? serving.departure : serving.arrival;
    if (time === null || (onDeparture && time >= windowEnd)) return null;
    finish = Math.max(finish, time);
  }
  return finish;
}
