/** §5 "Plan and window". */

import type { Trip, TripPointTime } from '../../../src/core/trip.js';
import type { ZoneShape } from '../../../src/core/wire.js';
import type { SlowOptions, SlowPoint } from './slowModel.js';

const DAY = 86_400_000;
const MINUTE = 60_000;

export function slowPlan(
  trip: Trip,
  date: string,
  options: SlowOptions,
): { points: SlowPoint[]; window: { from: number; to: number } } {
  const { timeZone } = options;
  const midnight = Date.parse(date.slice(0, 10));
  // "Planned times are absolute: date + `after_days` + `HH:mm` in the company's zone."
  const due = (time: TripPointTime | null | undefined, day: number): number | null => {
    if (!time) return null;
    const [hours, minutes] = time.time.split(':').map(Number) as [number, number];
    return instantOf(day + (time.after_days ?? 0) * DAY + (hours * 60 + minutes) * MINUTE, timeZone);
  };
  // "A missing deviation takes `defaultDeviationMinutes` (0)".
  const tolerance = (time: TripPointTime | null | undefined): number =>
    (time?.deviation_minutes ?? options.defaultDeviationMinutes ?? 0) * MINUTE;
  const keys: string[] = [];
  const points = trip.points.map((point, index): SlowPoint => {
    const width = point.width ?? options.defaultWidthMeters ?? 100;
    const geometry = point.geometry ?? point.coordinates ?? [];
    const key = JSON.stringify([point.type.key, geometry, point.type.key === 'polygon' ? null : width]);
    if (!keys.includes(key)) keys.push(key);
    return {
      index,
      name: point.name,
      zone: keys.indexOf(key),
      shape: { type: point.type, geometry, width } as unknown as ZoneShape,
      arrival: due(point.arrival, midnight),
      departure: due(point.departure, midnight),
      arrivalTolerance: tolerance(point.arrival),
      departureTolerance: tolerance(point.departure),
    };
  });
  // "Window: from `windowBeforeSeconds` before the least of (planned time − its deviation) (without plan: the date's 00:00)".
  const opening = (day: number): number => {
    const starts = trip.points.flatMap(({ arrival, departure }) =>
      [arrival, departure].flatMap((time) => (time ? [due(time, day)! - tolerance(time)] : [])),
    );
    if (starts.length === 0) return instantOf(day, timeZone);
    return Math.min(...starts) - (options.windowBeforeSeconds ?? 3600) * 1000;
  };
  // "to the later of the greatest of (planned time + its deviation) plus `windowAfterSeconds` and the end of the last planned day".
  const ends = points.flatMap((point) => [
    ...(point.arrival === null ? [] : [point.arrival + point.arrivalTolerance]),
    ...(point.departure === null ? [] : [point.departure + point.departureTolerance]),
  ]);
  const days = trip.points.flatMap(({ arrival, departure }) => [
    arrival?.after_days ?? 0,
    departure?.after_days ?? 0,
  ]);
  let to = instantOf(midnight + (Math.max(0, ...days) + 1) * DAY, timeZone);
  if (ends.length > 0) to = Math.max(to, Math.max(...ends) + (options.windowAfterSeconds ?? 21_600) * 1000);
  // "but not beyond the opening of the next run in `dates`".
  const later = trip.dates.map((other) => Date.parse(other.slice(0, 10))).filter((day) => day > midnight);
  if (later.length > 0) to = Math.min(to, opening(Math.min(...later)));
  return { points, window: { from: opening(midnight), to } };
}

/**
 * The instant at which clocks of a zone show a local time, given as if it were UTC. "a time in a DST gap moves forward by the gap, a
 * doubled one means the first": every offset of quarter hours is tried.
 */
function instantOf(local: number, timeZone: string): number {
  if (timeZone === 'UTC') return local;
  const shown = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const localOf = (instant: number): number => {
    const part = Object.fromEntries(
      shown.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
    );
    return Date.UTC(part['year']!, part['month']! - 1, part['day'], part['hour'], part['minute']);
  };
  const offsets: number[] = [];
  for (let offset = 15 * 60; offset >= -15 * 60; offset -= 15) offsets.push(offset * MINUTE);
  for (const offset of offsets) if (localOf(local - offset) === local) return local - offset;
  // In a gap of the clock the earlier offset applies: that of a day before.
  return local - (localOf(local - DAY) - (local - DAY));
}
