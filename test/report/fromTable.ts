import { openTable } from '../../src/interchange/table/openTable.js';

/** The cells of a saved CSV file or workbook, as the reader of customers' tables finds them. */
export function fromTable(bytes: Uint8Array): string[][] {
  const { rows } = openTable(bytes, {}, 100_000_000);
  return [...rows].map(({ cells }) => cells.map((cell) => String(cell ?? '')));
}
