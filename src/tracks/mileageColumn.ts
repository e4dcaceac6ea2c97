/** Where a fix tells what measures distances. */

import type { MileageKind } from '../core/trackSettings.js';
import { type CleanFix, UNKNOWN } from './fixGate.js';

/** The column of a track that `tripdetector_mileagedetect` needs; null: positions are enough. */
export function mileageColumn(kind: MileageKind): 'ignition' | 'mileageMeters' | 'mileageDeltaMeters' | null {
  if (kind === 'mileage_GPS_ignition') return 'ignition';
  if (kind === 'mileage_mileage_sensor') return 'mileageMeters';
  return kind === 'mileage_relative_mileage' ? 'mileageDeltaMeters' : null;
}

/** What a fix told of it, -1 for nothing; the ignition is read apart. */
export function mileageOf(kind: MileageKind, fix: CleanFix): number {
  const column = mileageColumn(kind);
  return column === null || column === 'ignition' ? UNKNOWN : fix[column];
}
