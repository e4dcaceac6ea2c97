/** T1 to T9: the planned times of a run, its zones and its window. */

import { Temporal } from 'temporal-polyfill';
import type { Trip, TripPoint, TripPointTime } from '../../../src/core/trip.js';
import type { Planned, Settings, SlowPoint } from './slowModel.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** T1: a local time of the company's zone; in a DST gap it moves forward, a doubled one is the first. */
function instantOf(date: string, days: number, time: string, timeZone: string): number {
  return Temporal.PlainDate.from(date.slice(0, 10))
    .add({ days })
    .toPlainDateTime(Temporal.PlainTime.from(time))
    .toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** T2 and T3. */
function plannedTime(
  time: TripPointTime | null | undefined,
  date: string,
  settings: Settings,
): Planned | null {
  if (!time) return null;
  const at = instantOf(date, time.after_days ?? 0, time.time, settings.timeZone);
  const tolerance = (time.deviation_minutes ?? settings.defaultDeviationMinutes) * MINUTE;
  const due = tolerance === 0 ? at + MINUTE : at + tolerance;
  return { at, tolerance, from: at - tolerance, to: tolerance === 0 ? due - 1 : due, due };
}

/** T5: points with equal type, geometry and width are one zone. */
function zoneText(point: TripPoint, settings: Settings): string {
  const geometry = point.geometry ?? point.coordinates;
  return JSON.stringify([point.type.key, geometry, point.width ?? settings.defaultWidthMeters]);
}

export function plannedPoints(trip: Trip, date: string, settings: Settings): SlowPoint[] {
  const texts = trip.points.map((point) => zoneText(point, settings));
  const zones = [...new Set(texts)];
  return trip.points.map((point, index) => ({
    index,
    name: point.name,
    zone: zones.indexOf(texts[index]!),
    arrival: plannedTime(point.arrival, date, settings),
    departure: plannedTime(point.departure, date, settings),
  }));
}

const plansOf = (trip: Trip, date: string, settings: Settings): Planned[] =>
  plannedPoints(trip, date, settings)
    .flatMap(({ arrival, departure }) => [arrival, departure])
    .filter((plan) => plan !== null);

/** T7: the window's opening. */
function opensAt(trip: Trip, date: string, settings: Settings): number {
  const plans = plansOf(trip, date, settings);
  if (plans.length === 0) return instantOf(date, 0, '00:00', settings.timeZone);
  return Math.min(...plans.map(({ at, tolerance }) => at - tolerance)) - HOUR;
}

/** T7 to T9: the window's closing. */
function closesAt(trip: Trip, date: string, settings: Settings): number {
  const latest = plansOf(trip, date, settings).map(({ at, tolerance }) => at + tolerance);
  const days = trip.points.flatMap(({ arrival, departure }) =>
    [arrival, departure].filter((time) => time).map((time) => time!.after_days ?? 0),
  );
  const endOfLastDay = instantOf(date, Math.max(0, ...days) + 1, '00:00', settings.timeZone);
  const byPlan = Math.max(...latest) + settings.windowAfterSeconds * 1000;
  const close = Math.max(endOfLastDay, byPlan);
  const next = trip.dates
    .map((other) => other.slice(0, 10))
    .filter((other) => other > date.slice(0, 10))
    .sort()[0];
  if (next === undefined) return close;
  const byNext = Math.min(close, opensAt(trip, next, settings));
  return Math.max(byNext, Math.min(close, Math.max(...latest) + HOUR));
}

/** T7: the beginning of the lead: six hours before the window, or 00:00 of the date if that is earlier. A trip without a plan has no lead. */
export function leadFrom(trip: Trip, date: string, settings: Settings): number {
  const from = opensAt(trip, date, settings);
  if (plansOf(trip, date, settings).length === 0) return from;
  return Math.min(from - 6 * HOUR, instantOf(date, 0, '00:00', settings.timeZone));
}

export const windowOf = (trip: Trip, date: string, settings: Settings): { from: number; to: number } => ({
  from: opensAt(trip, date, settings),
  to: closesAt(trip, date, settings),
});
