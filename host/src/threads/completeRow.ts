/** Validates and completes the body of a row. */

import { completeGeozone, type Geozone } from 'wayzone';
import { validateGeozone, validateRoute, validateTrip } from 'wayzone/schemas';
import type { CompletedKind } from './computeTypes.js';

/** Throws the errors of an invalid body. `stored` is the row that it replaces. */
export function completeRow(kind: CompletedKind, body: unknown, stored: object | null): object {
  if (kind === 'route') return validateRoute(body);
  if (kind === 'trip') return validateTrip(body);
  return completeGeozone(validateGeozone(body), { stored: stored as Geozone | null });
}
