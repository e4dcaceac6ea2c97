/** Cuts chunks of a CSV file into pieces of whole rows: behind line ends outside quotes, by the parity of quotes. */

const QUOTE = 0x22;
const LF = 0x0a;

export class RowCutter {
  /** Bytes that are not cut off yet. */
  length = 0;
  #bytes: Uint8Array<ArrayBuffer>;
  /** Bytes up to the last line end outside quotes. */
  #whole = 0;
  /** Whether the last byte is inside quotes. */
  #isQuoted = false;

  /** The first byte that is added must begin a row. */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(Math.ceil(capacity));
  }

  /** Whether no row among the bytes is whole. */
  get isCut(): boolean {
    return this.#whole === 0;
  }

  add(chunk: Uint8Array): void {
    const start = this.length;
    this.length += chunk.length;
    if (this.length > this.#bytes.length) {
      const longer = new Uint8Array(2 * this.length);
      longer.set(this.#bytes.subarray(0, start));
      this.#bytes = longer;
    }
    this.#bytes.set(chunk, start);
    const wasQuoted = this.#isQuoted;
    if (hasOddQuotes(chunk)) this.#isQuoted = !wasQuoted;
    const end = lastRowEnd(chunk, this.#isQuoted);
    if (end > 0) this.#whole = start + end;
  }

  /** Removes and returns the whole rows, in a buffer of their own. Goes on in the buffer `spare`, if it is large enough. */
  takeRows(spare: ArrayBuffer | undefined): Uint8Array<ArrayBuffer> {
    const { buffer } = this.#bytes;
    const rows = this.#bytes.subarray(0, this.#whole);
    const rest = this.#bytes.subarray(this.#whole, this.length);
    const isLarge = spare !== undefined && spare.byteLength >= buffer.byteLength;
    this.#bytes = isLarge ? new Uint8Array(spare) : new Uint8Array(buffer.byteLength);
    this.#bytes.set(rest);
    this.length = rest.length;
    this.#whole = 0;
    return rows;
  }

  /** All that is not cut off. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

function hasOddQuotes(bytes: Uint8Array): boolean {
  const first = bytes.indexOf(QUOTE);
  if (first < 0) return false;
  let count = 0;
  for (let i = first; i < bytes.length; i++) if (bytes[i] === QUOTE) count++;
  return (count & 1) === 1;
}

/** Index behind the last line end outside quotes; 0 if all line ends are inside quotes. */
function lastRowEnd(bytes: Uint8Array, endsQuoted: boolean): number {
  let isQuoted = endsQuoted;
  for (let i = bytes.length - 1; i >= 0; i--) {
    const c = bytes[i];
    if (c === QUOTE) isQuoted = !isQuoted;
    else if (c === LF && !isQuoted) return i + 1;
  }
  return 0;
}
