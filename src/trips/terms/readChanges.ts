/** Reads the changes of a run, and applies them up to a time. */

import { inputError, isArray, type WayzoneError } from '../../core/errors.js';
import { guarded, MAX_TIME, readNumber } from '../../core/input.js';
import type { TripInput } from '../../core/trip.js';
import type { ChangeNote, TripAmendment, TripChange } from './tripChange.js';

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
function tooLate(at: number, lastAt: number, what: string): WayzoneError {
  return inputError('change-late', 'change.at', `a time not before the last ${what}, ${lastAt}`, at);
}

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

/** Another unit took over. */
export interface TripHandedOver {
  /** Time of the hand-over, epoch milliseconds. Fixes of the old unit count before it, fixes of the new unit from it on. */
  readonly at: number;
  /** Id of the unit that was in charge; `null` if the trip has none. */
  readonly from: string | null;
  /** Id of the unit that took over. */
  readonly to: string;
}

/**
 * The hand-overs among changes in order of `at`. A hand-over to the unit in charge is left out. Of several at one time the last one counts.
 * `unitId`: the unit of the trip.
 */
export function handOversOf(changes: readonly TripChange[], unitId: string | null): TripHandedOver[] {
  const lastAt = new Map<number, string>();
  for (const change of changes) if (change.type === 'handOver') lastAt.set(change.at, change.unitId);
  const found: TripHandedOver[] = [];
  let inCharge = unitId;
  for (const [at, to] of lastAt) {
    if (to === inCharge) continue;
    found.push({ at, from: inCharge, to });
    inCharge = to;
  }
  return found;
}

/** The first and the last hand-over on a step that ends at a time; `null` if it has none. `last`: the time of the fix before it. */
export function handedOn(
  handOvers: readonly TripHandedOver[],
  last: number | undefined,
  time: number,
): readonly [first: number, last: number] | null {
  if (last === undefined || handOvers.length === 0) return null;
  const on = handOvers.filter(({ at }) => at > last && at <= time);
  return on.length === 0 ? null : [on[0]!.at, on.at(-1)!.at];
}

/** The unit in charge at a time. */
export function inChargeAt(
  handOvers: readonly TripHandedOver[],
  time: number,
  unitId: string | null,
): string | null {
  return handOvers.findLast(({ at }) => at <= time)?.to ?? unitId;
}

/** The last fixes of a run's unit. */
interface LastFixes {
  /** Time of the last fix that was read, used or not. */
  readonly released: number;
  /** Time of a fix far ahead that waits for its confirmation. */
  readonly ahead: number | null;
}

/**
 * The change that a note and the fields of a method give, and all changes with it in order of `at`. `points`: their number before all changes.
 *
 * Errors: `change-invalid`, `change-late`, `amend-points`.
 */
export function addChange(
  changes: readonly TripChange[],
  note: ChangeNote,
  what: object,
  last: LastFixes,
  points: number,
): { readonly change: TripChange; readonly changes: readonly TripChange[] } {
  const given = guarded('change', () =>
    typeof note === 'object' && note !== null ? { ...note, ...what } : note,
  );
  const change = readChange(given, 'change');
  if (change.type === 'handOver')
    checkHandOver(change.at, Math.max(last.released, last.ahead ?? last.released));
  else if (change.type !== 'excuse' && change.at < last.released)
    throw tooLate(change.at, last.released, 'fix');
  const amended = changes.findLast(({ type }) => type === 'amend')?.at ?? change.at;
  if (change.at < amended) throw tooLate(change.at, amended, 'amendment');
  const sorted = [...changes, change].sort((a, b) => a.at - b.at);
  checkPoints(
    sorted.map((own) => ({ change: own, field: own === change ? 'change' : 'changes' })),
    points,
  );
  return { change, changes: sorted };
}

/** The fixes so far were those of the unit in charge until then. */
function checkHandOver(at: number, last: number): void {
  if (at > last) return;
  throw inputError('change-late', 'change.at', `a time after the last fix, ${last}`, at);
}
