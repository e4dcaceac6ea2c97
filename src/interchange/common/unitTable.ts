/** Numbers the names of units, and finds the number by the bytes of a name in a file. */

const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;
/** Largest number of slots that are searched, so that a file of names with one hash takes linear time. */
const MOST_PROBES = 32;

export class UnitTable {
  /** Names, by number. */
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #encoder = new TextEncoder();
  /** Bytes of all entered names, one after another. */
  #arena = new Uint8Array(4096);
  #used = 0;
  /** Start and length of the bytes of each name; -1 if they were not entered. */
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  /** By unit, the unit that followed it last time. */
  readonly #followers: number[] = [];
  #last = 0;
  /** Numbers by the hash of their bytes, with open addressing; -1: free. At most half full. */
  #slots: Int32Array = new Int32Array(256).fill(-1);
  #stored = 0;

  /** The number of the name; undefined for a new name. */
  numberOf(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** Adds a new name and returns its number. */
  add(name: string): number {
    const number = this.names.length;
    this.names.push(name);
    this.#numbers.set(name, number);
    this.#starts.push(-1);
    this.#lengths.push(0);
    this.#followers.push(number);
    return number;
  }

  /** Enters the bytes of the name, so that `find` returns its number. A name is not entered if too many names share its hash. */
  learn(number: number): void {
    if (this.#starts[number] !== -1) return;
    const bytes = this.#encoder.encode(this.names[number]);
    if (this.#used + bytes.length > this.#arena.length) {
      const longer = new Uint8Array(2 * this.#arena.length + bytes.length);
      longer.set(this.#arena);
      this.#arena = longer;
    }
    this.#arena.set(bytes, this.#used);
    this.#starts[number] = this.#used;
    this.#lengths[number] = bytes.length;
    this.#used += bytes.length;
    this.#stored++;
    if (2 * this.#stored > this.#slots.length) this.#rehash();
    else this.#place(number);
  }

  /** The number of the name in bytes [from, to); -1 if these bytes were not entered. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const guess = this.#followers[this.#last];
    if (guess === undefined) return -1;
    if (this.#isAt(guess, bytes, from, to)) {
      this.#last = guess;
      return guess;
    }
    const mask = this.#slots.length - 1;
    const first = hash(bytes, from, to);
    for (let probe = 0; probe < MOST_PROBES; probe++) {
      const number = this.#slots[(first + probe) & mask]!;
      if (number < 0) return -1;
      if (!this.#isAt(number, bytes, from, to)) continue;
      this.#followers[this.#last] = number;
      this.#last = number;
      return number;
    }
    return -1;
  }

  #isAt(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[number]!;
    if (start < 0 || this.#lengths[number] !== to - from) return false;
    const arena = this.#arena;
    for (let i = from, k = start; i < to; i++, k++) if (bytes[i] !== arena[k]) return false;
    return true;
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    for (let number = 0; number < this.names.length; number++) {
      if (this.#starts[number]! >= 0) this.#place(number);
    }
  }

  #place(number: number): void {
    const start = this.#starts[number]!;
    const mask = this.#slots.length - 1;
    const first = hash(this.#arena, start, start + this.#lengths[number]!);
    for (let probe = 0; probe < MOST_PROBES; probe++) {
      const slot = (first + probe) & mask;
      if (this.#slots[slot]! >= 0) continue;
      this.#slots[slot] = number;
      return;
    }
  }
}

/** Hash of bytes by FNV-1a. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let value = FNV_BASIS;
  for (let i = from; i < to; i++) value = Math.imul(value ^ bytes[i]!, FNV_PRIME);
  return value ^ (value >>> 15);
}
