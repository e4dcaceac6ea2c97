/** Options of the CSV readers. */

import { offsetText } from '../../core/localClock.js';
import { type OptionTable, OWN } from '../../core/options.js';
import { READ_OPTIONS, type ReadOptions } from '../common/readOptions.js';
import { nameOfFile } from '../table/nameOfFile.js';
import type { TableColumn, TableHints } from '../table/tableDescription.js';
import type { Quantity, SpeedUnit } from './csvColumns.js';

export interface CsvOptions extends ReadOptions {
  /** The header of the column of each quantity. Default: common names such as `vehicle_id`, `timestamp`, `lat`, `lon`, `speed_kph`. */
  readonly columns?: Partial<Readonly<Record<Quantity, string>>> | undefined;
  /** Kind of the rows. Default: `zones` if there is one column of well-known text and no column of times, else `fixes`. */
  readonly as?: 'fixes' | 'zones' | undefined;
  /** Header of the column of well-known text. Default: `wkt`, `geom`, `the_geom`, `geometry`, `geometry_wkt` or `wkt_geom`. */
  readonly wktColumn?: string | undefined;
  /** Unit of the speed column if its header has none. If neither has one, speeds are left out with an error. */
  readonly speedUnit?: SpeedUnit | undefined;
  /** Format of times. Default `iso`. */
  readonly timeFormat?: 'iso' | 'epoch-seconds' | 'epoch-milliseconds' | undefined;
  /** Offset of ISO times without a time zone, minutes east of UTC. Without this option such a time is `time-invalid`. */
  readonly timeZoneOffsetMinutes?: number | undefined;
  /** Unit id of a file without a unit column. Default: the name of the file, else `unit-1`. */
  readonly unitId?: string | undefined;
  /**
   * The delimiter. Default: that of a first line `sep=;`, else the most frequent of comma, semicolon, tab and `|` in the header. A first
   * line `sep=;` is never read as the header.
   */
  readonly delimiter?: string | undefined;
  /**
   * Facts about the table: a description of `describeTable`, changed or not, or any of its fields. Default: the content is examined; plain
   * tables (UTF-8, common headers, ISO times with a zone, decimal degrees) are read as a stream.
   */
  readonly table?: TableHints | undefined;
  /** Name of the file, used as unit id if the table has none. */
  readonly fileName?: string | undefined;
}

export const CSV_OPTIONS: OptionTable<CsvOptions, 'as' | 'speedUnit' | 'timeZoneOffsetMinutes'> = {
  ...READ_OPTIONS,
  columns: OWN,
  as: OWN,
  wktColumn: OWN,
  speedUnit: OWN,
  timeFormat: { words: ['iso', 'epoch-seconds', 'epoch-milliseconds'] },
  timeZoneOffsetMinutes: OWN,
  unitId: OWN,
  delimiter: OWN,
  table: OWN,
  fileName: OWN,
};

/** The options of a reader as hints of a table. */
export function hintsOf(options: CsvOptions): TableHints {
  const {
    columns = {},
    speedUnit,
    timeFormat,
    timeZoneOffsetMinutes: offset,
    unitId,
    fileName,
    delimiter,
    as,
    wktColumn: wkt,
    table = {},
  } = options;
  const named: Partial<TableColumn>[] = Object.entries(columns).flatMap(([quantity, name]) =>
    name === undefined ? [] : [{ name, role: quantity as TableColumn['role'] }],
  );
  if (wkt !== undefined) named.push({ name: wkt, role: 'wkt' });
  const format =
    timeFormat === undefined || timeFormat === 'iso'
      ? null
      : timeFormat === 'epoch-seconds'
        ? 'seconds'
        : 'milliseconds';
  const withFormat = named.map((column) =>
    column.role === 'time' && format !== null ? { ...column, format } : column,
  );
  return {
    ...(named.length === 0 ? {} : { columns: withFormat }),
    ...(speedUnit === undefined ? {} : { speedUnit }),
    ...(offset === undefined ? {} : { timeZone: offsetText(offset) }),
    ...(unitId === undefined ? {} : { unitId }),
    ...(fileName === undefined ? {} : { fileName }),
    ...(delimiter === undefined || delimiter.length !== 1 ? {} : { delimiter }),
    ...(as === undefined ? {} : { kind: as }),
    ...Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined)),
    ...(named.length > 0 && table.columns === undefined ? { columns: withFormat } : {}),
  };
}

/** Options of the reader of bytes for a plain table: the file's name is its unit id. */
export function plainOptions(options: CsvOptions): CsvOptions {
  const unitId =
    options.unitId ?? options.table?.unitId ?? nameOfFile(options.table?.fileName ?? options.fileName);
  return unitId === null || unitId === options.unitId ? options : { ...options, unitId };
}
