/** Short hashes by two 32-bit lanes of multiply and rotate (the mixing of MurmurHash3): against damage, not against attack. */

const BITS = new DataView(new ArrayBuffer(8));

/** Takes words in order; `digest` is 16 hexadecimal digits. */
export class Hash {
  #a = 0x9e3779b9;
  #b = 0x85ebca6b;
  #words = 0;

  /** Resets the hash. Reusing one object is cheaper: creating a hash per shape costs more than hashing the shape. */
  reset(): this {
    this.#a = 0x9e3779b9;
    this.#b = 0x85ebca6b;
    this.#words = 0;
    return this;
  }

  word(word: number): void {
    this.#words++;
    this.#a = rotate(Math.imul(this.#a ^ word, 0xcc9e2d51), 15);
    this.#b = rotate(Math.imul(this.#b ^ word, 0x1b873593) + this.#a, 13);
  }

  /** A number by its bits; -0 is 0. */
  number(value: number): void {
    BITS.setFloat64(0, value + 0);
    this.word(BITS.getUint32(0));
    this.word(BITS.getUint32(4));
  }

  text(text: string): void {
    // As `word` for each character. Local variables make long texts three times as fast.
    let [a, b] = [this.#a, this.#b];
    for (let i = 0; i < text.length; i++) {
      const word = text.charCodeAt(i);
      a = rotate(Math.imul(a ^ word, 0xcc9e2d51), 15);
      b = rotate(Math.imul(b ^ word, 0x1b873593) + a, 13);
    }
    [this.#a, this.#b] = [a, b];
    this.#words += text.length;
  }

  digest(): string {
    const [a, b] = [this.#a ^ this.#words, this.#b];
    return hex(finish(a ^ b)) + hex(finish(Math.imul(b, 5) + a));
  }
}

/** The hash of a text. */
export function textHash(text: string): string {
  const hash = new Hash();
  hash.text(text);
  return hash.digest();
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function finish(word: number): number {
  const half = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const mixed = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
