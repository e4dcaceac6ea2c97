/** Rows as a workbook for spreadsheet programs. ISO 8601 texts become dates. */

import type { CsvCell } from '../../interchange/csv/toCsv.js';
import { toXlsx } from '../../interchange/xlsx/toXlsx.js';
import { columnTypes } from './openParquet.js';
import type { RowStream } from './rowStream.js';
import { writeAside } from './writeAside.js';

/** The rows stay in memory until `end`, which writes the file. */
export function openXlsx<Row extends Readonly<Record<Column, CsvCell>>, Column extends string>(
  path: string,
  columns: readonly Column[],
): RowStream<Row> {
  const types = columnTypes(columns);
  const cells: unknown[][] = [];
  return {
    write: (rows) => {
      for (const row of rows) {
        cells.push(
          columns.map((column) => {
            const cell = row[column];
            return types[column] === 'time' && typeof cell === 'string' ? Date.parse(cell) : cell;
          }),
        );
      }
      return Promise.resolve();
    },
    end: async () => {
      await writeAside(path, (sink) => sink(toXlsx(types, cells)));
    },
    drop: () => Promise.resolve(),
  };
}
