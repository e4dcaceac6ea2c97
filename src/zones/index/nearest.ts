/**
 * The nearest zones, best first over the trees: G. R. Hjaltason, H. Samet, "Distance browsing in spatial databases" (1999),
 * doi:10.1145/320248.320255. Boxes wait under a proven lower bound, zones under their true distance.
 */

import { bboxDistanceLowerBound } from '../../geodesy/lowerBounds.js';
import type { Candidates, OverlayNode } from './candidates.js';
import type { ShapeStore } from './shapeStore.js';

/** What waits: a node of the packed tree, one of the overlay, a piece in its box, or a zone at its distance. */
type Waiting =
  | { readonly bound: number; readonly kind: 'node'; readonly first: number }
  | { readonly bound: number; readonly kind: 'overlay'; readonly node: OverlayNode }
  | { readonly bound: number; readonly kind: 'piece'; readonly piece: number }
  | { readonly bound: number; readonly kind: 'zone'; readonly ordinal: number };

/** Calls `found` with zones from the nearest on, equals in order of insertion, until it gives false or none is left within `maxMeters`. */
export function visitNearest(
  store: ShapeStore,
  candidates: Candidates,
  lon: number,
  lat: number,
  maxMeters: number,
  distanceOf: (ordinal: number) => number,
  found: (ordinal: number, meters: number) => boolean,
): void {
  const { tree } = candidates;
  const heap = new Heap();
  const seen = new Set<number>();
  const wait = (bound: number, waiting: (bound: number) => Waiting): void => {
    if (bound <= maxMeters) heap.push(waiting(bound));
  };
  // Boxes are rounded outwards, beyond the map's ends too.
  const boundOf = (west: number, south: number, east: number, north: number): number =>
    bboxDistanceLowerBound(lon, lat, [
      Math.max(-180, west),
      Math.max(-90, south),
      Math.min(180, east),
      Math.min(90, north),
    ]);
  if (tree.count > 0) heap.push({ bound: 0, kind: 'node', first: tree.root });
  const { overlayRoot } = candidates;
  if (overlayRoot !== null) heap.push({ bound: 0, kind: 'overlay', node: overlayRoot });
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) {
    if (next.kind === 'zone') {
      if (!found(next.ordinal, next.bound)) return;
    } else if (next.kind === 'piece') {
      const ordinal = store.pieceZone[next.piece]!;
      if (seen.has(ordinal)) continue;
      seen.add(ordinal);
      wait(distanceOf(ordinal), (bound) => ({ bound, kind: 'zone', ordinal }));
    } else if (next.kind === 'node') {
      const { first } = next;
      const isLeaf = first < tree.count;
      for (let at = first; at < tree.lastChild(first); at++) {
        const child = tree.children[at]!;
        if (isLeaf && !store.isAlive(child)) continue;
        const { boxes } = tree;
        const least = boundOf(boxes[4 * at]!, boxes[4 * at + 1]!, boxes[4 * at + 2]!, boxes[4 * at + 3]!);
        wait(least, (bound) =>
          isLeaf ? { bound, kind: 'piece', piece: child } : { bound, kind: 'node', first: child },
        );
      }
    } else {
      for (const child of next.node.children) {
        if ('piece' in child && !store.isAlive(child.piece)) continue;
        wait(boundOf(child.minX, child.minY, child.maxX, child.maxY), (bound) =>
          'piece' in child
            ? { bound, kind: 'piece', piece: child.piece }
            : { bound, kind: 'overlay', node: child },
        );
      }
    }
  }
}

/** Whether `p` is to be looked at before `q`: nearer; at one bound zones wait for all that may hide an earlier one. */
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
