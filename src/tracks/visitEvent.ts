/** The events that a stream of fixes emits about visits, and their order. */

import type { MeasuredVisit } from './ledger/measureVisits.js';
import type { Visit } from './visit.js';

interface ZoneEvent {
  /** Id of the unit. */
  readonly unitId: string;
  /** Id of the zone. */
  readonly zoneId: string;
  /** Time of the event: `enter` or `exit` of the visit, for `lost` the last fix, for `found` the first fix after the gap. */
  readonly time: number;
  /** The fix times around `time`: the visit's `enterBounds` or `exitBounds`; for `lost` and `found` the two ends of the gap. */
  readonly bounds: readonly [number | null, number | null];
}

/** A visit begins. */
export interface EnterEvent extends ZoneEvent {
  /** Always `enter`. */
  readonly type: 'enter';
  /** `seen` of the visit. */
  readonly reason: Visit['seen'];
  /** Always null: the visit is not over. */
  readonly visit: null;
  /** Whether the zone is open at the enter; only of a tracker with `hoursOf`. */
  readonly open?: boolean;
}

/** A visit ends. */
export interface ExitEvent extends ZoneEvent {
  /** Always `exit`. */
  readonly type: 'exit';
  /** `end` of the visit. */
  readonly reason: Visit['end'];
  /** The whole visit, with its measure if the tracker has `measure`. */
  readonly visit: Visit | MeasuredVisit;
}

/** A gap during a visit. */
export interface GapEvent extends ZoneEvent {
  /**
   * `lost`: the unit was in the zone and sent no fix for longer than `maxGapSeconds`. `found`: the unit was parked there during this gap, and
   * the visit goes on.
   */
  readonly type: 'lost' | 'found';
  /** Always null. */
  readonly reason: null;
  /** Always null. */
  readonly visit: null;
}

/** A zone event of one unit. `type` gives its kind. Never revised after it was emitted. */
export type VisitEvent = EnterEvent | ExitEvent | GapEvent;

/** A zone opens or closes during a visit. Emitted only with `hoursOf`. Never revised after it was emitted. */
export interface HoursEvent {
  /** Always `hours`. */
  readonly type: 'hours';
  /** Id of the unit. */
  readonly unitId: string;
  /** Id of the zone. */
  readonly zoneId: string;
  /** Time at which the zone opened or closed, epoch milliseconds. */
  readonly time: number;
  /** Whether the zone is open from then on. */
  readonly open: boolean;
}

/** Up to this many events of a step are sorted by insertion. */
const FEW_EVENTS = 32;

/** Collects the events of one call. Events of one step of a unit are sorted by time, exits first, then by the order of the index. */
export class EventBatch {
  /** The events of the call; those from `#stepFrom` on belong to the current step. */
  readonly #events: (VisitEvent | HoursEvent)[] = [];
  /** Order of the events of one instant: 0 exits, 1 visits that begin and end at that instant, 2 entries and all others. */
  readonly #ranks: number[] = [];
  #count = 0;
  #stepFrom = 0;
  readonly #ordinalOf: (zoneId: string) => number;

  constructor(ordinalOf: (zoneId: string) => number) {
    this.#ordinalOf = ordinalOf;
  }

  enter(
    unitId: string,
    visit: Pick<Visit, 'zoneId' | 'enter' | 'enterBounds' | 'seen' | 'exit'>,
    open: boolean | null,
  ): void {
    const { zoneId, enter: time, enterBounds: bounds, seen: reason } = visit;
    const event: EnterEvent = { type: 'enter', unitId, zoneId, time, bounds, reason, visit: null };
    this.#add(open === null ? event : { ...event, open }, visit.exit === time ? 1 : 2);
  }

  exit(unitId: string, visit: Visit): void {
    const { zoneId, end: reason } = visit;
    const time = visit.exit as number;
    const bounds = visit.exitBounds as NonNullable<Visit['exitBounds']>;
    const event: VisitEvent = { type: 'exit', unitId, zoneId, time, bounds, reason, visit };
    this.#add(event, visit.enter === time ? 1 : 0);
  }

  gap(
    type: 'lost' | 'found',
    unitId: string,
    zoneId: string,
    bounds: readonly [number, number | null],
  ): void {
    const time = type === 'lost' ? bounds[0] : (bounds[1] as number);
    this.#add({ type, unitId, zoneId, time, bounds, reason: null, visit: null }, 2);
  }

  hours(unitId: string, zoneId: string, time: number, open: boolean): void {
    this.#add({ type: 'hours', unitId, zoneId, time, open }, 2);
  }

  #add(event: VisitEvent | HoursEvent, rank: number): void {
    this.#events.push(event);
    this.#ranks[this.#count++] = rank;
  }

  /** Sorts the events of the step that ends. */
  endStep(): void {
    const from = this.#stepFrom;
    this.#stepFrom = this.#count;
    if (this.#count - from > FEW_EVENTS) {
      this.#sortMany(from);
      return;
    }
    for (let i = from + 1; i < this.#count; i++) {
      const event = this.#events[i]!;
      const rank = this.#ranks[i]!;
      let at = i;
      for (; at > from && this.#isBefore(event, rank, at - 1); at--) {
        this.#events[at] = this.#events[at - 1]!;
        this.#ranks[at] = this.#ranks[at - 1]!;
      }
      this.#events[at] = event;
      this.#ranks[at] = rank;
    }
  }

  #isBefore(event: VisitEvent | HoursEvent, rank: number, at: number): boolean {
    const other = this.#events[at]!;
    if (event.time !== other.time) return event.time < other.time;
    if (rank !== this.#ranks[at]) return rank < this.#ranks[at]!;
    return this.#ordinalOf(event.zoneId) < this.#ordinalOf(other.zoneId);
  }

  #sortMany(from: number): void {
    const step = this.#events.slice(from, this.#count).map((event, i) => ({
      event,
      rank: this.#ranks[from + i]!,
      ordinal: this.#ordinalOf(event.zoneId),
    }));
    step.sort((a, b) => a.event.time - b.event.time || a.rank - b.rank || a.ordinal - b.ordinal);
    for (const [i, { event }] of step.entries()) this.#events[from + i] = event;
  }

  /** The events of the call; the next call begins with none. */
  take(): readonly (VisitEvent | HoursEvent)[] {
    if (this.#count === 0) return NONE;
    const events = this.#events.slice(0, this.#count);
    // `pop` keeps the memory of a short list for the next call.
    if (this.#count > FEW_EVENTS) this.#events.length = 0;
    else while (this.#events.length > 0) this.#events.pop();
    this.#count = this.#stepFrom = 0;
    return events;
  }
}

const NONE: readonly never[] = Object.freeze([]);
