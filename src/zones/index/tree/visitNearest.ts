/**
 * The nearest zones, by a best-first search of the tree: G. R. Hjaltason, H. Samet, "Distance browsing in spatial databases" (1999),
 * doi:10.1145/320248.320255. Boxes are queued by a proven lower bound, zones by their true distance.
 */

import { bboxDistanceLowerBound } from '../../../geodesy/lowerBounds.js';
import { GONE, type ShapeColumns } from '../../shapes/index.js';
import type { TreeNode } from './boxTree.js';

/** An item of the queue: a node of the tree, a piece in its box, or a zone at its distance. */
type Waiting =
  | { readonly bound: number; readonly kind: 'node'; readonly node: TreeNode }
  | { readonly bound: number; readonly kind: 'piece'; readonly piece: number }
  | { readonly bound: number; readonly kind: 'zone'; readonly ordinal: number };

/**
 * Calls `found` with zones from the nearest on, equals in order of insertion, until it returns false or no zone within `maxMeters`
 * remains.
 */
export function visitNearest(
  { pieceZone, pieceKind }: ShapeColumns,
  root: TreeNode,
  lon: number,
  lat: number,
  maxMeters: number,
  distanceOf: (ordinal: number) => number,
  found: (ordinal: number, meters: number) => boolean,
): void {
  const heap = new Heap();
  const seen = new Set<number>();
  heap.push({ bound: 0, kind: 'node', node: root });
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) {
    if (next.kind === 'zone') {
      if (!found(next.ordinal, next.bound)) return;
    } else if (next.kind === 'piece') {
      const ordinal = pieceZone[next.piece]!;
      if (seen.has(ordinal)) continue;
      seen.add(ordinal);
      const bound = distanceOf(ordinal);
      if (bound <= maxMeters) heap.push({ bound, kind: 'zone', ordinal });
    } else {
      for (const child of next.node.children) {
        if ('piece' in child && pieceKind[child.piece] === GONE) continue;
        // Boxes are rounded outwards, so they may exceed the ends of the map.
        const bound = bboxDistanceLowerBound(lon, lat, [
          Math.max(-180, child.minX),
          Math.max(-90, child.minY),
          Math.min(180, child.maxX),
          Math.min(90, child.maxY),
        ]);
        if (bound > maxMeters) continue;
        if ('piece' in child) heap.push({ bound, kind: 'piece', piece: child.piece });
        else heap.push({ bound, kind: 'node', node: child });
      }
    }
  }
}

/** Whether `p` comes before `q`: it is nearer. At equal distances zones come last, since other items may contain an earlier zone. */
function isBefore(p: Waiting, q: Waiting): boolean {
  if (p.bound !== q.bound) return p.bound < q.bound;
  if (p.kind === 'zone' && q.kind === 'zone') return p.ordinal < q.ordinal;
  return p.kind !== 'zone';
}

class Heap {
  readonly #items: Waiting[] = [];

  push(item: Waiting): void {
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

  pop(): Waiting | undefined {
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
