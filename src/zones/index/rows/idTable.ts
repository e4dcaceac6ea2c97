/** Ordinals by id: open addressing, with the hash beside the ordinal, so that other ids are never looked at. */

import { hashUnits } from './codeUnits.js';

/** Places looked at for one id. What finds none free, as ids made to collide do, goes into a map. */
const MOST_STEPS = 64;

export class IdTable {
  readonly #rows: readonly ({ readonly id: string } | undefined)[];
  /** Of each place the hash, and the ordinal + 1; entries of rows that are gone stay until the table grows. */
  #places: Uint32Array = new Uint32Array(32);
  #used = 0;
  readonly #crowded = new Map<string, number>();

  /** `rows` holds the row of each ordinal that is put, and undefined when it is gone. */
  constructor(rows: readonly ({ readonly id: string } | undefined)[]) {
    this.#rows = rows;
  }

  /** The ordinal of an id, or -1. */
  find(id: string): number {
    const places = this.#places;
    const mask = places.length - 1;
    const hash = hashUnits(id);
    let at = (2 * hash) & mask;
    for (let steps = 0; steps < MOST_STEPS; steps++, at = (at + 2) & mask) {
      const ordinal = places[at + 1]! - 1;
      if (ordinal < 0) return -1;
      if (places[at] === hash && this.#rows[ordinal]?.id === id) return ordinal;
    }
    const ordinal = this.#crowded.get(id);
    return ordinal !== undefined && this.#rows[ordinal]?.id === id ? ordinal : -1;
  }

  /** Adds an id that `find` does not know. */
  put(id: string, ordinal: number): void {
    if (4 * this.#used >= this.#places.length) this.#rebuild();
    this.#put(hashUnits(id), id, ordinal);
  }

  /** Makes room for so many ids at once, before any is put. */
  reserve(count: number): void {
    let length = 32;
    while (length < 4 * count) length *= 2;
    this.#places = new Uint32Array(length);
  }

  /** Takes room for twice the ids of rows that are there, and leaves out the others. */
  #rebuild(): void {
    const old = this.#places;
    let live = 0;
    for (let at = 1; at < old.length; at += 2) if (this.#rows[old[at]! - 1] !== undefined) live++;
    this.reserve(2 * live);
    this.#used = 0;
    for (let at = 0; at < old.length; at += 2) {
      const ordinal = old[at + 1]! - 1;
      const row = this.#rows[ordinal];
      if (row !== undefined) this.#put(old[at]!, row.id, ordinal);
    }
  }

  #put(hash: number, id: string, ordinal: number): void {
    const places = this.#places;
    const mask = places.length - 1;
    let at = (2 * hash) & mask;
    for (let steps = 0; steps < MOST_STEPS; steps++, at = (at + 2) & mask) {
      if (places[at + 1] !== 0) continue;
      places[at] = hash;
      places[at + 1] = ordinal + 1;
      this.#used++;
      return;
    }
    this.#crowded.set(id, ordinal);
  }
}
