/** T47 to T50: the report of a run with changes, in their order. Read from the text; an amendment by `slowAmend`. */

import type { Track } from '../../../src/core/fix.js';
import type { Trip } from '../../../src/core/trip.js';
import type { TripChange } from '../../../src/trips/index.js';
import { amendedRun } from './slowAmend.js';
import { DEFAULTS, isOver, type Run, type SlowOptions, type SlowReport } from './slowModel.js';
import { type HandedPart, partsOf, realHandOvers } from './slowParts.js';
import { windowOf } from './slowPlan.js';
import { judgedRun } from './slowReport.js';
import { slowRun } from './slowRun.js';

export interface ChangedRun {
  readonly trip: Trip;
  readonly date: string;
  readonly trackOf: (unitId: string) => Track;
  readonly options: SlowOptions;
  /** In order of `at`. */
  readonly changes: readonly TripChange[];
}

/** The run and its report; null where the model does not say: two amendments, or an amendment on the step of a hand-over. */
export function slowChanged(given: ChangedRun): { readonly run: Run; readonly report: SlowReport } | null {
  const { trip, date, options, changes } = given;
  const window = windowOf(trip, date, { ...DEFAULTS, ...options });
  const amended = changes.find((change) => change.type === 'amend' && change.at <= window.to);
  const ofAmended =
    amended?.type === 'amend'
      ? Math.max(amended.at, windowOf(amended.trip as Trip, date, { ...DEFAULTS, ...options }).to)
      : window.to;
  const now = options.now ?? Math.max(window.to, ofAmended);
  for (const [k, { type, at }] of changes.entries()) {
    if (type !== 'cancel' || at > now) continue;
    const run = runAt(given, changes.slice(0, k), at, now);
    if (run === null) return null;
    const { status } = judgedRun(run).report;
    // A run that was over stays as it is.
    if (isOver(run) || (status !== 'scheduled' && status !== 'active')) continue;
    const cancelled = { ...run, isCancelled: true };
    return { run: cancelled, report: judgedRun(cancelled).report };
  }
  const run = runAt(
    given,
    changes.filter(({ at }) => at <= now),
    now,
    now,
  );
  return run && { run, report: judgedRun(run).report };
}

function runAt(
  { trip, date, trackOf, options, changes: all }: ChangedRun,
  changes: readonly TripChange[],
  now: number,
  /** The time of the whole report: fixes count by the hand-overs up to it. */
  end: number,
): Run | null {
  const own = { ...options, now };
  const changed =
    (list: readonly TripChange[]) =>
    (run: Run): Run => ({ ...run, ...excused(list, trip.points.length), handOvers: handOversIn(list, trip) });
  const known = handOversIn(
    all.filter(({ at }) => at <= end),
    trip,
  );
  const parts: HandedPart[] = partsOf(trackOf, trip.unit.id, known);
  const amendments = changes.filter((change) => change.type === 'amend');
  const [amendment] = amendments;
  if (amendments.length > 1) return null;
  if (amendment === undefined) return changed(changes)(slowRun(trip, date, parts, own));
  const before = changes.slice(0, changes.indexOf(amendment));
  const { at, trip: to } = amendment;
  const from = amendment.from ?? to.points.map((_, i) => i);
  const run = amendedRun(trip, date, parts, own, { at, trip: to as Trip, from }, changed(before));
  if (run === null) return null;
  const times = run.fixes!.map(({ time }) => time);
  const start = times.findLast((time) => time <= at) ?? Number.NEGATIVE_INFINITY;
  const stepEnd = times.find((time) => time > at) ?? Number.POSITIVE_INFINITY;
  const isOnOneStep = handOversIn(changes, trip).some((own) => own.at >= start && own.at <= stepEnd);
  return isOnOneStep ? null : changed(changes)(run);
}

function handOversIn(changes: readonly TripChange[], trip: Trip): Run['handOvers'] {
  const given = changes.flatMap((change) =>
    change.type === 'handOver' ? [{ at: change.at, unitId: change.unitId }] : [],
  );
  return realHandOvers(given, trip.unit.id);
}

/** T47: each excuse names a point of the plan that holds then. */
function excused(changes: readonly TripChange[], points: number): Pick<Run, 'excused' | 'excusedAt'> {
  let known = Array.from({ length: points }, () => false);
  let excusedAt = Number.NEGATIVE_INFINITY;
  for (const change of changes) {
    if (change.type === 'amend') {
      const old = known;
      const from = change.from ?? change.trip.points.map((_, i) => i);
      known = from.map((i) => i !== null && old[i]!);
    } else if (change.type === 'excuse' && !known[change.pointIndex]) {
      known[change.pointIndex] = true;
      excusedAt = change.at;
    }
  }
  return { excused: known, excusedAt };
}
