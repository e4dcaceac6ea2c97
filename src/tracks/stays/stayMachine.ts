/**
 * Stays of one unit, fix by fix: rests are runs of positions within a small extent for long enough (Li et al., "Mining user similarity based on
 * location history", ACM GIS 2008, with medians for centres). Speeds and ignition only move the bounds of a stay, by at most `BOUND_MS`.
 *
 * A stay begins with a quiet window or a sleep, and goes on while fixes return to its place. Nothing decided is taken back. A fix on a drive or at
 * a place costs O(1): a window is examined only when its ends are near each other, and then once for each slot of time.
 */

import { UNKNOWN, UNKNOWN_IGNITION } from '../fixReader.js';
import { QuietWindow } from './quietWindow.js';
import { Ruler } from './ruler.js';
import {
  addExcursion,
  endOf,
  isExplained,
  isOnWayOut,
  isSleep,
  LEAST_METERS_PER_LAT,
  lastPlace,
  type StayBounds,
  setBegin,
} from './stayBounds.js';
import type { FixColumns, StayRules, StaySink } from './stayRules.js';
import {
  type FixRing,
  LAT,
  LON,
  noRing,
  rowOf,
  type StayState,
  TIME,
  WIDTH,
  WITNESS,
  witnessOf,
} from './stayState.js';

/** A witness moves a bound of a stay by at most so long. */
const BOUND_MS = 60_000;
/** And by at most this share of the dwell. */
const BOUND_SHARE = 5;
/** Entries are given and dropped once in so many, or as soon as the sink waits for them. */
const SELDOM = 8;
/** Looks at windows in a dwell. */
const TURNS = 10;
/** Largest number of undecided entries. Beyond it the oldest entry is decided at once, because jumps may make entries within a slot. */
const MAX_ENTRIES = 1000;

const NONE = new Float64Array(0);
const NO_FIXES: FixColumns = {
  time: NONE,
  lon: NONE,
  lat: NONE,
  speedKph: null,
  ignition: null,
  mileageMeters: null,
  mileageDeltaMeters: null,
};

export class StayMachine {
  readonly rules: StayRules;
  /** Milliseconds of a step that may be a sleep or a gap. */
  readonly longMs: number;
  readonly #sink: StaySink;
  readonly #ruler = new Ruler();
  readonly #window: QuietWindow;
  /** A window that was not quiet is looked at again after so long. */
  readonly #turnMs: number;
  readonly #bounds: StayBounds;
  readonly #radiusSquared: number;
  /** The ends of a quiet window are no farther apart. */
  readonly #endsMeters: number;
  readonly #endsSquared: number;
  /** That of the unit whose fixes are read. */
  #ring: FixRing = noRing();
  #fixes: FixColumns = NO_FIXES;

  /** Machines that are used in turns may share the scratch numbers of a window. */
  constructor(rules: StayRules, sink: StaySink, window: QuietWindow = new QuietWindow()) {
    this.#window = window;
    this.rules = rules;
    this.#sink = sink;
    this.longMs = Math.min(rules.dwellMs, rules.maxGapMs + 1);
    this.#turnMs = rules.dwellMs / TURNS;
    this.#radiusSquared = rules.radiusMeters ** 2;
    this.#bounds = {
      dwellMs: rules.dwellMs,
      boundMs: Math.min(BOUND_MS, rules.dwellMs / BOUND_SHARE),
      radiusSquared: this.#radiusSquared,
    };
    this.#endsMeters = 2 * rules.radiusMeters;
    this.#endsSquared = 4 * this.#radiusSquared;
  }

  /** To be called when the last fix became an entry after all. */
  marked(state: StayState, ring: FixRing): void {
    // It is at the place, or outside, as its fix was.
    if (state.isStay && !state.isOut) state.last = ring.newest;
  }

  /** Sets the unit and the fixes of which `next` and `goOn` take one. */
  attach(ring: FixRing, fixes: FixColumns): void {
    this.#ring = ring;
    this.#fixes = fixes;
  }

  /** Takes fix `i`, the next one of the unit. `isEntry`: it is the newest entry. A fix after a jump or a step of `longMs` must be one, and the fix before it. */
  next(state: StayState, i: number, isEntry: boolean): void {
    if (!isEntry && state.isUnderWay) {
      if (state.isStay) this.#inStay(state, i, false);
      return;
    }
    if (!state.isUnderWay) {
      if (state.isSilent) this.#afterSilence(state, i);
      else this.#start(state);
      return;
    }
    const { time } = this.#fixes;
    if (i === 0 || time[i]! - time[i - 1]! < this.longMs || !this.#onLongStep(state, i)) {
      if (state.isStay) this.#inStay(state, i, true);
      else this.#look(state, i);
    }
    if (this.#ring.newest % SELDOM === 0 || (!state.isStay && this.#sink.isWaiting)) this.#tidy(state);
  }

  /** Begins in the stay of another search, or after it, and takes fix `i`. A sink without a stay ignores its end. */
  goOn(state: StayState, other: StayState, i: number, isEntry: boolean): void {
    // After a gap the other search has no entry before the last fix.
    this.#open(state, Math.max(other.last, other.oldest));
    if (other.last < other.oldest) return;
    state.isStay = state.isTold = true;
    state.centreLon = other.centreLon;
    state.centreLat = other.centreLat;
    state.begin = state.origin = state.last = other.last;
    state.beginTime = this.#timeOf(other.last);
    this.next(state, i, isEntry);
  }

  /** The end of the track, or a gap after an entry. The next fix begins anew. */
  close(state: StayState, ring: FixRing, to: number = ring.newest): void {
    this.#ring = ring;
    if (!state.isUnderWay) return;
    const isOpen = state.isStay && state.isOut;
    if (isOpen) this.#leave(state);
    if (state.isStay) {
      state.last = to;
      this.#tellAtEnd(state, to);
      this.#give(state, to);
      this.#sink.end(ring.recent, rowOf(ring, to), state.centreLon, state.centreLat);
    }
    this.#give(state, to);
    this.#sink.close(ring.recent, rowOf(ring, to), isOpen);
    state.oldest = to;
    state.next = to + 1;
    state.isUnderWay = state.isSilent = state.isStay = state.isTold = state.isOut = false;
  }

  /** No fix came for longer than the longest step: the stay or way under way ends at the last fix. A sleep after it may still begin there. */
  silence(state: StayState, ring: FixRing, to: number = ring.newest): void {
    this.#ring = ring;
    if (!state.isUnderWay) return;
    if (!state.isStay) {
      this.close(state, ring, to);
      state.isSilent = true;
    } else if (!state.isOut && !state.isTold) this.#tellAtEnd(state, state.last);
  }

  /** Gives the sink the steps up to an entry of a way. No stay can begin before it. */
  settle(state: StayState, ring: FixRing, entry: number): void {
    this.#ring = ring;
    this.#give(state, entry);
    state.since = Math.max(state.since, entry);
    state.first = Math.max(state.first, entry);
  }

  #start(state: StayState): void {
    const { newest, recent } = this.#ring;
    this.#open(state, newest);
    this.#sink.start(recent, rowOf(this.#ring, newest));
  }

  /** The first entry of a track, or after it was closed. */
  #open(state: StayState, entry: number): void {
    state.since = state.first = state.oldest = entry;
    state.next = entry + 1;
    state.isUnderWay = true;
    state.isSilent = state.isStay = state.isTold = state.isOut = false;
  }

  /** The first fix after silence closed the track: the unit slept, or the track begins anew. */
  #afterSilence(state: StayState, i: number): void {
    if (!isSleep(this.#fixes, i, this.rules, this.#ruler)) {
      this.#start(state);
      return;
    }
    this.#open(state, this.#ring.newest - 1);
    this.#beginSleep(state, i);
  }

  /** A step that takes a dwell, or more than the longest gap. Returns false if it is read as any other. */
  #onLongStep(state: StayState, i: number): boolean {
    const milliseconds = this.#fixes.time[i]! - this.#fixes.time[i - 1]!;
    const isAsleep = isSleep(this.#fixes, i, this.rules, this.#ruler);
    const isGap = milliseconds > this.rules.maxGapMs;
    const { endsBySilence } = this.rules;
    const before = this.#ring.newest - 1;
    if (isGap && endsBySilence && state.isStay) this.silence(state, this.#ring, before);
    if (state.isStay && isAsleep) {
      if (!state.isOut) {
        this.#sleepAtPlace(state, i);
        return true;
      }
      // The fixes outside were noise, or the unit sleeps elsewhere.
      if (this.#isAt(state, this.#fixes.lon[i]!, this.#fixes.lat[i]!)) return false;
      this.#leave(state);
    }
    if (!isAsleep && !isGap) return false;
    if (isGap && (!isAsleep || endsBySilence)) {
      this.close(state, this.#ring, before);
      this.#afterSilence(state, i);
      return true;
    }
    this.#beginSleep(state, i);
    return true;
  }

  /** A sleep from the last fix, which is the entry before the newest. */
  #beginSleep(state: StayState, i: number): void {
    state.centreLon = this.#fixes.lon[i - 1]!;
    state.centreLat = this.#fixes.lat[i - 1]!;
    this.#beginAt(state, this.#ring.newest - 1);
    // It drove on before it fell silent, and slept where it rests now.
    const { recent, newest } = this.#ring;
    const isArriving =
      recent[rowOf(this.#ring, newest - 1) + WITNESS]! < 0 &&
      recent[rowOf(this.#ring, newest) + WITNESS]! > 0;
    if (isArriving && !this.#isAt(state, this.#fixes.lon[i]!, this.#fixes.lat[i]!)) this.#moveTo(state, i);
    this.#sleepAtPlace(state, i);
  }

  #moveTo(state: StayState, i: number): void {
    state.centreLon = this.#fixes.lon[i]!;
    state.centreLat = this.#fixes.lat[i]!;
  }

  #sleepAtPlace(state: StayState, i: number): void {
    state.last = this.#ring.newest;
    this.#tellAtEnd(state, state.last);
    if (!this.#isAt(state, this.#fixes.lon[i]!, this.#fixes.lat[i]!)) this.#moveTo(state, i);
    this.#tidy(state);
  }

  /** Examines the window that ends at the newest entry, which is fix `i`, or was before it. */
  #look(state: StayState, i: number): void {
    const { recent, newest, mask } = this.#ring;
    const time = this.#fixes.time[i]!;
    const latest = time - this.rules.dwellMs;
    let { first } = state;
    let row = (first & mask) * WIDTH;
    for (let next = row; first < newest; first++, row = next) {
      next = ((first + 1) & mask) * WIDTH;
      if (recent[next + TIME]! > latest) break;
    }
    state.first = first;
    if (first > newest || recent[row + TIME]! > latest) return;
    if (this.#areEndsNear(row, (newest & mask) * WIDTH) && this.#isQuiet(state, first, newest, i)) {
      state.centreLon = this.#window.centreLon;
      state.centreLat = this.#window.centreLat;
      this.#beginAt(state, state.first);
      state.last = newest;
      this.#tellOnceLong(state);
    }
  }

  /** The cheap test of a window: on a drive no distance is needed. */
  #areEndsNear(from: number, to: number): boolean {
    const { recent } = this.#ring;
    const step = (recent[to + LAT]! - recent[from + LAT]!) * LEAST_METERS_PER_LAT;
    if (step > this.#endsMeters || step < -this.#endsMeters) return false;
    const apart = this.#ruler.squared(
      recent[from + LON]!,
      recent[from + LAT]!,
      recent[to + LON]!,
      recent[to + LAT]!,
    );
    return apart <= this.#endsSquared;
  }

  #isQuiet(state: StayState, first: number, newest: number, i: number): boolean {
    const turn = Math.floor(this.#fixes.time[i]! / this.#turnMs);
    if (turn === state.turn) return false;
    if (this.#window.isQuiet(this.#ring, first, newest, this.rules.radiusMeters, this.#ruler)) return true;
    state.turn = turn;
    return false;
  }

  /** A stay at the centre begins. `first` is known to be at the place. */
  #beginAt(state: StayState, first: number): void {
    setBegin(state, this.#ring, first, this.#bounds, this.#ruler);
    state.isStay = true;
    state.isTold = false;
    state.isOut = false;
  }

  #inStay(state: StayState, i: number, isEntry: boolean): void {
    const squared = this.#ruler.squared(
      state.centreLon,
      state.centreLat,
      this.#fixes.lon[i]!,
      this.#fixes.lat[i]!,
    );
    if (squared > this.#radiusSquared) {
      this.#outside(state, i, squared, isEntry);
      return;
    }
    if (state.isOut) {
      addExcursion(state, this.#fixes, i, 0, this.#ruler);
      if (isExplained(state, this.rules.leaveMeters)) {
        this.#leave(state);
        this.#lookAfter(state, i);
        return;
      }
      state.isOut = false;
    }
    if (!isEntry) return;
    state.last = this.#ring.newest;
    this.#tellOnceLong(state);
  }

  /** A fix outside the place. */
  #outside(state: StayState, i: number, squared: number, isEntry: boolean): void {
    const { newest } = this.#ring;
    if (!state.isOut) {
      state.isOut = true;
      state.outTime = this.#fixes.time[i]!;
      state.out = isEntry ? newest : newest + 1;
      state.outMeters = state.outBySpeed = state.outFarthest = 0;
      state.outRests = true;
    }
    addExcursion(state, this.#fixes, i, squared, this.#ruler);
    if (state.outRests && this.#witness(i) <= 0) state.outRests = false;
    const isOver =
      this.#fixes.time[i]! - state.outTime >= this.rules.dwellMs || newest - state.out > MAX_ENTRIES;
    if (!isOver && !this.#isOnWayOut(state, i, squared)) return;
    this.#leave(state);
    this.#lookAfter(state, i);
  }

  #lookAfter(state: StayState, i: number): void {
    if (state.first <= this.#ring.newest) this.#look(state, i);
  }

  #isOnWayOut(state: StayState, i: number, squared: number): boolean {
    if (state.outRests || squared < this.rules.leaveMeters ** 2) return false;
    const { lon, lat } = this.#fixes;
    return isOnWayOut(state, this.#ring, lon[i]!, lat[i]!, squared, this.#ruler);
  }

  /** Ends the stay at its last fix, as the fixes since the excursion began are elsewhere. */
  #leave(state: StayState): void {
    const [lon, lat] = lastPlace(state, this.#ring, this.rules.dwellMs, this.#window, this.#ruler);
    const end = endOf(state, this.#ring, lon, lat, this.#bounds, this.#ruler);
    this.#tellAtEnd(state, end);
    this.#give(state, end);
    this.#sink.end(this.#ring.recent, rowOf(this.#ring, end), lon, lat);
    state.isStay = false;
    state.isTold = false;
    state.isOut = false;
    state.since = state.first = state.out;
  }

  #tellOnceLong(state: StayState): void {
    if (state.isTold || this.#timeOf(state.last) - state.beginTime < this.rules.dwellMs) return;
    this.#tell(state);
  }

  /** Tells a stay that lasts to an entry: if that would be too short, it begins at its first fix. */
  #tellAtEnd(state: StayState, end: number): void {
    if (state.isTold) return;
    if (this.#timeOf(end) - state.beginTime < this.rules.dwellMs) state.begin = state.origin;
    this.#tell(state);
  }

  #tell(state: StayState): void {
    this.#give(state, state.begin);
    state.isTold = true;
    const row = rowOf(this.#ring, state.begin);
    this.#sink.begin(this.#ring.recent, row, state.centreLon, state.centreLat);
  }

  /** Gives the sink the steps up to an entry. */
  #give(state: StayState, to: number): void {
    if (state.isTold || this.#sink.takesWays) {
      const ring = this.#ring;
      for (; state.next <= to; state.next++) this.#sink.step(ring.recent, rowOf(ring, state.next));
    } else if (state.next <= to) state.next = to + 1;
  }

  /** Gives and drops the entries that no stay needs. */
  #tidy(state: StayState): void {
    const { newest } = this.#ring;
    const { dwellMs } = this.rules;
    if (!state.isUnderWay) return;
    // A stay ends by its last dwell at the place. A new one reaches back from its window by a dwell.
    if (!state.isStay) this.#forget(state, this.#timeOf(newest) - 2 * dwellMs, state.first);
    else if (state.isTold) this.#forget(state, this.#timeOf(state.last) - dwellMs, state.last);
    else this.#forget(state, Number.POSITIVE_INFINITY, state.origin);
  }

  /** Gives and drops the entries before a time and an entry. */
  #forget(state: StayState, time: number, kept: number): void {
    const { recent, mask } = this.#ring;
    let entry = state.oldest;
    while (entry < kept && recent[(entry & mask) * WIDTH + TIME]! < time) entry++;
    this.#give(state, entry - 1);
    // The last one that was given is still held.
    state.oldest = Math.max(state.oldest, Math.min(entry, state.next - 1));
  }

  #witness(i: number): number {
    const { speedKph, ignition } = this.#fixes;
    const { minSpeedKph, needsIgnition } = this.rules;
    return witnessOf(speedKph?.[i] ?? UNKNOWN, ignition?.[i] ?? UNKNOWN_IGNITION, minSpeedKph, needsIgnition);
  }

  #timeOf(entry: number): number {
    return this.#ring.recent[(entry & this.#ring.mask) * WIDTH + TIME]!;
  }

  #isAt({ centreLon, centreLat }: StayState, lon: number, lat: number): boolean {
    return this.#ruler.squared(centreLon, centreLat, lon, lat) <= this.#radiusSquared;
  }
}
