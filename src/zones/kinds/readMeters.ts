/** Reads the radius of a disc, the width of a line, and the lists of a shape within the limit of vertices. */

import { MAX_VERTICES, readList } from '../../core/input.js';
import type { ShapeFields } from '../../core/wire.js';
import type { ZoneTypeKey } from '../../core/zoneTypes.js';
import { type ErrorSink, note, reportError } from '../errorList.js';
import type { ShapeRules } from './kind.js';

/** The given or the default width, metres from 0; 0 for a point without either. Null, with an error, for an invalid value. */
export function readMeters(
  key: ZoneTypeKey,
  { width }: ShapeFields,
  { defaultWidth }: ShapeRules,
  field: string,
  sink: ErrorSink,
): number | null {
  const meters = width ?? defaultWidth ?? (key === 'point' ? 0 : undefined);
  const path = `${field}width`;
  if (meters === undefined)
    return reportError(
      sink,
      'width-missing',
      path,
      key === 'circle' ? 'a width in metres, the radius of the circle' : `a width in metres for a ${key}`,
      undefined,
    );
  if (typeof meters === 'number' && Number.isFinite(meters) && meters >= 0) return meters;
  const code = key === 'line' ? 'width-range' : 'radius-range';
  return reportError(sink, code, path, 'a width in metres, not negative', meters);
}

export function listAt(value: unknown, path: string, sink: ErrorSink): ArrayLike<unknown> | null {
  try {
    return readList(value, path);
  } catch (error) {
    return note(sink, error);
  }
}

/** Whether the number of vertices is within the limit. Reports `limit-vertices` at `path` if not. */
export function fewVertices(count: number, path: string, sink: ErrorSink): boolean {
  if (count <= MAX_VERTICES) return true;
  reportError(sink, 'limit-vertices', path, `at most ${MAX_VERTICES} vertices`, count);
  return false;
}
