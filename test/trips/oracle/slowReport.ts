/** The report of a run: T17a and T18 choose its stays, all else follows from them. */

import type { Track } from '../../../src/core/fix.js';
import type { Trip } from '../../../src/core/trip.js';
import type { Visit } from '../../../src/tracks/index.js';
import type { PointReport, PointVisit } from '../../../src/trips/index.js';
import { activationKey, started } from './slowActivation.js';
import type { Chosen } from './slowAssign.js';
import {
  arrivalAt,
  arrivalBoundsAt,
  departureAt,
  departureBoundsAt,
  type Judged,
  withDoubt,
} from './slowJudge.js';
import type { Run, SlowOptions, SlowReport, Stay } from './slowModel.js';
import { type GivenVisits, slowRun } from './slowRun.js';
import { type Case, hasFixInWindow, type Statuses, statusesOf } from './slowStatus.js';
import { type Joint, jointsOf, staysOf } from './slowStays.js';
import { eventsOf, overdueOf, totalsOf, violationsOf } from './slowSummary.js';
import { isBetter } from './slowWorth.js';

/** Up to so many joints, all sets are tried; of more, those with one joint apart. `countJoints` tells before. */
export const MAX_JOINTS = 6;
export const countJoints = (run: Run): number =>
  jointsOf(run, false).filter(({ rule }) => rule !== 'T50').length;

export function slowReport(
  trip: Trip,
  date: string,
  source: Track | GivenVisits,
  options: SlowOptions,
): SlowReport {
  return reportOf(slowRun(trip, date, source, options));
}

/** T18: the run is judged with drift instead when that serves no fewer points, no fewer by stops, and gives fewer violations. */
export function reportOf(run: Run): SlowReport {
  return judgedRun(run).report;
}

/** The same with the run's assignment. */
export function judgedRun(run: Run): Judgement {
  const plain = judge(run, jointsOf(run, false));
  const joints = jointsOf(run, true);
  if (!joints.some(({ rule }) => rule === 'T18')) return plain;
  const drift = judge(run, joints);
  const isNoWorse = drift.served >= plain.served && drift.byStops >= plain.byStops;
  const isKinder = drift.report.violations.length < plain.report.violations.length;
  return isNoWorse && isKinder ? drift : plain;
}

interface Judgement {
  readonly report: SlowReport;
  readonly given: Case;
  readonly served: number;
  readonly byStops: number;
}

/** T17a: joints of T16 and T17 stay apart where more points are served so, as few as possible. All sets are tried. */
function judge(run: Run, joints: readonly Joint[]): Judgement {
  const isLoose = ({ rule }: Joint): boolean => rule === 'T16' || rule === 'T17';
  const fixed = joints.filter((joint) => !isLoose(joint));
  const loose = joints.filter(isLoose);
  const joined = staysOf(run, joints);
  let best: Chosen | null = null;
  for (const held of heldSets(loose)) {
    const apart = loose.length - held.length;
    const stays = staysOf(run, [...fixed, ...held]);
    const chosen = started(run, stays, apart, (own) => serveAsTwo(run, own, loose, held));
    if (chosen && (best === null || isBetter(chosen.worth, best.worth))) best = chosen;
  }
  const isScheduled = best === null || best.activation.start > run.now;
  const isBlank = run.now >= run.window.to && !hasFixInWindow(run);
  const given: Case =
    isScheduled || isBlank
      ? {
          run,
          activation: null,
          assignment: run.points.map(() => null),
          stays: joined,
        }
      : { run, activation: best!.activation, assignment: best!.assignment, stays: best!.stays };
  const served = given.assignment.filter((stay) => stay !== null);
  return {
    report: written(given),
    given,
    served: served.length,
    byStops: served.filter(({ isStop }) => isStop).length,
  };
}

/**
 * T17 holds "for every activation": an exit that was undone begins no run by itself. Where S is an exit, a joint in the first point's zone is
 * apart only if the visits on both sides serve.
 */
function serveAsTwo(run: Run, chosen: Chosen, loose: readonly Joint[], held: readonly Joint[]): boolean {
  if (activationKey(run) !== 'leaving_first_point' || chosen.activation.kind !== 'seen') return true;
  const serves = (visit: Visit): boolean => chosen.assignment.some((stay) => stay?.visits.includes(visit));
  const ofFirst = run.visits[run.points[0]!.zone]!;
  return loose
    .filter((joint) => !held.includes(joint) && ofFirst.includes(joint.after))
    .every(({ before, after }) => serves(before) && serves(after));
}

/** The sets of joints that hold, the others being apart. */
function heldSets(loose: readonly Joint[]): Joint[][] {
  if (loose.length <= MAX_JOINTS)
    return Array.from({ length: 2 ** loose.length }, (_, set) =>
      loose.filter((_joint, k) => (set & (1 << k)) === 0),
    );
  return [[...loose], ...loose.map((one) => loose.filter((joint) => joint !== one))];
}

/** DESIGN §6. */
function written(given: Case): SlowReport {
  const { run, activation } = given;
  const statuses = statusesOf(given);
  const points = run.points.map(({ index }) => pointOf(given, statuses, index));
  const violations = violationsOf(run, points, statuses, activation !== null);
  const { trip, date, settings, window, now } = run;
  const isFinished = statuses.trip === 'finished';
  return {
    tripId: trip.id,
    unitId: trip.unit.id,
    date: date.slice(0, 10),
    timeZone: settings.timeZone,
    window,
    passageOrder: run.strict ? 'strict' : 'arbitrary',
    status: isFinished && violations.length > 0 ? 'finished_with_violations' : statuses.trip,
    activation: activation?.kind ?? null,
    activatedAt: activation?.start ?? null,
    finishedAt: statuses.finishedAt,
    lastFixAt: run.fixes?.at(-1)?.time ?? null,
    defaultWidthMeters: settings.defaultWidthMeters,
    defaultDeviationMinutes: settings.defaultDeviationMinutes,
    points,
    totals: totalsOf(given, points, statuses.finishedAt),
    violations,
    holes: run.holes
      .filter(({ from, to }) => from < window.to && to > window.from)
      .map(({ from, to, reason }) => ({ from: Math.max(from, window.from), to: Math.min(to, now), reason })),
    events: eventsOf(given, statuses, points),
    ...(run.handOvers.length > 0 && { handOvers: run.handOvers }),
  } as SlowReport;
}

function pointOf(given: Case, statuses: Statuses, index: number): PointReport {
  const { run, activation, assignment } = given;
  const kept = run.settled[index]?.point;
  if (kept) return { ...kept, index, name: run.points[index]!.name };
  const stay = assignment[index];
  const { name, arrival, departure } = run.points[index]!;
  const about = {
    index,
    name,
    status: statuses.points[index]!,
    plannedArrival: arrival?.at ?? null,
    plannedDeparture: departure?.at ?? null,
    outOfOrder: statuses.isOutOfOrder[index]!,
    overdueSeconds: overdueOf(given, statuses, index),
  };
  const unserved = {
    arrival: null,
    arrivalBounds: null,
    departure: null,
    departureBounds: null,
    arrivalDeviationSeconds: null,
    departureDeviationSeconds: null,
    arrivalStatus: null,
    departureStatus: null,
    visit: null,
  };
  if (!stay) return { ...about, ...unserved } as PointReport;
  const doubted = (own: Judged): Judged => withDoubt(run, activation!, assignment, index, own);
  const judged = {
    arrival: doubted(arrivalAt(run, activation, assignment, index, 'report')),
    departure: doubted(departureAt(run, assignment, index, 'report')),
  };
  const seconds = ({ deviation }: Judged): number | null => (deviation === null ? null : deviation / 1000);
  return {
    ...about,
    arrival: stay.enter,
    arrivalBounds: arrivalBoundsAt(run, assignment, index, 'report'),
    departure: stay.exit,
    departureBounds: departureBoundsAt(run, assignment, index, 'report'),
    arrivalDeviationSeconds: seconds(judged.arrival),
    departureDeviationSeconds: seconds(judged.departure),
    arrivalStatus: judged.arrival.status,
    departureStatus: judged.departure.status,
    visit: visitOf(stay),
  } as PointReport;
}

function visitOf({ visits, enter, exit, gaps }: Stay): PointVisit {
  const first = visits[0]!;
  const last = visits.at(-1)!;
  return {
    zoneId: first.zoneId,
    seen: visits.some(({ seen }) => seen === 'inside') ? 'inside' : 'crossed',
    end: last.end,
    enter,
    exit,
    enterBounds: first.enterBounds,
    exitBounds: last.exitBounds,
    fixCount: visits.reduce((sum, { fixCount }) => sum + fixCount, 0),
    ...(gaps.length > 0 ? { hasGap: true } : {}),
  };
}
