/** The memory of the cells: one run of words that only grows, up to a bound, and is cleared as a whole. */

/** Words before the first record: the empty record stands at 1. */
const FIRST_WORD = 3;

export class CellArena {
  words: Int32Array;
  /** The same memory. */
  floats: Float32Array;
  /** Grows by one whenever all is cleared: what pointed into the arena before points nowhere. */
  generation = 0;
  /** The bound. */
  maxWords = 0;
  #used: number = FIRST_WORD;

  constructor() {
    this.words = new Int32Array(FIRST_WORD);
    this.floats = new Float32Array(this.words.buffer);
  }

  get bytes(): number {
    return this.words.byteLength;
  }

  get used(): number {
    return this.#used;
  }

  /** Whether nothing is in it. */
  get isEmpty(): boolean {
    return this.#used <= FIRST_WORD;
  }

  /** Room for so many words, or 0 when the bound does not leave it. */
  take(count: number): number {
    const at = Math.max(FIRST_WORD, this.#used);
    const needed = at + count;
    if (needed > this.words.length) {
      if (needed > this.maxWords) return 0;
      const longer = new Int32Array(
        Math.min(this.maxWords, Math.max(needed, Math.ceil(1.5 * this.words.length))),
      );
      longer.set(this.words);
      this.words = longer;
      this.floats = new Float32Array(longer.buffer);
    }
    this.#used = needed;
    return at;
  }

  /** Makes room at once for so many words, as far as the bound allows. */
  reserve(count: number): void {
    const length = Math.min(this.maxWords, count);
    if (length <= this.words.length) return;
    const longer = new Int32Array(length);
    longer.set(this.words.subarray(0, this.#used));
    this.words = longer;
    this.floats = new Float32Array(longer.buffer);
  }

  /** `take` at a multiple of 8. */
  takeAligned(count: number): number {
    const first = Math.max(8, Math.ceil(this.#used / 8) * 8);
    const at = this.take(first - this.#used + count);
    return at === 0 ? 0 : first;
  }

  /** Takes on words as they are, to be read only. */
  open(words: Int32Array): void {
    this.words = words;
    this.floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    this.#used = words.length;
  }

  /** Copies the words, to be written. */
  own(): void {
    this.words = Int32Array.from(this.words);
    this.floats = new Float32Array(this.words.buffer);
  }

  /** Gives back the room that is not in use. */
  fit(): void {
    this.words = this.words.slice(0, this.#used);
    this.floats = new Float32Array(this.words.buffer);
  }

  clear(): void {
    this.#used = FIRST_WORD;
    this.generation++;
  }
}
