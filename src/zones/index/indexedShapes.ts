/** What a question to an index needs of its shapes. */

import type { PreparedZone } from '../preparedZone.js';
import type { ShapeColumns } from '../shapes/shapeColumns.js';
import type { Candidates } from './candidates.js';

export interface IndexedShapes {
  readonly halfOpen: boolean;
  /** Increases with each edit. */
  readonly version: number;
  readonly columns: ShapeColumns;
  readonly candidates: Candidates;
  /** The prepared zone of an ordinal. */
  preparedAt(ordinal: number): PreparedZone;
}
