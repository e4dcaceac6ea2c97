/** Text that is handed on in large pieces, however small the pieces are in which it comes. */

/** Takes the next piece of a text; a promise holds the writer back until it is settled. */
export type TextSink = (chunk: string) => void | Promise<void>;

/** The most UTF-16 units of a piece. */
const CHUNK_LENGTH = 65_536;

export class TextCollector {
  readonly #sink: TextSink;
  #pieces: string[] = [];
  #length = 0;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Whether so much is there that `flush` should be called. */
  add(piece: string): boolean {
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this.#length >= CHUNK_LENGTH;
  }

  /** Hands on all full pieces. */
  async flush(): Promise<void> {
    const text = this.#pieces.join('');
    let start = 0;
    while (text.length - start >= CHUNK_LENGTH) {
      let end = start + CHUNK_LENGTH;
      // A pair of surrogates stays together, so that each piece can be encoded by itself.
      if (isHighSurrogate(text.charCodeAt(end - 1))) end--;
      await this.#sink(text.slice(start, end));
      start = end;
    }
    this.#pieces = [text.slice(start)];
    this.#length = text.length - start;
  }

  /** Hands on all that is left. */
  async end(): Promise<void> {
    await this.flush();
    if (this.#length > 0) await this.#sink(this.#pieces.join(''));
    this.#pieces = [];
    this.#length = 0;
  }
}

/** So many pieces are made one text at a time. */
const BATCH = 256;

/**
 * The pieces as one text. A text that was put together is a tree of its parts until somebody reads it: read early, batch by batch, a large
 * document takes a third of the memory.
 */
export function textOf(pieces: Iterable<string>): string {
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
