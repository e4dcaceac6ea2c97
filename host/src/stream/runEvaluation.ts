/** Evaluates runs during one message, over the stored fixes. */

import { setImmediate as turn } from 'node:timers/promises';
import type { Fix } from 'wayzone';
import type { OfRun, RunTracker, RunWindow } from 'wayzone/operator';
import type { CoreEvent } from './cellCore.js';
import type { CellStore } from './cellStore.js';
import { handedFixes, isHanded, mergedUnits } from './handedFixes.js';
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

export function ofRun({ trip, date }: RunWindow): OfRun {
  return { unitId: trip.unit.id, tripId: trip.id, date };
}

/** Whether the fix is in the span of the run. */
export function isIn({ from, to }: RunWindow, { time }: Fix): boolean {
  const rounded = Math.round(time);
  return rounded >= from && rounded <= to;
}
