/** Follows one zone from fix to fix: whether the unit stood in it (T20 to T22), and whether an exit was drift (T18). */

import type { TimedPosition } from '../../core/fix.js';
import { isNear, metersBetween, type Sighted } from './stepKind.js';

/** The definition of a stop. */
export interface StopRules {
  readonly serviceMs: number;
  readonly parkedMeters: number;
  readonly reachSpeedKph: number;
}

/** A unit stands while its fixes are within so many metres of the first one (T20). */
const STOP_METERS = 50;
/** A fix at a greater speed, km/h, moves if its neighbour does (T21). */
const SLOW_KPH = 3;
/** A lone fix at a greater speed, km/h, moves (T21). */
const FAST_KPH = 10;

/** A unit stands that reports less, km/h, at whatever place (T18). */
const STANDING_KPH = 1;

/**
 * How an exit was drift (T18): every fix outside was near the last one in the zone, or some were farther away with a speed of about 0, which is
 * evidence only of a unit that reports its speed.
 */
export type Drift = 'near' | 'standing';

/** What the fixes of a visit show, as plain data. */
export interface Evidence {
  /** Latest start of a run of fixes that shows a stop and ends in the visit; it may begin in an earlier visit. `null`: no stop. */
  readonly seenFrom: number | null;
  /** Whether a long step at a fix in the zone leaves time for a stop. */
  readonly mayStop: boolean;
  /** How the exit before this visit was drift; `null` if it was not. */
  readonly drift: Drift | null;
}

/** What is known about the step to a fix. */
export interface Step {
  readonly from: Sighted;
  readonly kind: 'seen' | 'sleep' | 'hole';
}

/** The state of a watch, as plain data. */
export interface WatchState {
  /** Entry of the visit; `null` while the unit is away. */
  enter: number | null;
  /** Fixes in the zone that the unit has not left since, and after which it has not moved. */
  still: readonly TimedPosition[];
  /** The same with the ignition off since. */
  off: readonly TimedPosition[];
  seenFrom: number | null;
  /** A run of fixes that shows a stop unless the next fix shows that the unit moves. */
  maybeFrom: number | null;
  mayStop: boolean;
  drift: Drift | null;
  /** Last fix in the zone, of this visit or one that it continues by drift; `null` before the first one. */
  lastInside: TimedPosition | null;
  /** How the fixes since are drift, if the unit comes back; `null` if they are not. */
  away: Drift | null;
  /** The crossing outward, and the start of a run that ends with it. */
  exit: number | null;
  exitFrom: number | null;
  /** Way of the unit up to the crossing. */
  exitMeters: number;
  /** Way of the unit up to the last fix in the zone. */
  insideMeters: number;
}

const NO_PLACES: readonly TimedPosition[] = [];

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
    const { still, off, away, enter } = this.#state;
    return enter !== null || away !== null || still.length > 0 || off.length > 0;
  }

  /**
   * Begins a visit. `place`: where the zone was entered, if seen (T35). `isInHole`: whether the unit may have been elsewhere since. `meters`: the
   * way of the unit up to the entry, which counts until a fix in the zone; absent: the last known way counts.
   */
  begin(enter: number, place: TimedPosition | null, isInHole: boolean, meters?: number): void {
    const state = this.#state;
    state.insideMeters = meters ?? state.insideMeters;
    state.drift = isInHole ? null : state.away;
    state.enter = enter;
    state.seenFrom = null;
    state.maybeFrom = null;
    state.mayStop = false;
    // A jump over the zone does not end a drift.
    if (state.drift === null) state.lastInside = null;
    state.away = state.drift;
    state.exit = null;
    state.exitFrom = null;
    if (place !== null) state.still = [...state.still, place];
  }

  /** Notes an outward crossing on the step to a fix; `exit` is null if the crossing was not seen. */
  leave(exit: TimedPosition | null, time: number, meters: number, fix: Sighted, step: Step): void {
    const state = this.#state;
    const hasMoved = step.kind !== 'hole' && this.#isMoving(step.from) && this.#isMoving(fix);
    const still = hasMoved ? state.still.filter(({ time }) => time > step.from.time) : state.still;
    state.exit = time;
    state.exitFrom = exit && this.#runTo(exit, still, STOP_METERS);
    state.exitMeters = meters;
  }

  /** Ends the visit. `exit`: when the unit left, as in `leave`; `step`: the one on which it left, if that is the last one. */
  end(exit: number, fix: Sighted, step: Step | null): Evidence {
    const state = this.#state;
    if (step !== null) {
      this.#settle(fix, step);
      state.mayStop ||= this.#hasSpare(fix, step, false);
    }
    const isSeen = state.exit === exit && state.exitFrom !== null;
    const seenFrom = isSeen ? Math.max(state.exitFrom!, state.seenFrom ?? state.exitFrom!) : state.seenFrom;
    const evidence = { seenFrom, mayStop: state.mayStop, drift: state.drift };
    state.enter = null;
    state.seenFrom = null;
    return evidence;
  }

  /** Ends the visit at a time at which another unit takes over. `last`: the last fix of this one. */
  handOver(at: number, last: Sighted): Evidence {
    const state = this.#state;
    // No later fix of the unit shows that it moved already.
    if (state.maybeFrom !== null) this.#see(state.maybeFrom);
    const isThere = state.lastInside?.time === last.time;
    if (isThere && !this.#isMoving(last) && at - last.time >= this.#rules.serviceMs) state.mayStop = true;
    const { seenFrom, mayStop, drift } = state;
    return { seenFrom, mayStop, drift };
  }

  /** Notes that a unit whose first fix is in the zone took over before it. */
  takeOver(at: number, fix: Sighted): void {
    if (!this.#isMoving(fix) && fix.time - at >= this.#rules.serviceMs) this.#state.mayStop = true;
  }

  /** Forgets the visit before: what follows it is another presence. */
  standApart(): void {
    const state = this.#state;
    state.drift = null;
    if (state.enter === null) state.away = null;
  }

  /** What is known while the visit is open. */
  evidence(): Evidence {
    const { seenFrom, maybeFrom, mayStop, drift } = this.#state;
    const from = maybeFrom === null ? seenFrom : Math.max(maybeFrom, seenFrom ?? maybeFrom);
    return { seenFrom: from, mayStop, drift };
  }

  /**
   * Notes the next fix. `step` is null for the first one; `isElsewhere`: the fix is in another zone of the trip. Returns whether what bears on a
   * report has changed.
   */
  to(fix: Sighted, step: Step | null, isInside: boolean, isElsewhere: boolean, meters: number): boolean {
    const { seenFrom, maybeFrom, mayStop } = this.#state;
    this.#note(fix, step, isInside, isElsewhere, meters);
    const state = this.#state;
    return state.seenFrom !== seenFrom || state.maybeFrom !== maybeFrom || state.mayStop !== mayStop;
  }

  #note(fix: Sighted, step: Step | null, isInside: boolean, isElsewhere: boolean, meters: number): void {
    const state = this.#state;
    const { parkedMeters, serviceMs } = this.#rules;
    if (step !== null) this.#settle(fix, step);
    if (step !== null && step.kind !== 'hole') {
      const wasInside = state.lastInside?.time === step.from.time;
      if (step.kind === 'sleep' && wasInside && isInside && fix.time - step.from.time >= serviceMs)
        this.#see(step.from.time);
      if (state.enter !== null) state.mayStop ||= this.#hasSpare(fix, step, isInside);
    } else {
      state.still = NO_PLACES;
      state.off = NO_PLACES;
      state.away = null;
    }
    // A stop that was seen needs no more evidence.
    const isDone = state.enter !== null && state.seenFrom !== null && state.seenFrom >= state.enter;
    const isFast = this.#isFast(fix) || (step?.kind !== 'hole' && this.#isBothMoving(step, fix));
    state.still = isDone || isFast ? NO_PLACES : near(state.still, fix, STOP_METERS);
    state.off = isDone || fix.ignition !== 0 ? NO_PLACES : near(state.off, fix, parkedMeters);
    if (!isInside) {
      if (state.away !== null) state.away = this.#awayAt(fix, isElsewhere);
      return;
    }
    state.lastInside = { time: fix.time, lon: fix.lon, lat: fix.lat };
    state.insideMeters = meters;
    state.away = 'near';
    state.exit = null;
    state.exitFrom = null;
    if (isDone) return;
    const ofOff = this.#runTo(fix, state.off, parkedMeters);
    if (ofOff !== null) this.#see(ofOff);
    const ofStill = this.#runTo(fix, state.still, STOP_METERS);
    if (ofStill !== null && !this.#isMoving(fix)) this.#see(ofStill);
    // The next fix may show that the unit moves already.
    state.maybeFrom = ofStill !== null && this.#isMoving(fix) ? ofStill : null;
    const { time, lon, lat } = fix;
    if (!isFast) state.still = withPlace(state.still, { time, lon, lat }, state.enter);
    if (fix.ignition === 0) state.off = withPlace(state.off, { time, lon, lat }, state.enter);
  }

  /** How the fixes outside the zone are drift, with one more. */
  #awayAt(fix: Sighted, isElsewhere: boolean): Drift | null {
    const { away, lastInside } = this.#state;
    if (this.#isMoving(fix)) return null;
    if (isNear(lastInside!, fix, this.#rules.parkedMeters)) return away;
    return !isElsewhere && fix.speedKph >= 0 && fix.speedKph < STANDING_KPH ? 'standing' : null;
  }

  /** Decides, by the fix after it, whether the last fix was one at which the unit moved (T21). */
  #settle(fix: Sighted, step: Step): void {
    const state = this.#state;
    if (state.maybeFrom !== null && !(step.kind !== 'hole' && this.#isMoving(fix)))
      this.#see(state.maybeFrom);
    state.maybeFrom = null;
  }

  #see(from: number): void {
    this.#state.seenFrom = Math.max(from, this.#state.seenFrom ?? from);
  }

  /** Latest start of a run of at least `serviceSeconds` to a place. */
  #runTo(place: TimedPosition, anchors: readonly TimedPosition[], meters: number): number | null {
    for (let i = anchors.length - 1; i >= 0; i--) {
      const anchor = anchors[i]!;
      if (place.time - anchor.time >= this.#rules.serviceMs && isNear(anchor, place, meters))
        return anchor.time;
    }
    return null;
  }

  #isFast({ speedKph }: Sighted): boolean {
    return speedKph > FAST_KPH;
  }

  #isMoving(fix: Sighted): boolean {
    return reportsMotion(fix);
  }

  #isBothMoving(step: Step | null | undefined, fix: Sighted): boolean {
    return step !== null && step !== undefined && this.#isMoving(fix) && this.#isMoving(step.from);
  }

  /** Whether a step at a slow fix in the zone leaves time for a stop (T22). */
  #hasSpare(fix: Sighted, { from, kind }: Step, isInside: boolean): boolean {
    const { serviceMs, reachSpeedKph } = this.#rules;
    if (kind === 'hole' || fix.time - from.time < serviceMs) return false;
    const wasInside = this.#state.lastInside?.time === from.time;
    const isSlow = (wasInside && !this.#isMoving(from)) || (isInside && !this.#isMoving(fix));
    if (!isSlow) return false;
    const meters = metersBetween(from, fix, from.time, fix.time);
    return fix.time - from.time - (meters * 3600) / reachSpeedKph >= serviceMs;
  }
}

/** Whether a fix reports a speed at which the unit moves (T18, T21). */
export function reportsMotion({ speedKph }: Sighted): boolean {
  return speedKph > SLOW_KPH;
}

const AWAY: WatchState = {
  enter: null,
  still: NO_PLACES,
  off: NO_PLACES,
  seenFrom: null,
  maybeFrom: null,
  mayStop: false,
  drift: null,
  lastInside: null,
  away: null,
  exit: null,
  exitFrom: null,
  exitMeters: 0,
  insideMeters: 0,
};

/** The places within some metres of another; the same list if all are. */
function near(
  places: readonly TimedPosition[],
  place: TimedPosition,
  meters: number,
): readonly TimedPosition[] {
  return places.every((own) => isNear(own, place, meters))
    ? places
    : places.filter((own) => isNear(own, place, meters));
}

/** Adds a place, unless one of the same visit is at the same position: a run from that one is longer. */
function withPlace(
  places: readonly TimedPosition[],
  place: TimedPosition,
  enter: number | null,
): readonly TimedPosition[] {
  const isKnown = places.some(
    ({ time, lon, lat }) => lon === place.lon && lat === place.lat && time >= (enter ?? time),
  );
  return isKnown ? places : [...places, place];
}
