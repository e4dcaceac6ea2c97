/** Formats of files by their names, and the names that help texts show. */

import { basename } from 'node:path';

export const FILE_FORMATS = [
  'kml',
  'kmz',
  'geojson',
  'geojsonl',
  'geojsonseq',
  'mfjson',
  'gpx',
  'csv',
  'parquet',
] as const;

export type FileFormat = (typeof FILE_FORMATS)[number];

/** Name of a file that `wayzone index` writes. */
export const INDEX_FILE: RegExp = /\.wzi$/i;

/** Name of a Parquet file: fixes, zones with geometries (GeoParquet), or rows that commands write. */
export const PARQUET_FILE: RegExp = /\.parquet$/i;

/** Name of a file with rows as text. */
export const CSV_FILE: RegExp = /\.csv$/i;

/** Name of a workbook of spreadsheet programs. */
export const XLSX_FILE: RegExp = /\.xlsx$/i;

/** Extensions of the files that `wayzone route` writes. */
export const ROUTE_ENDINGS: readonly string[] = ['.html', '.json', '.geojson', '.kml', '.gpx'];

/** Extensions of tables besides CSV. Their content shows which form they have. */
const OTHER_TABLES: readonly string[] = ['tsv', 'xlsx', 'txt', 'log', 'dat', 'nmea', 'wln', 'plt'];

const EXTENSIONS: ReadonlyMap<string, FileFormat> = new Map([
  ...FILE_FORMATS.map((format) => [format, format] as const),
  ['json', 'geojson'],
  ['ndjson', 'geojsonl'],
  ['jsonl', 'geojsonl'],
  ['geojsons', 'geojsonseq'],
  ...OTHER_TABLES.map((ending) => [ending, 'csv'] as const),
]);

/** Files of commands that read zones, for help texts. */
export const ZONE_FILES =
  '.kml, .kmz, .geojson, .json, .geojsonl, .geojsonseq, .gpx, .csv, .tsv or .xlsx, also with .gz; GeoParquet; - is standard input';

/** Files of commands that read tracks, for help texts. */
export const TRACK_FILES =
  '.gpx, .csv, .tsv, .xlsx, .txt, .geojson, .mfjson, .json, .nmea, .wln, .plt, .kml, .kmz, also with .gz; .parquet; - is standard input';

/** Prefix of the ids of zones without an id: the file's name without its extension. */
export function idPrefixOf(path: string): string {
  return `${basename(path).replace(/\.[^.]*?(?:\.gz)?$/i, '')}-`;
}

/** The format by the extension in any case, with or without `.gz`; null for an unknown one. */
export function formatOf(path: string): FileFormat | null {
  const extension = /\.([^.]+?)(?:\.gz)?$/i.exec(basename(path))?.[1];
  return EXTENSIONS.get(extension?.toLowerCase() ?? '') ?? null;
}

/** By extension of an unsupported format, the command that converts it to a supported one. */
const CONVERTERS: readonly (readonly [name: RegExp, how: string])[] = [
  [/\.(?:tcx|fit|igc|gdb)(?:\.gz)?$/i, 'GPSBabel makes a .gpx file of it'],
  [/\.(?:shp|gpkg|gml|fgb|tab|mif|dxf)$/i, 'ogr2ogr makes a .geojson file of it'],
  [/\.(?:xls|xlsb|ods)$/i, 'save it as .xlsx or .csv'],
];

/** Hint for a file of a known format that is not read; empty for other files. */
export function converterHint(path: string): string {
  const found = CONVERTERS.find(([name]) => name.test(path));
  return found === undefined ? '' : `; ${found[1]}`;
}

/** Names of files that are only read: tables besides CSV, and compressed forms of KMZ and Parquet. */
const READ_ONLY = new RegExp(`\\.(?:${OTHER_TABLES.join('|')})(?:\\.gz)?$|\\.(?:kmz|parquet)\\.gz$`, 'i');

/** The output format for a file name; null for an unknown extension. */
export function outputFormatOf(path: string): FileFormat | null {
  return READ_ONLY.test(path) ? null : formatOf(path);
}
