/** Options of the GPX readers. */

import type { ReadOptions } from '../common/readOptions.js';

export interface GpxOptions extends ReadOptions {
  /** The unit of every track in the file. Default: the track's name, else `track-` and its number. */
  readonly unitId?: string;
  /**
   * `fixes` (default): tracks are fixes, routes are points. `lines`: each segment of a track and each route is a line zone without a
   * width, of id `track-1`, `route-1`…; points need no time then, and what they say beyond the position is not read.
   */
  readonly as?: 'fixes' | 'lines';
  /**
   * Metres of accuracy for one unit of `hdop`, at most 1000; 0: it says nothing. Default 5, a plain receiver's ranging error. An extension
   * `accuracy` (metres) goes before it.
   */
  readonly metersPerHdop?: number;
}
