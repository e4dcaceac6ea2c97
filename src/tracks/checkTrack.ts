/** Checks a track that a caller passes. */

import { inputError, isArray, type WayzoneError } from '../core/errors.js';
import type { Track } from '../core/fix.js';

/** Throws `track-invalid` unless the columns that every analysis reads have one length and the times increase, as in every track of `readTrack`. */
export function checkTrack(track: Track): void {
  const columns = [track?.time, track?.lon, track?.lat];
  for (const column of columns) {
    if (!(column instanceof Float64Array) || column.length !== track.length) {
      throw notATrack(track);
    }
  }
  const blind: unknown = track.blind ?? null;
  if (blind !== null && !(blind instanceof Uint8Array && blind.length === track.length)) {
    throw inputError('track-invalid', 'track.blind', 'null or an entry for each fix', blind);
  }
  for (let i = 1; i < track.length; i++) {
    if (!((track.time[i] as number) > (track.time[i - 1] as number))) {
      throw inputError('track-invalid', `track.time[${i}]`, 'times that increase', track.time[i]);
    }
  }
}

/** The error of a value where a track is needed, with what to pass. */
export function notATrack(given: unknown, what: string = 'a Track from readTrack'): WayzoneError {
  return inputError(
    'track-invalid',
    'track',
    isArray(given) ? `${what} (pass readTrack(fixes))` : what,
    given,
  );
}
