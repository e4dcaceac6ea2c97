/** Reads a CSV file in chunks. Complete rows are read at once; the beginning of a row is kept until its end comes. */

import type { ForeignBuilder } from '../common/foreignBuilder.js';
import type { CsvBytes } from './csvBytes.js';
import { CsvTextStream } from './csvTextStream.js';

export class CsvStream {
  /** The error that ended the reading. */
  failure: unknown = null;
  readonly #reader: CsvBytes;
  readonly #builder: ForeignBuilder;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #text: CsvTextStream | null = null;
  /** The first `#pendingLength` bytes are the beginning of a row. */
  #pending: Uint8Array = new Uint8Array(0);
  #pendingLength = 0;
  /** The pending bytes are scanned again when they have this length, so that a long row takes linear time. */
  #nextScan = 0;

  constructor(reader: CsvBytes, builder: ForeignBuilder) {
    this.#reader = reader;
    this.#builder = builder;
  }

  /** Reads the next chunk. False if reading has ended with `failure`. */
  write(bytes: Uint8Array): boolean | Promise<boolean> {
    if (this.#text !== null) return this.#writeText(bytes);
    if (this.#pendingLength === 0) return this.#read(bytes, false);
    this.#append(bytes);
    if (this.#pendingLength < this.#nextScan) return true;
    return this.#read(this.#pending.subarray(0, this.#pendingLength), false);
  }

  async end(): Promise<void> {
    if (this.#text === null) await this.#read(this.#pending.subarray(0, this.#pendingLength), true);
    if (this.#text === null || this.failure !== null) return;
    await this.#writeText(null);
    if (this.failure === null) await this.#text.close();
    this.failure ??= this.#text.failure;
  }

  #read(bytes: Uint8Array, isLast: boolean): boolean | Promise<boolean> {
    let end = 0;
    try {
      end = this.#reader.read(bytes, isLast);
      this.#builder.batches.flush();
    } catch (error) {
      this.failure = error;
      return false;
    }
    const rest = bytes.subarray(end);
    if (this.#reader.needsParser) return this.#openText(rest);
    // `bytes` are either the pending bytes or a new chunk.
    const isPending = rest.buffer === this.#pending.buffer;
    this.#pendingLength = 0;
    if (isPending) this.#pending.copyWithin(0, end, bytes.length);
    else this.#append(rest);
    this.#pendingLength = rest.length;
    this.#nextScan = 2 * rest.length;
    return true;
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

  async #openText(rest: Uint8Array): Promise<boolean> {
    this.#text = await CsvTextStream.open(this.#reader.rest());
    return this.#writeText(rest);
  }

  async #writeText(bytes: Uint8Array | null): Promise<boolean> {
    const text = bytes === null ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true });
    if (text === '') return true;
    const wantsMore = await this.#text!.write(text);
    this.failure ??= this.#text!.failure;
    return wantsMore;
  }
}
