/** Reads a CSV file in chunks. Complete rows are read at once; the beginning of a row is kept until its end arrives. */

import { LF } from '../../core/ascii.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import type { CsvBytes } from './csvBytes.js';

export class CsvStream {
  /** Error that ended the reading. */
  failure: unknown = null;
  readonly #reader: CsvBytes;
  readonly #builder: ForeignBuilder;
  /** Bytes of which the first `#pendingLength` are the beginning of a row. */
  #pending: Uint8Array = new Uint8Array(0);
  #pendingLength = 0;
  /** Length from which the pending bytes are scanned again, so that a long row takes linear time. */
  #nextScan = 0;

  constructor(reader: CsvBytes, builder: ForeignBuilder) {
    this.#reader = reader;
    this.#builder = builder;
  }

  /** Line of the first byte of the next chunk. */
  get line(): number {
    let lines = this.#reader.line;
    for (let i = 0; i < this.#pendingLength; i++) if (this.#pending[i] === LF) lines++;
    return lines;
  }

  /** Reads the next chunk. Returns false if reading has ended. */
  write(bytes: Uint8Array): boolean {
    if (this.#pendingLength === 0) return this.#read(bytes, false);
    this.#append(bytes);
    if (this.#pendingLength < this.#nextScan) return true;
    return this.#read(this.#pending.subarray(0, this.#pendingLength), false);
  }

  end(): void {
    this.#read(this.#pending.subarray(0, this.#pendingLength), true);
  }

  #read(bytes: Uint8Array, isLast: boolean): boolean {
    let end = 0;
    try {
      end = this.#reader.read(bytes, isLast);
      this.#builder.batches.flush();
    } catch (error) {
      this.failure = error;
      return false;
    }
    const rest = bytes.subarray(end);
    // `bytes` are either the pending bytes or a new chunk.
    const isPending = rest.buffer === this.#pending.buffer;
    this.#pendingLength = 0;
    if (isPending) this.#pending.copyWithin(0, end, bytes.length);
    else this.#append(rest);
    this.#pendingLength = rest.length;
    this.#nextScan = 2 * rest.length;
    return !this.#reader.isOver;
  }

  #append(bytes: Uint8Array): void {
    const length = this.#pendingLength + bytes.length;
    if (length > this.#pending.length) {
      const longer = new Uint8Array(2 * length);
      longer.set(this.#pending.subarray(0, this.#pendingLength));
      this.#pending = longer;
    }
    this.#pending.set(bytes, this.#pendingLength);
    this.#pendingLength = length;
  }
}
