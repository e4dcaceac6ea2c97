/** Finds the zones that meet a box. */

import { splitBbox } from '../../core/angles.js';
import type { Bbox } from '../../core/geometry.js';
import { meetsBox } from '../meetsBox.js';
import type { ShapeIndex } from './shapeIndex.js';

/** Ordinals of the zones that meet the closed box, ascending; west > east crosses the antimeridian. */
export function zonesInBox(shapes: ShapeIndex, bbox: Bbox): number[] {
  const found = new Set<number>();
  for (const part of splitBbox(bbox)) {
    const { candidates, columns } = shapes;
    const count = candidates.collect(...part);
    let last = -1;
    for (let i = 0; i < count; i++) {
      const ordinal = columns.pieceZone[candidates.pieces[i]!]!;
      // The pieces of a zone are consecutive.
      if (ordinal === last) continue;
      last = ordinal;
      if (!found.has(ordinal) && meetsBox(shapes.preparedAt(ordinal), part)) found.add(ordinal);
    }
  }
  return [...found].sort((p, q) => p - q);
}
