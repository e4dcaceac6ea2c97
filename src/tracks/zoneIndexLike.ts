/** The part of an index that visits need. `ZoneIndex` has more for them (`internalsOf`). */

import type { Position } from '../core/geometry.js';
import type { ZoneShape } from '../core/wire.js';

/** The methods of an index that trackers call. */
export interface ZoneIndexLike {
  /** Ids of the zones that contain the position, boundary included. */
  at(position: Position): string[];
  /**
   * The closed intervals of the straight segment a→b in each zone, as fractions, sorted within a zone. The zone contains a if and only if an
   * interval begins at 0, and b if and only if an interval ends at 1. A touch has `from === to`.
   */
  crossing(a: Position, b: Position): { readonly id: string; readonly from: number; readonly to: number }[];
  /** Distances of one zone, metres, negative inside. Without it the exit buffer is ignored. */
  prepared?(id: string): { signedDistanceMeters(lon: number, lat: number): number } | null;
  /** Index of the zone in the order of insertion. */
  ordinalOf(id: string): number | null;
  /** Number of edits. Without this field a `VisitTracker` checks a unit's zones at every fix. */
  readonly edits?: number | undefined;
  /** Returns the row of a zone. Without this function a `VisitTracker` notices removed zones but not changed shapes. */
  get?(id: string): ZoneShape | null;
}
