/** What trackers ask of an index: no public names. */

import type { PreparedZone } from '../prepared.js';
import type { PlainShape } from './rows/keptRow.js';
import type { SegmentStays } from './segments/segmentStays.js';

export interface Insides {
  /** `crossing` by ordinals, without a check and without an object for each stay. */
  readonly segments: SegmentStays;
  /** The id of an ordinal that `segments` gave. */
  idOf(ordinal: number): string;
  /** How often the index was edited: what was asked of it holds while this stays the same. */
  readonly edits: number;
  /** The prepared zone of an id, or null: distances and stays without reading the shape again. */
  prepared(id: string): PreparedZone | null;
  /** The shape of an id in plain numbers, without a copy of its row; null for an unknown id, and where `get` alone can tell. */
  plainShape(id: string): PlainShape | null;
}
