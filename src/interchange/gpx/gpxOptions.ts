/** Options of the GPX readers. */

import { type NumberRow, type OptionTable, OWN } from '../../core/options.js';
import { READ_OPTIONS, type ReadOptions } from '../common/readOptions.js';

export interface GpxOptions extends ReadOptions {
  /** Unit id of every track in the file. Default: the track's name, else the name of the file, else `track-` and its number. */
  readonly unitId?: string | undefined;
  /** Name of the file, used as unit id of tracks without a name. */
  readonly fileName?: string | undefined;
  /** IANA zone of times without one (GPX prescribes `UTC`). Default: such times are not read. */
  readonly timeZone?: string | undefined;
  /**
   * `fixes` (default): tracks become fixes, routes become points. `lines`: each segment of a track and each route becomes a line zone without a
   * width, with the id `track-1`, `route-1`…. Points then need no time, and only their positions are read.
   */
  readonly as?: 'fixes' | 'lines' | undefined;
  /**
   * Accuracy per unit of `hdop`, metres, at most 1000. 0: ignore `hdop`. Default 5, the ranging error of a simple receiver. An extension
   * `accuracy` (metres) takes precedence.
   */
  readonly metersPerHdop?: number | undefined;
}

export const METERS_PER_HDOP: NumberRow = { default: 5, max: 1000 };

export const GPX_OPTIONS: OptionTable<GpxOptions> = {
  ...READ_OPTIONS,
  unitId: OWN,
  fileName: OWN,
  timeZone: OWN,
  as: { words: ['fixes', 'lines'] },
  metersPerHdop: METERS_PER_HDOP,
};
