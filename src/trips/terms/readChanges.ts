/** Reads the changes of a run, and applies them up to a time. */

import { inputError, isArray, type WayzoneError } from '../../core/errors.js';
import { guarded, MAX_TIME, readNumber } from '../../core/input.js';
import type { TripInput } from '../../core/trip.js';
import type { TripAmendment, TripChange } from './tripChange.js';

/** A change, and the path of what was given. */
export interface GivenChange {
  readonly change: TripChange;
  readonly field: string;
}

/** Copies the changes, in order of `at`. Errors: `changes-type`, `change-invalid`, `amend-points`, `input-unreadable`. */
export function readChanges(
  value: unknown,
  points: number,
  field: string = 'options.changes',
): GivenChange[] {
  if (value === undefined || value === null) return [];
  const list = guarded(field, () => {
    if (!isArray(value)) throw inputError('changes-type', field, 'a list of changes', value);
    return Array.from<unknown>(value);
  });
  const changes = list.map((item, i) => {
    const at = `${field}[${i}]`;
    return { change: readChange(item, at), field: at };
  });
  changes.sort((a, b) => a.change.at - b.change.at);
  checkPoints(changes, points);
  return changes;
}

/** Copies one change. Whether its points exist depends on the changes before it. */
export function readChange(value: unknown, field: string): TripChange {
  if (typeof value !== 'object' || value === null) {
    throw inputError('change-invalid', field, 'a change {type, at}', value);
  }
  const { type, at, pointIndex, reason, by, trip, from, unitId } = guarded(field, () => {
    const row = value as Readonly<Record<string, unknown>>;
    return {
      type: row['type'],
      at: row['at'],
      pointIndex: row['pointIndex'],
      reason: row['reason'],
      by: row['by'],
      trip: row['trip'],
      from: row['from'],
      unitId: row['unitId'],
    };
  });
  if (type !== 'excuse' && type !== 'cancel' && type !== 'amend' && type !== 'handOver') {
    throw inputError('change-invalid', `${field}.type`, 'excuse, cancel, amend or handOver', type);
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
  if (type === 'handOver') return { type, unitId: unitOf(unitId, `${field}.unitId`), ...note };
  if (type === 'amend') return { type, ...note, trip: tripOf(trip, field), ...fromOf(from, `${field}.from`) };
  return { type, pointIndex: indexOf(pointIndex, `${field}.pointIndex`), ...note };
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

function unitOf(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw inputError('change-invalid', field, 'the id of a unit', value);
}

function indexOf(value: unknown, field: string): number {
  const index = readNumber(value, field, 'change-invalid', 0, Number.MAX_SAFE_INTEGER);
  if (Number.isInteger(index)) return index;
  throw inputError('change-invalid', field, 'the index of a point', value);
}

/** A copy of the trip as plain JSON: later changes of the caller's object must not reach the run. */
function tripOf(value: unknown, field: string): TripInput {
  if (typeof value !== 'object' || value === null) {
    throw inputError('change-invalid', `${field}.trip`, 'a trip', value);
  }
  return guarded(`${field}.trip`, () => JSON.parse(JSON.stringify(value)) as TripInput);
}

function fromOf(value: unknown, field: string): Pick<TripAmendment, 'from'> {
  if (value === undefined || value === null) return {};
  const list = guarded(field, () => {
    if (!isArray(value))
      throw inputError('amend-points', field, 'a list of indices of points, or null', value);
    return Array.from<unknown>(value);
  });
  const seen = new Set<unknown>();
  return {
    from: list.map((item, i) => {
      if (item === null) return null;
      const isIndex = typeof item === 'number' && Number.isSafeInteger(item) && item >= 0;
      if (!isIndex || seen.has(item)) {
        throw inputError(
          'amend-points',
          `${field}[${i}]`,
          'the index of an old point, each once, or null',
          item,
        );
      }
      seen.add(item);
      return item;
    }),
  };
}

/** For each new point of an amendment the index of the old one, or `null`. `points`: the number of old points. */
export function oldPointsOf({ trip, from }: TripAmendment): (number | null)[] {
  return [...(from ?? Array.from(trip.points, (_, i) => i))];
}

/** Checks the indices of points of changes in order of `at`, each by the plan that holds then. */
export function checkPoints(changes: readonly GivenChange[], points: number): void {
  let count = points;
  for (const { change, field } of changes) {
    if (change.type === 'excuse') {
      if (change.pointIndex < count) continue;
      throw inputError(
        'change-invalid',
        `${field}.pointIndex`,
        `the index of a point, up to ${count - 1}`,
        change.pointIndex,
      );
    }
    if (change.type !== 'amend') continue;
    const list: unknown = change.trip.points;
    if (!isArray(list) || list.length === 0) {
      throw inputError('points-missing', `${field}.trip.points`, 'a list of at least one point', list);
    }
    const { from } = change;
    if (from === undefined && list.length !== count) {
      const wanted = `for each of the ${list.length} new points the index of the old one, or null`;
      throw inputError('amend-points', `${field}.from`, wanted, from);
    }
    if (from !== undefined && from.length !== list.length) {
      throw inputError('amend-points', `${field}.from`, `${list.length} indices`, from.length);
    }
    const beyond = from?.findIndex((index) => index !== null && index >= count) ?? -1;
    if (beyond >= 0) {
      throw inputError(
        'amend-points',
        `${field}.from[${beyond}]`,
        `the index of an old point, up to ${count - 1}`,
        from![beyond],
      );
    }
    count = list.length;
  }
}

/** The points that changes in order excuse, and since when. `points`: those of the plan before all changes. */
export function excusesOf(
  changes: readonly TripChange[],
  points: number,
): {
  readonly excused: readonly boolean[];
  readonly excusedAt: number;
  /** By point: when it was excused, else `null`. */
  readonly excusedSince: readonly (number | null)[];
} {
  let excusedSince = new Array<number | null>(points).fill(null);
  let excusedAt = Number.NEGATIVE_INFINITY;
  for (const change of changes) {
    if (change.type === 'amend')
      excusedSince = oldPointsOf(change).map((i) => (i === null ? null : excusedSince[i]!));
    if (change.type !== 'excuse') continue;
    if (excusedSince[change.pointIndex] === null) excusedAt = change.at;
    excusedSince[change.pointIndex] ??= change.at;
  }
  return { excused: excusedSince.map((since) => since !== null), excusedAt, excusedSince };
}

/** A change that comes too late: what it would change is judged already. */
export function tooLate(at: number, lastAt: number, what: string): WayzoneError {
  return inputError('change-late', 'change.at', `a time not before the last ${what}, ${lastAt}`, at);
}
