/** Reads a whole text by csv-parse. */

import csvParse from '#lazy/csvParse';
import { type CsvTextStart, csvTextOptions, inFile } from './csvTextStream.js';

/** Reads a whole text. Throws the errors of csv-parse, with their line in the file, and those of `onRecord`. */
export function readCsvText(text: string, start: CsvTextStart): void {
  try {
    csvParse().parse(text, csvTextOptions(start));
  } catch (error) {
    throw inFile(error, start);
  }
}
