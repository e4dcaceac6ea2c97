/**
 * Rejects circles and lines without an extent. Only validation rejects them; a stored circle or line without an extent is read as a single
 * position.
 */

import { type ErrorSink, reportError } from './errorList.js';
import type { NormalShape } from './kinds/index.js';

/** Least radius of a circle, metres. Degrees have a resolution of some nanometres, in which a smaller outline has no area. */
export const LEAST_CIRCLE_METERS = 1e-3;

/** Reports a circle of almost no radius (`radius-range`) and a line of one position (`line-too-short`). */
export function refuseWithoutExtent(shape: NormalShape, field: string, sink: ErrorSink): void {
  if (shape.key === 'circle' && shape.radius < LEAST_CIRCLE_METERS) {
    const what = `a radius of at least ${LEAST_CIRCLE_METERS} m for a circle`;
    reportError(sink, 'radius-range', `${field}width`, what, shape.radius);
  }
  if (shape.key === 'line' && shape.coords.length === 2) {
    const what = 'at least 2 different positions for a line';
    reportError(sink, 'line-too-short', `${field}geometry`, what, 'one position');
  }
}
