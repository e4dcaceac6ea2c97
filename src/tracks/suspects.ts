/** The suspect fixes of a jam, and the search for the one at which the unit returns. */

import { DEGREES_TO_RADIANS } from '../core/angles.js';
import type { TimedPosition } from '../core/fix.js';
import { decidedDistance } from '../geodesy/distanceMeters.js';
import { cosLat, EQUATORIAL_RADIUS, FLATTENING, POLAR_RADIUS } from '../geodesy/ellipsoid.js';
import { KPH_PER_METER_PER_MS } from './fixReader.js';
import { isPlausible } from './isPlausible.js';

export interface SuspectRules {
  readonly maxSpeedKph: number;
  readonly maxCrossedMeters: number;
}

interface Derived {
  /** The position in space, metres. */
  readonly point: Point;
  /** Metres of the chords along the suspects, and of what the greatest speed allows in the same time. Never decreases. */
  readonly spent: number;
  /** Whether it is plausible from the suspect before it. */
  readonly isConsistent: boolean;
}

type Point = readonly [x: number, y: number, z: number];

/** Margin for the rounding of chords and of their sums, metres. */
const SLACK_METERS = 1;

/** Removed fixes are dropped from memory when there are this many. */
const MANY = 64;

/** In order of time. Indices count from the first suspect that is left. What the search needs is derived when it is first needed. */
export class Suspects<Fix extends TimedPosition> {
  /** Number of fixes that the search examined one by one. Tests bound it. */
  examined: number = 0;
  #fixes: Fix[];
  #derived: Derived[] = [];
  /** Number of removed fixes at the start of both lists. */
  #from = 0;
  /** Places in the lists of the consistent suspects, ascending. */
  #consistent: number[] = [];
  #calmFrom = 0;

  constructor(fixes: Iterable<Fix> = []) {
    this.#fixes = [...fixes];
  }

  get size(): number {
    return this.#fixes.length - this.#from;
  }

  at(i: number): Fix {
    return this.#fixes[this.#from + i]!;
  }

  toArray(): Fix[] {
    return this.#fixes.slice(this.#from);
  }

  add(fix: Fix): void {
    this.#fixes.push(fix);
  }

  /** Removes the first fixes. */
  drop(count: number): void {
    this.#from += count;
    if (this.#from < MANY || this.#from < this.size) return;
    this.#fixes = this.#fixes.slice(this.#from);
    this.#derived = this.#derived.slice(this.#from);
    this.#consistent = this.#consistent.flatMap((place) => (place < this.#from ? [] : [place - this.#from]));
    this.#from = this.#calmFrom = 0;
  }

  /** The first fix later than `time`; `size` if there is none. */
  firstAfter(time: number): number {
    let [low, high] = [0, this.size];
    if (high === 0 || this.at(high - 1).time <= time) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle).time > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The first fix that is plausible from the one before it, both being left; `size` if there is none. */
  firstConsistent(rules: SuspectRules): number {
    this.#derive(rules);
    while (this.#consistent[this.#calmFrom]! <= this.#from) this.#calmFrom++;
    return (this.#consistent[this.#calmFrom] ?? this.#fixes.length) - this.#from;
  }

  /**
   * The first fix of [from, to) at which the unit returns to `good`: it is plausible from there, and is the first of all, or not plausible from
   * the one before it, or within `maxCrossedMeters`. `to` if there is none.
   *
   * A fix at a chord of c metres, of which `good` allows r by then, cannot be followed by a plausible one before the chords along the
   * suspects and the greatest speed have spent c − r: those between are skipped. So a unit on its way at twice the greatest speed costs
   * O(log n) and not O(n).
   */
  firstReturn(good: TimedPosition, from: number, to: number, rules: SuspectRules): number {
    this.#derive(rules);
    const start = pointOf(good);
    for (let i = from; i < to; ) {
      this.examined++;
      const fix = this.at(i);
      const { point, spent, isConsistent } = this.#derived[this.#from + i]!;
      const short = chord(start, point) - reach(fix.time - good.time, rules) - SLACK_METERS;
      if (short > 0) {
        i = this.#firstSpent(spent + short, i + 1, to);
        continue;
      }
      if (isPlausible(good, fix, rules.maxSpeedKph) && (i === 0 || !isConsistent || isNear(good, fix, rules)))
        return i;
      i++;
    }
    return to;
  }

  /** The first of [from, to) whose `spent` is at least `limit`, by steps that double. */
  #firstSpent(limit: number, from: number, to: number): number {
    const isReached = (i: number): boolean => this.#derived[this.#from + i]!.spent >= limit;
    let [low, step] = [from, 1];
    let high = from;
    while (high < to && !isReached(high)) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    high = Math.min(high, to);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isReached(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #derive(rules: SuspectRules): void {
    for (let place = this.#derived.length; place < this.#fixes.length; place++) {
      const fix = this.#fixes[place]!;
      const point = pointOf(fix);
      const last = this.#fixes[place - 1];
      const isConsistent = last !== undefined && isPlausible(last, fix, rules.maxSpeedKph);
      if (isConsistent) this.#consistent.push(place);
      const before = this.#derived[place - 1];
      const spent =
        last === undefined || before === undefined
          ? 0
          : before.spent + chord(before.point, point) + reach(fix.time - last.time, rules);
      this.#derived.push({ point, spent, isConsistent });
    }
  }
}

function reach(milliseconds: number, { maxSpeedKph }: SuspectRules): number {
  return (maxSpeedKph * milliseconds) / KPH_PER_METER_PER_MS;
}

function isNear(a: TimedPosition, b: TimedPosition, { maxCrossedMeters }: SuspectRules): boolean {
  return decidedDistance(a.lon, a.lat, b.lon, b.lat, maxCrossedMeters) <= maxCrossedMeters;
}

/** The position in space: a chord is no longer than the geodesic. */
function pointOf({ lon, lat }: TimedPosition): Point {
  const s = (1 - FLATTENING) * Math.sin(lat * DEGREES_TO_RADIANS);
  const c = cosLat(lat);
  const norm = Math.sqrt(s * s + c * c);
  const parallel = (EQUATORIAL_RADIUS * c) / norm;
  const lambda = lon * DEGREES_TO_RADIANS;
  return [parallel * Math.cos(lambda), parallel * Math.sin(lambda), (POLAR_RADIUS * s) / norm];
}

function chord([ax, ay, az]: Point, [bx, by, bz]: Point): number {
  return Math.sqrt((ax - bx) ** 2 + (ay - by) ** 2 + (az - bz) ** 2);
}
