import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** Files that DuckDB writes, and its answers about files. */
export interface DuckFiles {
  readonly folder: string;
  readonly duck: DuckDBConnection;
  /** The Parquet file of a query. */
  file(query: string, how?: string): Promise<Uint8Array>;
  rows(query: string): Promise<unknown[][]>;
  /** Name of the last file in the folder. */
  last(): string;
  close(): void;
}

export async function openDuck(): Promise<DuckFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-parquet-'));
  const duck = await (await DuckDBInstance.create(':memory:')).connect();
  await duck.run("SET TimeZone = 'UTC'");
  let count = 0;
  return {
    folder,
    duck,
    file: async (query, how = '') => {
      const path = join(folder, `${count++}.parquet`);
      await duck.run(`COPY (${query}) TO '${path}' (FORMAT parquet${how === '' ? '' : `, ${how}`})`);
      return readFileSync(path);
    },
    rows: async (query) => (await duck.runAndReadAll(query)).getRowsJson() as unknown[][],
    last: () => `${count - 1}.parquet`,
    close: () => {
      duck.closeSync();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
