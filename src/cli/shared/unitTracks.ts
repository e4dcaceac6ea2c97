/** Tracks of units, from the fixes of files. */

import type { Fix, FixTable, Track } from '../../core/fix.js';
import { readTrack, type TrackOptions } from '../../tracks/index.js';
import type { Collected } from './collect.js';

/** One track per unit, in order of unit id. Then closes the fixes. */
export function* unitTracks(
  { units, close }: Pick<Collected, 'units' | 'close'>,
  options: TrackOptions,
): Generator<{ unitId: string; track: Track }> {
  try {
    for (const { unitId, fixes } of units) yield { unitId, track: readTrack(fixesOf(fixes), options) };
  } finally {
    close();
  }
}

function* fixesOf(tables: Iterable<FixTable>): Generator<Fix> {
  for (const table of tables) {
    const { time, lon, lat, speedKph, accuracyMeters, satellites, valid } = table;
    for (let i = 0; i < table.length; i++) {
      const isKnown = (column: Float64Array | null): column is Float64Array =>
        !Number.isNaN(column?.[i] ?? Number.NaN);
      yield {
        time: time[i]!,
        lon: lon[i]!,
        lat: lat[i]!,
        ...(isKnown(speedKph) && { speedKph: speedKph[i]! }),
        ...(isKnown(accuracyMeters) && { accuracyMeters: accuracyMeters[i]! }),
        ...(isKnown(satellites) && { satellites: satellites[i]! }),
        ...(valid?.[i] === 0 && { valid: false }),
      };
    }
  }
}
