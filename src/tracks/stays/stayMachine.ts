/**
 * Stays of one unit, fix by fix: rests are runs of positions within a small extent for long enough (Li et al., "Mining user similarity based on
 * location history", ACM GIS 2008, with medians for centres). Speeds and ignition only move the bounds of a stay, by at most `BOUND_MS`.
 *
 * A stay begins with a quiet window or a sleep, and goes on while fixes return to its place. Nothing decided is taken back. A fix on a drive or at
 * a place costs O(1): a window is examined only when its ends are near each other, and then once for each slot of time.
 */

import { KPH_PER_METER_PER_MS } from '../fixReader.js';
import { QuietWindow } from './quietWindow.js';
import { Ruler } from './ruler.js';
import { LAT, LON, pushEntry, rowOf, type StayState, TIME, type Totals, WITNESS } from './stayState.js';

export interface StayRules {
  /** The least duration of a stay. */
  readonly dwellMs: number;
  /** Of a place. */
  readonly radiusMeters: number;
  /** A fix so far away may leave a place at once. */
  readonly leaveMeters: number;
  /** The speed at which time is no rest. */
  readonly minSpeedKph: number;
  /** The longest way over a sleep. */
  readonly sleepMeters: number;
  /** The longest step. A longer one without a sleep ends the stay or the way. */
  readonly maxGapMs: number;
  /** Whether silence of `maxGapMs` ends what is under way: a sleep after it begins at the last fix. */
  readonly endsBySilence: boolean;
}

/** The next fix and the step to it. One object serves all. */
export interface StayFix {
  time: number;
  lon: number;
  lat: number;
  /** 1 it rests, -1 it moves, 0 it says nothing. */
  witness: number;
  /** As reported; -1 if unknown. */
  speedKph: number;
  /** Speed of the step on a way, and in a stay; -1 if unknown. */
  wayKph: number;
  stayKph: number;
  /** Metres by which a mileage grew; 0 if unknown. */
  grownMeters: number;
  /** 1 if the step to it is a jump. */
  cut: number;
}

/** Receives the decisions in order of time. `row` is the first number of an entry of `recent`. */
export interface StaySink {
  /** The first fix, also after a gap. */
  start(recent: readonly number[], row: number): void;
  /** The steps to an entry belong to the stay under way, or else to the way. */
  step(recent: readonly number[], row: number): void;
  /** A stay began at the entry whose steps came last. */
  begin(recent: readonly number[], row: number, centreLon: number, centreLat: number): void;
  /** The stay ended at the entry whose steps came last. */
  end(recent: readonly number[], row: number): void;
  /** No fix can join those before: a gap follows, or the track ends. The last entry is that of the last fix. `isOpen`: since the last stay no fix was known to have left it. */
  close(recent: readonly number[], row: number, isOpen: boolean): void;
}

/** A witness moves a bound of a stay by at most so long. */
const BOUND_MS = 60_000;
/** And by at most this share of the dwell. */
const BOUND_SHARE = 5;
/** A way out: a fix on the way is within this share of the distance, and the way over it is at most so much longer. */
const WAY_OUT_SHARE = 2 / 3;
const WAY_OUT_DETOUR = 1.2;
/** So many entries of an excursion are examined for one on the way out. */
const WAY_OUT_ENTRIES = 16;
/** Reported speeds explain an excursion if time × speed is so much of its way. */
const EXPLAINED = [0.8, 1.6] as const;
/** No mileage grows faster. */
const MAX_KPH = 300;
/** Looks at windows in a dwell. */
const TURNS = 10;
/** Slots of a dwell, and the least one. */
const SLOTS = 60;
const MIN_SLOT_MS = 2000;
/** Entries beyond which the oldest is decided, whatever follows: as jumps may make entries within a slot. */
const MAX_ENTRIES = 1000;

export class StayMachine {
  readonly rules: StayRules;
  /** Milliseconds of a step that may be a sleep or a gap. */
  readonly longMs: number;
  /** Whether the stay that ended last was left for sure, by a way out or a round. */
  leftAtOnce: boolean = false;
  readonly #sink: StaySink;
  readonly #ruler: Ruler;
  readonly #window: QuietWindow;
  readonly #slotMs: number;
  /** A window that was not quiet is looked at again after so long. */
  readonly #turnMs: number;
  readonly #boundMs: number;
  readonly #radiusSquared: number;
  readonly #endsSquared: number;

  /** Machines that are used in turns may share the scratch numbers of a window. */
  constructor(rules: StayRules, sink: StaySink, window: QuietWindow = new QuietWindow()) {
    this.#window = window;
    this.#ruler = new Ruler();
    this.rules = rules;
    this.#sink = sink;
    this.longMs = Math.min(rules.dwellMs, rules.maxGapMs + 1);
    this.#slotMs = Math.max(rules.dwellMs / SLOTS, MIN_SLOT_MS);
    this.#turnMs = rules.dwellMs / TURNS;
    this.#boundMs = Math.min(BOUND_MS, rules.dwellMs / BOUND_SHARE);
    this.#radiusSquared = rules.radiusMeters ** 2;
    this.#endsSquared = 4 * this.#radiusSquared;
  }

  /** Makes the last fix an entry: to be called before a step that is a jump, or takes `longMs`, is added to the totals. */
  mark(state: StayState, totals: Totals): void {
    if (!state.isWaiting) return;
    const { time, lon, lat, witness, wayKph, stayKph } = state;
    pushEntry(state, time, lon, lat, witness, 0, wayKph, stayKph, totals);
    state.isWaiting = false;
    state.wayKph = state.stayKph = -1;
    // It is at the place, or outside, as its fix was.
    if (state.isStay && !state.isOut) state.last = state.newest;
  }

  next(state: StayState, fix: StayFix, totals: Totals): void {
    if (state.hasFix) {
      const milliseconds = fix.time - state.time;
      if (milliseconds < this.longMs || !this.#onLongStep(state, fix, milliseconds, totals)) {
        if (state.isStay) this.#inStay(state, fix, totals);
        else if (this.#add(state, fix, totals)) this.#look(state, fix.time);
      }
    } else if (state.isSilent) this.#afterSilence(state, fix, totals);
    else this.#start(state, fix, totals);
    this.#keep(state, fix);
  }

  /** Whether a fix at a position is at the place of the stay under way. */
  isAtPlace(state: StayState, lon: number, lat: number): boolean {
    return this.#isAt(state, lon, lat);
  }

  #keep(state: StayState, fix: StayFix): void {
    state.time = fix.time;
    state.lon = fix.lon;
    state.lat = fix.lat;
    state.witness = fix.witness;
    state.speedKph = fix.speedKph;
  }

  /** The end of the track, or a gap. The next fix begins anew. */
  close(state: StayState, totals: Totals): void {
    if (!state.hasFix) return;
    this.mark(state, totals);
    const isOpen = state.isStay && state.isOut;
    if (isOpen) this.#leave(state, false);
    const { newest } = state;
    if (state.isStay) {
      state.last = newest;
      this.#tellAtEnd(state, newest);
      this.#give(state, newest);
      this.#sink.end(state.recent, rowOf(state, newest));
    }
    this.#give(state, newest);
    this.#sink.close(state.recent, rowOf(state, newest), isOpen);
    this.drop(state);
  }

  /** Forgets all fixes. The next one begins anew. */
  drop(state: StayState): void {
    state.next = state.oldest = state.newest + 1;
    state.hasFix = state.isSilent = state.isWaiting = false;
    state.isStay = state.isTold = state.isOut = false;
  }

  #start(state: StayState, fix: StayFix, totals: Totals): void {
    this.#open(state, fix, totals);
    this.#sink.start(state.recent, rowOf(state, state.newest));
  }

  /** The first entry of a track, or after it was closed. */
  #open(
    state: StayState,
    { time, lon, lat, witness }: Pick<StayFix, 'time' | 'lon' | 'lat' | 'witness'>,
    totals: Totals,
  ): void {
    pushEntry(state, time, lon, lat, witness, 0, -1, -1, totals);
    state.slot = Math.floor(time / this.#slotMs);
    state.isWaiting = false;
    state.wayKph = state.stayKph = -1;
    state.since = state.first = state.next;
    state.next++;
    state.hasFix = true;
  }

  /** The first fix after silence closed the track: the unit slept, or the track begins anew. */
  #afterSilence(state: StayState, fix: StayFix, totals: Totals): void {
    const isSleep = state.isSilent && this.#isSleep(state, fix);
    state.isSilent = false;
    if (!isSleep) {
      this.#start(state, fix, totals);
      return;
    }
    this.#open(state, state, totals);
    this.#beginSleep(state, fix, totals);
  }

  /** A step that takes a dwell, or more than the longest gap. Returns false if it is read as any other. */
  #onLongStep(state: StayState, fix: StayFix, milliseconds: number, totals: Totals): boolean {
    const isSleep = this.#isSleep(state, fix);
    const isGap = milliseconds > this.rules.maxGapMs;
    if (state.isStay && isSleep) {
      if (!state.isOut) {
        this.#sleepAtPlace(state, fix, totals);
        return true;
      }
      // The fixes outside were noise, or the unit sleeps elsewhere.
      if (this.#isAt(state, fix.lon, fix.lat)) return false;
      this.#leave(state, false);
    }
    if (!isSleep && !isGap) return false;
    if (isGap && (!isSleep || this.rules.endsBySilence)) {
      this.close(state, totals);
      state.isSilent = true;
      this.#afterSilence(state, fix, totals);
      return true;
    }
    this.#beginSleep(state, fix, totals);
    return true;
  }

  /** Whether a long step leaves a dwell after its way at the least speed. */
  #isSleep(state: StayState, fix: StayFix): boolean {
    const { dwellMs, radiusMeters, minSpeedKph, sleepMeters } = this.rules;
    const milliseconds = fix.time - state.time;
    let way = this.#ruler.meters(state.lon, state.lat, fix.lon, fix.lat);
    if (way <= radiusMeters / 2) way = 0;
    if (fix.grownMeters > way && fix.grownMeters * KPH_PER_METER_PER_MS <= MAX_KPH * milliseconds)
      way = fix.grownMeters;
    if (way > sleepMeters) return false;
    return way === 0 || milliseconds - (way * KPH_PER_METER_PER_MS) / minSpeedKph >= dwellMs;
  }

  /** A sleep from the last fix, which is the newest entry. */
  #beginSleep(state: StayState, fix: StayFix, totals: Totals): void {
    state.centreLon = state.lon;
    state.centreLat = state.lat;
    this.#setBegin(state, state.newest);
    this.#sleepAtPlace(state, fix, totals);
  }

  #sleepAtPlace(state: StayState, fix: StayFix, totals: Totals): void {
    this.#enter(state, fix, totals);
    state.last = state.newest;
    this.#tellAtEnd(state, state.last);
    if (!this.#isAt(state, fix.lon, fix.lat)) {
      state.centreLon = fix.lon;
      state.centreLat = fix.lat;
    }
    this.#forget(state, fix.time - this.rules.dwellMs, state.last);
  }

  /** Examines the window that ends at the newest entry. */
  #look(state: StayState, time: number): void {
    const { recent, newest } = state;
    const { dwellMs } = this.rules;
    const latest = time - dwellMs;
    let { first } = state;
    while (first < newest && recent[rowOf(state, first + 1) + TIME]! <= latest) first++;
    state.first = first;
    const row = rowOf(state, first);
    if (first > newest || recent[row + TIME]! > latest) return;
    const end = rowOf(state, newest);
    const apart = this.#ruler.squared(
      recent[row + LON]!,
      recent[row + LAT]!,
      recent[end + LON]!,
      recent[end + LAT]!,
    );
    if (apart <= this.#endsSquared && this.#isQuiet(state, first, newest, time)) {
      state.centreLon = this.#window.centreLon;
      state.centreLat = this.#window.centreLat;
      this.#setBegin(state, state.first);
      state.last = newest;
      this.#tellOnceLong(state);
      return;
    }
    this.#forget(state, latest - dwellMs, state.first);
  }

  #isQuiet(state: StayState, first: number, newest: number, time: number): boolean {
    const turn = Math.floor(time / this.#turnMs);
    if (turn === state.turn) return false;
    if (this.#window.isQuiet(state, first, newest, this.rules.radiusMeters, this.#ruler)) return true;
    state.turn = turn;
    return false;
  }

  /** A stay at the centre begins: how far back, and at which entry. `first` is known to be at the place. */
  #setBegin(state: StayState, first: number): void {
    const { recent } = state;
    const least = this.#timeOf(state, first) - this.rules.dwellMs;
    const oldest = Math.max(state.since, state.next - 1, state.oldest);
    state.origin = first;
    for (let i = first - 1, inside = 0; i >= oldest && this.#timeOf(state, i) >= least; i--) {
      if (!this.#isEntryAt(state, i, this.#radiusSquared)) continue;
      inside++;
      const outside = first - i - inside;
      // Two thirds are at the place, or all but a spike.
      if (2 * outside <= inside || outside <= 1) state.origin = i;
    }
    const latest = this.#timeOf(state, state.origin) + this.#boundMs;
    const { newest } = state;
    let near = -1;
    state.begin = -1;
    for (let i = state.origin; i <= newest && this.#timeOf(state, i) <= latest; i++) {
      if (!this.#isEntryAt(state, i, this.#radiusSquared)) continue;
      if (recent[rowOf(state, i) + WITNESS]! > 0) {
        state.begin = i;
        break;
      }
      if (near < 0 && this.#isEntryAt(state, i, this.#radiusSquared / 4)) near = i;
    }
    if (state.begin < 0) state.begin = near < 0 ? state.origin : near;
    state.beginTime = this.#timeOf(state, state.begin);
    state.isStay = true;
    state.isTold = false;
    state.isOut = false;
  }

  #inStay(state: StayState, fix: StayFix, totals: Totals): void {
    const squared = this.#ruler.squared(state.centreLon, state.centreLat, fix.lon, fix.lat);
    if (squared > this.#radiusSquared) {
      this.#outside(state, fix, squared, totals);
      return;
    }
    if (state.isOut) {
      this.#addExcursion(state, fix, 0);
      if (this.#isExplained(state)) {
        this.#add(state, fix, totals);
        this.#leave(state, true);
        this.#lookAfter(state, fix.time);
        return;
      }
      state.isOut = false;
    }
    if (!this.#add(state, fix, totals)) return;
    state.last = state.newest;
    this.#tellOnceLong(state);
    if (state.isTold) this.#forget(state, fix.time - this.rules.dwellMs, state.last);
  }

  /** A fix outside the place. */
  #outside(state: StayState, fix: StayFix, squared: number, totals: Totals): void {
    if (!state.isOut) {
      state.isOut = true;
      state.outTime = fix.time;
      state.out = state.newest + 1;
      state.outMeters = state.outBySpeed = state.outFarthest = 0;
      state.outRests = true;
    }
    this.#addExcursion(state, fix, squared);
    if (fix.witness <= 0) state.outRests = false;
    this.#add(state, fix, totals);
    const isOver = fix.time - state.outTime >= this.rules.dwellMs || state.newest - state.out > MAX_ENTRIES;
    const isSure = this.#isOnWayOut(state, fix, squared);
    if (!isOver && !isSure) return;
    this.#leave(state, isSure);
    this.#lookAfter(state, fix.time);
  }

  #lookAfter(state: StayState, time: number): void {
    if (state.first <= state.newest) this.#look(state, time);
  }

  #addExcursion(state: StayState, fix: StayFix, squared: number): void {
    state.outMeters += this.#ruler.meters(state.lon, state.lat, fix.lon, fix.lat);
    if (state.speedKph < 0 || fix.speedKph < 0) state.outBySpeed = -1;
    else if (state.outBySpeed >= 0)
      state.outBySpeed +=
        (((state.speedKph + fix.speedKph) / 2) * (fix.time - state.time)) / KPH_PER_METER_PER_MS;
    if (squared > state.outFarthest) state.outFarthest = squared;
  }

  /** Whether the reported speeds explain an excursion that returned. */
  #isExplained({ outMeters, outBySpeed, outFarthest }: StayState): boolean {
    if (outFarthest < this.rules.leaveMeters ** 2) return false;
    return outBySpeed >= EXPLAINED[0] * outMeters && outBySpeed <= EXPLAINED[1] * outMeters;
  }

  /** Whether an excursion leads away: over one of its fixes, in a line. */
  #isOnWayOut(state: StayState, fix: StayFix, squared: number): boolean {
    if (state.outRests || squared < this.rules.leaveMeters ** 2) return false;
    const { recent, centreLon, centreLat } = state;
    const farthest = squared * WAY_OUT_SHARE ** 2;
    const longest = WAY_OUT_DETOUR * Math.sqrt(squared);
    const { newest } = state;
    for (let i = newest; i >= state.out && i > newest - WAY_OUT_ENTRIES; i--) {
      const row = rowOf(state, i);
      const [lon, lat] = [recent[row + LON]!, recent[row + LAT]!];
      const out = this.#ruler.squared(centreLon, centreLat, lon, lat);
      if (out > farthest) continue;
      if (Math.sqrt(out) + this.#ruler.meters(lon, lat, fix.lon, fix.lat) <= longest) return true;
    }
    return false;
  }

  /** Ends the stay at its last fix, as the fixes since the excursion began are elsewhere. */
  #leave(state: StayState, isSure: boolean): void {
    this.leftAtOnce = isSure;
    const end = this.#endOf(state);
    this.#tellAtEnd(state, end);
    this.#give(state, end);
    this.#sink.end(state.recent, rowOf(state, end));
    state.isStay = false;
    state.isTold = false;
    state.isOut = false;
    state.since = state.first = state.out;
  }

  /** The entry at which a stay that was left ended. */
  #endOf(state: StayState): number {
    const { recent, last } = state;
    const lastTime = this.#timeOf(state, last);
    let from = last;
    while (
      from > Math.max(state.origin, state.oldest) &&
      this.#timeOf(state, from - 1) >= lastTime - this.rules.dwellMs
    )
      from--;
    let final = last;
    while (final > from && !this.#isEntryAt(state, final, this.#radiusSquared)) final--;
    if (!this.#isEntryAt(state, final, this.#radiusSquared)) return last;
    const earliest = this.#timeOf(state, final) - this.#boundMs;
    let near = -1;
    for (let i = final; i >= from && this.#timeOf(state, i) >= earliest; i--) {
      if (!this.#isEntryAt(state, i, this.#radiusSquared)) continue;
      if (recent[rowOf(state, i) + WITNESS]! > 0) return this.#longEnough(state, i);
      if (near < 0 && this.#isEntryAt(state, i, this.#radiusSquared / 4)) near = i;
    }
    return this.#longEnough(state, near < 0 ? final : near);
  }

  #longEnough(state: StayState, end: number): number {
    return this.#timeOf(state, end) - state.beginTime >= this.rules.dwellMs ? end : state.last;
  }

  #tellOnceLong(state: StayState): void {
    if (state.isTold || this.#timeOf(state, state.last) - state.beginTime < this.rules.dwellMs) return;
    this.#tell(state);
  }

  /** Tells a stay that lasts to an entry: if that would be too short, it begins at its first fix. */
  #tellAtEnd(state: StayState, end: number): void {
    if (state.isTold) return;
    if (this.#timeOf(state, end) - state.beginTime < this.rules.dwellMs) state.begin = state.origin;
    this.#tell(state);
  }

  #tell(state: StayState): void {
    state.isTold = true;
    this.#give(state, state.begin);
    this.#sink.begin(state.recent, rowOf(state, state.begin), state.centreLon, state.centreLat);
  }

  /** Gives the sink the steps up to an entry. */
  #give(state: StayState, to: number): void {
    for (; state.next <= to; state.next++) this.#sink.step(state.recent, rowOf(state, state.next));
  }

  /** Gives and drops the entries before a time, but none from `kept` on. */
  #forget(state: StayState, time: number, kept: number): void {
    const { recent } = state;
    while (state.next < kept && recent[rowOf(state, state.next) + TIME]! < time)
      this.#give(state, state.next);
    // The last one that was given is still held.
    while (
      state.oldest < kept &&
      state.oldest < state.next - 1 &&
      recent[rowOf(state, state.oldest) + TIME]! < time
    )
      state.oldest++;
  }

  /** Adds a fix to its slot. Returns whether it is an entry: the first of its slot, or after a jump. */
  #add(state: StayState, fix: StayFix, totals: Totals): boolean {
    const slot = Math.floor(fix.time / this.#slotMs);
    if (slot !== state.slot || fix.cut === 1) {
      this.#enter(state, fix, totals);
      state.slot = slot;
      return true;
    }
    if (fix.wayKph > state.wayKph) state.wayKph = fix.wayKph;
    if (fix.stayKph > state.stayKph) state.stayKph = fix.stayKph;
    state.isWaiting = true;
    return false;
  }

  #enter(state: StayState, fix: StayFix, totals: Totals): void {
    const wayKph = Math.max(fix.wayKph, state.wayKph);
    const stayKph = Math.max(fix.stayKph, state.stayKph);
    pushEntry(state, fix.time, fix.lon, fix.lat, fix.witness, fix.cut, wayKph, stayKph, totals);
    state.isWaiting = false;
    state.wayKph = state.stayKph = -1;
  }

  #timeOf(state: StayState, entry: number): number {
    return state.recent[rowOf(state, entry) + TIME]!;
  }

  #isAt({ centreLon, centreLat }: StayState, lon: number, lat: number): boolean {
    return this.#ruler.squared(centreLon, centreLat, lon, lat) <= this.#radiusSquared;
  }

  #isEntryAt(state: StayState, entry: number, squared: number): boolean {
    const row = rowOf(state, entry);
    const { recent, centreLon, centreLat } = state;
    return this.#ruler.squared(centreLon, centreLat, recent[row + LON]!, recent[row + LAT]!) <= squared;
  }
}
