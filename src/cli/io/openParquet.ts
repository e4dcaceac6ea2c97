/** Rows as a Parquet file or a workbook. ISO 8601 texts become timestamps; other cells are unchanged. */

import { setImmediate } from 'node:timers/promises';
import type { CsvCell } from '../../interchange/csv/toCsv.js';
import { type ParquetColumnType, ParquetRows } from '../../interchange/parquet/toParquet.js';
import { toXlsx } from '../../interchange/xlsx/toXlsx.js';
import { openOutput } from './output.js';
import type { RowForm } from './rowForm.js';
import { writeAside } from './writeAside.js';

/** The output of a command that writes rows while it finds them. */
export interface RowStream<Row> {
  /** Writes rows. Waits while the output is full. */
  write(rows: readonly Row[]): Promise<void>;
  /** Completes the output. Only then is a file at its path. */
  end(): Promise<void>;
  /** Removes an incomplete file. Must be called in any case. */
  drop(): Promise<void>;
}

/** Longest time between two pauses, milliseconds. */
const PAUSE_MS = 100;
/** Types of columns by the ends of their names, the first match; other columns are texts. */
const TYPES: readonly (readonly [names: RegExp, type: ParquetColumnType])[] = [
  [/_utc$/, 'time'],
  [/(?:^|_)(?:lon|lat)$/, 'number'],
  [/_(?:meters|kph|seconds|share)$|^(?:seconds_since_last|count|event)$/, 'number'],
  [/^(?:fix_count|visit|point|points|passes)$/, 'integer'],
  [/^(?:passed|skipped|missed|no_data|excused|on_time|uncertain|violations)$/, 'integer'],
  [/^(?:open|out_of_order)$/, 'boolean'],
];

/** The types of columns by their names: `…_utc` are times. */
export function columnTypes(columns: readonly string[]): Record<string, ParquetColumnType> {
  return Object.fromEntries(
    columns.map((name) => [name, TYPES.find(([names]) => names.test(name))?.[1] ?? 'text'] as const),
  );
}

/** Opens the output. The file is at its path after `end`. */
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
