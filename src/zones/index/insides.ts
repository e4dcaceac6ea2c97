/** Members of an index that trackers and tiles use besides the public ones. */

import type { PreparedZone } from '../preparedZone.js';
import type { ShapeColumns } from '../shapes/index.js';
import type { Candidates } from './candidates.js';
import type { PlainShape } from './rows/index.js';
import type { SegmentIntervals } from './segments/index.js';
import type { ZoneRow } from './types.js';

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
  /** The shapes of all zones. Edits may replace the columns. */
  readonly columns: ShapeColumns;
  /** Finds the pieces whose boxes meet a box. Edits may replace it. */
  readonly candidates: Candidates;
  /** Whether rows marked deleted are in the index. */
  readonly includesDeleted: boolean;
  /** The row of an ordinal as the index retains it: not a copy, and its geometry may be missing. Null for an unknown ordinal. */
  keptRow(ordinal: number): ZoneRow | null;
  /** The members of an index of this row alone, with the options of this index. Its ordinal is 0. A row marked deleted is left out. */
  alone(row: ZoneRow): Insides;
}

let read: (index: object) => Insides | null = () => null;

/** The members of a `ZoneIndex`. Null for an index of another kind. */
export function insidesOf(index: object): Insides | null {
  return read(index);
}

/** Takes the function that reads the members, which are private to the class. */
export function readInsidesBy(reader: (index: object) => Insides | null): void {
  read = reader;
}
