/** What the commands say about their input files. */

import type { FixBatch } from '../../core/fix.js';
import type { ReadLimits, SpeedUnit } from '../../interchange/index.js';

/** What the readers of files need to know. */
export interface ReadingOptions {
  readonly axisOrder: 'lonlat' | 'latlon';
  readonly columns: Readonly<Partial<Record<Column, string>>>;
  readonly speedUnit?: SpeedUnit;
  readonly idProperty?: string;
  readonly nameProperty?: string;
  /** Tracks and routes of a GPX file as fixes (default) or as line zones. */
  readonly gpxAs?: 'fixes' | 'lines';
  /** Zones for an index alone: those of one ring have `FlatPairs` as their geometry where the format allows that. */
  readonly flatZones?: boolean;
  /** Whether other work of this thread goes on while `flatZones` are read. */
  readonly isShared?: boolean;
  /** Takes the fixes of a CSV file in columns while it is read; its size is then not limited. */
  readonly onFixes?: (batch: FixBatch) => void;
}

export type Column = 'unit' | 'time' | 'lat' | 'lon' | 'speed';

/** Of a file that is not kept in memory nothing is too long. */
export const NO_LIMITS: Required<Pick<ReadLimits, 'maxBytes' | 'maxVertices' | 'maxFeatures'>> = {
  maxBytes: Number.POSITIVE_INFINITY,
  maxVertices: Number.POSITIVE_INFINITY,
  maxFeatures: Number.POSITIVE_INFINITY,
};
