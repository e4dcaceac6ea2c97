/** Reading of a line. Queries on the columns of an index are in `run.ts`. */

import type { Position } from '../../core/geometry.js';
import type { ShapeFields } from '../../core/wire.js';
import { type ErrorSink, note, reportError } from '../errorList.js';
import { positionAt } from '../positionAt.js';
import { ambiguousEdge } from '../ring.js';
import type { AxisOrder, ShapeRules } from './kind.js';
import { fewVertices, listAt } from './listAt.js';
import { readMeters } from './readMeters.js';

/** The largest total width of a corridor, metres. */
export const MAX_LINE_WIDTH_METERS = 2_000_000;

/** All positions within half the width of a line. */
export interface LineShape {
  readonly key: 'line';
  /** `[lon, lat, …]`, wrapped, without repeated neighbours. A line of one vertex is a disc. */
  readonly coords: Float64Array;
  readonly halfWidth: number;
}

/** Reads a line. Null if it has errors. */
export function readLine(
  given: ShapeFields,
  rules: ShapeRules,
  field: string,
  sink: ErrorSink,
): LineShape | null {
  const coords = readVertices(given.geometry, rules.axisOrder, `${field}geometry`, sink);
  const total = readTotal(given, rules, field, sink);
  return coords === null || total === null ? null : { key: 'line', coords, halfWidth: total / 2 };
}

/** The total width, metres. Null, with an error, if it is invalid. */
function readTotal(given: ShapeFields, rules: ShapeRules, field: string, sink: ErrorSink): number | null {
  const meters = readMeters('line', given, rules, field, sink);
  if (meters === null) return null;
  const total = rules.lineSides * meters;
  if (total > 0 && total <= MAX_LINE_WIDTH_METERS) return total;
  const what = `a corridor width above 0, up to ${MAX_LINE_WIDTH_METERS} m`;
  return reportError(sink, 'width-range', `${field}width`, what, total);
}

/** The total width of a plain row, metres; -1 for a row that needs `readLine`. */
export function plainTotal(width: unknown, { lineSides, defaultWidth }: ShapeRules): number {
  const meters = width ?? defaultWidth;
  if (typeof meters !== 'number') return -1;
  const total = lineSides * meters;
  return total > 0 && total <= MAX_LINE_WIDTH_METERS ? total : -1;
}

function readVertices(
  geometry: unknown,
  axisOrder: AxisOrder,
  path: string,
  sink: ErrorSink,
): Float64Array | null {
  const list = listAt(geometry, path, sink);
  if (list === null || !fewVertices(list.length, path, sink)) return null;
  if (list.length === 0) return reportError(sink, 'line-too-short', path, 'at least one position', 'none');
  const coords = new Float64Array(2 * list.length);
  let n = 0;
  let isValid = true;
  let last: Position | null = null;
  for (let i = 0; i < list.length; i++) {
    const position = positionAt(list, i, path, axisOrder, sink);
    if (position === null) isValid = false;
    else if (last === null || position[0] !== last[0] || position[1] !== last[1]) {
      if (last !== null && Math.abs(position[0] - last[0]) === 180) {
        isValid = false;
        note(sink, ambiguousEdge(`${path}[${i}]`));
      }
      coords[n++] = position[0];
      coords[n++] = position[1];
    }
    last = position;
  }
  return isValid ? coords.slice(0, n) : null;
}
