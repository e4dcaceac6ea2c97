/** Evaluated runs of trips for the report, with their plans and the shapes of their points. */

import { inputError, WayzoneError } from '../../../core/errors.js';
import type { MultiPolygon, Polygon } from '../../../core/geometry.js';
import { readPositions } from '../../../core/input.js';
import { pickOptions } from '../../../core/options.js';
import type { Trip } from '../../../core/trip.js';
import type { Geozone, ZoneOptions, ZoneShape } from '../../../core/wire.js';
import { ZONE_OPTIONS } from '../../../core/zoneFields.js';
import type { FileIssue, ReportUnit, ReportZone, ShownTrip, TripPointShape } from '../../../report/index.js';
import { readTrack } from '../../../tracks/index.js';
import { changesOfRun, evaluateTrip, planTrip, type TripOptions, tripZones } from '../../../trips/index.js';
import { measureZone } from '../../../zones/measureZone.js';
import { zoneOutline } from '../../../zones/zoneOutline.js';

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

/** Measures an indexed zone. Errors: `hole-outside`. */
export function reportZone(zone: Geozone, options: ZoneOptions): ReportZone {
  const given = zone.width ?? options.defaultWidthMeters ?? null;
  const sides = zone.type.key === 'line' && options.lineWidth === 'each-side' ? 2 : 1;
  return {
    zone,
    lonLat: readPositions(zone.geometry, 'geometry', options.axisOrder),
    outline: reportOutlineOf(zone, options),
    widthMeters: zone.type.key === 'polygon' || given === null ? null : given * sides,
    ...measureZone(zone, options),
  };
}

/** The outline of a zone; `null` for a single position. */
function reportOutlineOf(zone: ZoneShape, options: ZoneOptions): Polygon | MultiPolygon | null {
  try {
    return zoneOutline(zone, options);
  } catch (error) {
    if (error instanceof WayzoneError && error.code === 'outline-empty') return null;
    throw error;
  }
}
