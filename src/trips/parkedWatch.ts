/** Whether a stay holds a stretch of time in which the unit stays at one place. */

import { decidedDistance } from '../geodesy/inverse.js';
import type { Place } from './stepKind.js';

/** What a stop is. */
export interface StopRules {
  readonly serviceMs: number;
  readonly parkedMeters: number;
}

/** What the fixes of a stay say, as plain data. Times are epoch milliseconds. */
export interface Parked {
  /** Whether fixes show a stop. */
  isSeen: boolean;
  /** Whether it was out of sight for long enough for one. */
  isPossible: boolean;
  /** Until when it stayed near the place at which it came. */
  headUntil: number;
  /** Since when it stays near the place at which it is. */
  tailFrom: number;
  /** Whether it never left the place at which it came. */
  isStill: boolean;
}

/**
 * Follows one stay from place to place. A stretch counts from one of the places to the last of those after it that are all within
 * `parkedMeters` of it.
 */
export class ParkedWatch {
  readonly enter: number;
  readonly #rules: StopRules;
  /** Places from which the unit did not go away since. */
  readonly #anchors: Place[];
  readonly #parked: Parked;

  private constructor(enter: number, rules: StopRules, parked: Parked, anchors: readonly Place[]) {
    this.enter = enter;
    this.#rules = rules;
    this.#parked = { ...parked };
    this.#anchors = [...anchors];
  }

  static begin(enter: number, first: Place, rules: StopRules): ParkedWatch {
    const { time } = first;
    const isSeen = rules.serviceMs === 0;
    const parked = { isSeen, isPossible: false, headUntil: time, tailFrom: time, isStill: true };
    return new ParkedWatch(enter, rules, parked, [first]);
  }

  /** Goes on from the state of another one. */
  static resume(
    enter: number,
    rules: StopRules,
    { parked, anchors }: { parked: Parked; anchors: readonly Place[] },
  ): ParkedWatch {
    return new ParkedWatch(enter, rules, parked, anchors);
  }

  /** Takes the next place of the stay; `isHidden`: the unit was not seen on the way to it. A stop that was seen is not looked at again. */
  to(place: Place, isHidden: boolean): void {
    const parked = this.#parked;
    if (parked.isSeen) return;
    const anchors = this.#anchors;
    let count = 0;
    if (isHidden) {
      parked.isPossible ||= place.time - anchors[anchors.length - 1]!.time >= this.#rules.serviceMs;
      parked.isStill = false;
    } else {
      for (const anchor of anchors) {
        if (isNear(anchor, place, this.#rules.parkedMeters)) anchors[count++] = anchor;
        else parked.isStill = false;
      }
    }
    if (parked.isStill) parked.headUntil = place.time;
    anchors[count++] = place;
    anchors.length = count;
    parked.tailFrom = anchors[0]!.time;
    parked.isSeen = place.time - parked.tailFrom >= this.#rules.serviceMs;
  }

  /** What is known so far, or with a last place at which the stay ends. */
  parked(last?: Place): Parked {
    if (last === undefined) return { ...this.#parked };
    const copy = this.fork();
    copy.to(last, false);
    return copy.#parked;
  }

  fork(): ParkedWatch {
    return ParkedWatch.resume(this.enter, this.#rules, this.state());
  }

  state(): { parked: Parked; anchors: readonly Place[] } {
    return { parked: this.#parked, anchors: this.#anchors };
  }
}

function isNear(a: Place, b: Place, meters: number): boolean {
  return (
    (a.lon === b.lon && a.lat === b.lat) || decidedDistance(a.lon, a.lat, b.lon, b.lat, meters) <= meters
  );
}
