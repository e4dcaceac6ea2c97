/** Validates a trip. */

import { daysInMonth } from '../core/durations.js';
import { describe, expected, isArray } from '../core/errors.js';
import { checkOptions } from '../core/options.js';
import { DEFAULT_TRIP_WIDTH_METERS, type Trip, type TripInput } from '../core/trip.js';
import { checkPointShape, readPointPairs } from './checkShape.js';
import type { FieldErrors } from './fieldErrors.js';
import { hooksAt, type ObjectCheck } from './reader.js';
import { TripInputSchema } from './trip.js';
import {
  entryChecks,
  VALIDATE_OPTIONS,
  type Validated,
  type ValidateOptions,
  type ValidationContext,
  validatorOf,
} from './validateOptions.js';
import { DATE_PATTERN, TIME_PATTERN } from './wireSchema.js';

const DATE = new RegExp(DATE_PATTERN);
const TIME = new RegExp(TIME_PATTERN);

/** Advice in messages about decreasing times. */
const HINT = 'a time of a later day says so with after_days';

/** Trims work types. Checks that dates exist and are unique, that times of a strict trip do not decrease, and that the first point has a time if it activates the trip. */
const checkTrip: ObjectCheck<ValidationContext> = (copy, path, errors) => {
  const at = path === '' ? '' : `${path}.`;
  if (isArray(copy['work_types']))
    copy['work_types'] = copy['work_types'].map((name: unknown) =>
      typeof name === 'string' ? name.trim() : name,
    );
  if (isArray(copy['dates'])) checkDates(copy['dates'], at, errors);
  checkDatesOfChanges(copy, errors);
  const key = fieldOf(copy['activation_type'], 'key');
  const points = isArray(copy['points']) ? copy['points'] : [];
  if (fieldOf(copy['passage_order_type'], 'key') === 'strict') checkOrder(points, at, errors);
  const first: unknown = points[0];
  if (key !== 'time_of_first_point' || typeof first !== 'object' || first === null) return;
  if (isGiven(fieldOf(first, 'arrival')) || isGiven(fieldOf(first, 'departure'))) return;
  const isReported = (name: string): boolean =>
    errors.list.some(({ field }) => field.startsWith(`${at}points[0].${name}`));
  if (isReported('arrival') || isReported('departure')) return;
  errors.add(
    `${at}points[0].arrival`,
    'activation-time',
    'expected a time of arrival or departure of the first point, which activates the trip, received neither',
  );
};

/** The field that each type of change requires. */
const NEEDS: Readonly<Record<string, string>> = { excuse: 'pointIndex', handOver: 'unitId', amend: 'trip' };

/** Checks that a change has the field that its type requires. */
const checkChange: ObjectCheck<ValidationContext> = (copy, path, errors) => {
  const type = copy['type'];
  const name = typeof type === 'string' && Object.hasOwn(NEEDS, type) ? NEEDS[type]! : null;
  if (name !== null && !isGiven(copy[name]))
    errors.add(
      `${path}.${name}`,
      'required',
      expected(`a value, as the type is ${String(type)}`, copy[name]),
    );
};

const checkPoint: ObjectCheck<ValidationContext> = (copy, path, errors, context) => {
  checkPointShape(copy, path, errors, context);
  checkPointTimes(copy, path, errors, context);
};

const HOOKS = {
  readers: { 'points[].geometry': readPointPairs, 'points[].coordinates': readPointPairs },
  checks: { '': checkTrip, 'points[]': checkPoint },
};
const AMENDED = hooksAt('changes[].trip', HOOKS);

const read = validatorOf('trip', TripInputSchema, {
  readers: { ...HOOKS.readers, ...AMENDED.readers },
  checks: { ...HOOKS.checks, ...AMENDED.checks, 'changes[]': checkChange, ...entryChecks('trip') },
});

/**
 * Returns the trip as a typed copy with its dictionary entries filled in. Throws `validation` with every field error. Rules and reasons: as
 * `validateGeozone`. `coordinates` are read as in `validateRoute`.
 *
 * Dates must exist and be unique. Times are 00:00 to 23:59. The departure of a point, with `after_days`, must not be before its arrival.
 * `after_days` and `deviation_minutes` are whole numbers. A width may be missing: trips are then evaluated with `defaultWidthMeters` 100.
 * `work_types` are trimmed and not blank.
 *
 * `changes` of runs under way have `type` and whole epoch milliseconds `at`; `date` names the run, and may be missing if the trip has one date.
 * `excuse` needs `pointIndex`, `handOver` `unitId`, and `amend` a `trip`. Whether the points exist is checked when the run is evaluated.
 *
 * Further reasons: `date`, `date-duplicate`, `time`, `integer`, `order-of-times`, `geometry-conflict`, and `activation-time` (the time of the
 * first point activates the trip, but the point has none).
 *
 * @example
 * import { validateTrip } from 'wayzone/schemas';
 * const unit = { id: '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f' };
 * const points = [{ name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]], arrival: { time: '08:00' } }];
 * const sent = { name: 'Milk', unit, passage_order_type: { key: 'strict' }, dates: ['2028-02-29'], points };
 * validateTrip(sent).passage_order_type; // { key: 'strict', type: 'trip_passage_order_type', value: 'Strict' }
 */
export function validateTrip<Input>(
  input: Input,
  options: ValidateOptions = {},
): Validated<Input, Trip, TripInput> {
  checkOptions(options, VALIDATE_OPTIONS);
  return read(input, {
    ...options,
    defaultWidthMeters: options.defaultWidthMeters ?? DEFAULT_TRIP_WIDTH_METERS,
  }) as Validated<Input, Trip, TripInput>;
}

/** Checks that a point's departure is not before its arrival. */
const checkPointTimes: ObjectCheck<ValidationContext> = (copy, path, errors) => {
  const arrival = minutesOf(copy['arrival']);
  const departure = minutesOf(copy['departure']);
  if (arrival === null || departure === null || departure >= arrival) return;
  const text = describe(fieldOf(copy['departure'], 'time'));
  errors.add(
    `${path}.departure`,
    'order-of-times',
    `expected a departure not before the arrival, received ${text}, ${arrival - departure} minutes before it; ${HINT}`,
  );
};

/** Checks that the first planned times of the points do not decrease in the order of the list. */
function checkOrder(points: readonly unknown[], at: string, errors: FieldErrors): void {
  let latest: { readonly minutes: number; readonly path: string } | null = null;
  points.forEach((point, i) => {
    const name = isGiven(fieldOf(point, 'arrival')) ? 'arrival' : 'departure';
    const minutes = minutesOf(fieldOf(point, name));
    if (minutes === null) return;
    const path = `${at}points[${i}].${name}`;
    if (errors.list.some(({ field }) => field.startsWith(path))) return;
    if (latest !== null && minutes < latest.minutes) {
      const text = describe(fieldOf(fieldOf(point, name), 'time'));
      errors.add(
        path,
        'order-of-times',
        `expected a time not before that of ${latest.path}, as the order is strict, received ${text}, ${latest.minutes - minutes} minutes before it; ${HINT}`,
      );
    }
    latest = { minutes, path };
  });
}

/** Checks that each change is of one of the trip's dates. */
function checkDatesOfChanges(
  { dates, changes }: Readonly<Record<string, unknown>>,
  errors: FieldErrors,
): void {
  if (!isArray(dates) || !isArray(changes)) return;
  const days = dates.map((date: unknown) => String(date).slice(0, 10));
  changes.forEach((change: unknown, i) => {
    const date = fieldOf(change, 'date') ?? null;
    const field = `changes[${i}].date`;
    if (date === null && days.length > 1) {
      errors.add(field, 'required', expected('one of the dates, as there are several', undefined));
    } else if (typeof date === 'string' && DATE.test(date) && !days.includes(date.slice(0, 10))) {
      errors.add(field, 'date', expected('one of the dates of the trip', date));
    }
  });
}

function checkDates(dates: readonly unknown[], at: string, errors: FieldErrors): void {
  const seen = new Map<string, number>();
  dates.forEach((date, i) => {
    if (typeof date !== 'string' || !DATE.test(date)) return;
    const day = date.slice(0, 10);
    const before = seen.get(day);
    if (Number(day.slice(8)) > daysInMonth(Number(day.slice(0, 4)), Number(day.slice(5, 7)))) {
      errors.add(`${at}dates[${i}]`, 'date', expected('a date that exists', date));
    } else if (before !== undefined) {
      errors.add(`${at}dates[${i}]`, 'date-duplicate', expected(`another day than dates[${before}]`, date));
    } else {
      seen.set(day, i);
    }
  });
}

/** Minutes after 00:00 of the trip's date. Null for a time that is absent or was reported as invalid. */
function minutesOf(value: unknown): number | null {
  const time = fieldOf(value, 'time');
  const days = fieldOf(value, 'after_days') ?? 0;
  if (typeof time !== 'string' || !TIME.test(time) || typeof days !== 'number' || !Number.isFinite(days))
    return null;
  return days * 1440 + Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A field of a value read by the schema. Undefined if the value is not an object. */
function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}
