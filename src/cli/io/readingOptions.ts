/** Options of commands for their input files. */

import type { FixBatch } from '../../core/fix.js';
import type { ReadLimits, SpeedUnit, TableHints } from '../../interchange/index.js';

/** Options of the readers of files. */
export interface ReadingOptions {
  readonly axisOrder: 'lonlat' | 'latlon';
  readonly columns: Readonly<Partial<Record<ColumnOption, string>>>;
  readonly speedUnit?: SpeedUnit;
  /** What the caller says about tables. */
  readonly table?: TableHints;
  /** Pairs of GeoJSON files are latitude first. */
  readonly latFirst?: boolean;
  readonly idProperty?: string;
  readonly nameProperty?: string;
  /** Tracks and routes of a GPX file as fixes (default) or as line zones. */
  readonly gpxAs?: 'fixes' | 'lines';
  /** Zones are only indexed: the geometry of a zone with one ring is `FlatPairs` if the format allows it. */
  readonly flatZones?: boolean;
  /** Receives the fixes of a CSV file in columns while the file is read. Its size is then not limited. */
  readonly onFixes?: (batch: FixBatch) => void;
}

export type ColumnOption = 'unit' | 'time' | 'lat' | 'lon' | 'speed';

/** No limits, for files that are not kept in memory. */
export const NO_LIMITS: Required<Pick<ReadLimits, 'maxBytes' | 'maxVertices' | 'maxFeatures'>> = {
  maxBytes: Number.POSITIVE_INFINITY,
  maxVertices: Number.POSITIVE_INFINITY,
  maxFeatures: Number.POSITIVE_INFINITY,
};
