/** What a zone's shape is, as a short text: to see that it was changed, also across a restart. */

import { isArray } from '../core/errors.js';
import type { Insides } from '../zones/index/insides.js';
import type { PlainShape } from '../zones/index/rows/keptRow.js';
import { insidesOf } from '../zones/zoneIndex.js';
import { Hash } from './textHash.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';

export class ZoneShapes {
  readonly #index: ZoneIndexLike;
  readonly #insides: Insides | null;
  /** By id, as of `#edits`. */
  readonly #known = new Map<string, string | null>();
  #edits = 0;

  constructor(index: ZoneIndexLike) {
    this.#index = index;
    this.#insides = insidesOf(index);
  }

  /** Changes with every edit of the index; undefined where it does not count them. */
  get edits(): number | undefined {
    return (this.#insides ?? this.#index).edits;
  }

  /** `null` when the zone is not in the index; '' when the index does not give its rows. Name and colour do not count. */
  of(id: string): string | null {
    const { edits } = this;
    // An index that does not count its edits is asked every time.
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

  #read(id: string): string | null {
    const plain = this.#insides?.plainShape(id) ?? null;
    if (plain !== null) return hashOf(plain);
    if (this.#index.ordinalOf(id) === null) return null;
    const row = this.#index.get?.(id);
    if (!row) return '';
    const { type, geometry, width, parts } = row;
    const hash = new Hash();
    hash.text(type.key);
    hash.number(width ?? -1);
    addNumbers(hash, geometry);
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

/** As of the row itself, of which the numbers are. */
function hashOf({ key, width, lonLat, closed, lonIndex }: PlainShape): string {
  const hash = new Hash();
  hash.text(key);
  hash.number(width ?? -1);
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
