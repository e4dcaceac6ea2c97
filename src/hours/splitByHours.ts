/** Visits cut where their zone opens and closes. */

import { inputError, isArray } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import { askHours, changesBetween, type HoursOf } from '../core/zoneHours.js';
import { readInstant } from './prepareHours.js';

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

const OPTIONS: OptionTable<SplitByHoursOptions, 'until'> = { until: OWN };

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
  const { until } = readOptions(options, OPTIONS);
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
