/** Classifies the steps of a track (seen, sleep or hole) and measures them. */

import { lonStep } from '../../core/angles.js';
import type { BlindReason, TimedPosition } from '../../core/fix.js';
import { decidedDistance } from '../../geodesy/distanceMeters.js';
import { edgeLength } from '../../geodesy/edgeSums.js';
import { isGapStep, SEEN } from '../../tracks/blindStep.js';
import { grownMeters } from '../../tracks/fixFilter.js';
import { wayBound } from '../../tracks/isPlausible.js';
import type { VisitRules } from '../../tracks/visitRules.js';

/** A fix with what the unit reported; -1 (ignition: 255) if unknown. */
export interface Sighted extends TimedPosition {
  readonly speedKph: number;
  readonly ignition: number;
  readonly mileageMeters: number;
  readonly mileageDeltaMeters: number;
}

/** The next fix (`null`: none yet), and why the time up to it is unseen (`null`: it was seen). */
export interface Next {
  readonly fix: Sighted | null;
  readonly blind: BlindReason | null;
}

/** The rules by which a step hides the unit. */
export interface HoleRules {
  readonly visitRules: VisitRules;
  readonly holeMs: number;
}

/** `seen`: the way is known. `sleep`: the unit stood still for long. `hole`: the unit could have been elsewhere. */
export type StepKind = 'seen' | 'sleep' | 'hole';

/** `isBlind`: the position between the fixes is not known, however short the step (T10, T11). */
export function stepKind(
  a: Sighted,
  b: Sighted,
  isBlind: boolean,
  { visitRules, holeMs }: HoleRules,
): StepKind {
  if (isBlind) return 'hole';
  const isLong = b.time - a.time > holeMs;
  if (!isLong && !isUnseen(a, b, visitRules)) return 'seen';
  if (!isSleep(a, b, visitRules.parkedMeters)) return 'hole';
  return isLong ? 'sleep' : 'seen';
}

/** Whether the unit stood still between two fixes (T11). */
export function isSleep(a: Sighted, b: Sighted, parkedMeters: number): boolean {
  return grownMeters(a, b) <= parkedMeters && metersOf(a, b, parkedMeters) <= parkedMeters;
}

/** Whether a step is a gap (V12). */
export function isGap(a: TimedPosition, b: TimedPosition, rules: VisitRules): boolean {
  return isGapStep(b.time - a.time, a.lon, b.lon, rules.maxGapMs, SEEN);
}

/** Whether the way between two fixes is unknown: a gap, or a step too long to cross a zone. */
function isUnseen(a: TimedPosition, b: TimedPosition, rules: VisitRules): boolean {
  if (isGap(a, b, rules)) return true;
  const { maxCrossedMeters } = rules;
  return farthest(a, b) >= maxCrossedMeters && metersOf(a, b, maxCrossedMeters) >= maxCrossedMeters;
}

/** Metres of the step from a to b that lie between two times: straight in lon/lat, linear in time. */
export function metersBetween(a: TimedPosition, b: TimedPosition, from: number, to: number): number {
  const [start, end] = [Math.max(from, a.time), Math.min(to, b.time)];
  if (start >= end) return 0;
  const [lonA, latA] = straightPositionAt(a, b, start);
  const [lonB, latB] = straightPositionAt(a, b, end);
  return edgeLength(lonA, latA, lonB, latB);
}

/** The longitude is not wrapped. */
function straightPositionAt(a: TimedPosition, b: TimedPosition, time: number): [number, number] {
  if (time === b.time) return [b.lon, b.lat];
  const fraction = (time - a.time) / (b.time - a.time);
  return [a.lon + fraction * lonStep(a.lon, b.lon), a.lat + fraction * (b.lat - a.lat)];
}

/** Whether two places are at most `meters` apart. */
export function isNear(a: TimedPosition, b: TimedPosition, meters: number): boolean {
  return (a.lon === b.lon && a.lat === b.lat) || metersOf(a, b, meters) <= meters;
}

/** Metres of the step for a comparison with `limit`, as in `findVisits`. */
function metersOf(a: TimedPosition, b: TimedPosition, limit: number): number {
  return decidedDistance(a.lon, a.lat, b.lon, b.lat, limit);
}

/** Upper bound: the way along meridian and equator. */
function farthest(a: TimedPosition, b: TimedPosition): number {
  return wayBound(b.lat - a.lat, lonStep(a.lon, b.lon));
}

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
