/** Events of a tracker: the emitted ones, and the next ones. */

import { blindAfter } from '../../tracks/fixFilter.js';
import { BEFORE_ALL } from '../../tracks/fixIntake.js';
import type { RunUnit } from '../seen/runUnit.js';
import type { TripJournal } from '../seen/tripJournal.js';
import type { TripEvent, TripReport } from '../terms/tripReport.js';
import { copyOfFollowed, type Followed, type RunChanges } from './amendments.js';
import { applyChanges, hasChanges, noNext, reportOf } from './applyFix.js';
import { FrozenStart } from './frozenStart.js';
import { quietUntil } from './quietUntil.js';

/** An event of the best assignment so far, or the revision of an emitted event. */
export type TripTrackerEvent = TripEvent | TripRevision;

/** Until when the events of a journal of some version stay. */
interface Quiet {
  readonly journal: TripJournal;
  readonly version: number;
  readonly until: number;
}

export class TripEvents {
  #emitted: readonly TripEvent[];
  /** When events may change at the latest without new evidence; `null`: at any time. */
  #quiet: Quiet | null = null;
  readonly #start: FrozenStart = new FrozenStart();

  constructor(emitted: readonly TripEvent[] = []) {
    this.#emitted = emitted;
  }

  get emitted(): readonly TripEvent[] {
    return this.#emitted;
  }

  /** The new events of a state at a time, which count as emitted from then on. */
  next(state: Followed, clock: number, by: RunChanges): TripTrackerEvent[] {
    if (this.#isQuiet(state, clock)) return [];
    const isPlain = isAtLastFix(state, clock) && by.changes.length === 0;
    const events = isPlain ? this.#start.eventsAt(state) : reportAhead(state, clock, by).events;
    const news = reviseEvents(this.#emitted, events);
    this.#emitted = events;
    this.#quiet = quietFrom(state, clock, by, events);
    return news;
  }

  /** The changes of the run have changed, so that any event may. */
  wake(): void {
    this.#quiet = null;
  }

  /** Whether the events are those of the last evaluation. */
  #isQuiet(state: Followed, clock: number): boolean {
    const quiet = this.#quiet;
    if (quiet === null || !isAtLastFix(state, clock)) return false;
    const { journal } = state;
    return journal.last!.time < quiet.until && quiet.journal === journal && quiet.version === journal.version;
  }
}

/** Whether a run without forecasts is evaluated at its last fix, after which nothing is blind. */
function isAtLastFix({ journal, unit, predictions }: Followed, clock: number): boolean {
  return predictions === null && blindAfter(unit) === null && nowOf(unit, clock) === journal.last?.time;
}

function quietFrom(
  state: Followed,
  clock: number,
  by: RunChanges,
  events: readonly TripEvent[],
): Quiet | null {
  // Without a hole up to `now` the time alone changes events only when a planned time or a limit passes.
  if (!isAtLastFix(state, clock)) return null;
  const { journal, unit } = state;
  return {
    journal,
    version: journal.version,
    until: quietUntil(journal.run, journal, unit, by.changes, events, nowOf(unit, clock)),
  };
}

/** The report of a state as of its last fix or the clock. */
export function reportAhead(state: Followed, clock: number, by: RunChanges): TripReport {
  let view = state;
  const now = nowOf(view.unit, clock);
  const next = noNext(blindAfter(view.unit));
  if (hasChanges(view, now, by)) {
    // The next fix decides how the changes apply for good.
    view = copyOfFollowed(view);
    applyChanges(view, now, next, by);
  }
  return reportOf(view, now, next, by);
}

function nowOf({ released }: RunUnit, clock: number): number {
  // Suspect and frozen fixes are evidence of the time, not of a place.
  return released === BEFORE_ALL ? clock : Math.max(clock, released);
}

/** The correction of an emitted event, or the late emission of an event that precedes emitted events. */
export interface TripRevision {
  /** Always `revised`. */
  readonly type: 'revised';
  /** The emitted event; `null` if it was not emitted. */
  readonly was: TripEvent | null;
  /** The event that replaces it; `null` if it was removed. */
  readonly is: TripEvent | null;
}

/**
 * The events to emit in order to turn the emitted events into the current ones. First come the revisions, in order of the events that they
 * correct, then the events after all emitted ones. An event that moved is revised. A new event before a remaining emitted event is a
 * revision with `was: null`.
 */
export function reviseEvents(
  emitted: readonly TripEvent[],
  now: readonly TripEvent[],
): (TripEvent | TripRevision)[] {
  let same = 0;
  while (same < emitted.length && same < now.length && isSame(emitted[same]!, now[same]!)) same++;
  if (same === emitted.length && same === now.length) return [];
  return reviseRest(emitted.slice(same), now.slice(same));
}

function reviseRest(emitted: readonly TripEvent[], now: readonly TripEvent[]): (TripEvent | TripRevision)[] {
  const known = new Set(emitted.map(keyOf));
  const holding = new Set(now.map(keyOf));
  const moved = new Map<string, TripEvent[]>();
  for (const event of now) {
    if (known.has(keyOf(event))) continue;
    const subject = subjectOf(event);
    moved.set(subject, [...(moved.get(subject) ?? []), event]);
  }
  const revisions: TripRevision[] = [];
  const revised = new Set<TripEvent>();
  for (const was of emitted) {
    if (holding.has(keyOf(was))) continue;
    const is = moved.get(subjectOf(was))?.shift() ?? null;
    if (is !== null) revised.add(is);
    revisions.push({ type: 'revised', was, is });
  }
  const lastEmitted = now.findLastIndex((event) => known.has(keyOf(event)) || revised.has(event));
  const added = now.filter((event) => !known.has(keyOf(event)) && !revised.has(event));
  const isLater = new Set(now.slice(lastEmitted + 1));
  return [
    ...revisions,
    ...added
      .filter((event) => !isLater.has(event))
      .map((is) => ({ type: 'revised', was: null, is }) as const),
    ...added.filter((event) => isLater.has(event)),
  ];
}

function subjectOf({ type, pointIndex }: TripEvent): string {
  return `${type} ${pointIndex}`;
}

function isSame(a: TripEvent, b: TripEvent): boolean {
  return a === b || (a.type === b.type && a.time === b.time && a.pointIndex === b.pointIndex);
}

function keyOf(event: TripEvent): string {
  return `${subjectOf(event)} ${event.time}`;
}
