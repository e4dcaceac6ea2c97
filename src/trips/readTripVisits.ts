/** The gate of visits and gaps that were found elsewhere: checked and copied. */

import { expected, isArray, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/gate.js';
import { MAX_TIME } from '../tracks/fixGate.js';
import type { Visit } from '../tracks/visit.js';
import type { Gap } from './gaps.js';
import { zoneOfId } from './zoneNumbers.js';

const ENDS: readonly Visit['end'][] = ['left', 'open', 'gap', 'zone-changed'];

/** Errors: `visits-type`, `visit-invalid`, `visit-zone`, `input-unreadable`. */
export function readVisits(list: unknown, zones: readonly number[]): { visit: Visit; zone: number }[] {
  return guarded('visits', () => {
    if (!isArray(list)) throw new WayzoneError('visits-type', 'visits', expected('a list of visits', list));
    return Array.from(list, (given, i) => {
      const field = `visits[${i}]`;
      const visit = guarded(field, () => copyOfVisit(given));
      if (visit !== null) return { visit, zone: zoneOfId(zones, visit.zoneId, `${field}.zoneId`) };
      throw new WayzoneError('visit-invalid', field, expected('a visit as findVisits gives it', given));
    });
  });
}

/** The visit, each field read once; `null` for what is none. */
function copyOfVisit(given: unknown): Visit | null {
  if (typeof given !== 'object' || given === null) return null;
  const { zoneId, seen, end, enter, exit, enterBounds, exitBounds, fixCount } = given as Visit;
  if (!ENDS.includes(end) || (seen !== 'inside' && seen !== 'crossed')) return null;
  if (!isTime(enter) || !isTime(fixCount) || !isArray(enterBounds)) return null;
  const [enterAfter, enterBefore] = enterBounds;
  if (!isTimeOrNull(enterAfter) || !isTime(enterBefore)) return null;
  const entry = { zoneId, seen, end, enter, fixCount, enterBounds: [enterAfter, enterBefore] } as const;
  if (exit === null) return { ...entry, exit, exitBounds: null };
  if (!isTime(exit) || exit < enter || !isArray(exitBounds)) return null;
  const [exitAfter, exitBefore] = exitBounds;
  if (!isTime(exitAfter) || !isTimeOrNull(exitBefore)) return null;
  return { ...entry, exit, exitBounds: [exitAfter, exitBefore] };
}

/** Whole, and no farther than a `Date` reaches. */
function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= MAX_TIME;
}

function isTimeOrNull(value: unknown): value is number | null {
  return value === null || isTime(value);
}

/** `null` for none; errors `gaps-type`, `gap-invalid`, `input-unreadable`. */
export function readGaps(list: unknown): Gap[] | null {
  if (list === undefined || list === null) return null;
  return guarded('gaps', () => {
    if (!isArray(list)) throw new WayzoneError('gaps-type', 'gaps', expected('a list of gaps', list));
    return Array.from(list, (gap, i) => {
      const { from, to } = guarded(`gaps[${i}]`, () => {
        const row = gap as Partial<Gap> | null | undefined;
        return { from: row?.from, to: row?.to };
      });
      if (typeof from === 'number' && typeof to === 'number' && from <= to) return { from, to };
      throw new WayzoneError('gap-invalid', `gaps[${i}]`, expected('{from, to} in epoch milliseconds', gap));
    });
  });
}
