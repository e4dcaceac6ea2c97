/** Tests whether polygons follow the rules that other programs expect. */

import { WayzoneError } from '../../core/errors.js';
import type { PolygonCoordinates } from '../../core/geometry.js';
import { polygonProblems } from '../../zones/polygonProblems.js';
import { readShape } from '../../zones/readShape.js';

/** Whether polygons, at least one, are valid together (OGC 06-103r4, §6.1.11). Cost: O(n log n). */
export function areValid(polygons: readonly PolygonCoordinates[]): boolean {
  try {
    const shape = readShape({ type: { key: 'polygon' }, geometry: polygons[0]![0]!, parts: polygons });
    return shape.key === 'polygon' && polygonProblems(shape.parts, 1).problems.length === 0;
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return false;
  }
}
