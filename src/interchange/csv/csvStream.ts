/** Chunks of a CSV file as rows: whole rows are read at once, and the beginning of a row waits for its end. */

import type { ForeignBuilder } from '../common/foreignBuilder.js';
import type { CsvBytes } from './csvBytes.js';
import { CsvTextStream } from './csvTextStream.js';

export class CsvStream {
  /** What ended the reading. */
  failure: unknown = null;
  readonly #reader: CsvBytes;
  readonly #builder: ForeignBuilder;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #text: CsvTextStream | null = null;
  #held: Uint8Array = new Uint8Array(0);
  #heldLength = 0;
  /** A row that is longer than this so far is looked at again. */
  #nextLook = 0;

  constructor(reader: CsvBytes, builder: ForeignBuilder) {
    this.#reader = reader;
    this.#builder = builder;
  }

  /** Whether more is wanted. */
  write(bytes: Uint8Array): boolean | Promise<boolean> {
    if (this.#text !== null) return this.#writeText(bytes);
    if (this.#heldLength === 0) return this.#read(bytes, false);
    this.#hold(bytes);
    if (this.#heldLength < this.#nextLook) return true;
    return this.#read(this.#held.subarray(0, this.#heldLength), false);
  }

  async end(): Promise<void> {
    if (this.#text === null) await this.#read(this.#held.subarray(0, this.#heldLength), true);
    if (this.#text === null || this.failure !== null) return;
    await this.#writeText(null);
    if (this.failure === null) await this.#text.close();
    this.failure ??= this.#text.failure;
  }

  /** Removes and returns the beginning of a row whose end has not come. */
  takeHeld(): Uint8Array {
    const held = this.#held.slice(0, this.#heldLength);
    this.#heldLength = 0;
    this.#nextLook = 0;
    return held;
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
    if (this.#reader.isOdd) return this.#openText(rest);
    // It begins in what was held, or all of it is new.
    const isHeld = rest.buffer === this.#held.buffer;
    this.#heldLength = 0;
    if (isHeld) this.#held.copyWithin(0, end, bytes.length);
    else this.#hold(rest);
    this.#heldLength = rest.length;
    this.#nextLook = 2 * rest.length;
    return true;
  }

  #hold(bytes: Uint8Array): void {
    const length = this.#heldLength + bytes.length;
    if (length > this.#held.length) {
      const longer = new Uint8Array(2 * length);
      longer.set(this.#held.subarray(0, this.#heldLength));
      this.#held = longer;
    }
    this.#held.set(bytes, this.#heldLength);
    this.#heldLength = length;
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
