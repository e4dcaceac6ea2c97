/** Options of commands for their input files. */

import { basename } from 'node:path';
import type { FixBatch } from '../../core/fix.js';
import { LAT_FIRST } from '../../interchange/crs/crs.js';
import type {
  CsvOptions,
  GeoJsonOptions,
  GpxOptions,
  ReadLimits,
  SpeedUnit,
  TableHints,
} from '../../interchange/index.js';
import { idPrefixOf } from './fileFormat.js';

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

/** The options of `fromCsv` for a file. */
export function csvOptions(path: string, { columns, speedUnit, table }: ReadingOptions): CsvOptions {
  return {
    columns,
    fileName: basename(path),
    ...(speedUnit === undefined ? {} : { speedUnit }),
    ...(table === undefined ? {} : { table }),
  };
}

/** The options of `fromGpx` for a file. */
export function gpxOptions(path: string, { table }: ReadingOptions): GpxOptions {
  return {
    fileName: basename(path),
    ...(typeof table?.timeZone === 'string' ? { timeZone: table.timeZone } : {}),
  };
}

/** The options of the readers of GeoJSON for a file. */
export function geoJsonOptions(
  path: string,
  { axisOrder, idProperty, nameProperty, latFirst, table }: ReadingOptions,
): GeoJsonOptions {
  return {
    axisOrder,
    idPrefix: idPrefixOf(path),
    ...(latFirst === true ? { crs: LAT_FIRST } : {}),
    ...(table?.radiusUnit === undefined ? {} : { radiusUnit: table.radiusUnit }),
    ...(idProperty === undefined ? {} : { idProperty }),
    ...(nameProperty === undefined ? {} : { nameProperty }),
  };
}
