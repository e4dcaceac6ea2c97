/** Reads the changes of a run, and applies them up to a time. */

import { inputError, isArray, type WayzoneError } from '../core/errors.js';
import { guarded, MAX_TIME, readNumber } from '../core/input.js';
import type { TripChange } from './tripChange.js';
import type { TripRun } from './tripRun.js';

/** Copies the changes, in order of `at`. Errors: `changes-type`, `change-invalid`, `input-unreadable`. */
export function readChanges(value: unknown, points: number, field: string = 'options.changes'): TripChange[] {
  if (value === undefined || value === null) return [];
  const list = guarded(field, () => {
    if (!isArray(value)) throw inputError('changes-type', field, 'a list of changes', value);
    return Array.from<unknown>(value);
  });
  return list.map((item, i) => readChange(item, points, `${field}[${i}]`)).sort((a, b) => a.at - b.at);
}

/** Copies one change. */
export function readChange(value: unknown, points: number, field: string): TripChange {
  if (typeof value !== 'object' || value === null) {
    throw inputError('change-invalid', field, 'a change {type, at}', value);
  }
  const { type, at, pointIndex, reason, by } = guarded(field, () => {
    const row = value as Readonly<Record<string, unknown>>;
    return {
      type: row['type'],
      at: row['at'],
      pointIndex: row['pointIndex'],
      reason: row['reason'],
      by: row['by'],
    };
  });
  if (type !== 'excuse' && type !== 'cancel') {
    throw inputError('change-invalid', `${field}.type`, 'excuse or cancel', type);
  }
  const time = readNumber(at, `${field}.at`, 'change-invalid', -MAX_TIME, MAX_TIME);
  if (!Number.isInteger(time)) {
    throw inputError('change-invalid', `${field}.at`, 'whole epoch milliseconds', at);
  }
  const note = {
    at: time,
    ...textOf(reason, `${field}.reason`, 'reason'),
    ...textOf(by, `${field}.by`, 'by'),
  };
  if (type === 'cancel') return { type, ...note };
  const index = readNumber(pointIndex, `${field}.pointIndex`, 'change-invalid', 0, points - 1);
  if (!Number.isInteger(index)) {
    throw inputError('change-invalid', `${field}.pointIndex`, 'the index of a point', pointIndex);
  }
  return { type, pointIndex: index, ...note };
}

function textOf<Name extends 'reason' | 'by'>(
  value: unknown,
  field: string,
  name: Name,
): { readonly [Key in Name]?: string } {
  if (value === undefined || value === null) return {};
  if (typeof value === 'string') return { [name]: value } as { readonly [Key in Name]?: string };
  throw inputError('change-invalid', field, 'a text', value);
}

/** The run with the excuses up to a time. */
export function excusedBy(run: TripRun, changes: readonly TripChange[], now: number): TripRun {
  const excused = [...run.excused];
  let { excusedAt } = run;
  for (const change of changes) {
    if (change.type !== 'excuse' || change.at > now) continue;
    if (!excused[change.pointIndex]) excusedAt = change.at;
    excused[change.pointIndex] = true;
  }
  return { ...run, excused, excusedAt };
}

/** The time of the first cancellation up to a time; `null` without one. */
export function cancellationBy(changes: readonly TripChange[], now: number): number | null {
  return changes.find(({ type, at }) => type === 'cancel' && at <= now)?.at ?? null;
}

/** A change that comes too late: fixes after its time are judged already. */
export function tooLate(at: number, lastFixAt: number): WayzoneError {
  return inputError('change-late', 'change.at', `a time not before the last fix, ${lastFixAt}`, at);
}
