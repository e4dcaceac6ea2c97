/** Validates and completes the body of a row. */

import { completeGeozone, type Geozone, type GeozoneInput, WayzoneError } from 'wayzone';
import { keepKeys, validateGeozone, validateRoute, validateTrip } from 'wayzone/schemas';
import type { CompletedKind } from '../jobs/computeTypes.js';
import { routeOf } from '../stream/tripRoute.js';
import { checkHours } from '../zones/checkHours.js';
import { oneShape, oneShapes } from '../zones/oneShape.js';
import { isSpeedLimit } from '../zones/zoneRules.js';
import { keepIds } from './keepIds.js';

/** Ten years of days. */
const MOST_DATES = 4000;

/** The row to store, whose entries are keys alone and whose references are ids alone. Throws the errors of an invalid body. */
export function completeRow(kind: CompletedKind, body: unknown): object {
  return keepIds(kind, keepKeys(kind, completed(kind, body)));
}

/** The body as the validator of its kind returns it. Throws its field errors. */
export function validated(kind: CompletedKind, body: unknown): object {
  if (kind === 'route') return validateRoute(body);
  if (kind === 'trip') {
    checkDates(body);
    const trip = validateTrip(body);
    checkTripRoute(trip);
    return trip;
  }
  const zone = validateGeozone(withoutComputed(body));
  checkSpeedLimit(zone);
  const { hours } = zone as GeozoneInput & { readonly hours?: unknown };
  if (hours !== undefined && hours !== null) checkHours(hours, 'hours');
  return zone;
}

function completed(kind: CompletedKind, body: unknown): object {
  const row = validated(kind, body);
  return kind === 'geozone' ? completeGeozone(oneShape(row as GeozoneInput, 'geometry')) : oneShapes(row);
}

/** The body without the fields that are computed in any case: a client may send them, as it read them or otherwise, and they have no say. */
function withoutComputed(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { area: _, perimeter: __, polygon_geometry: ___, ...rest } = body as Partial<Geozone>;
  return rest;
}

/** A trip has at most `MOST_DATES`: the stream plans the runs of each. */
function checkDates(body: unknown): void {
  const { dates } = Object(body) as { readonly dates?: unknown };
  if (Array.isArray(dates) && dates.length > MOST_DATES)
    throw new WayzoneError(
      'option-value',
      'dates',
      `expected at most ${MOST_DATES} dates, received ${dates.length}`,
    );
}

/** The field `route` of a trip, if there is one, must be `{id, width}`: `option-value`. */
function checkTripRoute(trip: object): void {
  const { route } = trip as { readonly route?: unknown };
  if (route === undefined || route === null || routeOf(trip) !== null) return;
  const { id } = Object(route) as { readonly id?: unknown };
  const [field, what] =
    typeof id === 'string' ? ['route.width', 'a width above 0 m'] : ['route.id', 'the id of a route'];
  throw new WayzoneError('option-value', field, `expected ${what}, received another value`);
}

/** The field `speed_limit`, if there is one, must be a number above 0 or null: `option-value`. */
function checkSpeedLimit({ speed_limit: limit }: GeozoneInput & { readonly speed_limit?: unknown }): void {
  if (limit === undefined || limit === null || isSpeedLimit(limit)) return;
  throw new WayzoneError(
    'option-value',
    'speed_limit',
    `expected a limit above 0 km/h, or null, received ${JSON.stringify(limit)}`,
  );
}
