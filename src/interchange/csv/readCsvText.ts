/** csv-parse over a whole text. In a file of its own, since readers of chunks never load the synchronous parser. */

import { parse } from '#csv-parse/sync';
import { type CsvTextStart, csvTextOptions, inFile } from './csvTextStream.js';

/** Reads a whole text; throws what csv-parse and `onRecord` throw, with lines of the file. */
export function readCsvText(text: string, start: CsvTextStart): void {
  try {
    parse(text, csvTextOptions(start));
  } catch (error) {
    throw inFile(error, start);
  }
}
