/**
 * Ordinals by id: a hash table with open addressing. The hash stands beside the ordinal, so that a search reads the ids of other rows only if
 * their hashes are equal. A `Map` would take more of V8's heap, and its growth makes V8 mark all objects of the caller during the build.
 */

import { columnOf } from '../../shapes/index.js';

/** A table as a buffer stores it. */
export interface SavedIds {
  readonly slots: Uint32Array;
  /** Ordinals without a slot. */
  readonly overflow: Uint32Array;
}

/** Slots that one search reads. An id without a free slot among them, such as one that is made to collide, goes into a map. */
const MAX_PROBES = 64;

export class IdTable {
  readonly #idOf: (ordinal: number) => string | null;
  /** Two words per slot: the hash, and the ordinal + 1. The slot of a removed row stays in use until the table is rebuilt. */
  #slots: Uint32Array = columnOf(Uint32Array, 32);
  #used = 0;
  #overflow = new Map<string, number>();
  /** Ordinals of a buffer that are not yet in `#overflow`. */
  #unread: Uint32Array | null = null;

  /** `idOf` returns the id of a row, or null if the row is gone. */
  constructor(idOf: (ordinal: number) => string | null) {
    this.#idOf = idOf;
  }

  /** Opens a table in O(1). Nothing may be added to it. */
  static open({ slots, overflow }: SavedIds, idOf: (ordinal: number) => string | null): IdTable {
    const table = new IdTable(idOf);
    table.#slots = slots;
    table.#unread = overflow;
    return table;
  }

  saved(): SavedIds {
    return { slots: this.#slots, overflow: Uint32Array.from(this.#overflow.values()) };
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** The ordinal of an id, or null. */
  find(id: string): number | null {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hash = hashId(id);
    let at = (2 * hash) & mask;
    for (let probes = 0; probes < MAX_PROBES; probes++, at = (at + 2) & mask) {
      const ordinal = slots[at + 1]! - 1;
      if (ordinal < 0) return null;
      if (slots[at] === hash && this.#idOf(ordinal) === id) return ordinal;
    }
    this.#readOverflow();
    const ordinal = this.#overflow.get(id);
    return ordinal !== undefined && this.#idOf(ordinal) === id ? ordinal : null;
  }

  #readOverflow(): void {
    for (const ordinal of this.#unread ?? []) {
      const id = this.#idOf(ordinal);
      if (id !== null) this.#overflow.set(id, ordinal);
    }
    this.#unread = null;
  }

  /** Adds an id that `find` does not return. */
  add(id: string, ordinal: number): void {
    if (4 * (this.#used + 1) > this.#slots.length) this.#rebuild();
    this.#put(hashId(id), ordinal, id);
  }

  /** Allocates memory for `count` ids, before the first is added. */
  reserve(count: number): void {
    let length = 32;
    while (length < 4 * count) length *= 2;
    this.#slots = columnOf(Uint32Array, length);
  }

  /** Leaves out removed rows, and allocates memory for twice the others. */
  #rebuild(): void {
    const slots = this.#slots;
    const overflow = this.#overflow;
    const idAt = (at: number): string | null => (slots[at + 1] === 0 ? null : this.#idOf(slots[at + 1]! - 1));
    let remaining = 0;
    for (let at = 0; at < slots.length; at += 2) if (idAt(at) !== null) remaining++;
    this.reserve(2 * remaining + 16);
    this.#used = 0;
    this.#overflow = new Map();
    for (let at = 0; at < slots.length; at += 2) {
      const id = idAt(at);
      if (id !== null) this.#put(slots[at]!, slots[at + 1]! - 1, id);
    }
    for (const [id, ordinal] of overflow) if (this.#idOf(ordinal) === id) this.#put(hashId(id), ordinal, id);
  }

  #put(hash: number, ordinal: number, id: string): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = (2 * hash) & mask;
    for (let probes = 0; probes < MAX_PROBES; probes++, at = (at + 2) & mask) {
      if (slots[at + 1] !== 0) continue;
      slots[at] = hash;
      slots[at + 1] = ordinal + 1;
      this.#used++;
      return;
    }
    this.#overflow.set(id, ordinal);
  }
}

/** FNV-1a over the UTF-16 code units: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm" (2025), RFC 9923. */
export function hashId(text: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
