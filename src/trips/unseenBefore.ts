/** Finds whether points between two served ones could have been visited unseen. */

import type { Course } from './course.js';
import { type Costs, isUnseenArrival, NEVER, type Serving, wholeOf } from './serving.js';
import type { TripStay } from './tripStay.js';

/** The point after the last served one, and the earliest turn of that one within its bounds. */
export interface Passed {
  readonly after: number;
  readonly earliest: number;
}

export const NONE_PASSED: Passed = { after: 0, earliest: NEVER };

export class UnseenBefore {
  readonly #course: Course;
  readonly #known = new Map<string, boolean>();

  /** `course` is the course of the run without an assignment. */
  constructor(course: Course) {
    this.#course = course;
  }

  /** Whether an arrival at `point` follows a point that could have been visited on time, unseen. */
  isFollowed(point: number, serving: Serving, { after, earliest }: Passed): boolean {
    if (after >= point || !isUnseenArrival(serving)) return false;
    const over = serving.end === null ? this.#course.of.now : serving.departureSpan[1];
    for (let i = after; i < point; i++) if (this.#isPossible(i, earliest, over)) return true;
    return false;
  }

  /** Whether unseen points can change the cost of any stay. */
  matters(stays: readonly TripStay[], zones: readonly number[], costs: Costs): boolean {
    const { holes, plan } = this.#course.of;
    if (!holes.isAny) return false;
    const widest: Passed = { after: 0, earliest: plan.window.from };
    return stays.some((stay) => {
      const serving = wholeOf(stay);
      if (!isUnseenArrival(serving)) return false;
      return zones.some(
        (zone, point) =>
          zone === stay.zone &&
          costs.of(point, serving, NEVER) !== costs.of(point, serving, NEVER, true) &&
          this.isFollowed(point, serving, widest),
      );
    });
  }

  #isPossible(point: number, earliest: number, over: number): boolean {
    if (point === 0 && this.#course.of.assumedHole !== null) return true;
    const begin = earliest > NEVER ? earliest : this.#course.begin(point);
    const from = Math.max(begin, this.#course.of.plan.window.from);
    const key = `${point} ${from} ${over}`;
    let isPossible = this.#known.get(key);
    if (isPossible === undefined) {
      isPossible = this.#course.isPossible(point, from, over);
      this.#known.set(key, isPossible);
    }
    return isPossible;
  }
}

/** The state after a point is served. */
export function passedBy(point: number, serving: Serving, { earliest }: Passed): Passed {
  return { after: point + 1, earliest: Math.max(earliest, serving.arrivalSpan[0]) };
}
