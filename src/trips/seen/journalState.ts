/** The state of a trip's journal as plain JSON. */

import type { TimedPosition } from '../../core/fix.js';
import type { Visit } from '../../tracks/visit.js';
import type { Hole } from './holes.js';
import type { WatchedVisit } from './journalRules.js';
import type { RestMarks, SearchState } from './restFinder.js';
import type { Settlement } from './settlement.js';
import type { Next, Sighted } from './stepKind.js';
import type { TripJournal } from './tripJournal.js';
import { type Drift, type WatchState, ZoneWatch } from './zoneWatch.js';

/** Watches by zone, in the order in which they began. */
type WatchStates = readonly (readonly [zoneId: string, state: WatchState])[];

/** The fields of a visit that ended, without their names, which would be half of a snapshot. */
type VisitState = readonly [
  zoneId: string,
  seen: Visit['seen'],
  end: Visit['end'],
  enter: number,
  exit: number | null,
  enterBounds: Visit['enterBounds'],
  exitBounds: Visit['exitBounds'],
  fixCount: number,
  mayStop: boolean,
  drift: Drift | null,
];

export interface JournalState {
  readonly first: TimedPosition | null;
  readonly last: Sighted | null;
  readonly hasFixInWindow: boolean;
  readonly hasMotion: boolean;
  readonly isClosed: boolean;
  readonly closedNext: Next | null;
  readonly cancelsPassed: number;
  readonly settlements: readonly Settlement[];
  readonly visits: readonly VisitState[];
  readonly watches: WatchStates;
  readonly placed: {
    readonly last: Sighted;
    readonly watches: WatchStates;
    readonly holes: number;
    readonly hasFixInWindow: boolean;
    readonly hasMotion: boolean;
    readonly rests: RestMarks;
  } | null;
  readonly holes: readonly Hole[];
  readonly rests: readonly SearchState[];
  readonly meters: number;
  readonly marks: readonly (readonly [time: number, meters: number])[];
}

/** It shares its lists with the journal: copy it, as a seal does. */
export function journalState(journal: TripJournal): JournalState {
  const { first, last, hasFixInWindow, hasMotion, isClosed, closedNext, cancelsPassed, settlements } =
    journal;
  const { visits, watches, placed, holes, odometer } = journal;
  const watchStates = (own: ReadonlyMap<string, ZoneWatch>): WatchStates =>
    [...own].map(([zoneId, { state }]) => [zoneId, state]);
  return {
    first,
    last,
    hasFixInWindow,
    hasMotion,
    isClosed,
    closedNext,
    cancelsPassed,
    settlements,
    visits: visits.map(visitState),
    watches: watchStates(watches),
    placed: placed && { ...placed, watches: watchStates(placed.watches) },
    holes,
    rests: journal.rests.state(),
    meters: odometer.meters,
    marks: [...odometer.marks],
  };
}

function visitState({ visit, evidence }: WatchedVisit): VisitState {
  const { zoneId, seen, end, enter, exit, enterBounds, exitBounds, fixCount } = visit;
  const { mayStop, drift } = evidence;
  return [zoneId, seen, end, enter, exit, enterBounds, exitBounds, fixCount, mayStop, drift];
}

function visitOf([
  zoneId,
  seen,
  end,
  enter,
  exit,
  enterBounds,
  exitBounds,
  fixCount,
  mayStop,
  drift,
]: VisitState): WatchedVisit {
  return {
    visit: { zoneId, seen, end, enter, exit, enterBounds, exitBounds, fixCount },
    evidence: { mayStop, drift },
  };
}

/** Fills a new journal, to which the amendments of a state were applied. Nobody else holds the state. */
export function resumeJournal(journal: TripJournal, state: JournalState): void {
  const { first, last, hasFixInWindow, hasMotion, isClosed, closedNext, cancelsPassed, placed } = state;
  const watchesOf = (states: WatchStates): Map<string, ZoneWatch> =>
    new Map(states.map(([zoneId, own]) => [zoneId, new ZoneWatch(journal.rules, own)]));
  journal.first = first;
  journal.last = last;
  journal.hasFixInWindow = hasFixInWindow;
  journal.hasMotion = hasMotion;
  journal.isClosed = isClosed;
  journal.closedNext = closedNext;
  journal.cancelsPassed = cancelsPassed;
  journal.visits.push(...state.visits.map(visitOf));
  for (const [zoneId, watch] of watchesOf(state.watches)) journal.watches.set(zoneId, watch);
  journal.placed = placed && { ...placed, watches: watchesOf(placed.watches) };
  for (const hole of state.holes) journal.holes.push(hole);
  journal.rests.resume(state.rests, last);
  journal.odometer.meters = state.meters;
  journal.odometer.time = last?.time ?? Number.NEGATIVE_INFINITY;
  for (const [time, meters] of state.marks) journal.odometer.marks.set(time, meters);
}
