/** The points of a trip as zones. */

import { inputError, isArray, WayzoneError } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import { pickOptions } from '../../core/options.js';
import { DEFAULT_TRIP_WIDTH_METERS, type Trip, type TripPoint } from '../../core/trip.js';
import { type Pair, sizeFieldsOf, type WrittenShape, type ZoneOptions } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { checkRunOptions } from '../../tracks/checkRunOptions.js';
import { prepareZone } from '../../zones/preparedZone.js';

/** A trip's point as a row for a `ZoneIndex`. */
export interface TripZone extends WrittenShape {
  /** The point's index in the trip, as text. */
  readonly id: string;
  /** The name of the point. */
  readonly name: string;
}

/**
 * One zone per point, in the trip's order, with the point's index as its id. A `ZoneIndex` accepts them.
 *
 * The shape of a point is its `geometry`, else its `coordinates`. A point, circle or line without `width` gets `defaultWidthMeters` (here 100 by
 * default). A polygon has no width. Pairs and widths keep the meaning of `axisOrder` and `lineWidth`: give the index the same options. Every
 * shape is checked. Geometry is shared with the trip, not copied.
 *
 * Errors: `trip-type`, `points-missing` (no list, or an empty one), `zone-type` (`points[2].type.key`) and the errors of a shape
 * (`points[2].geometry[0][1]`, or `.coordinates` of such a point), `option-type`, `option-value`, `input-unreadable`.
 *
 * @example
 * import { tripZones } from 'wayzone/trips';
 * const trip = { points: [{ name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] }] };
 * tripZones(trip); // [{ id: '0', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]], width: 100 }]
 */
export function tripZones(trip: Pick<Trip, 'points'>, options: ZoneOptions = {}): TripZone[] {
  checkRunOptions(options, ZONE_OPTIONS);
  return zonesOf(trip, options);
}

/** `tripZones` by checked options, among which may be others. */
export function zonesOf(trip: Pick<Trip, 'points'>, options: ZoneOptions): TripZone[] {
  const copy = pickOptions(options, ZONE_OPTIONS);
  const read = { ...copy, defaultWidthMeters: copy.defaultWidthMeters ?? DEFAULT_TRIP_WIDTH_METERS };
  return readPoints(trip).map((point, i) => tripZone(point, i, read));
}

function readPoints(trip: Pick<Trip, 'points'>): TripPoint[] {
  if (typeof trip !== 'object' || trip === null) {
    throw inputError('trip-type', 'trip', 'a trip', trip);
  }
  return guarded('points', () => {
    const points = trip.points;
    if (!isArray(points) || points.length === 0) {
      throw inputError('points-missing', 'points', 'a list of at least one point', points);
    }
    return Array.from(points);
  });
}

function tripZone(
  point: TripPoint,
  index: number,
  options: Required<Pick<ZoneOptions, 'defaultWidthMeters'>> & ZoneOptions,
): TripZone {
  const field = `points[${index}]`;
  if (typeof point !== 'object' || point === null) {
    throw inputError('zone-type', field, 'a point of a trip', point);
  }
  const { name, type, key, geometry, coordinates, width, ...others } = guarded(field, () => ({
    name: point.name,
    type: point.type,
    key: point.type?.key,
    geometry: point.geometry,
    coordinates: point.coordinates,
    ...sizeFieldsOf(point),
  }));
  const source = geometry === undefined || geometry === null ? 'coordinates' : 'geometry';
  // The check of the shape reports a missing geometry.
  const pairs = (source === 'geometry' ? geometry : coordinates) as readonly Pair[];
  const row: TripZone = { id: String(index), name, type, geometry: pairs, ...others };
  const metres = width ?? (key === 'polygon' ? undefined : options.defaultWidthMeters);
  const zone = metres === undefined ? row : { ...row, width: metres };
  const sent = coordinates === undefined || coordinates === null ? 'geometry' : source;
  checked(() => prepareZone(zone, options, `${field}.`), `${field}.geometry`, `${field}.${sent}`);
  return zone;
}

/** Runs a check; errors at the path `from` are reported at `to`, the field that the caller sent. */
function checked(check: () => unknown, from: string, to: string): void {
  try {
    check();
  } catch (error) {
    if (from === to || !(error instanceof WayzoneError) || !error.field.startsWith(from)) throw error;
    throw new WayzoneError(error.code, to + error.field.slice(from.length), error.message);
  }
}

/** For each point a text of what makes its zone: type, geometry (`parts` included) and width; a polygon's width does not count. */
export function zoneKeys(trip: Pick<Trip, 'points'>, defaultWidthMeters: number): string[] {
  return Array.from(trip.points, (point, i) =>
    guarded(`points[${i}]`, () => {
      const type = point.type?.key;
      const { width = defaultWidthMeters, ...others } = sizeFieldsOf(point);
      const isSized = type !== 'polygon';
      return JSON.stringify([type, isSized ? width : null, point.geometry ?? point.coordinates, others]);
    }),
  );
}

/** For each point the index of the first one with an equal zone. */
export function zoneNumbers(keys: readonly string[]): number[] {
  const numbers = new Map<string, number>();
  return keys.map((key, i) => {
    const number = numbers.get(key) ?? i;
    numbers.set(key, number);
    return number;
  });
}

/** The zone of each point, keyed by the `zoneId` of a visit: the point's index as text. */
export function zonesById(zones: readonly number[]): ReadonlyMap<unknown, number> {
  return new Map(zones.map((zone, i) => [String(i), zone]));
}
