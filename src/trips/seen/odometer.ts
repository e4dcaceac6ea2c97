/** The way of a unit since its first fix: a sum, and its value at the times at which a trip may begin or end. */

import type { TimedPosition } from '../../core/fix.js';
import { metersBetween } from './stepKind.js';

export class Odometer {
  /** Metres up to the last fix. Steps that are gaps do not count. */
  meters = 0;
  /** Time of the last fix. */
  time: number = Number.NEGATIVE_INFINITY;
  /** Metres at marked times. */
  readonly marks: Map<number, number> = new Map<number, number>();
  /** Times to be marked, besides those of visits and gaps. */
  readonly #times: readonly number[];
  /** The last step; null if it is a gap. */
  #step: { readonly a: TimedPosition; readonly b: TimedPosition; readonly before: number } | null = null;

  constructor(times: readonly number[]) {
    this.#times = times;
  }

  /** Continues another odometer. */
  resume({ meters, time, marks }: Odometer): void {
    this.meters = meters;
    this.time = time;
    for (const [marked, value] of marks) this.marks.set(marked, value);
  }

  /** Adds the step from the last fix to the next one. `isGap`: its way is not known. */
  to(last: TimedPosition | null, fix: TimedPosition, isGap: boolean): void {
    this.time = fix.time;
    this.#step = null;
    if (last === null) return;
    if (isGap) {
      this.mark(last.time);
      this.mark(fix.time);
      return;
    }
    const before = this.meters;
    this.#step = { a: last, b: fix, before };
    this.meters = before + metersBetween(last, fix, last.time, fix.time);
    for (const time of this.#times) if (time > last.time && time <= fix.time) this.mark(time);
  }

  /** Metres at a time of the last step. */
  at(time: number): number {
    if (this.#step === null || time >= this.time) return this.meters;
    const { a, b, before } = this.#step;
    return before + metersBetween(a, b, a.time, time);
  }

  mark(time: number, meters: number = this.at(time)): void {
    this.marks.set(time, meters);
  }

  /** Metres between two times. */
  between(from: number, to: number): number {
    return Math.max(0, this.#valueAt(to) - this.#valueAt(from));
  }

  /** A time without a mark lies in a gap, or is not before the last fix. */
  #valueAt(time: number): number {
    if (time >= this.time) return this.meters;
    const known = this.marks.get(time);
    if (known !== undefined) return known;
    let [latest, value] = [Number.NEGATIVE_INFINITY, 0];
    for (const [marked, meters] of this.marks) {
      if (marked <= time && marked >= latest) [latest, value] = [marked, meters];
    }
    return value;
  }
}
