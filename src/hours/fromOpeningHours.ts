/** Reads the part of OpenStreetMap's `opening_hours` that fleets use. https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification */

import { inputError } from '../core/errors.js';
import type { Issue } from '../core/fix.js';
import { DAY_MINUTES, type HourRange, type Hours, type WeeklyRange } from './readHours.js';

/** Result of `fromOpeningHours`. */
export interface ReadOpeningHours {
  /** The hours; `null` if a rule is not supported. */
  readonly value: Hours | null;
  /** One issue for the first rule that is not supported. */
  readonly issues: readonly Issue[];
}

const DAYS: readonly string[] = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
/** Latest time after midnight, 26:00, in minutes. */
const MOST_MINUTES = 1560;
const ALL_DAY: readonly HourRange[] = [{ from: '00:00', to: '24:00' }];

/**
 * Opening hours from the text of an `opening_hours` tag.
 *
 * Supported are `24/7` and rules separated by `;`. A later rule replaces earlier rules on its days.
 * - Days: `Mo` to `Su`, ranges (`Mo-Fr`, `Sa-Mo`), lists, no days (every day), and `PH`, which becomes `holidayHours`. A rule without days also
 *   replaces an earlier rule for `PH`.
 * - Times: `08:00-12:00,13:00-17:00`, past midnight as `22:00-06:00` or up to `22:00-26:00`, `off` and `closed`. A day without a rule is closed.
 * - Anything else (months, dates, `SH`, sunrise, `||`, `+`, comments) gives `value` null and one issue `hours-unsupported` with the rule. Hours
 *   are never read in part.
 *
 * Errors: `hours-invalid` (`text`) for a value that is not a text. Cost: O(n).
 *
 * @example
 * ```ts
 * import { fromOpeningHours } from 'wayzone/hours';
 * fromOpeningHours('Mo-Fr 08:00-17:00; PH off').value.holidayHours.length; // 0
 * fromOpeningHours('sunrise-sunset').issues[0].code; // 'hours-unsupported'
 * ```
 */
export function fromOpeningHours(text: string): ReadOpeningHours {
  if (typeof text !== 'string') throw inputError('hours-invalid', 'text', 'a text', text);
  const week: (readonly HourRange[])[] = DAYS.map(() => []);
  let holiday: readonly HourRange[] | null = null;
  const rules = text.split(';');
  const isBlank = (rule: string | undefined): boolean => rule?.trim() === '';
  // A semicolon at the end of the text is common.
  if (rules.length > 1 && isBlank(rules.at(-1))) rules.pop();
  for (const [i, text] of rules.entries()) {
    const rule = readRule(text);
    if (rule === null) return unsupported(text.trim(), i);
    if (rule.days === null) {
      week.fill(rule.ranges);
      holiday = null;
    } else {
      for (const day of rule.days) {
        if (day === 'PH') holiday = rule.ranges;
        else week[DAYS.indexOf(day)] = rule.ranges;
      }
    }
  }
  const value: Hours = {
    weekly: weeklyOf(week),
    ...(holiday !== null && { holidayHours: holiday.map(copy) }),
  };
  return { value, issues: [] };
}

interface Rule {
  /** Days of the rule; `null`: every day. */
  readonly days: readonly string[] | null;
  readonly ranges: readonly HourRange[];
}

function readRule(text: string): Rule | null {
  const tokens = tokensOf(text);
  if (tokens === null || tokens.length === 0) return null;
  if (tokens.length === 1 && tokens[0] === '24/7') return { days: null, ranges: ALL_DAY };
  const isDayPart = (token: string): boolean => token === 'PH' || DAYS.includes(token);
  let at = 0;
  const days: string[] = [];
  while (at < tokens.length && isDayPart(tokens[at]!)) {
    const first = tokens[at++]!;
    if (tokens[at] === '-') {
      const last = tokens[at + 1];
      if (first === 'PH' || last === undefined || !DAYS.includes(last)) return null;
      at += 2;
      for (let day = DAYS.indexOf(first); ; day = (day + 1) % 7) {
        days.push(DAYS[day]!);
        if (DAYS[day] === last) break;
      }
    } else {
      days.push(first);
    }
    if (tokens[at] !== ',') break;
    at++;
    if (at === tokens.length || !isDayPart(tokens[at]!)) return null;
  }
  const ranges = readTimes(tokens.slice(at));
  return ranges && { days: days.length === 0 ? null : days, ranges };
}

function readTimes(tokens: readonly string[]): HourRange[] | null {
  if (tokens.length === 1 && (tokens[0] === 'off' || tokens[0] === 'closed')) return [];
  const ranges: HourRange[] = [];
  for (let i = 0; ; i += 4) {
    const range = tokens[i + 1] === '-' ? rangeOf(tokens[i], tokens[i + 2]) : null;
    if (range === null) return null;
    ranges.push(range);
    if (i + 3 === tokens.length) return ranges;
    if (tokens[i + 3] !== ',') return null;
  }
}

function rangeOf(from: string | undefined, to: string | undefined): HourRange | null {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  if (!(start < DAY_MINUTES && end <= MOST_MINUTES)) return null;
  if (end <= DAY_MINUTES) return { from: from!, to: to! };
  // A range longer than 24 hours is not supported.
  if (end - start > DAY_MINUTES) return null;
  const [hours, minutes] = [Math.floor((end - DAY_MINUTES) / 60), end % 60];
  return { from: from!, to: `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}` };
}

function minutesOf(token: string | undefined): number {
  const match = /^(\d\d):([0-5]\d)$/.exec(token ?? '');
  return match === null ? Number.NaN : 60 * Number(match[1]) + Number(match[2]);
}

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  const pattern = /\s*(24\/7|\d\d:\d\d|Mo|Tu|We|Th|Fr|Sa|Su|PH|off|closed|,|-)\s*/y;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return null;
    tokens.push(match[1]!);
  }
  return tokens;
}

/** One row for each distinct range, with all its days. */
function weeklyOf(week: readonly (readonly HourRange[])[]): WeeklyRange[] {
  const rows = new Map<string, { days: number[]; from: string; to: string }>();
  for (const [i, ranges] of week.entries()) {
    for (const { from, to } of ranges) {
      const row = rows.get(`${from}-${to}`);
      if (row === undefined) rows.set(`${from}-${to}`, { days: [i + 1], from, to });
      else if (row.days.at(-1) !== i + 1) row.days.push(i + 1);
    }
  }
  return [...rows.values()];
}

function copy({ from, to }: HourRange): HourRange {
  return { from, to };
}

function unsupported(rule: string, i: number): ReadOpeningHours {
  const message = `expected days and times such as "Mo-Fr 08:00-17:00", received the rule ${JSON.stringify(rule)}`;
  return {
    value: null,
    issues: [{ code: 'hours-unsupported', severity: 'error', field: `rules[${i}]`, message }],
  };
}
