/**
 * Finds the position with the most neighbours, again and again while positions are removed. The positions are in a tree of boxes of straight
 * space, so that neither a pole nor the antimeridian is special, and a box that is near as a whole is counted at once.
 */

import { DEGREES_TO_RADIANS } from '../../core/angles.js';
import type { Position } from '../../core/geometry.js';
import { decidedDistance } from '../../geodesy/distanceMeters.js';
import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS, normalRadius } from '../../geodesy/ellipsoid.js';

/** Positions of a box that is not halved. */
const LEAF = 8;
/** Metres by which a chord may be wrong. */
const ROUNDING = 1e-6;
/** The least radius of curvature of the ellipsoid, metres: along the meridian at the equator. */
const LEAST_RADIUS = EQUATORIAL_RADIUS * (1 - ECCENTRICITY_SQUARED);

interface Box {
  /** Metres: the least and the greatest x, y and z. */
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Its positions in the order of the tree. */
  readonly start: number;
  readonly end: number;
  readonly parent: Box | null;
  halves: readonly Box[];
  /** Number of positions that were not removed. */
  count: number;
}

export class NearTree {
  readonly #positions: readonly Position[];
  readonly #limit: number;
  /** A greater chord is a greater distance than the limit, and a lesser one than `#sure` is a lesser distance. */
  readonly #sure: number;
  readonly #places: readonly (readonly number[])[];
  /** Positions so that those of each box lie together. */
  readonly #order: Int32Array;
  readonly #leaves: Box[];
  readonly #root: Box;
  readonly #isRemoved: Uint8Array;
  /** A heap of positions by an earlier number of their neighbours. The number never grows, so it is an upper bound; ties by index. */
  readonly #heap: number[] = [];
  readonly #count: Float64Array;

  constructor(positions: readonly Position[], limitMeters: number) {
    this.#positions = positions;
    this.#limit = limitMeters;
    // A way that is nowhere more curved than this circle has at least its chord (Schur 1921).
    const half = Math.min(Math.PI / 2, limitMeters / 2 / LEAST_RADIUS);
    this.#sure = 2 * LEAST_RADIUS * Math.sin(half);
    this.#places = positions.map(placeOf);
    this.#order = Int32Array.from(positions, (_, i) => i);
    this.#leaves = new Array<Box>(positions.length);
    this.#isRemoved = new Uint8Array(positions.length);
    this.#count = new Float64Array(positions.length);
    this.#root = this.#boxOf(0, positions.length, null);
    const open = [this.#root];
    for (let box = open.pop(); box !== undefined; box = open.pop()) {
      this.#halve(box);
      open.push(...box.halves);
    }
    positions.forEach((position, i) => {
      this.#count[i] = this.#countNear(position);
    });
    for (let i = 0; i < positions.length; i++) this.#push(i);
  }

  /** The position with the most others within the limit, the first of these; null if none is left. */
  densest(): number | null {
    for (let i = this.#heap[0]; i !== undefined; i = this.#heap[0]) {
      this.#pop();
      if (this.#isRemoved[i] === 1) continue;
      const count = this.#countNear(this.#positions[i]!);
      const isSame = count === this.#count[i];
      this.#count[i] = count;
      this.#push(i);
      if (isSame) return i;
    }
    return null;
  }

  /** The positions within the limit, ascending. */
  near(position: Position): number[] {
    const found: number[] = [];
    this.#visit(position, ({ start, end }, isWhole) => {
      for (let k = start; k < end; k++) {
        const i = this.#order[k]!;
        if (this.#isRemoved[i] === 0 && (isWhole || this.#isNear(position, i))) found.push(i);
      }
    });
    return found.sort((a, b) => a - b);
  }

  remove(i: number): void {
    if (this.#isRemoved[i] === 1) return;
    this.#isRemoved[i] = 1;
    for (let box: Box | null = this.#leaves[i]!; box !== null; box = box.parent) box.count--;
  }

  #countNear(position: Position): number {
    const place = placeOf(position);
    let count = 0;
    this.#visit(position, ({ start, end, count: own }, isWhole) => {
      if (isWhole) count += own;
      else
        for (let k = start; k < end; k++) {
          const i = this.#order[k]!;
          if (this.#isRemoved[i] === 1) continue;
          const chord = chordOf(place, this.#places[i]!);
          if (chord < this.#sure - ROUNDING) count++;
          else if (chord <= this.#limit + ROUNDING && this.#isNear(position, i)) count++;
        }
    });
    return count;
  }

  #isNear([lon, lat]: Position, i: number): boolean {
    const [otherLon, otherLat] = this.#positions[i]!;
    // In one order, so that two positions agree whether they are near.
    const isFirst = lon < otherLon || (lon === otherLon && lat <= otherLat);
    return isFirst
      ? decidedDistance(lon, lat, otherLon, otherLat, this.#limit) <= this.#limit
      : decidedDistance(otherLon, otherLat, lon, lat, this.#limit) <= this.#limit;
  }

  /** Calls `use` with the boxes that are near as a whole, and with the smallest ones that may hold near positions. */
  #visit(position: Position, use: (box: Box, isWhole: boolean) => void): void {
    const place = placeOf(position);
    const open = [this.#root];
    for (let box = open.pop(); box !== undefined; box = open.pop()) {
      if (box.count === 0) continue;
      const { low, high, halves } = box;
      let [least, most] = [0, 0];
      for (let axis = 0; axis < 3; axis++) {
        const [toLow, toHigh] = [low[axis]! - place[axis]!, place[axis]! - high[axis]!];
        least += Math.max(0, toLow, toHigh) ** 2;
        most += Math.max(-toLow, -toHigh) ** 2;
      }
      if (Math.sqrt(least) > this.#limit + ROUNDING) continue;
      if (Math.sqrt(most) < this.#sure - ROUNDING) use(box, true);
      else if (halves.length === 0) use(box, false);
      else for (const half of halves) open.push(half);
    }
  }

  #boxOf(start: number, end: number, parent: Box | null): Box {
    const [low, high] = [
      [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
      [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
    ];
    for (let k = start; k < end; k++) {
      const place = this.#places[this.#order[k]!]!;
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis]!, place[axis]!);
        high[axis] = Math.max(high[axis]!, place[axis]!);
      }
    }
    return { low, high, start, end, parent, halves: [], count: end - start };
  }

  /** Parts a box in the middle of its longest side. Few positions, or positions at one place, stay together. */
  #halve(box: Box): void {
    const { low, high, start, end } = box;
    const sides = low.map((from, axis) => high[axis]! - from);
    const axis = sides.indexOf(Math.max(...sides));
    const middle = (low[axis]! + high[axis]!) / 2;
    const order = this.#order;
    let cut = start;
    if (end - start > LEAF)
      for (let k = start; k < end; k++) {
        const i = order[k]!;
        if (this.#places[i]![axis]! >= middle) continue;
        order[k] = order[cut]!;
        order[cut++] = i;
      }
    if (cut > start && cut < end) box.halves = [this.#boxOf(start, cut, box), this.#boxOf(cut, end, box)];
    else for (let k = start; k < end; k++) this.#leaves[order[k]!] = box;
  }

  #isBefore(i: number, j: number): boolean {
    return this.#count[i]! > this.#count[j]! || (this.#count[i] === this.#count[j] && i < j);
  }

  #push(i: number): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(i);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(i, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = i;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!this.#isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

/** Metres from the Earth's centre. */
function placeOf([lon, lat]: Position): readonly [x: number, y: number, z: number] {
  const [east, north] = [lon * DEGREES_TO_RADIANS, lat * DEGREES_TO_RADIANS];
  const sin = Math.sin(north);
  const radius = normalRadius(sin);
  const across = radius * Math.cos(north);
  return [across * Math.cos(east), across * Math.sin(east), (1 - ECCENTRICITY_SQUARED) * radius * sin];
}

function chordOf([ax, ay, az]: readonly number[], [bx, by, bz]: readonly number[]): number {
  return Math.hypot(ax! - bx!, ay! - by!, az! - bz!);
}
