/** Opening hours in the events of a `VisitTracker`. */

import { inputError } from '../core/errors.js';
import { askHours, changesBetween, type HoursOf } from '../core/zoneHours.js';
import type { EventBatch } from './visitEvent.js';
import type { Dwell } from './visitMachine.js';

export class VisitHours {
  readonly #hoursOf: HoursOf;
  readonly #events: EventBatch;

  constructor(hoursOf: HoursOf, events: EventBatch) {
    this.#hoursOf = hoursOf;
    this.#events = events;
  }

  isOpen(zoneId: string, time: number): boolean {
    return askHours(this.#hoursOf, zoneId)?.isOpen(time) ?? true;
  }

  /** Emits the openings and closings up to the last instant at which the unit was seen inside. */
  follow(unitId: string, dwell: Dwell): void {
    if (!dwell.isEnterEmitted) return;
    const before = dwell.exit === null ? (dwell.lastInside ?? dwell.enter) + 1 : dwell.exit.time;
    this.until(unitId, dwell, before);
  }

  /** Emits the openings and closings before an instant. */
  until(unitId: string, dwell: Dwell, before: number): void {
    const hours = askHours(this.#hoursOf, dwell.zoneId);
    if (hours === null) return;
    for (const time of changesBetween(hours, dwell.hoursEmitted ?? dwell.enter, before)) {
      dwell.hoursEmitted = time;
      this.#events.hours(unitId, dwell.zoneId, time, hours.isOpen(time));
    }
  }
}

/** The hours of a tracker; null without `hoursOf`. Errors: `option-value`. */
export function visitHours(hoursOf: unknown, events: EventBatch): VisitHours | null {
  if (hoursOf === undefined || hoursOf === null) return null;
  if (typeof hoursOf === 'function') return new VisitHours(hoursOf as HoursOf, events);
  throw inputError('option-value', 'options.hoursOf', 'a function', hoursOf);
}
