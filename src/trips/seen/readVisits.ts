/** Reads visits and gaps that were found elsewhere. */

import { inputError, isArray, type WayzoneError } from '../../core/errors.js';
import { guarded, MAX_TIME, readPosition, unreadable } from '../../core/input.js';
import type { Visit } from '../../tracks/visit.js';
import { zonesById } from '../plan/tripZones.js';
import type { TripGap } from '../terms/tripReport.js';
import type { Hole } from './holes.js';

const ENDS: readonly Visit['end'][] = ['left', 'open', 'gap', 'zone-changed', 'handed-over'];

/** Errors: `visits-type`, `visit-invalid`, `visit-zone`, `input-unreadable`. */
export function readVisits(list: unknown, zones: readonly number[]): { visit: Visit; zone: number }[] {
  const zoneOf = zonesById(zones);
  const read: { visit: Visit; zone: number }[] = [];
  const given = guarded('visits', () => {
    if (!isArray(list)) throw inputError('visits-type', 'visits', 'a list of visits', list);
    return Array.from<unknown>(list);
  });
  try {
    for (const item of given) {
      const visit = copyOfVisit(item);
      const zone = visit === null ? undefined : zoneOf.get(visit.zoneId);
      if (visit === null || zone === undefined) throw refused(item, visit, read.length, zones.length);
      read.push({ visit, zone });
    }
  } catch (error) {
    throw unreadable(error, `visits[${read.length}]`);
  }
  return read;
}

function refused(given: unknown, visit: Visit | null, i: number, points: number): WayzoneError {
  if (visit === null) {
    return inputError('visit-invalid', `visits[${i}]`, 'a visit as findVisits gives it', given);
  }
  const wanted = `the index of one of ${points} points as text`;
  return inputError('visit-zone', `visits[${i}].zoneId`, wanted, visit.zoneId);
}

/** Reads each field of a visit once; `null` if it is not a visit. */
function copyOfVisit(given: unknown): Visit | null {
  if (typeof given !== 'object' || given === null) return null;
  const { zoneId, seen, end, enter, exit, enterBounds, exitBounds, fixCount } = given as Visit;
  if (!ENDS.includes(end) || (seen !== 'inside' && seen !== 'crossed')) return null;
  if (!isTime(enter) || !isTime(fixCount) || !isArray(enterBounds)) return null;
  // Not destructured: the iterators for some hundred visits cost as much as the rest of the reading.
  const enterAfter = enterBounds[0];
  const enterBefore = enterBounds[1];
  if (!isTimeOrNull(enterAfter) || !isTime(enterBefore)) return null;
  const bounds = [enterAfter, enterBefore] as const;
  if (exit === null) {
    return { zoneId, seen, end, enter, exit, enterBounds: bounds, exitBounds: null, fixCount };
  }
  if (!isTime(exit) || exit < enter || !isArray(exitBounds)) return null;
  const exitAfter = exitBounds[0];
  const exitBefore = exitBounds[1];
  if (!isTime(exitAfter) || !isTimeOrNull(exitBefore)) return null;
  return {
    zoneId,
    seen,
    end,
    enter,
    exit,
    enterBounds: bounds,
    exitBounds: [exitAfter, exitBefore],
    fixCount,
  };
}

/** A whole time within the range of `Date`. */
function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= MAX_TIME;
}

function isTimeOrNull(value: unknown): value is number | null {
  return value === null || isTime(value);
}

/** Reads the gaps; `null` if absent. Errors: `gaps-type`, `gap-invalid`, `input-unreadable`. */
export function readGaps(list: unknown): Hole[] | null {
  if (list === undefined || list === null) return null;
  return guarded('gaps', () => {
    if (!isArray(list)) throw inputError('gaps-type', 'gaps', 'a list of gaps', list);
    return Array.from(list, (gap, i) => {
      const { from, to, start, end } = guarded(`gaps[${i}]`, () => {
        const row = gap as Partial<TripGap> | null | undefined;
        return { from: row?.from, to: row?.to, start: row?.start ?? null, end: row?.end ?? null };
      });
      if (typeof from !== 'number' || typeof to !== 'number' || !(from <= to)) {
        throw inputError('gap-invalid', `gaps[${i}]`, '{from, to} in epoch milliseconds', gap);
      }
      return {
        from,
        to,
        start: start === null ? null : readPosition(start, `gaps[${i}].start`),
        end: end === null ? null : readPosition(end, `gaps[${i}].end`),
        reason: 'gap' as const,
      };
    });
  });
}
