/** How an input file is read: its format, by its name and for JSON files also by its content, and the options of commands. */

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
import { type FileFormat, formatOf, idPrefixOf } from './fileFormat.js';

/** Number of bytes at the start of a file that decide its format. */
const HEAD_BYTES = 65_536;
const JSON_NAME = /\.(?:json|ndjson|jsonl)(?:\.gz)?$/i;
const RECORD = /^(?:\[\s*)?\{\s*"/;
const GEOJSON =
  /"type"\s*:\s*"(?:FeatureCollection|Feature|GeometryCollection|(?:Multi)?(?:Point|LineString|Polygon)|Moving\w+)"|"(?:features|temporalGeometry)"\s*:/;
/** Text in rows of the platform: geozones, groups, routes, and answers with a list. */
const OF_PLATFORM = /"type"\s*:\s*\{\s*"key"|"(?:geozones|points|list)"\s*:\s*\[/;
/** Text in Google's timeline, which has lists of points too, and in zones of Geotab and Navixy: points of named numbers. */
const OF_OTHERS =
  /"(?:timelinePath|semanticSegments)"\s*:|"points"\s*:\s*\[\s*\{\s*"(?:x|y|lat|lng)"|"center"\s*:\s*\{\s*"(?:lat|lng)"/;

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

/** The format; null if it is unknown. */
export async function inputFormat(path: string): Promise<FileFormat | null> {
  return (await isJsonTable(path)) ? 'csv' : formatOf(path);
}

/** Whether a JSON file holds records that are neither GeoJSON nor rows of the platform. False for a file that cannot be read. */
async function isJsonTable(path: string): Promise<boolean> {
  if (!JSON_NAME.test(path)) return false;
  const head = await headOf(path);
  // `trimStart` also removes a byte order mark.
  if (!RECORD.test(head.trimStart())) return false;
  return OF_OTHERS.test(head) || (!GEOJSON.test(head) && !OF_PLATFORM.test(head));
}

/** The first characters, inflated; empty for a file that cannot be read: its reader reports that. */
async function headOf(path: string): Promise<string> {
  let text = '';
  const { FileBytes } = await import('./fileBytes.js');
  const decoder = new TextDecoder();
  try {
    for await (const chunk of new FileBytes(path, () => undefined, false)) {
      text += decoder.decode(chunk.subarray(0, HEAD_BYTES), { stream: true });
      if (text.length >= HEAD_BYTES / 4) break;
    }
  } catch {
    return '';
  }
  return text;
}
