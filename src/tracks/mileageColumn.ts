/** The field of a fix that measures distances. */

import type { MileageKind } from '../core/trackSettings.js';
import { type CleanFix, UNKNOWN } from './fixReader.js';

/** The column of a track that `tripdetector_mileagedetect` needs; `null` if it needs positions only. */
export function mileageColumn(kind: MileageKind): 'ignition' | 'mileageMeters' | 'mileageDeltaMeters' | null {
  if (kind === 'mileage_GPS_ignition') return 'ignition';
  if (kind === 'mileage_mileage_sensor') return 'mileageMeters';
  return kind === 'mileage_relative_mileage' ? 'mileageDeltaMeters' : null;
}

/** The value of that column in a fix, -1 if unknown. The ignition is read separately. */
export function mileageOf(kind: MileageKind, fix: CleanFix): number {
  const column = mileageColumn(kind);
  return column === null || column === 'ignition' ? UNKNOWN : fix[column];
}
