/** Opening hours as spans between instants. */

import { DAY_MS, MINUTE_MS } from '../core/durations.js';
import { inputError } from '../core/errors.js';
import { guarded, MAX_TIME } from '../core/input.js';
import { type LocalClock, makeClock } from '../core/localClock.js';
import { firstWhere } from '../core/numbers.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import type { Span, ZoneHours } from '../core/zoneHours.js';
import type { Hours, YearHolidays } from './hours.js';
import { FIRST_DAY, type HourRules, LAST_DAY, type MinuteRange, readHours } from './readHours.js';

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
export function readInstant(value: unknown, field: string): number {
  return guarded(field, () => {
    if (typeof value !== 'number' || !(Math.abs(value) <= MAX_TIME)) {
      throw inputError('time-range', field, 'epoch milliseconds', value);
    }
    return Math.round(value) + 0;
  });
}
