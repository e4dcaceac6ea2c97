/** Follows one zone from fix to fix: whether the unit could have stood in it unseen (T22), and whether an exit was drift (T18). */

import type { TimedPosition } from '../../core/fix.js';
import { isNear, metersBetween, type Sighted } from './stepKind.js';

/** The definition of a stop. */
export interface StopRules {
  readonly serviceMs: number;
  readonly parkedMeters: number;
  readonly reachSpeedKph: number;
}

/** A fix at a greater speed, km/h, moves (T18, T22). */
const SLOW_KPH = 3;
/** A unit that reports a lower speed stands, at any place, km/h (T18). */
const STANDING_KPH = 1;

/**
 * How an exit was drift (T18): every fix outside was near the last one in the zone, or some were farther away with a speed of about 0, which is
 * evidence only of a unit that reports its speed.
 */
export type Drift = 'near' | 'standing';

/** The evidence of a visit's fixes, as plain data. */
export interface Evidence {
  /** Whether a long step at a fix in the zone leaves time for a stop. */
  readonly mayStop: boolean;
  /** How the exit before this visit was drift; `null` if it was not. */
  readonly drift: Drift | null;
}

/** The step to a fix, and its kind. */
export interface Step {
  readonly from: Sighted;
  readonly kind: 'seen' | 'sleep' | 'hole';
}

/** The state of a watch, as plain data. */
export interface WatchState {
  /** Entry of the visit; `null` while the unit is away. */
  enter: number | null;
  mayStop: boolean;
  drift: Drift | null;
  /** Last fix in the zone, of this visit or of an earlier visit that it continues by drift; `null` before the first fix. */
  lastInside: TimedPosition | null;
  /** How the fixes since are drift, if the unit comes back; `null` if they are not. */
  away: Drift | null;
  /** The crossing outward. */
  exit: number | null;
  /** Way of the unit up to the crossing. */
  exitMeters: number;
  /** Way of the unit up to the last fix in the zone. */
  insideMeters: number;
}

export class ZoneWatch {
  readonly #rules: StopRules;
  readonly #state: WatchState;

  constructor(rules: StopRules, state: WatchState = AWAY) {
    this.#rules = rules;
    this.#state = { ...state };
  }

  fork(): ZoneWatch {
    return new ZoneWatch(this.#rules, this.#state);
  }

  get state(): Readonly<WatchState> {
    return this.#state;
  }

  /** Whether the watch of a zone in which the unit is not can still matter. */
  get matters(): boolean {
    const { away, enter } = this.#state;
    return enter !== null || away !== null;
  }

  /**
   * Begins a visit. `isInHole`: whether the unit may have been elsewhere since. `meters`: the way of the unit up to the entry, which counts until a
   * fix in the zone; absent: the last known way counts.
   */
  begin(enter: number, isInHole: boolean, meters?: number): void {
    const state = this.#state;
    state.insideMeters = meters ?? state.insideMeters;
    state.drift = isInHole ? null : state.away;
    state.enter = enter;
    state.mayStop = false;
    // A jump over the zone does not end a drift.
    if (state.drift === null) state.lastInside = null;
    state.away = state.drift;
    state.exit = null;
  }

  /** Notes an outward crossing, and the way of the unit up to it. */
  leave(time: number, meters: number): void {
    this.#state.exit = time;
    this.#state.exitMeters = meters;
  }

  /** Ends the visit. `step`: the one on which the unit left, if that is the last one. */
  end(fix: Sighted, step: Step | null): Evidence {
    const state = this.#state;
    if (step !== null) state.mayStop ||= this.#hasSpare(fix, step, false);
    state.enter = null;
    return { mayStop: state.mayStop, drift: state.drift };
  }

  /** Ends the visit at a time at which another unit takes over. `last`: the last fix of this one. */
  handOver(at: number, last: Sighted): Evidence {
    const state = this.#state;
    const isThere = state.lastInside?.time === last.time;
    if (isThere && !reportsMotion(last) && at - last.time >= this.#rules.serviceMs) state.mayStop = true;
    const { mayStop, drift } = state;
    return { mayStop, drift };
  }

  /** Notes that a unit whose first fix is in the zone took over before it. */
  takeOver(at: number, fix: Sighted): void {
    if (!reportsMotion(fix) && fix.time - at >= this.#rules.serviceMs) this.#state.mayStop = true;
  }

  /** Forgets the visit before: what follows it is another presence. */
  standApart(): void {
    const state = this.#state;
    state.drift = null;
    if (state.enter === null) state.away = null;
  }

  /** The evidence while the visit is open. */
  evidence(): Evidence {
    const { mayStop, drift } = this.#state;
    return { mayStop, drift };
  }

  /**
   * Notes the next fix. `step` is null for the first one; `isElsewhere`: the fix is in another zone of the trip. Returns whether what bears on a
   * report has changed.
   */
  to(fix: Sighted, step: Step | null, isInside: boolean, isElsewhere: boolean, meters: number): boolean {
    const { mayStop } = this.#state;
    this.#note(fix, step, isInside, isElsewhere, meters);
    return this.#state.mayStop !== mayStop;
  }

  #note(fix: Sighted, step: Step | null, isInside: boolean, isElsewhere: boolean, meters: number): void {
    const state = this.#state;
    if (step === null || step.kind === 'hole') state.away = null;
    else if (state.enter !== null) state.mayStop ||= this.#hasSpare(fix, step, isInside);
    if (!isInside) {
      if (state.away !== null) state.away = this.#awayAt(fix, isElsewhere);
      return;
    }
    state.lastInside = { time: fix.time, lon: fix.lon, lat: fix.lat };
    state.insideMeters = meters;
    state.away = 'near';
    state.exit = null;
  }

  /** How the fixes outside the zone are drift, with one more. */
  #awayAt(fix: Sighted, isElsewhere: boolean): Drift | null {
    const { away, lastInside } = this.#state;
    if (reportsMotion(fix)) return null;
    if (isNear(lastInside!, fix, this.#rules.parkedMeters)) return away;
    return !isElsewhere && fix.speedKph >= 0 && fix.speedKph < STANDING_KPH ? 'standing' : null;
  }

  /** Whether a step at a slow fix in the zone leaves time for a stop (T22). */
  #hasSpare(fix: Sighted, { from, kind }: Step, isInside: boolean): boolean {
    const { serviceMs, reachSpeedKph } = this.#rules;
    if (kind === 'hole' || fix.time - from.time < serviceMs) return false;
    const wasInside = this.#state.lastInside?.time === from.time;
    const isSlow = (wasInside && !reportsMotion(from)) || (isInside && !reportsMotion(fix));
    if (!isSlow) return false;
    const meters = metersBetween(from, fix, from.time, fix.time);
    return fix.time - from.time - (meters * 3600) / reachSpeedKph >= serviceMs;
  }
}

/** Whether a fix reports a speed at which the unit moves (T18, T22). */
export function reportsMotion({ speedKph }: Sighted): boolean {
  return speedKph > SLOW_KPH;
}

const AWAY: WatchState = {
  enter: null,
  mayStop: false,
  drift: null,
  lastInside: null,
  away: null,
  exit: null,
  exitMeters: 0,
  insideMeters: 0,
};
