/**
 * A second, direct implementation of DESIGN §5. It tries every assignment of visits to points, and every way to join visits across gaps. Each rule is
 * quoted beside its code. It uses distances and the visits of §4 from the library, and nothing from `src/trips`.
 */

import type { Trip } from '../../../src/core/trip.js';
import { bestOutcome } from './slowAssign.js';
import { eventsOf } from './slowEvents.js';
import { findHoles } from './slowHoles.js';
import { judge } from './slowJudge.js';
import type { Run, SlowOptions, SlowTrack, SlowVisits } from './slowModel.js';
import { slowPlan } from './slowPlan.js';
import type { SlowReport } from './slowReport.js';
import { totalsOf, violationsOf } from './slowTotals.js';

export function slowEvaluate(
  trip: Trip,
  date: string,
  source: SlowTrack | SlowVisits,
  options: SlowOptions,
): SlowReport {
  const run = slowRun(trip, date, source, options);
  const outcome = bestOutcome(run);
  const { start, assignment } = outcome;
  const judgement = judge(run, outcome);
  const { status, finishedAt, points } = judgement;
  return {
    tripId: trip.id,
    unitId: trip.unit.id,
    date: date.slice(0, 10),
    timeZone: options.timeZone,
    window: run.window,
    passageOrder: trip.passage_order_type.key,
    status,
    activation: start?.kind ?? null,
    activatedAt: start?.at ?? null,
    finishedAt,
    lastFixAt: run.fixes?.at(-1)?.time ?? null,
    // "`startedInside` is true (only if it serves)".
    startedInside: assignment.some((serving) => serving !== null && serving.arrival < run.window.from),
    defaultWidthMeters: run.defaultWidthMeters,
    defaultDeviationMinutes: run.defaultDeviationMinutes,
    points,
    totals: totalsOf(run, outcome, judgement),
    violations: violationsOf(judgement, start !== null),
    events: eventsOf(run, outcome, judgement),
  };
}

export function slowRun(trip: Trip, date: string, source: SlowTrack | SlowVisits, options: SlowOptions): Run {
  const { points, window } = slowPlan(trip, date, options);
  const now = options.now ?? window.to;
  const all = 'fixes' in source ? source.fixes : null;
  const fixes = all?.filter((fix) => fix.time <= now) ?? null;
  const first = points[0]!;
  const run: Run = {
    trip,
    points,
    window,
    now,
    strict: trip.passage_order_type.key === 'strict',
    wait: trip.passage_order_type.key === 'strict' && options.policy === 'wait',
    // "Missing `activation_type`: the first if the first point has a time, else the second."
    activation:
      trip.activation_type?.key ??
      (first.arrival !== null || first.departure !== null
        ? 'time_of_first_point'
        : 'entrance_to_first_point'),
    finishOnDeparture: options.finishOn === 'departure',
    minStay: (options.minStaySeconds ?? 0) * 1000,
    service: (options.serviceSeconds ?? 60) * 1000,
    acceptCrossed: options.acceptCrossed ?? true,
    maxDeviation: (options.maxDeviationSeconds ?? Number.POSITIVE_INFINITY) * 1000,
    shares: options.allowSharedVisit ?? false,
    leaveConfirm: (options.leaveConfirmSeconds ?? 120) * 1000,
    holeMs: (options.holeSeconds ?? 600) * 1000,
    speed: (options.reachSpeedKph ?? 130) / 3600,
    maxGap: (options.maxGapSeconds ?? 3600) * 1000,
    maxGapMeters: options.maxGapMeters ?? Number.POSITIVE_INFINITY,
    parkedMeters: options.parkedMeters ?? 200,
    maxCrossedMeters: options.maxCrossedMeters ?? 5000,
    defaultWidthMeters: options.defaultWidthMeters ?? 100,
    defaultDeviationMinutes: options.defaultDeviationMinutes ?? 0,
    fixes,
    fixAfterNow: all?.find((fix) => fix.time > now) ?? null,
    visits: 'fixes' in source ? source.visitsUpTo(now) : source.visits,
    holes: [],
    isUnseen: fixes !== null && !fixes.some((fix) => fix.time >= window.from && fix.time < window.to),
    longSleeps: [],
    measured: new Map(),
  };
  if ('fixes' in source) return { ...run, ...findHoles(run) };
  // "With `{visits, gaps: [{from, to, start?, end?}]}` the gaps are the holes; without positions every way is possible."
  const holes = (source.gaps ?? [])
    .filter((gap) => gap.from < now)
    .map((gap) => ({
      from: gap.from,
      to: Math.min(gap.to, now),
      start: gap.start ?? null,
      end: gap.to > now ? null : (gap.end ?? null),
    }));
  // "With no fix in the window": a gap from before it to its end.
  const isUnseen = holes.some(({ from, to }) => from < window.from && to >= Math.min(window.to, now));
  return { ...run, holes, isUnseen };
}
