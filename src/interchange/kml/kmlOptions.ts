/** Options of the KML readers. */

import { type OptionTable, OWN } from '../../core/options.js';
import { READ_OPTIONS, type ReadOptions } from '../common/readOptions.js';

export interface KmlOptions extends ReadOptions {
  /** Unit id of every track in the file. Default: the Placemark's name, else `track-` and its number. */
  readonly unitId?: string | undefined;
}

export const KML_OPTIONS: OptionTable<KmlOptions> = { ...READ_OPTIONS, unitId: OWN };
