/** Reads the changes of one run from a trip's row. */

import { inputError, isArray } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import type { TripInput } from '../../core/trip.js';
import { checkPoints, type GivenChange, readChange } from './readChanges.js';
import type { TripChange } from './tripChange.js';

/**
 * The stored changes (`trip.changes`) of a trip's run on a date, sorted by `at`, for the option `changes` of `evaluateTrip`. A change without
 * `date` belongs to the only date of the trip. In a trip with several dates each change needs a `date`.
 *
 * Errors, with the path in the trip: `changes-type`, `change-invalid`, `amend-points`, `points-missing`, `input-unreadable`.
 *
 * @example
 * import { changesOfRun } from 'wayzone/trips';
 * const shop = { name: 'Shop', type: { key: 'circle' }, geometry: [[13.4, 52.5]], width: 200 };
 * const changes = [{ type: 'excuse', at: 1772438400000, pointIndex: 0, by: 'dispatch' }];
 * const trip = { id: 't', name: 'Milk', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [shop], changes };
 * changesOfRun(trip, '2026-03-02').length; // 1
 */
export function changesOfRun(trip: TripInput, date: string): TripChange[] {
  const rows: unknown = guarded('changes', () => trip.changes);
  if (rows === undefined || rows === null) return [];
  const list = guarded('changes', () => {
    if (!isArray(rows)) throw inputError('changes-type', 'changes', 'a list of changes', rows);
    return Array.from<unknown>(rows);
  });
  const dates: unknown = guarded('dates', () => trip.dates);
  const days = isArray(dates) ? new Set(dates.map((one: unknown) => String(one).slice(0, 10))) : new Set();
  const given = list.flatMap((row, i): GivenChange[] => {
    const field = `changes[${i}]`;
    const change = readChange(row, field);
    return isOf(row as object, field, days, String(date).slice(0, 10)) ? [{ change, field }] : [];
  });
  given.sort((a, b) => a.change.at - b.change.at);
  const points: unknown = guarded('points', () => trip.points);
  checkPoints(given, isArray(points) ? points.length : 0);
  return given.map(({ change }) => change);
}

function isOf(row: object, field: string, days: ReadonlySet<unknown>, day: string): boolean {
  const date: unknown = guarded(`${field}.date`, () => (row as { readonly date?: unknown }).date);
  if (date === undefined || date === null) {
    if (days.size <= 1) return true;
    throw inputError('change-invalid', `${field}.date`, 'one of the dates, as the trip has several', date);
  }
  const text = typeof date === 'string' ? date.slice(0, 10) : '';
  if (days.has(text)) return text === day;
  throw inputError('change-invalid', `${field}.date`, 'one of the dates of the trip', date);
}
