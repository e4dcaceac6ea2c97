/**
 * Filter of a unit's fixes, in order of time: the rules V3 to V6 of visits. Batch and streams run this code on the fixes in order
 * of time, one for each time.
 */

import type { BlindReason, TimedPosition } from '../core/fix.js';
import { type BlindCode, FROZEN, JAMMED, SEEN } from './blindStep.js';
import { type FixRules, UNKNOWN } from './fixReader.js';
import { isPlausible } from './isPlausible.js';
import { Suspects } from './suspects.js';

/** Fields of a fix that the rules read; -1 if unknown. */
export interface ReadableFix extends TimedPosition {
  readonly speedKph: number;
  readonly mileageMeters: number;
  readonly mileageDeltaMeters: number;
}

/** The state between two fixes. The last good fix is the last kept fix. */
export interface FixFilter<Fix extends ReadableFix> {
  /** Number of kept fixes. */
  applied: number;
  /** Of the last good fix; meaningless while `applied` is 0. */
  time: number;
  lon: number;
  lat: number;
  speedKph: number;
  mileageMeters: number;
  /** Time of the first of the successive kept fixes with the last good one's lon and lat. */
  placeTime: number;
  /** Number of kept fixes after that first one. */
  repeats: number;
  /** Whether later fixes at the last good one's place are frozen. */
  isFrozen: boolean;
  /** Whether a jam is over since the last good fix. */
  isJammed: boolean;
  /** Whether the last good fix is the first one of the track, or was a suspect after whom no fix came back. */
  isFirst: boolean;
  /** Suspect fixes since the last good fix: implausible, or waiting until a fix returns. */
  suspects: Suspects<Fix> | null;
}

/** Why a fix is not good. */
export type LeftOutReason = (typeof LEFT_OUT)[number];
export const LEFT_OUT = ['speed', 'jammed', 'frozen'] as const;

/** Receives the decisions in order of time. During a call `state` is still the one before it. */
export interface FilterSink<State, Fix> {
  /** A good fix; `blind`: why the step to it is blind. */
  keep(state: State, fix: Fix, blind: BlindCode): void;
  leaveOut(state: State, fix: Fix, reason: LeftOutReason): void;
  /** The last `state.repeats` kept fixes were frozen after all. The good fix before them is the fix at `state.placeTime`. */
  takeBack(state: State): void;
  /** An independent copy of a fix whose object may be used again. */
  copy(fix: Fix): Fix;
}

export function emptyFilter(): FixFilter<never> {
  return {
    applied: 0,
    time: 0,
    lon: 0,
    lat: 0,
    speedKph: UNKNOWN,
    mileageMeters: UNKNOWN,
    placeTime: 0,
    repeats: 0,
    isFrozen: false,
    isJammed: false,
    isFirst: false,
    suspects: null,
  };
}

/** Reads the next fix, which is later than all before it. */
export function filterNext<Fix extends ReadableFix, State extends FixFilter<Fix>>(
  state: State,
  fix: Fix,
  rules: FixRules,
  sink: FilterSink<State, Fix>,
): void {
  if (state.suspects === null) {
    if (state.applied === 0) keep(state, fix, SEEN, true, sink);
    else if (isPlausible(state, fix, rules.maxSpeedKph)) accept(state, fix, rules, sink);
    else suspect(state, fix, rules, sink);
  } else suspect(state, fix, rules, sink);
}

/** Reads the first fix of another unit: earlier fixes do not say whether it is good. */
export function filterFirst<Fix extends ReadableFix, State extends FixFilter<Fix>>(
  state: State,
  fix: Fix,
  sink: FilterSink<State, Fix>,
): void {
  endFilter(state, sink);
  keep(state, fix, SEEN, true, sink);
  state.repeats = 0;
  state.placeTime = fix.time;
}

/** Leaves out the suspects at the end of a track. */
export function endFilter<Fix extends ReadableFix, State extends FixFilter<Fix>>(
  state: State,
  sink: FilterSink<State, Fix>,
): void {
  if (state.suspects !== null) leaveOutFirst(state, state.suspects, state.suspects.size, sink);
  state.suspects = null;
}

/** Blind step after the last good fix, if the track ends here. */
export function blindAfter({
  suspects,
  isJammed,
  isFrozen,
}: Pick<FixFilter<ReadableFix>, 'suspects' | 'isJammed' | 'isFrozen'>): BlindReason | null {
  if (suspects !== null || isJammed) return 'jammed';
  return isFrozen ? 'frozen' : null;
}

/** V4: adds a fix to the suspects, and settles which of them that decides. */
function suspect<Fix extends ReadableFix, State extends FixFilter<Fix>>(
  state: State,
  fix: Fix,
  rules: FixRules,
  sink: FilterSink<State, Fix>,
): void {
  state.suspects ??= new Suspects<Fix>();
  const { suspects } = state;
  suspects.add(sink.copy(fix));
  // Suspects before the new one were compared with the present good fix already.
  let from = suspects.size - 1;
  while (suspects.size > 0) {
    const consistent = state.isFirst ? suspects.firstConsistent(rules) : suspects.size;
    const believed = Math.min(suspects.firstAfter(state.time + rules.maxJamSeconds * 1000), consistent);
    const to = Math.min(believed + 1, suspects.size);
    const back = suspects.firstReturn(state, from, to, rules);
    if (back < to) {
      leaveOutFirst(state, suspects, back, sink);
      const good = suspects.at(0);
      suspects.drop(1);
      state.isJammed ||= back > 1;
      accept(state, good, rules, sink);
    } else if (believed < suspects.size) believeFirst(state, suspects, rules, sink);
    else return;
    from = 0;
  }
  state.suspects = null;
}

/** V4a, V4d. */
function leaveOutFirst<Fix extends ReadableFix, State extends FixFilter<Fix>>(
  state: State,
  suspects: Suspects<Fix>,
  count: number,
  sink: FilterSink<State, Fix>,
): void {
  for (let i = 0; i < count; i++) sink.leaveOut(state, suspects.at(i), count === 1 ? 'speed' : 'jammed');
  suspects.drop(count);
}

/** V4b, V4c: no fix came back, so the first suspect is good, and the others are read anew from it. */
function believeFirst<Fix extends ReadableFix, State extends FixFilter<Fix>>(
  state: State,
  suspects: Suspects<Fix>,
  rules: FixRules,
  sink: FilterSink<State, Fix>,
): void {
  const fix = suspects.at(0);
  suspects.drop(1);
  const { placeTime: time, lon, lat } = state;
  // V5: the receiver repeated the place while the unit was on its way.
  const isExplained = state.repeats > 0 && isPlausible({ time, lon, lat }, fix, rules.maxSpeedKph);
  if (isExplained) {
    sink.takeBack(state);
    state.applied -= state.repeats;
    state.time = time;
    state.repeats = 0;
  }
  keep(state, fix, isExplained && !state.isJammed ? FROZEN : JAMMED, true, sink);
}

/** V5: keeps a fix that is plausible from the last good one, unless it is frozen. */
function accept<Fix extends ReadableFix, State extends FixFilter<Fix>>(
  state: State,
  fix: Fix,
  rules: FixRules,
  sink: FilterSink<State, Fix>,
): void {
  const isThere = fix.lon === state.lon && fix.lat === state.lat;
  if (isThere && (state.isFrozen || isDriving(state, fix, rules))) {
    state.isFrozen = true;
    sink.leaveOut(state, fix, 'frozen');
    return;
  }
  keep(state, fix, state.isJammed ? JAMMED : state.isFrozen ? FROZEN : SEEN, false, sink);
}

/** Whether a unit drives that reports one place twice. */
function isDriving(
  before: FixFilter<ReadableFix>,
  fix: ReadableFix,
  { frozenSpeedKph, parkedMeters }: FixRules,
): boolean {
  // An unknown speed, -1, is less than any limit.
  const isFast = before.speedKph >= frozenSpeedKph && fix.speedKph >= frozenSpeedKph;
  return isFast || grownMeters(before, fix) > parkedMeters;
}

/** The mileage of a fix, -1 if unknown. */
export type MileageBefore = Pick<ReadableFix, 'mileageMeters'>;
/** The same, and its growth since the fix before. */
export type MileageGrown = Pick<ReadableFix, 'mileageMeters' | 'mileageDeltaMeters'>;

/** Metres that a unit drove between two fixes by its mileage; 0 if unknown. */
export function grownMeters(before: MileageBefore, fix: MileageGrown): number {
  if (before.mileageMeters !== UNKNOWN && fix.mileageMeters !== UNKNOWN)
    return fix.mileageMeters - before.mileageMeters;
  return fix.mileageDeltaMeters === UNKNOWN ? 0 : fix.mileageDeltaMeters;
}

function keep<Fix extends ReadableFix, State extends FixFilter<Fix>>(
  state: State,
  fix: Fix,
  blind: BlindCode,
  isFirst: boolean,
  sink: FilterSink<State, Fix>,
): void {
  const isThere = state.applied > 0 && fix.lon === state.lon && fix.lat === state.lat;
  sink.keep(state, fix, blind);
  state.repeats = isThere ? state.repeats + 1 : 0;
  if (!isThere) state.placeTime = fix.time;
  state.applied++;
  state.time = fix.time;
  state.lon = fix.lon;
  state.lat = fix.lat;
  state.speedKph = fix.speedKph;
  state.mileageMeters = fix.mileageMeters;
  state.isFrozen = false;
  state.isJammed = false;
  state.isFirst = isFirst;
}
