/** Finds whether the unit stood at one place during a stay. */

import { decidedDistance } from '../geodesy/inverse.js';
import type { Place } from './stepKind.js';

/** The definition of a stop. */
export interface StopRules {
  readonly serviceMs: number;
  readonly parkedMeters: number;
}

/** The findings about a stop from the fixes of a stay, as plain data. Times are epoch milliseconds. */
export interface Parked {
  /** Whether fixes show a stop. */
  isSeen: boolean;
  /** Whether the unit was unseen for long enough for a stop. */
  isPossible: boolean;
  /** End of the time near the first place. */
  headUntil: number;
  /** Start of the time near the last place. */
  tailFrom: number;
  /** Whether the unit never left its first place. */
  isStill: boolean;
}

/**
 * Follows one stay from place to place. The unit stands at a place as long as all later places are within `parkedMeters` of it.
 */
export class ParkedWatch {
  readonly enter: number;
  readonly #rules: StopRules;
  /** Places that the unit has not left since. */
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

  /** Copies the state of another watch. */
  static resume(
    enter: number,
    rules: StopRules,
    { parked, anchors }: { parked: Parked; anchors: readonly Place[] },
  ): ParkedWatch {
    return new ParkedWatch(enter, rules, parked, anchors);
  }

  /** Adds the next place of the stay. `isHidden`: the unit was not seen on the way to it. After a seen stop nothing more is recorded. */
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

  /** The findings so far, or those with `last` as the place where the stay ends. */
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
