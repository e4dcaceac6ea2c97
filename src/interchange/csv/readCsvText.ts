/** csv-parse over a whole text. */

import csvParse from '#lazy/csvParse';
import { type CsvTextStart, csvTextOptions, inFile } from './csvTextStream.js';

/** Reads a whole text; throws what csv-parse and `onRecord` throw, with lines of the file. */
export function readCsvText(text: string, start: CsvTextStart): void {
  try {
    csvParse().parse(text, csvTextOptions(start));
  } catch (error) {
    throw inFile(error, start);
  }
}
