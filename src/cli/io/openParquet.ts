/** Rows as a Parquet file. ISO 8601 texts become timestamps; other cells are unchanged. */

import { setImmediate } from 'node:timers/promises';
import type { CsvCell } from '../../interchange/csv/toCsv.js';
import { type ParquetColumnType, ParquetRows } from '../../interchange/parquet/toParquet.js';
import { LEDGER_NUMBERS } from '../../report/mileageRows.js';
import { MOVEMENT_NUMBERS } from '../../report/movementRows.js';
import { openOutput } from './output.js';
import type { RowStream } from './rowStream.js';

/** Longest time between two pauses. */
const PAUSE_MS = 100;

/** The columns whose cells are numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['lon', 'lat', ...MOVEMENT_NUMBERS, ...LEDGER_NUMBERS]);
const INTEGERS: ReadonlySet<string> = new Set(['fix_count', 'visit']);
const BOOLEANS: ReadonlySet<string> = new Set(['open']);

/** The types of columns by their names: `…_utc` are times. */
export function columnTypes(columns: readonly string[]): Record<string, ParquetColumnType> {
  return Object.fromEntries(columns.map((name): [string, ParquetColumnType] => [name, typeOf(name)]));
}

function typeOf(name: string): ParquetColumnType {
  if (name.endsWith('_utc')) return 'time';
  if (NUMBERS.has(name)) return 'number';
  if (INTEGERS.has(name)) return 'integer';
  return BOOLEANS.has(name) ? 'boolean' : 'text';
}

/** The file is at its path after `end`. */
export async function openParquet<Row extends Readonly<Record<Column, CsvCell>>, Column extends string>(
  path: string,
  columns: readonly Column[],
): Promise<RowStream<Row>> {
  const types = columnTypes(columns);
  const file = await ParquetRows.open(types);
  const output = await openOutput(path);
  let pause = 0;
  return {
    write: async (rows) => {
      for (const row of rows) {
        file.add(
          columns.map((column) => {
            const cell = row[column];
            return types[column] === 'time' && typeof cell === 'string' ? Date.parse(cell) : cell;
          }),
        );
      }
      const bytes = file.take();
      if (bytes.length > 0) await output.write(bytes);
      // Let signals and timers run.
      else if (performance.now() > pause) await setImmediate();
      else return;
      pause = performance.now() + PAUSE_MS;
    },
    end: async () => {
      await output.write(file.finish());
      await output.commit();
    },
    drop: () => output.drop(),
  };
}
