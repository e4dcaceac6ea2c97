/** Columns of fixes in a temporary file. The open file has no name, so that a crash leaves none behind. */

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FixFlagName, FixTable } from '../../core/fix.js';
import { FIX_FLAGS } from '../../interchange/common/fixBatches.js';

/** Fields of a fix, besides time and position, that a track uses. */
export const TRACK_NUMBERS = [
  'speedKph',
  'accuracyMeters',
  'satellites',
  'mileageMeters',
  'mileageDeltaMeters',
] as const;

type NumberName = 'time' | 'lon' | 'lat' | (typeof TRACK_NUMBERS)[number];

/** Columns of numbers, in the order of the file. Columns of bytes follow, so that the numbers are aligned. */
const NUMBERS: readonly NumberName[] = ['time', 'lon', 'lat', ...TRACK_NUMBERS];

/** Number of bytes written at a time. */
const PIECE_BYTES = 1_048_576;

/** Position of a table in the file. */
export interface SpilledTable {
  readonly at: number;
  readonly bytes: number;
  readonly length: number;
  readonly numbers: readonly NumberName[];
  readonly flags: readonly FixFlagName[];
}

export class FixSpill {
  readonly #file: number;
  /** Number of bytes in the file, then the bytes not yet written. */
  #written = 0;
  readonly #piece: Uint8Array = new Uint8Array(PIECE_BYTES);
  #waiting = 0;

  private constructor(file: number) {
    this.#file = file;
  }

  /** Opens a temporary file; null if the folder does not allow one. */
  static open(folder: string = tmpdir()): FixSpill | null {
    let own: string | null = null;
    try {
      own = mkdtempSync(join(folder, 'wayzone-'));
      return new FixSpill(openSync(join(own, 'fixes'), 'wx+', 0o600));
    } catch {
      return null;
    } finally {
      if (own !== null) rmSync(own, { recursive: true, force: true });
    }
  }

  /** Appends a table. It can be read after `flush`. Throws the errors of the file system. */
  add(table: FixTable): SpilledTable {
    const { length } = table;
    const at = this.#written + this.#waiting;
    const numbers = NUMBERS.filter((name) => table[name] !== null);
    const flags = FIX_FLAGS.filter((name) => table[name] !== null);
    for (const name of numbers) this.#push(bytesOf(table[name]!, length));
    for (const name of flags) this.#push(bytesOf(table[name]!, length));
    return { at, bytes: this.#written + this.#waiting - at, length, numbers, flags };
  }

  flush(): void {
    let from = 0;
    while (from < this.#waiting) {
      from += writeSync(this.#file, this.#piece, from, this.#waiting - from, this.#written + from);
    }
    this.#written += from;
    this.#waiting = 0;
  }

  /** Reads tables one after another. Each is valid until the next. Throws the errors of the file system. */
  *read(tables: readonly SpilledTable[]): Generator<FixTable> {
    const buffer = new ArrayBuffer(tables.reduce((most, { bytes }) => Math.max(most, bytes), 0));
    for (const { at, bytes, length, numbers, flags } of tables) {
      let read = 0;
      while (read < bytes) {
        const count = readSync(this.#file, new Uint8Array(buffer, read, bytes - read), {
          position: at + read,
        });
        if (count === 0)
          throw new Error('expected the temporary file of fixes as it was written, received less');
        read += count;
      }
      const columns: Record<string, Float64Array | Uint8Array> = {};
      let from = 0;
      for (const name of numbers) {
        columns[name] = new Float64Array(buffer, from, length);
        from += 8 * length;
      }
      for (const name of flags) {
        columns[name] = new Uint8Array(buffer, from, length);
        from += length;
      }
      yield { ...NO_COLUMNS, ...(columns as Pick<FixTable, 'time' | 'lon' | 'lat'>), length };
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #push(bytes: Uint8Array): void {
    if (this.#waiting + bytes.length > PIECE_BYTES) this.flush();
    this.#piece.set(bytes, this.#waiting);
    this.#waiting += bytes.length;
  }
}

const NO_COLUMNS = {
  speedKph: null,
  courseDegrees: null,
  altitudeMeters: null,
  accuracyMeters: null,
  satellites: null,
  mileageMeters: null,
  mileageDeltaMeters: null,
  valid: null,
  ignition: null,
} as const;

function bytesOf(column: Float64Array | Uint8Array, length: number): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, length * column.BYTES_PER_ELEMENT);
}
