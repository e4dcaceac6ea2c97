/** Reads rows by csv-parse, from a row that does not follow the plain grammar to the end of the file. */

import type { Options, Parser } from '#csv-parse';
import type { CsvError } from '#csv-parse/sync';
import type { LineEnd } from './csvSplitter.js';

/** How csv-parse reads the rest of a file. */
export interface CsvTextStart {
  readonly delimiter: string;
  readonly lineEnd: LineEnd;
  /** The line of the first row, from 1. */
  readonly line: number;
  readonly onRecord: (record: readonly string[], line: number) => void;
}

/** Reads text in pieces. */
export class CsvTextStream {
  /** The error that ended the reading. */
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

  /** Reads the next piece. Resolves to false if reading has ended with `failure`. */
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

/** Whether csv-parse threw the error. Each entry point of the package has its own class of errors, so that `instanceof` would miss some. */
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

/** Changes the line in a parser's error and its message to the line in the file. Returns other errors as they are. */
export function inFile(error: unknown, { line }: CsvTextStart): unknown {
  if (line === 1 || !isCsvError(error)) return error;
  const { lines } = error as { readonly lines?: unknown };
  if (typeof lines !== 'number') return error;
  const message = error.message.replace(`at line ${lines}`, `at line ${lines + line - 1}`);
  return Object.assign(error, { message, lines: lines + line - 1 });
}
