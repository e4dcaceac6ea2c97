/** Cuts fixes out of tracks, and checks the premises of the laws of fairness. */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { bestOutcome, type Outcome } from './oracle/slowAssign.js';
import { isGap, isSleep, meters } from './oracle/slowHoles.js';
import type { Run, SlowOptions, Stay } from './oracle/slowModel.js';
import type { SlowReport } from './oracle/slowReport.js';
import { slowSource } from './oracle/slowSource.js';
import { jointsOf, staysOf } from './oracle/slowStays.js';
import { slowRun } from './oracle/slowTrip.js';

export interface Cut {
  readonly trip: Trip;
  readonly date: string;
  readonly options: SlowOptions;
  readonly whole: readonly Fix[];
  readonly cut: readonly Fix[];
}

export const runOf = (given: Cut, fixes: readonly Fix[]): Run =>
  slowRun(given.trip, given.date, slowSource(given.trip, fixes, given.options), given.options);

/**
 * "Cut fixes from a track never faster than `reachSpeedKph`, leaving no sleep that was none, so that every step the cut widens is a
 * hole".
 */
export function isFairCut(given: Cut): boolean {
  const run = runOf(given, given.whole);
  const { whole, cut } = given;
  const isSlow = whole.every((b, k) => {
    const a = whole[k - 1];
    return !a || meters(a, b) <= run.speed * (b.time - a.time);
  });
  const kept = new Set(cut.map(({ time }) => time));
  return (
    isSlow &&
    jointsOf(run) <= 3 &&
    cut.every((b, k) => {
      const a = cut[k - 1];
      if (!a || !whole.some(({ time }) => time > a.time && time < b.time && !kept.has(time))) return true;
      if (isSleep(run, a, b)) return false;
      return isGap(run, a, b) || b.time - a.time > run.holeMs || meters(a, b) >= run.maxCrossedMeters;
    })
  );
}

/**
 * "beforehand the trip is not `no_data`, no served point without blame has an uncertain or null planned arrival, and none is under way
 * at the window's opening". The search for counterexamples added: the report is of the window's end, the trip has started, its activation was seen or
 * planned, and no visit is shared.
 */
export function isPlainBefore({ options }: Cut, before: SlowReport): boolean {
  const blamed = new Set(before.violations.map(({ pointIndex }) => pointIndex));
  return (
    options.now === undefined &&
    !options.allowSharedVisit &&
    before.status !== 'no_data' &&
    (before.activation === 'seen' || before.activation === 'planned') &&
    before.points.every((point) => {
      if (point.visit === null) return true;
      if (point.arrival! < before.window.from) return false;
      const isVague = point.arrivalStatus === null || point.arrivalStatus === 'uncertain';
      return blamed.has(point.index) || point.plannedArrival === null || !isVague;
    })
  );
}

/** Whether the cut hides the first point, which may move the start of the trip. Law (a) excludes it for trips activated by time, law (b) for all trips. */
export const isFirstHidden = (after: SlowReport): boolean => after.points[0]!.status === 'no_data';

/** "each zone one stay in the window". */
export function isOneStayEach(given: Cut): boolean {
  const run = runOf(given, given.whole);
  const { from, to } = run.window;
  const stays = staysOf(run, new Set()).filter(
    ({ enter, exit }) => enter < to && (exit === null || exit >= from),
  );
  return new Set(stays.map(({ zone }) => zone)).size === stays.length;
}

/** "every visit still shown serves the same point, or none, as before". */
export function servesAsBefore(given: Cut): boolean {
  const [before, after] = [given.whole, given.cut].map((fixes) => bestOutcome(runOf(given, fixes))) as [
    Outcome,
    Outcome,
  ];
  return after.stays.every((stay) => {
    const [was, ...more] = before.stays.filter((other) => isSame(stay, other));
    if (was === undefined) return pointsOf(after, stay) === '';
    return more.length === 0 && pointsOf(before, was) === pointsOf(after, stay);
  });
}

const pointsOf = ({ assignment }: Outcome, stay: Stay): string =>
  assignment.flatMap((serving, i) => (serving?.stay === stay ? [i] : [])).join(' ');

/** A stay after the cut shows part of one before it. */
function isSame(after: Stay, before: Stay): boolean {
  const [from, to] = after.crossed
    ? [after.arrivalBounds[0], after.departureBounds![1]]
    : [after.enter, after.exit ?? Number.POSITIVE_INFINITY];
  return (
    after.zone === before.zone && before.enter <= to && (before.exit ?? Number.POSITIVE_INFINITY) >= from
  );
}
