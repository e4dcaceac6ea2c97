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

/** Options for reading files. */
export interface ReadingOptions {
  readonly axisOrder: 'lonlat' | 'latlon';
  readonly columns: Readonly<Partial<Record<ColumnOption, string>>>;
  readonly speedUnit?: SpeedUnit;
  /** Hints of the user about tables. */
  readonly table?: TableHints;
  /** Whether pairs in GeoJSON files have the latitude first. */
  readonly latFirst?: boolean;
  readonly idProperty?: string;
  readonly nameProperty?: string;
  /** Tracks and routes of a GPX file are read as fixes (default) or as line zones. */
  readonly gpxAs?: 'fixes' | 'lines';
  /** Features of GeoJSON with times are read as zones. Default: as fixes, see `GeoJsonOptions`. */
  readonly timedAs?: 'zones';
  /** Whether zones are only indexed. If so, the geometry of a zone with one ring is `FlatPairs` where the format allows it. */
  readonly flatZones?: boolean;
  /** Receives the fixes of a CSV file in columns while it is read. The size of the file is then not limited. */
  readonly onFixes?: (batch: FixBatch) => void;
  /** Receives the number of bytes of each read, of a file that is read in pieces. */
  readonly onBytes?: (count: number) => void;
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

/** All hints of the user about rows of fixes. */
export function knownHints({ columns, speedUnit, table }: ReadingOptions): TableHints {
  const named = Object.entries(columns).map(([role, name]) => ({ name, role: role as ColumnOption }));
  return {
    ...(named.length === 0 ? {} : { columns: named }),
    ...(speedUnit === undefined ? {} : { speedUnit }),
    ...table,
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
export function geoJsonOptions(path: string, options: ReadingOptions): GeoJsonOptions {
  const { axisOrder, idProperty, nameProperty, latFirst, table, timedAs } = options;
  return {
    axisOrder,
    idPrefix: idPrefixOf(path),
    fileName: basename(path),
    table: knownHints(options),
    ...(timedAs === undefined ? {} : { as: timedAs }),
    ...(latFirst === true ? { crs: LAT_FIRST } : {}),
    ...(table?.radiusUnit === undefined ? {} : { radiusUnit: table.radiusUnit }),
    ...(idProperty === undefined ? {} : { idProperty }),
    ...(nameProperty === undefined ? {} : { nameProperty }),
  };
}
