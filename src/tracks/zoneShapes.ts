/** What a zone's shape is, as a short text: to see that it was changed, also across a restart. */

import { textHash } from './textHash.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';

export class ZoneShapes {
  readonly #index: ZoneIndexLike;
  /** By row: an index gives another object when a row is updated. */
  readonly #known = new WeakMap<object, string>();

  constructor(index: ZoneIndexLike) {
    this.#index = index;
  }

  /** `null` when the zone is not in the index; '' when the index does not give its rows. Name and colour do not count. */
  of(id: string): string | null {
    if (this.#index.ordinalOf(id) === null) return null;
    const row = this.#index.get?.(id);
    if (!row) return '';
    let shape = this.#known.get(row);
    if (shape === undefined) {
      const { type, geometry, width = null, parts = null } = row;
      shape = textHash(JSON.stringify([type.key, geometry, width, parts]));
      this.#known.set(row, shape);
    }
    return shape;
  }
}
