/** The platform's times, `yyyy-MM-dd HH:mm:ss` on a company's clock, as epoch milliseconds and back. */

import { daysInMonth } from './daysInMonth.js';
import { DAY_MS } from './durations.js';
import { inputError } from './errors.js';
import { guarded } from './input.js';
import { makeClock } from './localClock.js';
import { checkOptions, type OptionTable, OWN } from './options.js';

/** The time zone of the platform's times. */
export interface PlatformTimeOptions {
  /** The company's time zone, an IANA name (`Europe/Moscow`, `UTC`). */
  readonly timeZone: string;
}

const OPTIONS: OptionTable<PlatformTimeOptions> = { timeZone: OWN };

/** First and last instant: the years 0001 to 9999. */
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

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
