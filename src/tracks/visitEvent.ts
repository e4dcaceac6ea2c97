/** What a stream of fixes tells about visits, and in what order. */

import type { Visit } from './visit.js';

/** Something that happened to a unit in a zone; final once it is told. */
export interface VisitEvent {
  /**
   * `enter`, `exit`: a visit begins, ends. `lost`: the unit is silent in the zone for longer than the gap limit.
   * `found`: it was asleep there, and the visit goes on.
   */
  readonly type: 'enter' | 'exit' | 'lost' | 'found';
  /** The unit's. */
  readonly unitId: string;
  /** The zone's. */
  readonly zoneId: string;
  /** `enter`, `exit` of the visit; for `lost` the last fix, for `found` the first one after the silence. */
  readonly time: number;
  /** The fix times around `time`: the visit's `enterBounds` or `exitBounds`; of a silence its two ends. */
  readonly bounds: readonly [number | null, number | null];
  /** `seen` of the visit for an `enter`, its `end` for an `exit`, else null. */
  readonly reason: Visit['seen'] | Visit['end'] | null;
  /** The whole visit for an `exit`, else null. */
  readonly visit: Visit | null;
}

interface Ranked {
  readonly event: VisitEvent;
  /** Of one instant: 0 exits, 1 visits that begin and end in it, 2 entries and the rest. */
  readonly rank: number;
}

/** Gathers the events of a call: within one step of a unit by time, exits first, then in the index's order. */
export class EventBatch {
  #events: VisitEvent[] = [];
  #step: Ranked[] = [];
  readonly #ordinalOf: (zoneId: string) => number;

  constructor(ordinalOf: (zoneId: string) => number) {
    this.#ordinalOf = ordinalOf;
  }

  enter(unitId: string, visit: Pick<Visit, 'zoneId' | 'enter' | 'enterBounds' | 'seen' | 'exit'>): void {
    const { zoneId, enter: time, enterBounds: bounds, seen: reason } = visit;
    const event: VisitEvent = { type: 'enter', unitId, zoneId, time, bounds, reason, visit: null };
    this.#step.push({ event, rank: visit.exit === time ? 1 : 2 });
  }

  exit(unitId: string, visit: Visit): void {
    const { zoneId, end: reason } = visit;
    const time = visit.exit as number;
    const bounds = visit.exitBounds as NonNullable<Visit['exitBounds']>;
    const event: VisitEvent = { type: 'exit', unitId, zoneId, time, bounds, reason, visit };
    this.#step.push({ event, rank: visit.enter === time ? 1 : 0 });
  }

  silence(
    type: 'lost' | 'found',
    unitId: string,
    zoneId: string,
    bounds: readonly [number, number | null],
  ): void {
    const time = type === 'lost' ? bounds[0] : (bounds[1] as number);
    this.#step.push({
      event: { type, unitId, zoneId, time, bounds, reason: null, visit: null },
      rank: 2,
    });
  }

  /** Ends the events of one step. */
  endStep(): void {
    if (this.#step.length === 0) return;
    if (this.#step.length > 1) {
      this.#step.sort(
        (a, b) =>
          a.event.time - b.event.time ||
          a.rank - b.rank ||
          this.#ordinalOf(a.event.zoneId) - this.#ordinalOf(b.event.zoneId),
      );
    }
    for (const { event } of this.#step) this.#events.push(event);
    this.#step.length = 0;
  }

  /** The events of the call; the next call begins with none. */
  take(): readonly VisitEvent[] {
    if (this.#events.length === 0) return NONE;
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

const NONE: readonly VisitEvent[] = Object.freeze([]);
