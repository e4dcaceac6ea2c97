/** Converts the options of a reader to hints of a table, and to options for a plain table. */

import { offsetText } from '../../core/clockText.js';
import { nameOfFile } from '../table/nameOfFile.js';
import type { TableColumn, TableHints } from '../table/tableDescription.js';
import type { CsvOptions } from './csvOptions.js';

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
