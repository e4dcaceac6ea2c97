/** Objects as JSON or NDJSON on standard output. */

import type { Io } from './io.js';

/** Characters that are written at a time. */
const PIECE_LENGTH = 65_536;

/** Writes each object unchanged. */
export function writeObjects(rows: readonly object[], format: 'json' | 'ndjson', io: Io): void {
  if (format === 'json') io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    let text = '';
    for (const row of rows) {
      text += `${JSON.stringify(row)}\n`;
      if (text.length < PIECE_LENGTH) continue;
      io.stdout.write(text);
      text = '';
    }
    if (text !== '') io.stdout.write(text);
  }
}
