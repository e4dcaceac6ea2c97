/** What visits ask of an index of zones; `ZoneIndex` is one, which gives them more (`insidesOf`). */

import type { Position } from '../core/geometry.js';
import type { ZoneShape } from '../core/wire.js';

/** What trackers ask of an index. */
export interface ZoneIndexLike {
  /** The zones that contain the position (closed). */
  at(position: Position): string[];
  /**
   * The closed stays of the straight segment a→b in each zone it meets, as fractions, ordered within a zone.
   * a is in a zone iff one of its stays begins at 0, b iff one ends at 1; a touch has `from === to`.
   */
  crossing(a: Position, b: Position): { readonly id: string; readonly from: number; readonly to: number }[];
  /** The zone's own answers by distance (metres, negative inside); without it a zone is left at its border, whatever the exit buffer. */
  prepared?(id: string): { signedDistanceMeters(lon: number, lat: number): number } | null;
  /** The zone's place in the order of insertion. */
  ordinalOf(id: string): number | null;
  /** Grows with every edit; without it a `VisitTracker` looks at a unit's zones with every fix. */
  readonly edits?: number;
  /** The zone's row; without it a `VisitTracker` notices that a zone is removed, not that its shape changes. */
  get?(id: string): Pick<ZoneShape, 'type' | 'geometry' | 'width' | 'parts'> | null;
}
