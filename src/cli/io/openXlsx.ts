/** Rows as a workbook for spreadsheet programs. ISO 8601 texts, also local ones, become dates. */

import type { ParquetColumnType } from '../../interchange/parquet/toParquet.js';
import { toXlsx } from '../../interchange/xlsx/toXlsx.js';
import { columnTypes, type RowStream } from './openParquet.js';
import type { RowForm } from './rowForm.js';
import { writeAside } from './writeAside.js';

/** The rows stay in memory until `end`, which writes the file. */
export function openXlsx<Row>(path: string, form: RowForm<Row>): RowStream<Row> {
  const types: Record<string, ParquetColumnType> = columnTypes(form.columns);
  for (const name of form.columns) if (name.endsWith('_local')) types[name] = 'time';
  const cells: unknown[][] = [];
  return {
    write: (rows) => {
      for (const row of rows) cells.push(form.values(row));
      return Promise.resolve();
    },
    end: async () => {
      await writeAside(path, (sink) => sink(toXlsx(types, cells)));
    },
    drop: () => Promise.resolve(),
  };
}
