/** What is beyond the plain grammar of delimited text: csv-parse reads it, from a row on to the end of the file. */

import type { Options, Parser } from '#csv-parse';
import type { CsvError } from '#csv-parse/sync';
import type { LineEnd } from './csvSplitter.js';

/** Where and how csv-parse begins. */
export interface CsvTextStart {
  readonly delimiter: string;
  readonly lineEnd: LineEnd;
  /** The line of the first row, from 1. */
  readonly line: number;
  readonly onRecord: (record: readonly string[], line: number) => void;
}

/** Reads a text that comes in pieces. */
export class CsvTextStream {
  /** What ended the reading. */
  failure: unknown = null;
  readonly #start: CsvTextStart;
  readonly #parser: Parser;

  private constructor(parser: Parser, start: CsvTextStart) {
    this.#parser = parser;
    this.#start = start;
    parser.on('error', (error) => this.#fail(error));
    parser.resume();
  }

  static async open(start: CsvTextStart): Promise<CsvTextStream> {
    const { parse: openParser } = await import('#csv-parse');
    return new CsvTextStream(openParser(csvTextOptions(start)), start);
  }

  /** Whether more is wanted, once this is read. */
  write(text: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#parser.write(text, (error) => {
        if (error !== null && error !== undefined) this.#fail(error);
        resolve(this.failure === null);
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#parser.once('close', resolve);
      this.#parser.end();
    });
  }

  #fail(error: unknown): void {
    this.failure ??= inFile(error, this.#start);
  }
}

/** The parser's errors carry where they happened; those of a class of its own for each entry of the package. */
export function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'lines' in error;
}

export function csvTextOptions({
  delimiter,
  lineEnd,
  line,
  onRecord,
}: CsvTextStart): Options<string[], string[]> {
  return {
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    ...(lineEnd === 'unknown' ? {} : { record_delimiter: lineEnd === 'lf' ? '\n' : '\r\n' }),
    on_record: (record: string[], { lines }: { readonly lines: number }): null => {
      onRecord(record, lines + line - 1);
      return null;
    },
  };
}

/** The error with the line of the file, which its message names too. */
export function inFile(error: unknown, { line }: CsvTextStart): unknown {
  if (line === 1 || !isCsvError(error)) return error;
  const { lines } = error as { readonly lines?: unknown };
  if (typeof lines !== 'number') return error;
  const message = error.message.replace(`at line ${lines}`, `at line ${lines + line - 1}`);
  return Object.assign(error, { message, lines: lines + line - 1 });
}
