/** Opening hours as spans between instants, and visits cut where their zone opens and closes. */

import { DAY_MS, MINUTE_MS } from '../core/durations.js';
import { inputError, isArray } from '../core/errors.js';
import { guarded, MAX_TIME } from '../core/input.js';
import { type LocalClock, makeClock } from '../core/localClock.js';
import { firstWhere } from '../core/numbers.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import { askHours, changesBetween, type HoursOf, type Span, type ZoneHours } from '../core/zoneHours.js';
import {
  FIRST_DAY,
  type HourRules,
  type Hours,
  LAST_DAY,
  type MinuteRange,
  readHours,
  type YearHolidays,
} from './readHours.js';

const SPLIT_OPTIONS: OptionTable<SplitByHoursOptions, 'until'> = { until: OWN };

/** Options of `prepareHours`. */
export interface HoursOptions {
  /** IANA name of the zone of the local times (`Europe/Berlin`, `UTC`). */
  readonly timeZone: string;
  /** The company's holidays. Default: none. */
  readonly holidays?: readonly YearHolidays[] | undefined;
}

const OPTIONS: OptionTable<HoursOptions> = { timeZone: OWN, holidays: OWN };
/** Number of days whose spans are computed and cached together. */
const CHUNK_DAYS = 28;
const CHUNK_MS = CHUNK_DAYS * DAY_MS;
const MAX_CHUNKS = 64;
/** Number of days that a range may reach from its date: its length, the offset from UTC, and a date skipped by the zone. */
const REACH_DAYS = 4;
const WEEK_MINUTES = 10_080;

/**
 * Prepares opening hours for queries by time. The zone is open during `[from, to)` of each span. Rules of dates, ranges and clock changes:
 * docs/rules/hours.md.
 *
 * A date takes its ranges from `dates`, else from `holidayHours` if it is one of `holidays`, else from `weekly`. An unknown field of `hours` is
 * an error, so that a misspelled field does not leave the zone open.
 *
 * Errors: `hours-invalid` with the path (`weekly[0].from`, `holidays[0].days[1]`), `tz-unknown`, `option-type`, `option-unknown`,
 * `input-unreadable`; of the methods `time-range` for a value that is not epoch milliseconds, or `from` after `to`. Cost: O(log n) a query; the
 * first query in a block of 28 days computes the ranges of that block.
 *
 * @example
 * ```ts
 * import { prepareHours } from 'wayzone/hours';
 * const hours = prepareHours(
 *   { weekly: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }], holidayHours: [] },
 *   { timeZone: 'Europe/Berlin', holidays: [{ year: 2026, days: ['01.01'] }] },
 * );
 * hours.isOpen(Date.UTC(2026, 0, 2, 7)); // true
 * hours.nextChange(Date.UTC(2026, 0, 1)) === Date.UTC(2026, 0, 2, 7); // true
 * ```
 */
export function prepareHours(hours: Hours, options: HoursOptions): ZoneHours {
  const { timeZone, holidays } = readOptions(options, OPTIONS);
  return new Schedule(readHours(hours, holidays), makeClock(timeZone));
}

class Schedule implements ZoneHours {
  readonly #rules: HourRules;
  readonly #clock: LocalClock;
  /** Days near which the state may differ from that of an ordinary week, ascending. */
  readonly #turningDays: readonly number[];
  /** Whether a week without special days is always open, or always closed. */
  readonly #isConstant: boolean;
  /** Spans of chunks as `[from, to, …]`, cut at the ends of the chunk. */
  readonly #chunks = new Map<number, readonly number[]>();

  constructor(rules: HourRules, clock: LocalClock) {
    this.#rules = rules;
    this.#clock = clock;
    const days = [...rules.special.keys(), rules.firstDay, rules.lastDay + 1, FIRST_DAY, LAST_DAY + 1];
    this.#turningDays = days.sort((a, b) => a - b);
    this.#isConstant = isConstantWeek(rules.weekly);
  }

  isOpen(time: number): boolean {
    return this.#isOpenAt(readInstant(time, 'time'));
  }

  nextChange(time: number): number | null {
    const instant = readInstant(time, 'time');
    const isOpen = this.#isOpenAt(instant);
    const days = this.#turningDays;
    const end = this.#clock.epochOf((LAST_DAY + 1) * DAY_MS);
    let chunk = Math.floor(instant / CHUNK_MS);
    for (;;) {
      const start = chunk * CHUNK_MS;
      if (start > instant && this.#isOpenAt(start) !== isOpen) return start < end ? start : null;
      const spans = this.#spansOf(chunk);
      const next = spans[firstWhere(0, spans.length, (i) => spans[i]! > Math.max(instant, start))];
      if (next !== undefined && next < start + CHUNK_MS) return next < end ? next : null;
      // Nothing changes in this chunk. Constant chunks are skipped up to the next special day.
      const nextDay = (chunk + 1) * CHUNK_DAYS;
      if (nextDay > LAST_DAY + REACH_DAYS) return null;
      const turning = days[firstWhere(0, days.length, (i) => days[i]! >= nextDay - REACH_DAYS)]!;
      const isSteady = this.#isConstant || nextDay < this.#rules.firstDay || nextDay > this.#rules.lastDay;
      chunk = isSteady ? Math.max(chunk + 1, Math.floor((turning - REACH_DAYS) / CHUNK_DAYS)) : chunk + 1;
    }
  }

  spans(from: number, to: number): Span[] {
    const start = readInstant(from, 'from');
    const end = readInstant(to, 'to');
    if (end < start) throw inputError('time-range', 'to', 'a time at or after from', to);
    const spans: { from: number; to: number }[] = [];
    const first = this.#isOpenAt(start) ? start : this.nextChange(start);
    const last = this.#clock.epochOf((LAST_DAY + 1) * DAY_MS);
    for (let open = first; open !== null && open < end; ) {
      const close = this.nextChange(open) ?? last;
      spans.push({ from: open, to: Math.min(close, end) });
      open = close < end ? this.nextChange(close) : null;
    }
    return spans;
  }

  #isOpenAt(instant: number): boolean {
    const spans = this.#spansOf(Math.floor(instant / CHUNK_MS));
    return firstWhere(0, spans.length, (i) => spans[i]! > instant) % 2 === 1;
  }

  #spansOf(chunk: number): readonly number[] {
    let spans = this.#chunks.get(chunk);
    if (spans === undefined) {
      spans = this.#compute(chunk);
      if (this.#chunks.size >= MAX_CHUNKS) this.#chunks.clear();
      this.#chunks.set(chunk, spans);
    }
    return spans;
  }

  #compute(chunk: number): number[] {
    const { firstDay, lastDay } = this.#rules;
    const [start, end] = [chunk * CHUNK_MS, (chunk + 1) * CHUNK_MS];
    const pairs: [number, number][] = [];
    const until = this.#clock.epochOf((lastDay + 1) * DAY_MS);
    const last = Math.min(lastDay, (chunk + 1) * CHUNK_DAYS + REACH_DAYS);
    for (let day = Math.max(firstDay, chunk * CHUNK_DAYS - REACH_DAYS); day <= last; day++) {
      for (const range of this.#rangesOf(day)) {
        const from = this.#clock.epochOf(day * DAY_MS + range.from * MINUTE_MS);
        const to = Math.min(until, this.#clock.epochOf(day * DAY_MS + range.to * MINUTE_MS));
        if (from < to && from < end && to > start) pairs.push([Math.max(from, start), Math.min(to, end)]);
      }
    }
    pairs.sort((a, b) => a[0] - b[0]);
    const spans: number[] = [];
    for (const [from, to] of pairs) {
      if (spans.length > 0 && from <= spans.at(-1)!) spans[spans.length - 1] = Math.max(spans.at(-1)!, to);
      else spans.push(from, to);
    }
    return spans;
  }

  #rangesOf(day: number): readonly MinuteRange[] {
    // 1970-01-01 was a Thursday.
    return this.#rules.special.get(day) ?? this.#rules.weekly[(((day + 3) % 7) + 7) % 7]!;
  }
}

function isConstantWeek(weekly: HourRules['weekly']): boolean {
  const isOpen = new Uint8Array(WEEK_MINUTES);
  for (const [day, ranges] of weekly.entries()) {
    for (const { from, to } of ranges) {
      for (let minute = from; minute < to; minute++) isOpen[(day * 1440 + minute) % WEEK_MINUTES] = 1;
    }
  }
  return isOpen.every((value) => value === isOpen[0]);
}

/** A time as whole epoch milliseconds. Error: `time-range`. */
function readInstant(value: unknown, field: string): number {
  return guarded(field, () => {
    if (typeof value !== 'number' || !(Math.abs(value) <= MAX_TIME)) {
      throw inputError('time-range', field, 'epoch milliseconds', value);
    }
    return Math.round(value) + 0;
  });
}

/** The fields of a visit that `splitByHours` reads. */
export interface VisitSpan {
  /** Id of the zone. */
  readonly zoneId: string;
  /** Entry, epoch milliseconds. */
  readonly enter: number;
  /** Exit, epoch milliseconds; `null` while the visit is open. */
  readonly exit: number | null;
}

/** A part of a visit during which the zone is open, or closed. */
export interface VisitPart {
  /** Id of the zone. */
  readonly zoneId: string;
  /** Index of the visit in the list. */
  readonly visit: number;
  /** Start, epoch milliseconds. */
  readonly from: number;
  /** End, epoch milliseconds. */
  readonly to: number;
  /** Whether the zone is open in this part. */
  readonly open: boolean;
}

/** Options of `splitByHours`. */
export interface SplitByHoursOptions {
  /** End of open visits, epoch milliseconds. Required if a visit is open. */
  readonly until?: number | undefined;
}

/**
 * Cuts each visit at the opening and closing of its zone.
 *
 * Every instant of a visit `[enter, exit)` is in exactly one part, and neighbouring parts differ in `open`. Parts are sorted by visit, then by
 * time. A visit without duration gives one part without duration. A part with `open: false` is presence outside hours. `hoursOf` returns the
 * hours of a zone; `null` or `undefined`: always open.
 *
 * Errors: `option-value` (`options.until`) for an open visit without `until`, or with an `enter` after `until`, `visits-type`, `time-range` for
 * a time that is not epoch milliseconds, `hours-invalid` (`hoursOf`) for an answer that does not come from `prepareHours`, `option-type`,
 * `option-unknown`, `input-unreadable`. Cost: O(parts).
 *
 * @example
 * ```ts
 * import { prepareHours, splitByHours } from 'wayzone/hours';
 * const day = prepareHours({ weekly: [{ days: [1], from: '08:00', to: '17:00' }] }, { timeZone: 'UTC' });
 * const visit = { zoneId: 'yard', enter: Date.UTC(2026, 2, 2, 16), exit: Date.UTC(2026, 2, 2, 18) };
 * splitByHours([visit], () => day).map(({ open, from, to }) => [open, to - from]); // [[true, 3600000], [false, 3600000]]
 * ```
 */
export function splitByHours(
  visits: readonly VisitSpan[],
  hoursOf: HoursOf,
  options?: SplitByHoursOptions,
): VisitPart[] {
  const { until } = readOptions(options, SPLIT_OPTIONS);
  if (!isArray(visits)) throw inputError('visits-type', 'visits', 'an array of visits', visits);
  if (typeof hoursOf !== 'function') throw inputError('option-type', 'hoursOf', 'a function', hoursOf);
  const end = until === undefined ? null : readInstant(until, 'options.until');
  const parts: VisitPart[] = [];
  for (let i = 0; i < visits.length; i++) {
    const { zoneId, from, to } = readVisit(visits[i], `visits[${i}]`, end);
    const hours = askHours(hoursOf, zoneId);
    const add = (begin: number, finish: number, open: boolean): void => {
      parts.push({ zoneId, visit: i, from: begin, to: finish, open });
    };
    let open = hours?.isOpen(from) ?? true;
    let start = from;
    for (const change of changesBetween(hours, from, to)) {
      add(start, change, open);
      start = change;
      open = !open;
    }
    add(start, to, open);
  }
  return parts;
}

function readVisit(
  visit: unknown,
  field: string,
  until: number | null,
): { zoneId: string; from: number; to: number } {
  const { zoneId, enter, exit } = guarded(field, () => {
    if (typeof visit !== 'object' || visit === null) throw inputError('visits-type', field, 'a visit', visit);
    const { zoneId, enter, exit } = visit as VisitSpan;
    return { zoneId, enter, exit };
  });
  if (typeof zoneId !== 'string') throw inputError('visits-type', `${field}.zoneId`, 'a text', zoneId);
  const from = readInstant(enter, `${field}.enter`);
  if (exit !== null && exit !== undefined) {
    const to = readInstant(exit, `${field}.exit`);
    if (to < from) throw inputError('time-range', `${field}.exit`, 'a time at or after enter', exit);
    return { zoneId, from, to };
  }
  if (until === null || until < from) {
    const what = `a time at or after the enter of ${field}, which is open`;
    throw inputError('option-value', 'options.until', what, until ?? undefined);
  }
  return { zoneId, from, to: until };
}
