/** Whether a point could have been visited on time where the unit was not seen (T33). */

import type { PlannedPoint } from '../plan/tripPlan.js';
import type { Hole, Holes, TimeRange } from '../seen/holes.js';
import { type Due, dueOf, onTimeSpan } from './due.js';

const ALWAYS: TimeRange = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

export class CouldBe {
  readonly #holes: Holes;
  readonly #zones: readonly number[];
  readonly #points: readonly { readonly arrival: TimeRange; readonly departure: TimeRange }[];
  readonly #minStayMs: number;
  /** The window's start. A visit that was over by then does not serve (T27). A visit that was under way then is not judged (T31). */
  readonly #begin: number;
  /** The end of the report, or of the window before it. */
  readonly #end: number;
  /** End of the last hole that is not a sleep. */
  readonly #last: number;
  /** For each point, earlier answers by time. */
  readonly #known: readonly Map<number, number>[];

  constructor(
    holes: Holes,
    zones: readonly number[],
    points: readonly PlannedPoint[],
    minStayMs: number,
    begin: number,
    end: number,
  ) {
    this.#holes = holes;
    this.#zones = zones;
    this.#points = points.map((point) => ({
      arrival: spanOf(dueOf(point, 'arrival')),
      departure: spanOf(dueOf(point, 'departure')),
    }));
    this.#known = points.map(() => new Map<number, number>());
    this.#minStayMs = minStayMs;
    this.#begin = begin;
    this.#last = holes.lastEnd;
    this.#end = end;
  }

  /** Whether the unit could have been at a point on time at or after `from`, and left by `to`. */
  isPossible(point: number, from: number, to: number): boolean {
    return this.#holes.isAny && this.leavesFrom(point, from) <= to;
  }

  /** The earliest time by which the unit could have left a point after a visit on time at or after a time and the window's start; Infinity if none was possible. */
  leavesFrom(point: number, given: number): number {
    if (!this.#holes.isAny) return Number.POSITIVE_INFINITY;
    const from = Math.max(given, this.#begin);
    if (from > this.#last) return Number.POSITIVE_INFINITY;
    const known = this.#known[point]!;
    let earliest = known.get(from);
    if (earliest === undefined) {
      earliest = Number.POSITIVE_INFINITY;
      for (const hole of this.#holes.since(from))
        earliest = Math.min(earliest, this.leaves(point, hole, from));
      known.set(from, earliest);
    }
    return earliest;
  }

  /** The same for one hole; `from` is not before the window. */
  leaves(point: number, hole: Hole, from: number): number {
    if (hole.reason === null) return Number.POSITIVE_INFINITY;
    const [first, last] = this.#holes.presence(hole, this.#zones[point]!);
    const { arrival, departure } = this.#points[point]!;
    if (first > arrival[1]) return Number.POSITIVE_INFINITY;
    // Where the report ends in the hole, the departure may still be ahead.
    const earliest = hole.to >= this.#end ? arrival[0] : Math.max(arrival[0], departure[0]);
    const leaves = Math.max(first + this.#minStayMs, from, earliest);
    // A visit after the window serves nothing (T27).
    return leaves <= Math.min(last, departure[1], this.#end) ? leaves : Number.POSITIVE_INFINITY;
  }
}

function spanOf(due: Due | null): TimeRange {
  return due === null ? ALWAYS : onTimeSpan(due);
}
