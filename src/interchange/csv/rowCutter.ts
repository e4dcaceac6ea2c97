/** Cuts chunks of a CSV file into pieces of complete rows. A row ends at a line end after an even number of quotes. */

const QUOTE = 0x22;
const LF = 0x0a;

export class RowCutter {
  /** Number of bytes that were added and not removed. */
  length = 0;
  #bytes: Uint8Array<ArrayBuffer>;
  /** Number of bytes up to the last line end outside quotes. */
  #whole = 0;
  /** Whether the last byte is inside quotes. */
  #isQuoted = false;

  /** The first byte that is added must be the start of a row. `capacity`: bytes of the buffer, which grows if necessary. */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(Math.ceil(capacity));
  }

  /** Whether the bytes contain a complete row. */
  get hasRows(): boolean {
    return this.#whole > 0;
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

  /** Removes and returns the complete rows, with their buffer. The rest moves to the buffer `spare`, if it is large enough, or to a new one. */
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

  /** The bytes that were added and not removed. */
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

/** Index after the last line end outside quotes. 0 without such a line end. */
function lastRowEnd(bytes: Uint8Array, endsQuoted: boolean): number {
  let isQuoted = endsQuoted;
  for (let i = bytes.length - 1; i >= 0; i--) {
    const c = bytes[i];
    if (c === QUOTE) isQuoted = !isQuoted;
    else if (c === LF && !isQuoted) return i + 1;
  }
  return 0;
}
