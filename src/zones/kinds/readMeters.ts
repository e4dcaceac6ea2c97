/** Reads the radius of a disc or the width of a line. */

import type { ShapeFields } from '../../core/wire.js';
import type { ZoneTypeKey } from '../../core/zoneTypes.js';
import { type ErrorSink, reportError } from '../errorList.js';
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
