/** The output of a command whose rows are written while they are found. */

export interface RowStream<Row> {
  /** Waits while the output is full. */
  write(rows: readonly Row[]): Promise<void>;
  /** Must be called after the last rows: a file is at its path only then. */
  end(): Promise<void>;
  /** Must be called in any case: removes an incomplete file. */
  drop(): Promise<void>;
}
