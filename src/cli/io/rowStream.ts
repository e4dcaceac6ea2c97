/** The output of a command that writes rows while it finds them. */

export interface RowStream<Row> {
  /** Writes rows. Waits while the output is full. */
  write(rows: readonly Row[]): Promise<void>;
  /** Completes the output. Only then is a file at its path. */
  end(): Promise<void>;
  /** Removes an incomplete file. Must be called in any case. */
  drop(): Promise<void>;
}
