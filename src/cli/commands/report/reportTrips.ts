/** Evaluated runs of trips for the report, with their plans and the shapes of their points. */

import { inputError, WayzoneError } from '../../../core/errors.js';
import { readPositions } from '../../../core/input.js';
import { pickOptions } from '../../../core/options.js';
import type { Trip } from '../../../core/trip.js';
import { ZONE_OPTIONS } from '../../../core/zoneOptions.js';
import type { FileIssue, ReportUnit, ShownTrip, TripPointShape } from '../../../report/index.js';
import { readTrack } from '../../../tracks/index.js';
import { changesOfRun, evaluateTrip, planTrip, type TripOptions, tripZones } from '../../../trips/index.js';
import { reportOutlineOf } from './reportZone.js';

/** Every run of the trips on these days (`null`: all). A run that cannot be evaluated becomes an issue. */
export function reportTrips(
  trips: readonly Trip[],
  units: readonly ReportUnit[],
  options: TripOptions,
  days: readonly string[] | null,
  issues: FileIssue[],
): ShownTrip[] {
  const tracks = new Map(units.map(({ unitId, track }) => [unitId, track]));
  const none = readTrack([]);
  const shown: ShownTrip[] = [];
  for (const trip of trips) {
    let shapes: TripPointShape[] | null = null;
    for (const date of datesOf(trip, days)) {
      try {
        const changes = changesOfRun(trip, date);
        const own = { ...options, changes };
        const report = changes.some(({ type }) => type === 'handOver')
          ? evaluateTrip(trip, date, { tracks: Object.fromEntries(tracks) }, own)
          : evaluateTrip(trip, date, tracks.get(trip.unit.id) ?? none, own);
        shapes ??= shapesOf(trip, options);
        shown.push({ name: nameOf(trip), report, plan: planTrip(trip, date, options).points, shapes });
      } catch (error) {
        if (!(error instanceof WayzoneError)) throw error;
        if (error.field === 'options.timeZone') throw error;
        const field = `trip ${JSON.stringify(trip.id)} ${date} ${error.field}`;
        issues.push({ code: error.code, severity: 'error', field, message: error.message, file: '' });
      }
    }
  }
  return shown;
}

function nameOf({ id, name }: Trip): string {
  return typeof name === 'string' && name !== '' ? name : String(id);
}

function shapesOf(trip: Trip, options: TripOptions): TripPointShape[] {
  return tripZones(trip, options).map((zone) => ({
    lonLat: readPositions(zone.geometry, 'geometry', options.axisOrder),
    outline: reportOutlineOf(zone, pickOptions(options, ZONE_OPTIONS)),
  }));
}

/** The days of a trip, as `yyyy-MM-dd`, of those in `days` (`null`: all). */
export function datesOf({ dates }: Trip, days: readonly string[] | null): string[] {
  const own = new Set(dates.map((text) => String(text).slice(0, 10)));
  return [...own].filter((date) => days === null || days.includes(date));
}

/** Days of the command line, as `yyyy-MM-dd`; error `date`. */
export function readDays(texts: readonly string[] | undefined): string[] | null {
  if (texts === undefined) return null;
  return texts.map((text) => {
    const time = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
    const isDay = /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time);
    if (isDay && new Date(time).toISOString().startsWith(text.slice(0, 10))) return text.slice(0, 10);
    throw inputError('date', '--date', 'a date yyyy-MM-dd that exists', text);
  });
}
