/** Reads the fields of a trip that plans and evaluation need. */

import { CENTURY_DAYS, DAY_MS, MINUTE_MS } from '../../core/durations.js';
import { inputError, isArray } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import type { Trip } from '../../core/trip.js';

/** A planned local time: wall time after 00:00 of the trip's date, with its own tolerance if it has one. */
export interface DueTime {
  readonly afterMidnight: number;
  readonly toleranceMinutes: number | null;
}

export interface DuePoint {
  readonly name: string;
  readonly arrival: DueTime | null;
  readonly departure: DueTime | null;
}

export interface DueTrip {
  readonly id: string | null;
  readonly points: readonly DuePoint[];
  /** The days of `dates` as the epoch milliseconds that their 00:00 would have in UTC, ascending. */
  readonly days: readonly number[];
}

/** Reads a trip. Errors: those of `planTrip`. */
export function readDueTrip(
  trip: Pick<Trip, 'dates' | 'points'> & { readonly id?: string | undefined },
): DueTrip {
  if (typeof trip !== 'object' || trip === null) {
    throw inputError('trip-type', 'trip', 'a trip', trip);
  }
  const id = guarded('id', () => trip.id);
  return {
    id: typeof id === 'string' ? id : null,
    points: readEach(trip, 'points', readPoint),
    days: readEach(trip, 'dates', readDay).sort((a, b) => a - b),
  };
}

/** A date of the wire as the epoch milliseconds that its 00:00 would have in UTC; error `date`. */
export function readDay(value: unknown, field: string): number {
  const match = typeof value === 'string' ? /^(\d{4})-(\d\d)-(\d\d)(?: 00:00(?::00)?)?$/.exec(value) : null;
  const day = match === null ? Number.NaN : Date.parse(`${match[1]}-${match[2]}-${match[3]}T00:00:00Z`);
  // Date.parse reads 30 February as 1 March.
  if (match === null || new Date(day).getUTCDate() !== Number(match[3])) {
    throw inputError('date', field, 'a date yyyy-MM-dd that exists, its time part zeros', value);
  }
  return day;
}

/** The minutes after 00:00 of a time of day of the wire; error `time`. */
export function readTimeOfDay(value: unknown, field: string): number {
  const match = typeof value === 'string' ? /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) : null;
  if (match === null) {
    throw inputError('time', field, 'a time of day HH:mm, 00:00 to 23:59', value);
  }
  return Number(match[1]) * 60 + Number(match[2]);
}

/** A day as `yyyy-MM-dd`. */
export function dayText(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}

function readEach<Item>(
  trip: object,
  field: 'points' | 'dates',
  read: (item: unknown, field: string) => Item,
): Item[] {
  const list = guarded(field, () => {
    const value = (trip as Readonly<Record<string, unknown>>)[field];
    if (!isArray(value) || value.length === 0) {
      throw inputError(`${field}-missing`, field, `a list of at least one of its ${field}`, value);
    }
    return Array.from(value);
  });
  return list.map((item, i) => read(item, `${field}[${i}]`));
}

function readPoint(point: unknown, field: string): DuePoint {
  if (typeof point !== 'object' || point === null) {
    throw inputError('zone-type', field, 'a point of a trip', point);
  }
  const { name, arrival, departure } = guarded(field, () => {
    const row = point as Readonly<Record<string, unknown>>;
    return { name: row['name'], arrival: row['arrival'], departure: row['departure'] };
  });
  return {
    name: typeof name === 'string' ? name : '',
    arrival: readDue(arrival, `${field}.arrival`),
    departure: readDue(departure, `${field}.departure`),
  };
}

function readDue(value: unknown, field: string): DueTime | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object') throw inputError('type', field, 'a planned time', value);
  const { time, days, minutes } = guarded(field, () => {
    const row = value as Readonly<Record<string, unknown>>;
    return { time: row['time'], days: row['after_days'] ?? 0, minutes: row['deviation_minutes'] ?? null };
  });
  const afterMidnight = readTimeOfDay(time, `${field}.time`) * MINUTE_MS;
  const count = readAmount(days, `${field}.after_days`, CENTURY_DAYS);
  if (!Number.isInteger(count)) {
    throw inputError('integer', `${field}.after_days`, 'whole days', count);
  }
  return {
    afterMidnight: count * DAY_MS + afterMidnight,
    toleranceMinutes:
      minutes === null ? null : readAmount(minutes, `${field}.deviation_minutes`, CENTURY_DAYS * 1440),
  };
}

function readAmount(value: unknown, field: string, max: number): number {
  if (typeof value !== 'number') throw inputError('type', field, 'a number', value);
  if (!(value >= 0 && value <= max)) {
    throw inputError('range', field, `a number from 0 to ${max}`, value);
  }
  return value;
}
