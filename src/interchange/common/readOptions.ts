/** Options that the readers of all formats share. */

import type { Fix, FixBatch } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { type OptionTable, OWN } from '../../core/options.js';
import { ZONE_OPTIONS } from '../../core/zoneOptions.js';
import type { Crs } from '../crs/crs.js';
import type { ForeignZone } from './foreignZone.js';
import type { ReadLimits } from './readLimits.js';

/** Options of every reader that returns zones. */
export interface ReadOptions {
  /** Order of the pairs in the returned zones and routes. Files always have lon, lat. Default `lonlat`. */
  readonly axisOrder?: 'lonlat' | 'latlon' | undefined;
  /** Prefix for zones and routes without an id in the file; their running number follows. Default `zone-` and `route-`. */
  readonly idPrefix?: string | undefined;
  /**
   * The coordinate system of the file if it is not WGS84: the result of `loadCrs`. Asynchronous functions (`read…`) also accept its name or
   * definition. Returned coordinates are always WGS84.
   */
  readonly crs?: string | Crs | undefined;
  /**
   * `[lon, lat]` of a place near the zones. A zone that is near it only with its numbers swapped gives a warning `axis-order-suspect` (see
   * `validateGeozones`). Default: zones are compared with each other, unless `onZone` takes them.
   */
  readonly near?: Position | undefined;
  /** Limits on the size of the file and its content. */
  readonly limits?: ReadLimits | undefined;
  /**
   * Called with each fix in the order of the file; `value` then contains no tracks. If `onZone` is given too, the memory of a reader of chunks
   * does not grow with the file.
   */
  readonly onFix?: ((unitId: string, fix: Fix) => void) | undefined;
  /**
   * Called with the fixes in batches of columns, at most 8,192 fixes each. Several times faster than `onFix`, which is then not called. The
   * batch is reused after the call: copy what you keep.
   */
  readonly onFixes?: ((batch: FixBatch) => void) | undefined;
  /**
   * Called with each zone in the order of the file; `value` then contains no zones. Repeated ids are neither renamed nor reported. Zones of
   * KML then lack the colours of shared styles, and a route written by `toKml` is read as a group of its points.
   */
  readonly onZone?: ((zone: ForeignZone) => void) | undefined;
}

export const READ_OPTIONS: OptionTable<ReadOptions> = {
  axisOrder: ZONE_OPTIONS.axisOrder,
  idPrefix: OWN,
  crs: OWN,
  near: OWN,
  limits: OWN,
  onFix: OWN,
  onFixes: OWN,
  onZone: OWN,
};
