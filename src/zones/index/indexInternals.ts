/** Private members of an index, for the trackers and the tiles. */

import type { PreparedZone } from '../preparedZone.js';
import type { ShapeColumns } from '../shapes/index.js';
import type { Candidates, SegmentIntervals } from './query/index.js';
import type { PlainShape } from './rows/index.js';
import type { ZoneRow } from './types.js';

export interface IndexInternals {
  /** `crossing` by ordinals, without checks and without an object for each interval. */
  readonly segments: SegmentIntervals;
  /** Id of the zone with an ordinal from `segments`. */
  idOf(ordinal: number): string;
  /** Number of edits so far. Results are valid until it changes. */
  readonly edits: number;
  /** Texts that trackers cache for zones, by ordinal. The text of a zone is removed when its row is replaced or removed. */
  readonly shapeHashes: Map<number, string>;
  /** The prepared zone of an id, for distances and intervals without reading the shape again; null if unknown. */
  prepared(id: string): PreparedZone | null;
  /**
   * The shape of an ordinal in plain numbers, without a copy of its row. Null for an unknown ordinal, and for a shape that only `get` has.
   */
  plainShape(ordinal: number): PlainShape | null;
  /** Shapes of all zones. Edits may replace the object. */
  readonly columns: ShapeColumns;
  /** Finds the pieces whose boxes meet a box. Edits may replace the object. */
  readonly candidates: Candidates;
  /** Whether rows marked deleted are in the index. */
  readonly includesDeleted: boolean;
  /** The row of an ordinal as the index stores it: not a copy, and possibly without its geometry. Null for an unknown ordinal. */
  keptRow(ordinal: number): ZoneRow | null;
  /**
   * The private members of a new index of this row alone, with the options of this index; the row's ordinal is 0. A row marked deleted is
   * left out.
   */
  alone(row: ZoneRow): IndexInternals;
}

let read: (index: object) => IndexInternals | null = () => null;

/** The private members of a `ZoneIndex`; null for another kind of index. */
export function internalsOf(index: object): IndexInternals | null {
  return read(index);
}

/** Sets the function that reads the members, which are private to the class. */
export function readInternalsBy(reader: (index: object) => IndexInternals | null): void {
  read = reader;
}
