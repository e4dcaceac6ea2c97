/**
 * Finds where a unit stood, whatever the zones: the stays of docs/guide/movement.md, by the machine that finds parkings and stops. A rest
 * of `serviceSeconds` must be at a smaller place than a rest of two minutes. So a crawl through a queue is no rest.
 */

import { firstWhere } from '../../core/numbers.js';
import { QuietWindow } from '../../tracks/stays/quietWindow.js';
import { StayMachine } from '../../tracks/stays/stayMachine.js';
import { placeRadius, type StaySink } from '../../tracks/stays/stayRules.js';
import {
  addFix,
  addLast,
  type FixRing,
  LAT,
  LON,
  markLast,
  noRing,
  noStayState,
  rowOf,
  type StayState,
  TIME,
  WITNESS,
  witnessOf,
} from '../../tracks/stays/stayState.js';
import type { TimeRange } from './holes.js';
import type { Sighted } from './stepKind.js';

/** The definition of a rest. */
export interface RestRules {
  /** The least duration; 0: none is looked for. */
  readonly serviceMs: number;
  /** Greatest distance between two fixes of a sleep, or of a rest with the ignition off, metres. */
  readonly parkedMeters: number;
}

/** The rests by search, each list in order of time and without overlaps: from the first fix at a place to the last one. */
type RestLists = readonly (readonly TimeRange[])[];

export interface Rests {
  readonly seen: RestLists;
  /** Spans in which slow fixes scatter as widely as noise, so that the unit may have rested. */
  readonly possible: RestLists;
}

export const NO_RESTS: Rests = { seen: [], possible: [] };

/** A slower way is a rest, km/h. */
const REST_KPH = 3;
/** Greatest size of a place of rest with the ignition on, and of a place of slow fixes that may be noise, metres. */
const PLACE_METERS = 50;
/** How long a rest at a place of that size takes at least: a crawl at `REST_KPH` leaves it in this time. */
const WIDE_MS = 120_000;
/** Number of the last rests that are looked at again, because the searches end at different times. */
const LOOKED_BACK = 3;
/** Number of time slots in the least duration of a rest. The first fix of each slot counts. */
const SLOTS = 10;
/** A step of any length may be a sleep, as holes end the search before. */
const NO_GAP_MS = Number.MAX_SAFE_INTEGER;
/** Numbers of an entry that a search reads. */
const COLUMNS = [TIME, LON, LAT, WITNESS] as const;

const NO_SINK: StaySink = {
  takesWays: false,
  isWaiting: true,
  start() {},
  step() {},
  begin() {},
  end() {},
  close() {},
};

/** The state of a search, as plain data. */
export interface SearchState {
  readonly rests: readonly TimeRange[];
  /** The window of fixes since the last hole; `null` before the first fix. */
  readonly way: {
    readonly state: StayState;
    /** The entries that are held, then the last fix: `COLUMNS` of each, times since the one before. */
    readonly entries: readonly number[];
    readonly newest: number;
    readonly slot: number;
    readonly isWaiting: boolean;
    /** The entry at which the last rest began; -1 without one. */
    readonly origin: number;
  } | null;
}

/** The last rest of each search; `null` without one. */
export type RestMarks = readonly (TimeRange | null)[];

export class RestFinder {
  readonly #searches: readonly RestSearch[];
  /** Number of the searches for seen rests, which come first. */
  readonly #seen: number;
  #last: Sighted | null = null;
  /** The last two fixes. */
  readonly #fixes: LastFixes = noFixes();

  constructor(searches: readonly RestSearch[]) {
    this.#searches = searches;
    this.#seen = searches.filter(({ of }) => of !== 'slow').length;
  }

  get rests(): Rests {
    const lists = this.#searches.map(({ rests }) => rests);
    return { seen: lists.slice(0, this.#seen), possible: lists.slice(this.#seen) };
  }

  /** When the earliest of the rests under way began; `null` without one. */
  get since(): number | null {
    let since: number | null = null;
    for (const { current } of this.#searches)
      if (current !== null && (since === null || current[0] < since)) since = current[0];
    return since;
  }

  /** Takes the next fix. `isApart`: where the unit was since the last one is not known. Returns whether a rest is new, or goes on after a while. */
  to(fix: Sighted, isApart: boolean): boolean {
    if (isApart) this.close();
    setFix(this.#fixes, 0, this.#last ?? fix);
    setFix(this.#fixes, 1, fix);
    this.#last = fix;
    let isNews = false;
    for (const search of this.#searches) if (search.to(this.#fixes, fix.ignition)) isNews = true;
    return isNews;
  }

  /** Ends what is under way at the last fix. */
  close(): void {
    this.#last = null;
    for (const search of this.#searches) search.close();
  }

  /** Drops the last rests that ended, where they do not matter or another search has a rest that contains them. */
  keep(matters: (rest: TimeRange) => boolean): void {
    this.#searches.forEach((search, i) => {
      // A possible rest shows less than a seen one.
      const others = this.#searches.filter((_, k) => k !== i && (k < this.#seen || i >= this.#seen));
      search.keep((rest) => matters(rest) && !others.some((other) => other.contains(rest)));
    });
  }

  marks(): RestMarks {
    return this.#searches.map(({ rests }) => rests.at(-1) ?? null);
  }

  /** Takes back the fixes since some marks. Where the unit was after them is not known. */
  back(marks: RestMarks): void {
    this.close();
    this.#searches.forEach((search, i) => {
      search.back(marks[i]!);
    });
  }

  copy(): RestFinder {
    const fork = new RestFinder(this.#searches.map((search) => search.copy()));
    fork.#last = this.#last;
    return fork;
  }

  state(): SearchState[] {
    return this.#searches.map((search) => search.plain());
  }

  resume(states: readonly SearchState[], last: Sighted | null): void {
    this.#last = last;
    this.#searches.forEach((search, i) => {
      search.resume(states[i]!);
    });
  }
}

export function newRestFinder({ serviceMs, parkedMeters }: RestRules): RestFinder {
  if (serviceMs === 0) return new RestFinder([]);
  const near = placeRadius(REST_KPH, serviceMs, PLACE_METERS);
  const window = new QuietWindow();
  const search = (dwellMs: number, radiusMeters: number, of: FixKind): RestSearch =>
    new RestSearch(machineOf(dwellMs, radiusMeters, parkedMeters, window), of);
  const searches = [search(serviceMs, near, 'any')];
  if (serviceMs < WIDE_MS) searches.push(search(WIDE_MS, PLACE_METERS, 'any'));
  if (parkedMeters > near) searches.push(search(serviceMs, parkedMeters, 'off'));
  if (PLACE_METERS > near) searches.push(search(serviceMs, PLACE_METERS, 'slow'));
  return new RestFinder(searches);
}

function machineOf(
  dwellMs: number,
  radiusMeters: number,
  sleepMeters: number,
  window: QuietWindow,
): StayMachine {
  const rules = {
    dwellMs,
    radiusMeters,
    leaveMeters: 2 * radiusMeters,
    minSpeedKph: REST_KPH,
    needsIgnition: false,
    sleepMeters,
    maxGapMs: NO_GAP_MS,
    endsBySilence: false,
  };
  return new StayMachine(rules, NO_SINK, window);
}

/**
 * The fixes that a search accepts; any other fix ends the rest under way. `any`: all fixes; `slow`: fixes without a speed of motion; `off`: slow
 * fixes with the ignition off, as its wire may be broken.
 */
type FixKind = 'any' | 'slow' | 'off';

/** One search: rests of a least duration at places of one size. */
class RestSearch {
  rests: TimeRange[] = [];
  readonly #machine: StayMachine;
  readonly #slotMs: number;
  readonly of: FixKind;
  #state: StayState = noStayState();
  #ring: FixRing = noRing();
  #origin = -1;

  /** Copies share the machine, which remembers nothing. */
  constructor(machine: StayMachine, of: FixKind) {
    this.#machine = machine;
    this.of = of;
    this.#slotMs = machine.rules.dwellMs / SLOTS;
  }

  copy(): RestSearch {
    const fork = new RestSearch(this.#machine, this.of);
    fork.resume(this.plain());
    return fork;
  }

  to(fixes: LastFixes, ignition: number): boolean {
    if (!this.#counts(fixes.speedKph[1]!, ignition)) {
      this.close();
      return false;
    }
    const [state, ring, machine] = [this.#state, this.#ring, this.#machine];
    const wasOut = state.isStay && state.isOut;
    const isFirst = !state.isUnderWay;
    const isLong = !isFirst && fixes.time[1]! - fixes.time[0]! >= machine.longMs;
    if (isLong && markLast(ring)) machine.marked(state, ring);
    const { last } = ring;
    last[TIME] = fixes.time[1]!;
    last[LON] = fixes.lon[1]!;
    last[LAT] = fixes.lat[1]!;
    last[WITNESS] = witnessOf(fixes.speedKph[1]!, ignition, REST_KPH, false);
    machine.attach(ring, fixes);
    machine.next(state, 1, addFix(ring, this.#slotMs, isLong || isFirst));
    const isNew = this.#note();
    // A rest begins with its window, and where it began is known then: nothing before is needed.
    const held = state.isStay ? state.last : Math.min(state.first, ring.newest);
    machine.settle(state, ring, held);
    state.oldest = ring.oldest = held;
    return isNew || (wasOut && !state.isOut);
  }

  #counts(speedKph: number, ignition: number): boolean {
    return this.of === 'any' || (speedKph <= REST_KPH && (this.of === 'slow' || ignition === 0));
  }

  /** The rest under way. */
  get current(): TimeRange | null {
    return this.#state.isStay ? this.rests.at(-1)! : null;
  }

  close(): void {
    if (!this.#state.isUnderWay) return;
    this.#state = noStayState();
    this.#ring = noRing();
    this.#origin = -1;
  }

  keep(isKept: (rest: TimeRange) => boolean): void {
    const { rests } = this;
    const ended = this.#ended;
    this.rests = rests.filter((rest, i) => i < ended - LOOKED_BACK || i >= ended || isKept(rest));
  }

  /** Whether a rest that ended contains another. */
  contains([from, to]: TimeRange): boolean {
    const { rests } = this;
    const i = firstWhere(0, this.#ended, (k) => rests[k]![1] >= to);
    return i < this.#ended && rests[i]![0] <= from;
  }

  /** Number of rests that ended. */
  get #ended(): number {
    return this.rests.length - (this.#state.isStay ? 1 : 0);
  }

  back(mark: TimeRange | null): void {
    const since = mark?.[0] ?? Number.NEGATIVE_INFINITY;
    this.rests = this.rests.filter(([from]) => from <= since);
    if (mark !== null && this.rests.at(-1)?.[0] === mark[0]) this.rests[this.rests.length - 1] = mark;
  }

  plain(): SearchState {
    const rests = [...this.rests];
    if (!this.#state.isUnderWay) return { rests, way: null };
    const { oldest, newest, slot, isWaiting, last, recent } = this.#ring;
    const entries: number[] = [];
    let before = 0;
    for (let entry = oldest; entry <= newest + 1; entry++) {
      const [numbers, at] = entry > newest ? [last, 0] : [recent, rowOf(this.#ring, entry)];
      for (const column of COLUMNS) entries.push(numbers[at + column]! - (column === TIME ? before : 0));
      before = numbers[at + TIME]!;
    }
    return {
      rests,
      way: { state: { ...this.#state }, entries, newest, slot, isWaiting, origin: this.#origin },
    };
  }

  resume({ rests, way }: SearchState): void {
    this.rests = [...rests];
    if (way === null) return;
    const { state, entries, newest, slot, isWaiting, origin } = way;
    const ring = noRing();
    const held = entries.length / COLUMNS.length - 1;
    Object.assign(ring, { slot, isWaiting, oldest: newest - held + 1, newest: newest - held });
    let time = 0;
    for (let k = 0; k <= held; k++) {
      COLUMNS.forEach((column, i) => {
        ring.last[column] = entries[k * COLUMNS.length + i]!;
      });
      time += ring.last[TIME]!;
      ring.last[TIME] = time;
      if (k < held) addLast(ring);
    }
    ring.isWaiting = isWaiting;
    this.#ring = ring;
    this.#state = { ...state };
    this.#origin = origin;
  }

  /** Notes the rest under way. Returns whether it is new. */
  #note(): boolean {
    const { isStay, origin, last } = this.#state;
    if (!isStay) return false;
    const { rests } = this;
    const to = this.#timeOf(last);
    if (origin !== this.#origin) {
      this.#origin = origin;
      rests.push([this.#timeOf(origin), to]);
      return true;
    }
    const rest = rests.at(-1)!;
    if (rest[1] !== to) rests[rests.length - 1] = [rest[0], to];
    return false;
  }

  #timeOf(entry: number): number {
    return this.#ring.recent[rowOf(this.#ring, entry) + TIME]!;
  }
}

/** Columns of two fixes. */
type LastFixes = Record<
  'time' | 'lon' | 'lat' | 'speedKph' | 'mileageMeters' | 'mileageDeltaMeters',
  Float64Array
> & {
  readonly ignition: null;
};

function noFixes(): LastFixes {
  const two = (): Float64Array => new Float64Array(2);
  return {
    time: two(),
    lon: two(),
    lat: two(),
    speedKph: two(),
    ignition: null,
    mileageMeters: two(),
    mileageDeltaMeters: two(),
  };
}

/** Sets one of two fixes, with its place to the centimetre: snapshots hold it. */
function setFix(fixes: LastFixes, i: number, fix: Sighted): void {
  fixes.time[i] = fix.time;
  fixes.lon[i] = rounded(fix.lon);
  fixes.lat[i] = rounded(fix.lat);
  fixes.speedKph[i] = fix.speedKph;
  fixes.mileageMeters[i] = fix.mileageMeters;
  fixes.mileageDeltaMeters[i] = fix.mileageDeltaMeters;
}

/** Degrees to 1e-7, a centimetre. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** Whether a unit rested for so long within spans of time that follow each other. */
export function hasRest(rests: RestLists, spans: readonly TimeRange[], milliseconds: number): boolean {
  return rests.some((list) => {
    let [resting, sum] = [-1, 0];
    for (const [from, to] of spans) {
      for (
        let i = firstWhere(0, list.length, (k) => list[k]![1] > from);
        i < list.length && list[i]![0] < to;
        i++
      ) {
        const own = Math.min(list[i]![1], to) - Math.max(list[i]![0], from);
        sum = i === resting ? sum + own : own;
        resting = i;
        if (sum >= milliseconds) return true;
      }
    }
    return false;
  });
}
