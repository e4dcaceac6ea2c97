/** The queue of a search for nearest zones: a binary heap of zones and areas by a lower bound of their distance. */

import type { GridSpan } from '../grid/index.js';
import type { TreeNode } from '../tree/index.js';

export const SPAN = 0;
export const NODE = 1;
export const PIECE = 2;
/** Kind of an item that is a zone; its bound is its distance. */
export const ZONE = 3;

export interface QueueItem {
  readonly kind: number;
  /** Number of the piece, or ordinal of the zone. */
  readonly number: number;
  readonly inside: GridSpan | TreeNode | null;
  /** Lower bound of the distance of every zone inside, metres. */
  bound: number;
  /** Whether the bound is the tight one, see `BoxDistances`. */
  isClose: boolean;
}

/**
 * Whether `p` comes before `q`: it is nearer. At equal distances zones come last, because other items may contain a zone that was inserted
 * earlier.
 */
function isBefore(p: QueueItem, q: QueueItem): boolean {
  if (p.bound !== q.bound) return p.bound < q.bound;
  if (p.kind === ZONE && q.kind === ZONE) return p.number < q.number;
  return p.kind !== ZONE;
}

export class NearQueue {
  readonly #items: QueueItem[] = [];

  push(item: QueueItem): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(item, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  pop(): QueueItem | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && isBefore(items[child + 1]!, items[child]!)) child++;
      if (!isBefore(items[child]!, last)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return top;
  }
}
