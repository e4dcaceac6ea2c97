/** Reports the form of the file: encoding, sheet, lines left out. */

import type { Notes } from './notes.js';
import type { OpenTable } from './openTable.js';
import type { TableForm, TableHints } from './tableDescription.js';

/** Confidence below which the encoding is asked. */
const LEAST_CONFIDENCE = 0.2;

/** Forms of which only numbers are read, so that their encoding is of no matter. */
const NUMBERS_ONLY: ReadonlySet<TableForm> = new Set(['nmea', 'plt', 'wln']);

/** Texts of a cell in the encodings that fit. */
function readingsText({ readings }: OpenTable): string {
  if (readings === null) return '';
  const shown = readings.map(([label, cell]) => `${JSON.stringify(cell)} in ${label}`);
  return `: a cell is ${shown.join(', ')}`;
}

/** Asks for the encoding if the letters do not show it. */
export function sayForm(open: OpenTable, hints: TableHints, notes: Notes): void {
  const { encoding } = open.encoding;
  if (!NUMBERS_ONLY.has(open.form) && encoding !== 'utf-8' && (hints.encoding ?? null) === null) {
    if (open.encoding.confidence < LEAST_CONFIDENCE) {
      notes.ask(
        'encoding-unknown',
        `the bytes are not UTF-8, and their letters do not show the encoding; the likeliest is ${encoding}${readingsText(open)}`,
        `--encoding ${encoding}`,
      );
    } else notes.say(`encoding ${encoding}`, '--encoding');
  }
  if (open.sheet !== null) {
    const others =
      open.otherSheets.length === 0
        ? ''
        : `, not ${open.otherSheets
            .slice(0, 10)
            .map((name) => JSON.stringify(name))
            .join(', ')}`;
    notes.say(`sheet ${open.sheet}${others}`, '--sheet');
  }
  if (open.hasDateCells) notes.say('times are date cells');
  for (const note of open.notes) notes.say(note);
  for (const [reason, count] of open.leftOut)
    notes.say(`${count} ${count === 1 ? 'line is' : 'lines are'} left out: ${reason}`);
}
