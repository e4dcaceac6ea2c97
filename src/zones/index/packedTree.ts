/**
 * The R-tree of the base: packed once along the Hilbert curve into flat arrays, after
 * I. Kamel, C. Faloutsos, "On packing R-trees" (1993), doi:10.1145/170088.170403. No object per node; nothing is ever moved.
 */

import { withRoom } from './columns.js';
import { hilbert, sortedOrder } from './hilbert.js';

/** Children of a node. */
const NODE = 16;

/** The most levels: 16^8 items are beyond any array. */
const STACK = 16 * NODE;

export class PackedTree {
  /** Of every node, leaves first: west, south, east, north, rounded outwards. */
  readonly boxes: Float32Array;
  /** Of a leaf its item; of a node above the place of its first child. */
  readonly children: Uint32Array;
  readonly count: number;
  /** Where each level ends, leaves first. */
  readonly #ends: readonly number[];
  readonly #stack = new Int32Array(STACK);
  /** What `search` found. */
  found: Uint32Array = new Uint32Array(64);

  constructor(boxes: Float32Array, children: Uint32Array, count: number) {
    this.boxes = boxes;
    this.children = children;
    this.count = count;
    this.#ends = levelEnds(count);
  }

  /** Packs `count` items with boxes of four numbers each. O(n). */
  static pack(boxes: Float32Array, items: Uint32Array, count: number): PackedTree {
    const ends = levelEnds(count);
    const total = ends.at(-1) ?? 0;
    const packed = new Float32Array(4 * total);
    const children = new Uint32Array(total);
    const order = hilbertOrder(boxes, count);
    for (let place = 0; place < count; place++) {
      const from = order[place]!;
      children[place] = items[from]!;
      for (let side = 0; side < 4; side++) packed[4 * place + side] = boxes[4 * from + side]!;
    }
    let place = count;
    for (let level = 0, from = 0; level + 1 < ends.length; level++) {
      const end = ends[level]!;
      for (let first = from; first < end; first += NODE) {
        let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
        for (let i = first; i < Math.min(end, first + NODE); i++) {
          west = Math.min(west, packed[4 * i]!);
          south = Math.min(south, packed[4 * i + 1]!);
          east = Math.max(east, packed[4 * i + 2]!);
          north = Math.max(north, packed[4 * i + 3]!);
        }
        packed[4 * place] = west;
        packed[4 * place + 1] = south;
        packed[4 * place + 2] = east;
        packed[4 * place + 3] = north;
        children[place++] = first;
      }
      from = end;
    }
    return new PackedTree(packed, children, count);
  }

  get bytes(): number {
    return this.boxes.byteLength + this.children.byteLength;
  }

  /** The box of all items, or null when there are none. */
  get bounds(): readonly [number, number, number, number] | null {
    if (this.count === 0) return null;
    const at = this.boxes.length - 4;
    return [this.boxes[at]!, this.boxes[at + 1]!, this.boxes[at + 2]!, this.boxes[at + 3]!];
  }

  /** The place of the root's first child, or of the only item. */
  get root(): number {
    return this.#ends.length < 2 ? 0 : this.children.at(-1)!;
  }

  /** Where a node's children end, of the level that holds `first`. */
  lastChild(first: number): number {
    let level = 0;
    while (first >= this.#ends[level]!) level++;
    return Math.min(first + NODE, this.#ends[level]!);
  }

  /** Writes the items whose boxes meet the closed box into `found`, in no order, and gives their number. */
  search(west: number, south: number, east: number, north: number): number {
    const { boxes, children, count } = this;
    if (count === 0) return 0;
    const stack = this.#stack;
    let found = this.found;
    let hits = 0;
    let depth = 0;
    // The root is tested as the only child of a node above it.
    let end = this.#ends.at(-1)!;
    let node = end - 1;
    let level = this.#ends.length - 1;
    for (;;) {
      for (let at = node; at < end; at++) {
        const box = 4 * at;
        if (boxes[box]! > east || boxes[box + 2]! < west) continue;
        if (boxes[box + 1]! > north || boxes[box + 3]! < south) continue;
        if (level === 0) {
          if (hits === found.length) {
            found = withRoom(found, hits + 1);
            this.found = found;
          }
          found[hits++] = children[at]!;
        } else {
          stack[depth++] = children[at]!;
          stack[depth++] = level - 1;
        }
      }
      if (depth === 0) return hits;
      level = stack[--depth]!;
      node = stack[--depth]!;
      end = Math.min(node + NODE, this.#ends[level]!);
    }
  }
}

/** Where each level of a tree of `count` items ends: its leaves, the nodes over them, …, the root. */
function levelEnds(count: number): number[] {
  if (count === 0) return [];
  const ends = [count];
  for (let width = count; width > 1; ) {
    width = Math.ceil(width / NODE);
    ends.push(ends.at(-1)! + width);
  }
  return ends;
}

function hilbertOrder(boxes: Float32Array, count: number): Uint32Array {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < 4 * count; i += 4) {
    west = Math.min(west, boxes[i]!);
    south = Math.min(south, boxes[i + 1]!);
    east = Math.max(east, boxes[i + 2]!);
    north = Math.max(north, boxes[i + 3]!);
  }
  const perLon = east > west ? 65_535 / (east - west) : 0;
  const perLat = north > south ? 65_535 / (north - south) : 0;
  const keys = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const x = ((boxes[4 * i]! + boxes[4 * i + 2]!) / 2 - west) * perLon;
    const y = ((boxes[4 * i + 1]! + boxes[4 * i + 3]!) / 2 - south) * perLat;
    keys[i] = hilbert(x | 0, y | 0);
  }
  return sortedOrder(keys);
}
