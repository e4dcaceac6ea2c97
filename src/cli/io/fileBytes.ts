/** Reads the bytes of a file in chunks; inflates them if its name ends in `.gz`. */

import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { LF } from '../../core/ascii.js';
import type { IssueCode } from '../../core/errorCode.js';
import type { ForeignData } from '../../core/fix.js';
import { converterHint } from './fileFormat.js';
import { systemErrorText } from './terminal.js';

const NOTHING: ForeignData['value'] = { zones: [], groups: [], routes: [], tracks: [] };

export const CHUNK_BYTES = 262_144;

/** Largest size of one file, bytes, both stored and inflated: its text must fit into one string. */
export const MAX_FILE_BYTES: number = 256 * 1024 * 1024;

/** Reason why reading ended before the end of the file. */
export interface ByteFailure {
  readonly code: 'file-unreadable' | 'gzip-invalid';
  readonly message: string;
}

export class FileBytes implements AsyncIterable<Uint8Array> {
  /** Set once the iteration has ended. */
  failure: ByteFailure | null = null;
  /** Whether any byte was read. */
  isOpened = false;
  readonly #path: string;
  readonly #onBytes: (count: number) => void;
  readonly #byLines: boolean;

  /**
   * `onBytes` gets the number of bytes of each read. With `byLines` every chunk ends with a line. A line that a failure cuts off is left
   * out: half a number would be read as a number.
   */
  constructor(path: string, onBytes: (count: number) => void, byLines: boolean) {
    this.#path = path;
    this.#onBytes = onBytes;
    this.#byLines = byLines;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const file = createReadStream(this.#path, { highWaterMark: CHUNK_BYTES });
    file.on('data', (chunk) => {
      this.isOpened = true;
      this.#onBytes(chunk.length);
    });
    const bytes = /\.gz$/i.test(this.#path) ? file.pipe(createGunzip({ chunkSize: CHUNK_BYTES })) : file;
    if (bytes !== file) file.on('error', (error) => bytes.destroy(error));
    const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    let held: Uint8Array[] = [];
    try {
      for (;;) {
        const chunk = await this.#next(chunks);
        if (chunk === null) break;
        const end = this.#byLines ? chunk.lastIndexOf(LF) + 1 : chunk.length;
        if (end > 0) {
          yield joined([...held, chunk.subarray(0, end)]);
          held = [];
        }
        if (end < chunk.length) held.push(chunk.subarray(end));
      }
      if (this.failure === null && held.length > 0) yield joined(held);
    } finally {
      file.destroy();
    }
  }

  async #next(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | null> {
    try {
      const { done, value } = await chunks.next();
      return done === true ? null : value;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const known = code.startsWith('Z_') ? 'gzip-invalid' : 'file-unreadable';
      this.failure = { code: known, message: systemErrorText(error) };
      return null;
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}

/** No data and one `error` issue. */
export function readFailure(code: IssueCode, message: string): ForeignData {
  return { value: NOTHING, issues: [{ code, severity: 'error', field: '', message }] };
}

/** The data of a file. If it could not be read to its end, one `error` issue comes before its own. */
export function withFailure(data: ForeignData, failure: ByteFailure | null): ForeignData {
  if (failure === null) return data;
  const { code, message } = failure;
  return { ...data, issues: [{ code, severity: 'error', field: '', message }, ...data.issues] };
}

/** The result for a file of an unknown format. */
export function unknownFormat(path: string): ForeignData {
  return readFailure(
    'format-unknown',
    `expected .kml, .kmz, .geojson, .json, .geojsonl, .gpx, .csv, .tsv, .xlsx, .txt, .nmea, .wln or .plt, also with .gz, or .parquet${converterHint(path)}`,
  );
}
