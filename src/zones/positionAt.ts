/** Reads one position of a list, and reports all its errors. */

import { expected } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import {
  guarded,
  isPair,
  type PositionProblem,
  readLonLat,
  readPosition,
  unreadable,
  valueProblem,
} from '../core/input.js';
import { type ErrorSink, note } from './errorList.js';

/** The position; null, with an error for each invalid number, if it is invalid. */
export function positionAt(
  list: ArrayLike<unknown>,
  i: number,
  path: string,
  axisOrder: 'lonlat' | 'latlon',
  sink: ErrorSink,
): Position | null {
  const at = `${path}[${i}]`;
  if (sink === null)
    return readPosition(
      guarded(at, () => list[i]),
      at,
      axisOrder,
    );
  const lonIndex = axisOrder === 'latlon' ? 1 : 0;
  const add = (field: string, { code: reason, message }: PositionProblem): null => {
    sink.add({ code: 4221, field, message, reason });
    return null;
  };
  let lon: unknown;
  let lat: unknown;
  try {
    const pair = list[i];
    if (!isPair(pair)) return add(at, { code: 'coord-type', message: expected('a pair of degrees', pair) });
    lon = pair[lonIndex];
    lat = pair[1 - lonIndex];
  } catch (error) {
    return note(sink, unreadable(error, at));
  }
  const first = valueProblem(lon, lat);
  if (first === null) return readLonLat(lon, lat, at, lonIndex);
  const fields = { lon: `${at}[${lonIndex}]`, lat: `${at}[${1 - lonIndex}]` };
  add(fields[first.of], first);
  const second = first.of === 'lon' ? valueProblem(0, lat) : valueProblem(lon, 0);
  return second === null ? null : add(fields[second.of], second);
}
