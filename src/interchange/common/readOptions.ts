/** Options that the readers of all formats share. */

import type { Fix, FixBatch } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import type { Crs } from '../crs/crs.js';
import type { ForeignZone } from './foreignZone.js';
import type { ReadLimits } from './readLimits.js';

/** Options of every reader that gives zones. */
export interface ReadOptions {
  /** Order of the pairs in the wire objects that come out. Files themselves are always lon, lat. Default `lonlat`. */
  readonly axisOrder?: 'lonlat' | 'latlon';
  /** Before the running number of a zone (route) that the file gives no id. Default `zone-` (`route-`). */
  readonly idPrefix?: string;
  /**
   * The system of the file's coordinates where it is not WGS84: one from `loadCrs`; functions that wait (`read…`) also take its name
   * or definition. All that comes out is WGS84.
   */
  readonly crs?: string | Crs;
  /**
   * `[lon, lat]` of a place that the zones are around: one that lies near it only with its numbers swapped gives a warning
   * `axis-order-suspect` (see `validateGeozones`). Default: zones are held against each other, where no `onZone` takes them.
   */
  readonly near?: Position;
  /** What is refused for its size. */
  readonly limits?: ReadLimits;
  /**
   * Takes each fix as it is read, in the order of the file; `value` then holds no tracks. With `onZone` a reader of chunks keeps nothing, and
   * its memory does not grow with the file.
   */
  readonly onFix?: (unitId: string, fix: Fix) => void;
  /**
   * Takes the fixes likewise, in columns: several times faster than `onFix`, which then gets none. A batch is filled anew after the call: copy
   * what you keep. A batch has at most 8,192 fixes.
   */
  readonly onFixes?: (batch: FixBatch) => void;
  /**
   * Takes each zone likewise. An id that the file has twice comes twice, without an issue; zones of KML come without the colours of shared styles,
   * and a route that `toKml` wrote as a group of its points.
   */
  readonly onZone?: (zone: ForeignZone) => void;
}
