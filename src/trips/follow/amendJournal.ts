/** Applies an amendment to a run under way (T49). */

import type { Position } from '../../core/geometry.js';
import type { Visit } from '../../tracks/visit.js';
import { type Judgement, judgeRun } from '../judge/evaluateRun.js';
import type { TripPlan } from '../plan/planTrip.js';
import type { JournalRules } from '../seen/journalRules.js';
import { journalRules, knownBy } from '../seen/readObservations.js';
import type { Begun, Settled, Settlement } from '../seen/settlement.js';
import { type Next, type Sighted, stepKind } from '../seen/stepKind.js';
import type { TripJournal } from '../seen/tripJournal.js';
import type { TripRun } from '../seen/tripRun.js';
import { type Era, erasUpTo } from '../seen/zoneEras.js';
import type { NextStep, ZoneMove } from '../seen/zoneMoves.js';
import { handedOn, oldPointsOf } from '../terms/readChanges.js';
import type { TripAmendment, TripChange } from '../terms/tripChange.js';
import type { TripEvent } from '../terms/tripReport.js';
import { type Amended, type Amendments, changedRun, type Followed } from './amendments.js';

/** Applies an amendment after the fixes up to its time. `before`: the changes before it; `next`: what is known after the last fix. */
export function amendJournal(
  followed: Followed,
  change: TripAmendment,
  before: readonly TripChange[],
  next: Next,
  amendments: Amendments,
): void {
  const { journal, unit } = followed;
  const { at } = change;
  const from = oldPointsOf(change);
  const amended = amendments.of(change);
  const old = changedRun(journal, before);
  const judged = judgeRun(old, knownBy(journal, unit, old, next, at), at);
  const settlement = settlementOf(old, judged, from, at);
  const zones = zoneMoves(old, amended.run, from);
  const after = runAfter(old, journal.rules, change, amended, settlement);
  const served = servedVisits(judged);
  // Where the unit is that took over is not known before its first fix.
  const isHanded = handedOn(old.handOvers, journal.last?.time, at) !== null;
  const moves = { at, zones, changed: changedIds(zones), served, carried: new Set<string>(), isHanded };
  journal.amend(unit, moves, after.rules, nextStep(journal, next));
  journal.settlements.push(settlement);
  journal.run = after.run;
  if (followed.predictions !== null)
    followed.predictions = followed.predictions.amended(amended.predictionRules(journal.run), from);
}

/** Restores a journal from a snapshot to the amendments that were applied. */
export function resumeAmended(
  journal: TripJournal,
  changes: readonly TripChange[],
  settlements: readonly Settlement[],
  amendments: Amendments,
): void {
  let applied = 0;
  for (const change of changes) {
    if (change.type !== 'amend' || applied === settlements.length) continue;
    const settlement = settlements[applied++]!;
    const after = runAfter(journal.run, journal.rules, change, amendments.of(change), settlement);
    journal.rezone(after.rules);
    journal.settlements.push(settlement);
    journal.run = after.run;
  }
}

/** The settlement of a run by its report at the amendment (T49a, T49c). */
function settlementOf(
  old: TripRun,
  { report, assigned }: Judgement,
  from: readonly (number | null)[],
  at: number,
): Settlement {
  const settled = from.map((i): Settled | null => {
    const serving = i === null ? null : (assigned.assignment[i] ?? null);
    if (i === null || serving === null || serving.departure === null) return null;
    const { arrivalToleranceSeconds, departureToleranceSeconds } = old.plan.points[i]!;
    const { isStop, isSeenStop } = serving.stay;
    const events = report.events.filter(({ pointIndex, type }) => pointIndex === i && UNTOLD.has(type));
    const point = report.points[i]!;
    return { point, arrivalToleranceSeconds, departureToleranceSeconds, events, isStop, isSeenStop };
  });
  const { activation, assumedHole } = assigned;
  if (activation === null || activation.time > at) return { settled, begun: null };
  const { how, time, earliest, since } = activation;
  const hole: Begun['hole'] = assumedHole && [assumedHole.from, assumedHole.to];
  const isOwnFirst = from[0] === 0 && (old.begun?.isOwnFirst ?? true);
  return { settled, begun: { how, time, earliest, hole, since, isOwnFirst } };
}

/** Events that no field of a point's report shows. */
const UNTOLD: ReadonlySet<TripEvent['type']> = new Set(['arrival_overdue', 'point_out_of_order']);

/** The visits that serve points and are over. */
function servedVisits({ assigned }: Judgement): Set<Visit> {
  const visits = assigned.assignment.flatMap((serving) => {
    if (serving === null || serving.departure === null) return [];
    const { parts, visit } = serving.stay;
    return parts.length === 0 ? [visit] : parts.map((part) => part.visit);
  });
  return new Set(visits);
}

/** For each zone of the new plan, the zones of the old plan that it continues. */
function zoneMoves(old: TripRun, { zones, zoneKeys }: TripRun, from: readonly (number | null)[]): ZoneMove[] {
  return [...new Set(zones)].map((zone) => {
    const isSame = (other: number): boolean => old.zoneKeys[other] === zoneKeys[zone];
    const olds = new Set(old.zones.filter(isSame));
    from.forEach((i, j) => {
      if (i !== null && zones[j] === zone) olds.add(old.zones[i]!);
    });
    return { zone, olds: [...olds].map((other) => ({ zone: other, isSame: isSame(other) })) };
  });
}

function changedIds(zones: readonly ZoneMove[]): Set<string> {
  return new Set(
    zones.filter(({ olds }) => !olds.some(({ isSame }) => isSame)).map(({ zone }) => String(zone)),
  );
}

/** The run and the rules of its journal after an amendment. */
function runAfter(
  old: TripRun,
  oldRules: JournalRules,
  change: TripAmendment,
  { run, index }: Amended,
  { settled, begun }: Settlement,
): { readonly run: TripRun; readonly rules: JournalRules } {
  const { at } = change;
  const window = windowAfter(old.plan.window, run.plan.window, at);
  const points = run.plan.points.map((point, j) => {
    const kept = settled[j] ?? null;
    if (kept === null) return point;
    const { arrivalToleranceSeconds, departureToleranceSeconds } = kept;
    const { plannedArrival, plannedDeparture } = kept.point;
    return { ...point, plannedArrival, plannedDeparture, arrivalToleranceSeconds, departureToleranceSeconds };
  });
  const leadFrom = Math.min(run.plan.leadFrom, old.plan.leadFrom);
  const plan = { ...run.plan, tripId: old.plan.tripId, window, leadFrom, points };
  const amended: TripRun = {
    ...run,
    unitId: old.unitId,
    basePoints: old.basePoints,
    plan,
    settled,
    begun,
  };
  const own = journalRules(amended, index);
  const wayTimes = [...own.wayTimes, at, ...(begun === null ? [] : [begun.time])];
  const rules = { ...own, wayTimes };
  const eras = new Map<number, Era[]>();
  for (const move of zoneMoves(old, run, oldPointsOf(change))) {
    const own = erasAfter(move, old, oldRules, rules, at);
    if (own !== null) eras.set(move.zone, own);
  }
  return { run: { ...amended, eras }, rules };
}

/** The window of the new plan, and what of the old one's was before (T49c). */
function windowAfter(old: TripPlan['window'], own: TripPlan['window'], at: number): TripPlan['window'] {
  return {
    from: old.from < at ? Math.min(old.from, own.from) : own.from,
    to: Math.max(own.to, Math.min(old.to, at)),
  };
}

/** The geometries of a zone by time; `null` if it had one all the time. */
function erasAfter(
  { zone, olds }: ZoneMove,
  old: TripRun,
  before: JournalRules,
  after: JournalRules,
  at: number,
): Era[] | null {
  const isSame = olds.some((own) => own.isSame);
  if (isSame && olds.length === 1 && !old.eras.has(olds[0]!.zone)) return null;
  const eras = olds.flatMap((own) => {
    const known = old.eras.get(own.zone) ?? [
      { ...ALWAYS, metersTo: (position: Position) => before.metersTo(own.zone, position) },
    ];
    return own.isSame ? known : erasUpTo(known, at);
  });
  return isSame
    ? eras
    : [...eras, { ...ALWAYS, from: at, metersTo: (position) => after.metersTo(zone, position) }];
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

function nextStep({ last, rules }: TripJournal, { fix, blind }: Next): NextStep | null {
  if (fix === null || last === null) return null;
  const own: Sighted = { ...last, ...fix };
  return { fix: own, step: { from: last, kind: stepKind(last, own, blind !== null, rules) } };
}
