/** Short hashes of zones' shapes, which show changes even across a restart. */

import { isArray } from '../core/errors.js';
import { sizesOf } from '../core/wire.js';
import { type IndexInternals, internalsOf, type PlainShape } from '../zones/index/index.js';
import { Hash } from './textHash.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';

export class ZoneShapes {
  readonly #index: ZoneIndexLike;
  readonly #internals: IndexInternals | null;
  readonly #hash = new Hash();
  /** Hash by zone id of an index of another kind, valid while it has `#edits`. */
  readonly #known = new Map<string, string | null>();
  #edits = 0;

  constructor(index: ZoneIndexLike) {
    this.#index = index;
    this.#internals = internalsOf(index);
  }

  /** Number of edits of the index; `undefined` if the index does not count them. */
  get edits(): number | undefined {
    return (this.#internals ?? this.#index).edits;
  }

  /** Hash of the zone's shape without name and colour; `null` if the zone is not in the index, '' if the index has no `get`. */
  of(id: string): string | null {
    if (this.#internals !== null) return this.#noted(id, this.#internals);
    const { edits } = this;
    // Nothing is cached for an index that does not count its edits.
    if (edits === undefined) return this.#read(id);
    if (edits !== this.#edits) {
      this.#known.clear();
      this.#edits = edits;
    }
    let shape = this.#known.get(id);
    if (shape === undefined) {
      shape = this.#read(id);
      this.#known.set(id, shape);
    }
    return shape;
  }

  /** The hash that the index keeps with the zone until its row is replaced: other trackers use it too. */
  #noted(id: string, internals: IndexInternals): string | null {
    const ordinal = this.#index.ordinalOf(id);
    if (ordinal === null) return null;
    const noted = internals.shapeHashes.get(ordinal);
    if (noted !== undefined) return noted;
    const plain = internals.plainShape(ordinal);
    const shape = plain === null ? this.#read(id) : hashOf(this.#hash.reset(), plain);
    if (shape !== null) internals.shapeHashes.set(ordinal, shape);
    return shape;
  }

  #read(id: string): string | null {
    if (this.#index.ordinalOf(id) === null) return null;
    const row = this.#index.get?.(id);
    if (!row) return '';
    const { type, geometry, parts } = row;
    const hash = this.#hash.reset();
    hash.text(type.key);
    for (const size of sizesOf(row)) hash.number(size);
    // A polygon with `parts` needs no geometry.
    addNumbers(hash, geometry ?? []);
    addNumbers(hash, parts ?? []);
    return hash.digest();
  }
}

/** Nested lists of numbers, each with its length. */
function addNumbers(hash: Hash, list: readonly unknown[]): void {
  hash.word(list.length);
  for (const item of list) {
    if (typeof item === 'number') hash.number(item);
    else if (isArray(item)) addNumbers(hash, item);
  }
}

/** The hash of a plain shape, equal to that of its row. */
function hashOf(hash: Hash, { key, sizes, lonLat, closed, lonIndex }: PlainShape): string {
  hash.text(key);
  for (const size of sizes) hash.number(size);
  const count = lonLat.length / 2;
  hash.word(closed ? count + 1 : count);
  for (let i = 0; i < (closed ? count + 1 : count); i++) {
    const at = 2 * (i < count ? i : 0);
    hash.word(2);
    hash.number(lonLat[at + lonIndex]!);
    hash.number(lonLat[at + 1 - lonIndex]!);
  }
  hash.word(0);
  return hash.digest();
}
