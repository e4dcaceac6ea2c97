/** Options of the CSV readers. */

import type { ReadOptions } from '../common/readOptions.js';
import type { Quantity, SpeedUnit } from './csvColumns.js';

export interface CsvOptions extends ReadOptions {
  /** Header names, if they are not the common ones (`vehicle_id`, `timestamp`, `lat`, `lon`, `speed_kph`…). */
  readonly columns?: Partial<Readonly<Record<Quantity, string>>>;
  /** `fixes` or `zones`. Default: zones when there is one column of well-known text and no column of times. */
  readonly as?: 'fixes' | 'zones';
  /** The header of the column of well-known text. Default: the one of `wkt`, `geom`, `the_geom`, `geometry`, `geometry_wkt`, `wkt_geom`. */
  readonly wktColumn?: string;
  /** Unit of the speed column, if its name does not give it. Without either, speeds are left out with an error. */
  readonly speedUnit?: SpeedUnit;
  /** Format of times. Default `iso`. */
  readonly timeFormat?: 'iso' | 'epoch-seconds' | 'epoch-milliseconds';
  /** Minutes east of UTC for ISO times without a zone. Without it such a time is `time-invalid`. */
  readonly timeZoneOffsetMinutes?: number;
  /** The unit of a file without a unit column. Default `unit-1`. */
  readonly unitId?: string;
  /**
   * Default: what a first line `sep=;` names, else the one of comma, semicolon, tab and `|` that the header has most of. The line `sep=;` is
   * never read as a header.
   */
  readonly delimiter?: string;
}
