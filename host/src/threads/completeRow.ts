/** Validates and completes the body of a row. */

import { completeGeozone, type Geozone, type GeozoneInput, WayzoneError } from 'wayzone';
import { type Hours, prepareHours } from 'wayzone/hours';
import { validateGeozone, validateRoute, validateTrip } from 'wayzone/schemas';
import type { CompletedKind } from './computeTypes.js';

/** Throws the errors of an invalid body. `stored` is the row that it replaces. */
export function completeRow(kind: CompletedKind, body: unknown, stored: object | null): object {
  if (kind === 'route') return validateRoute(body);
  if (kind === 'trip') return validateTrip(body);
  const zone = validateGeozone(body);
  checkHours(zone);
  return completeGeozone(zone, { stored: stored as Geozone | null });
}

/** The field `hours`, if there is one, must be hours of `prepareHours`: `hours-invalid` with its path. */
function checkHours(zone: GeozoneInput & { readonly hours?: Hours | null }): void {
  const { hours } = zone;
  if (hours === undefined || hours === null) return;
  try {
    prepareHours(hours, { timeZone: 'UTC' });
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const field = error.field === 'hours' ? 'hours' : `hours.${error.field}`;
    throw new WayzoneError(error.code, field, error.message);
  }
}
