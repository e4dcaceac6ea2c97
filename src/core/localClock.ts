/** Local wall time in an IANA zone as epoch milliseconds, by `Intl` alone; also as the platform writes it, `yyyy-MM-dd HH:mm:ss`. */

import { DAY_MS, daysInMonth } from './durations.js';
import { inputError, type WayzoneError } from './errors.js';
import { guarded } from './input.js';
import { checkOptions, type OptionTable, OWN } from './options.js';

const OPTIONS: OptionTable<PlatformTimeOptions> = { timeZone: OWN };
/** First and last instant: the years 0001 to 9999. */
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** The clock of one zone. It caches offsets. */
export interface LocalClock {
  readonly timeZone: string;
  /**
   * The instant, epoch milliseconds, at which the zone's clocks show a wall time (milliseconds as if it were UTC). A time skipped by a
   * clock change moves forward by the gap; a repeated one means the first.
   */
  epochOf(wallTime: number): number;
  /** The wall time (milliseconds as if it were UTC) that the zone's clocks show at an instant. */
  wallTimeOf(time: number): number;
}

/** Span with at most one clock change, milliseconds: no zone ever changed twice within it. */
const SPAN = DAY_MS / 2;
const MAX_SPANS = 8192;
const MAX_CLOCKS = 32;

/** Clocks by zone, cached because `Intl` takes longer to make a format than most callers take for their work. */
const clocks = new Map<string, LocalClock>();

/** Offsets before and after the change in a span, at `at`; without a change `at` is the span's end. */
interface Span {
  readonly before: number;
  readonly change: number;
  readonly after: number;
}

/**
 * The clock of a zone, shared by all callers. Error: `tz-unknown` for anything but the name of an IANA zone (`Europe/Berlin`, `UTC`), also
 * for plain offsets. Accuracy: equal to Temporal's `compatible` over 20 years, at every transition of 12 zones (`localTime.test.ts`).
 */
export function makeClock(timeZone: unknown): LocalClock {
  let clock = clocks.get(timeZone as string);
  if (clock === undefined) {
    clock = newClock(timeZone);
    if (clocks.size >= MAX_CLOCKS) clocks.clear();
    clocks.set(clock.timeZone, clock);
  }
  return clock;
}

function newClock(timeZone: unknown): LocalClock {
  const offsetAt = offsetsOf(timeZone);
  const spans = new Map<number, Span>();
  const spanOf = (number: number): Span => {
    let span = spans.get(number);
    if (span === undefined) {
      span = readSpan(number * SPAN, offsetAt);
      if (spans.size >= MAX_SPANS) spans.clear();
      spans.set(number, span);
    }
    return span;
  };
  const offset = (time: number): number => {
    const span = spanOf(Math.floor(time / SPAN));
    return time < span.change ? span.before : span.after;
  };
  return {
    timeZone: timeZone as string,
    wallTimeOf: (time) => time + offset(time),
    epochOf: (wallTime) => {
      // Only the offsets a day before and a day after can apply around this time.
      const early = offset(wallTime - DAY_MS);
      const late = offset(wallTime + DAY_MS);
      const first = wallTime - early;
      if (early === late || offset(first) === early) return first;
      const second = wallTime - late;
      return offset(second) === late ? second : first;
    },
  };
}

function readSpan(start: number, offsetAt: (time: number) => number): Span {
  const before = offsetAt(start);
  const after = offsetAt(start + SPAN);
  let [last, change] = [start, start + SPAN];
  if (before === after) return { before, change, after };
  while (change - last > 1) {
    const middle = Math.floor((last + change) / 2);
    if (offsetAt(middle) === before) last = middle;
    else change = middle;
  }
  return { before, change, after };
}

/** Milliseconds to add to UTC at an instant, from `Intl`. */
function offsetsOf(timeZone: unknown): (time: number) => number {
  const unknown = (): WayzoneError =>
    inputError('tz-unknown', 'options.timeZone', 'the name of an IANA time zone', timeZone);
  // Some engines accept plain offsets as time zones. They are rejected, so that all engines agree.
  if (typeof timeZone !== 'string' || !/[A-Za-z]/.test(timeZone)) throw unknown();
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset', year: 'numeric' });
  } catch {
    throw unknown();
  }
  return (time) => {
    const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(format.format(time));
    if (match === null) return 0;
    const [, sign, hours, minutes, seconds = '0'] = match;
    const total = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -total : total;
  };
}

/** Minutes as `HH:mm`, rounded down. */
export function clockText(minutes: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** Minutes east of UTC as `+HH:mm` or `-HH:mm`. */
export function offsetText(minutes: number): string {
  return `${minutes < 0 ? '-' : '+'}${clockText(Math.abs(minutes))}`;
}

/** The time zone of the platform's times. */
export interface PlatformTimeOptions {
  /** The company's time zone, an IANA name (`Europe/Moscow`, `UTC`). */
  readonly timeZone: string;
}

/**
 * An instant as text in the platform's format, `yyyy-MM-dd HH:mm:ss` in the local time of `timeZone`. Milliseconds are cut off.
 *
 * When clocks go back, an hour repeats. Both instants of the same local time have the same text.
 *
 * Errors: `time-range` (not epoch milliseconds of the years 1 to 9999), `tz-unknown`, `option-type`.
 *
 * @example
 * import { formatPlatformTime } from 'wayzone/schemas';
 * formatPlatformTime(Date.UTC(2026, 0, 1), { timeZone: 'Europe/Moscow' }); // '2026-01-01 03:00:00'
 */
export function formatPlatformTime(time: number, options: PlatformTimeOptions): string {
  const clock = makeClock(timeZoneOf(options));
  const isNear = typeof time === 'number' && time >= FIRST - DAY_MS && time <= LAST + DAY_MS;
  const wallTime = isNear ? clock.wallTimeOf(time) : Number.NaN;
  if (!(wallTime >= FIRST && wallTime <= LAST)) {
    throw inputError('time-range', 'time', 'epoch milliseconds of the years 1 to 9999', time);
  }
  return new Date(wallTime).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * The epoch milliseconds of a time in a format of the platform: `yyyy-MM-dd HH:mm:ss`, `yyyy-MM-dd HH:mm` or `yyyy-MM-dd` (at 00:00).
 *
 * In spring a clock change skips local times: 02:30 is read as 03:30. In autumn a local time occurs twice: the first one counts.
 *
 * Errors: `time` (another format, or a day that does not exist), `tz-unknown`, `option-type`. Cost: about 0.1 ms, most of it for `Intl`.
 *
 * @example
 * import { parsePlatformTime } from 'wayzone/schemas';
 * parsePlatformTime('2026-03-29 02:30:00', { timeZone: 'Europe/Berlin' }) === Date.UTC(2026, 2, 29, 1, 30); // true
 */
export function parsePlatformTime(text: string, options: PlatformTimeOptions): number {
  const clock = makeClock(timeZoneOf(options));
  const wallTime = readWallTime(text);
  if (wallTime === null) {
    throw inputError('time', 'text', 'a time yyyy-MM-dd HH:mm:ss that exists', text);
  }
  return clock.epochOf(wallTime);
}

/** The epoch milliseconds of a platform's time, read as UTC. Null for another format or a day that does not exist. */
export function readWallTime(text: unknown): number | null {
  const match =
    typeof text === 'string'
      ? /^(\d{4})-(\d\d)-(\d\d)(?: ([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?)?$/.exec(text)
      : null;
  if (match === null) return null;
  const [, year = '', month = '', day = '', hours = '00', minutes = '00', seconds = '00'] = match;
  if (year === '0000' || month < '01' || month > '12') return null;
  if (day < '01' || Number(day) > daysInMonth(Number(year), Number(month))) return null;
  return Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
}

function timeZoneOf(options: PlatformTimeOptions): unknown {
  checkOptions(options, OPTIONS);
  return guarded('options.timeZone', () => options.timeZone);
}
