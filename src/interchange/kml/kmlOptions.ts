/** Options of the KML readers. */

import type { ReadOptions } from '../common/readOptions.js';

export interface KmlOptions extends ReadOptions {
  /** The unit of every track in the file. Default: the Placemark's name, else `track-` and its number. */
  readonly unitId?: string;
}
