/** Writes the rows of a command while it finds them. */

import type { CsvCell } from '../../interchange/csv/toCsv.js';
import type { Io } from './io.js';
import type { RowStream } from './openParquet.js';
import { openRows, type RowOutput } from './openRows.js';

/**
 * Calls `work`, which writes the rows. The output is complete when it ends, and an incomplete file is removed when it fails. `columns` and
 * errors as for `openRows`.
 */
export async function writeRows<Row extends Readonly<Record<Column, CsvCell>>, Column extends string>(
  columns: readonly Column[],
  flags: RowOutput,
  io: Io,
  work: (rows: RowStream<Row>) => Promise<void>,
): Promise<void> {
  const rows = await openRows<Row, Column>(columns, flags, io);
  try {
    await work(rows);
    await rows.end();
  } finally {
    await rows.drop();
  }
}
