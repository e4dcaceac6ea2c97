/** Members of an index that trackers use besides the public ones. */

import type { PreparedZone } from '../preparedZone.js';
import type { PlainShape } from './rows/index.js';
import type { SegmentIntervals } from './segments/index.js';

export interface Insides {
  /** `crossing` by ordinals, without a check and without an object for each interval. */
  readonly segments: SegmentIntervals;
  /** Id of an ordinal from `segments`. */
  idOf(ordinal: number): string;
  /** Number of edits. Results are valid until it changes. */
  readonly edits: number;
  /** Texts that trackers keep with zones, by ordinal. The text of a zone is removed when its row is replaced or removed. */
  readonly notes: Map<number, string>;
  /** The prepared zone of an id, or null: distances and intervals without reading the shape again. */
  prepared(id: string): PreparedZone | null;
  /**
   * The shape of an ordinal in plain numbers, without a copy of its row. Null for an unknown ordinal, and if only `get` has the shape.
   */
  plainShape(ordinal: number): PlainShape | null;
}
