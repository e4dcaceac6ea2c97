/** Collects small pieces of text and passes them on in large ones. */

/** Receives the next piece of a text. The writer waits for a returned promise. */
export type TextSink = (chunk: string) => void | Promise<void>;

/** Largest number of UTF-16 units of a piece. */
const CHUNK_LENGTH = 65_536;

export class TextCollector {
  readonly #sink: TextSink;
  #pieces: string[] = [];
  #length = 0;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Adds a piece. Returns true if there is enough text to call `flush`. */
  add(piece: string): boolean {
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this.#length >= CHUNK_LENGTH;
  }

  /** Passes on all full pieces. */
  async flush(): Promise<void> {
    const text = this.#pieces.join('');
    let start = 0;
    while (text.length - start >= CHUNK_LENGTH) {
      let end = start + CHUNK_LENGTH;
      // A surrogate pair is not split, so that each piece can be encoded by itself.
      if (isHighSurrogate(text.charCodeAt(end - 1))) end--;
      await this.#sink(text.slice(start, end));
      start = end;
    }
    this.#pieces = [text.slice(start)];
    this.#length = text.length - start;
  }

  /** Passes on the rest of the text. */
  async end(): Promise<void> {
    await this.flush();
    if (this.#length > 0) await this.#sink(this.#pieces.join(''));
    this.#pieces = [];
    this.#length = 0;
  }
}

/** Number of pieces joined at a time. */
const BATCH = 256;

/**
 * Joins the pieces into one text. V8 keeps a concatenated text as a tree until it is read. Joined early, batch by batch, a large document
 * takes a third of the memory.
 */
export function textOfPieces(pieces: Iterable<string>): string {
  const batches: string[] = [];
  let batch: string[] = [];
  for (const piece of pieces) {
    batch.push(piece);
    if (batch.length < BATCH) continue;
    batches.push(batch.join(''));
    batch = [];
  }
  batches.push(batch.join(''));
  return batches.join('');
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
