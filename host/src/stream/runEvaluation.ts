/** Evaluates runs during one message, over the stored fixes. */

import { setImmediate as turn } from 'node:timers/promises';
import type { Fix } from 'wayzone';
import {
  type Charge,
  chargesOf,
  type OfRun,
  type RunTracker,
  type RunWindow,
  rowChanges,
} from 'wayzone/operator';
import type { UnitFix } from '../live/fixes.js';
import type { CoreEvent } from './cellCore.js';
import type { CellStore } from './cellStore.js';
import { isRunEvent, type RunEvent, type StreamEvent } from './streamEvent.js';
import type { FollowedTrip } from './tripSource.js';

/** Fixes that are processed before the event loop gets a turn, some milliseconds. */
const SLICE_FIXES = 1000;

/** One kind of followed runs: of trips or along routes. */
export interface RunKind {
  /** Whether the runs of a trip are followed. */
  readonly follows: (trip: FollowedTrip) => boolean;
  owns(event: RunEvent): boolean;
  /** A tracker without fixes; null for a run that cannot be followed. */
  tracker(companyId: string, run: RunWindow, timeZone: string): Promise<RunTracker<RunEvent> | null>;
}

export interface EvaluationOptions {
  readonly kind: RunKind;
  readonly store: Pick<CellStore, 'fixesOf' | 'tripEventsOf' | 'tripDatesOf'>;
}

/** Events that are not stored yet, of earlier messages and of this one. */
export interface Waiting {
  readonly events: readonly CoreEvent[];
}

export interface RunEvaluation {
  /** The events so far, numbered in their order. */
  readonly events: readonly CoreEvent[];
  /** Emits events of a run. */
  readonly emit: (companyId: string, run: RunWindow, added: readonly RunEvent[]) => void;
  /** Evaluates the run again up to the time `until`, and emits the differences. null for a run that cannot be followed. */
  readonly evaluate: (
    companyId: string,
    run: RunWindow,
    timeZone: string,
    until: number,
  ) => Promise<RunTracker<RunEvent> | null>;
}

export function runEvaluation(
  { kind, store }: EvaluationOptions,
  { seq, ordinal }: { readonly seq: number; readonly ordinal: number },
  waiting: Waiting,
): RunEvaluation {
  const events: CoreEvent[] = [];
  const isOwn = (event: StreamEvent): event is RunEvent => isRunEvent(event) && kind.owns(event);
  const emit = (companyId: string, { opens }: RunWindow, added: readonly RunEvent[]): void => {
    for (const event of added) {
      const times = event.type === 'revised' ? [event.was, event.is] : [event];
      // A visit may have begun before the window: with this time its event is selected with those of the run.
      const lastTime = Math.max(opens, ...times.map((one) => one?.time ?? opens));
      events.push({ companyId, seq, ordinal: ordinal + events.length, event, lastTime });
    }
  };
  return {
    events,
    emit,
    async evaluate(companyId, run, timeZone, until) {
      const { unitId, tripId, date } = ofRun(run);
      const stored = await store.fixesOf(companyId, unitId, run.from, run.to);
      const tracker = await kind.tracker(companyId, run, timeZone);
      if (tracker === null) return null;
      const fixes = isHanded(run)
        ? mergedUnits(run, stored, await handedFixes(store, companyId, run))
        : stored;
      for (let from = 0; from < fixes.length; from += SLICE_FIXES) {
        if (from > 0) await turn();
        tracker.pushAll(fixes.slice(from, from + SLICE_FIXES), undefined);
      }
      if (Number.isFinite(until)) tracker.advance(Math.min(until, run.to));
      const waits = [...waiting.events, ...events].flatMap(({ event }) =>
        isOwn(event) && event.unitId === unitId && event.tripId === tripId && event.date === date
          ? [event]
          : [],
      );
      const before = (await store.tripEventsOf(companyId, { unitId, tripId, date }, run.opens)).filter(isOwn);
      emit(companyId, run, tracker.changesFrom([...before, ...waits]));
      return tracker;
    },
  };
}

function ofRun({ trip, date }: RunWindow): OfRun {
  return { unitId: trip.unit.id, tripId: trip.id, date };
}

/** Whether the fix is in the span of the run. */
export function isIn({ from, to }: RunWindow, { time }: Fix): boolean {
  const rounded = Math.round(time);
  return rounded >= from && rounded <= to;
}

type Run = Pick<RunWindow, 'trip' | 'date' | 'from' | 'to'>;

/** Whether another unit took over the run. */
export function isHanded({ trip, date }: Run): boolean {
  return handedUnits(trip, date).length > 0;
}

/** The stored fixes of the units that took over, while they are in charge. */
export async function handedFixes(
  store: Pick<CellStore, 'fixesOf'>,
  companyId: string,
  run: Run,
): Promise<UnitFix[]> {
  const fixes: UnitFix[] = [];
  for (const { unitId, from, to } of handedUnits(run.trip, run.date)) {
    const stored = await store.fixesOf(companyId, unitId, Math.max(from, run.from), Math.min(to - 1, run.to));
    for (const fix of stored) fixes.push({ unitId, fix });
  }
  return fixes;
}

/** The fixes of the trip's unit while it is in charge, with its id. */
export function ownFixes({ trip, date }: Run, fixes: readonly Fix[]): Fix[] {
  const own = chargesIn(trip, date).filter(({ unitId }) => unitId === trip.unit.id);
  return fixes
    .filter(({ time }) => own.some(({ from, to }) => Math.round(time) >= from && Math.round(time) < to))
    .map((fix) => withUnit(fix, trip.unit.id));
}

/** The fixes of all units in order of time. */
function mergedUnits(run: Run, own: readonly Fix[], others: readonly UnitFix[]): Fix[] {
  const named = others.map(({ unitId, fix }) => withUnit(fix, unitId));
  return [...ownFixes(run, own), ...named].sort((a, b) => a.time - b.time);
}

const chargesKnown = new WeakMap<RunWindow['trip'], Map<string, readonly Charge[]>>();

/** Units in charge of a run, in order of time. */
function chargesIn(trip: RunWindow['trip'], date: string): readonly Charge[] {
  const byDate = chargesKnown.get(trip) ?? new Map<string, readonly Charge[]>();
  chargesKnown.set(trip, byDate);
  const charges = byDate.get(date) ?? chargesOf(trip.unit.id, rowChanges(trip, date));
  byDate.set(date, charges);
  return charges;
}

/** The units that took over a run, each with the time in which it is in charge; the trip's own unit is not among them. */
function handedUnits(trip: RunWindow['trip'], date: string): readonly Charge[] {
  return chargesIn(trip, date).filter(({ unitId }) => unitId !== trip.unit.id);
}

function withUnit(fix: Fix, unitId: string): Fix & { readonly unitId: string } {
  return { ...fix, unitId };
}
