/** Copies columns without removed shapes. */

import { ShapeColumns } from '../shapes/index.js';
import { copyZone } from './dispatch.js';

/** Copies the shapes of the zones, in order, into new columns. Pieces are renumbered. */
export function compacted(old: ShapeColumns, ordinals: readonly number[]): ShapeColumns {
  const columns = new ShapeColumns();
  columns.reserve(ordinals.length, Math.max(64, old.vertexCount - old.deadVertices));
  for (const ordinal of ordinals) {
    const start = columns.pieceCount;
    copyZone(old, columns, ordinal);
    columns.assign(ordinal, start);
  }
  return columns;
}
