/** Reads one position of a list, and reports all its errors. */

import type { WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { guarded, readLonLat, readPosition } from '../core/input.js';
import { type ErrorSink, note } from './errorList.js';

/** The position, or null with an error for each wrong number. */
export function positionAt(
  list: ArrayLike<unknown>,
  i: number,
  path: string,
  axisOrder: 'lonlat' | 'latlon',
  sink: ErrorSink,
): Position | null {
  const at = `${path}[${i}]`;
  let pair: unknown;
  try {
    pair = guarded(at, () => list[i]);
    return readPosition(pair, at, axisOrder);
  } catch (error) {
    note(sink, error);
    const bad = [0, 1].find((index) => (error as WayzoneError).field === `${at}[${index}]`);
    if (bad === undefined) return null;
    const lonIndex = axisOrder === 'latlon' ? 1 : 0;
    const other = 1 - bad;
    sink!.try(() => {
      const value = guarded(at, () => (pair as unknown[])[other]);
      return other === lonIndex ? readLonLat(value, 0, at, lonIndex) : readLonLat(0, value, at, lonIndex);
    });
    return null;
  }
}
