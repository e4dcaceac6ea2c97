/** Picks rows of a long table, so that a judgement about all rows costs no more than one about some. */

const LF = 0x0a;
/** A shorter table is judged as a whole. */
const WHOLE_BYTES = 2_097_152;
/** Bytes at the start, with the header. */
const HEAD_BYTES = 32_768;
/** Rows that are picked from the rest at equal distances. */
const ROWS = 1500;

/**
 * The table itself, or its first rows and rows at equal distances after them: units that follow each other, and those that take turns, are all
 * among them. A row that a quoted line end cuts is no row that can be read. Cost: O(1) for a long table.
 */
export function rowSample(table: Uint8Array): Uint8Array {
  if (table.length <= WHOLE_BYTES) return table;
  const headEnd = table.lastIndexOf(LF, HEAD_BYTES) + 1;
  if (headEnd === 0) return table;
  const pieces: Uint8Array[] = [table.subarray(0, headEnd)];
  let at = headEnd;
  for (let i = 1; i < ROWS; i++) {
    const from = Math.max(at, headEnd + Math.floor((i / ROWS) * (table.length - headEnd)));
    const start = table.indexOf(LF, from) + 1;
    const end = start === 0 ? 0 : table.indexOf(LF, start) + 1;
    if (end === 0) break;
    pieces.push(table.subarray(start, end));
    at = end;
  }
  const sample = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let to = 0;
  for (const piece of pieces) {
    sample.set(piece, to);
    to += piece.length;
  }
  return sample;
}
