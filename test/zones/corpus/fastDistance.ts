/**
 * Distances from positions to a line, for many positions: the line is cut into short chords in space, which a tree of boxes holds.
 * It shares nothing with the product; `LineDistance` (Karney) is its twin in `fastDistance.test.ts`.
 */

import type { Position } from '../../../src/index.js';
import { inSpace, type Vector } from '../corridorChecker.js';

const RAD = Math.PI / 180;
const EARTH_RADIUS = 6_378_137;
/** Greatest distance in metres of a piece from its chord. */
const SAGITTA = 1e-3;
const LEAF = 4;

export interface Nearest {
  readonly meters: number;
  readonly lon: number;
  readonly lat: number;
}

export class FastDistance {
  /** Of each piece: start lon, lat, step lon, lat. */
  readonly #pieces: Float64Array;
  /** Of each piece: start and end in space. */
  readonly #chords: Float64Array;
  readonly #order: Uint32Array;
  /** Of each node, in the order of a complete binary tree over `#order`: least and greatest x, y, z. */
  readonly #boxes: Float64Array;

  /** The line's edges are straight in lon/lat and do not come near a pole. */
  constructor(line: readonly Position[]) {
    const pieces: number[] = [];
    const ends = line.length === 1 ? [line[0]!, line[0]!] : line;
    for (let i = 1; i < ends.length; i++) {
      const [[lon, lat], [x, y]] = [ends[i - 1]!, ends[i]!];
      const [dLon, dLat] = [x - lon - 360 * Math.round((x - lon) / 360), y - lat];
      const steepest = Math.max(Math.abs(lat), Math.abs(y));
      const meters =
        Math.hypot(dLon * Math.cos(Math.min(Math.abs(lat), Math.abs(y)) * RAD), dLat) * RAD * EARTH_RADIUS;
      const longest = Math.sqrt((8 * EARTH_RADIUS * SAGITTA) / (1 + Math.tan(steepest * RAD)));
      const parts = Math.max(1, Math.ceil(meters / longest));
      for (let k = 0; k < parts; k++) {
        pieces.push(lon + (dLon * k) / parts, lat + (dLat * k) / parts, dLon / parts, dLat / parts);
      }
    }
    const count = pieces.length / 4;
    this.#pieces = Float64Array.from(pieces);
    this.#chords = new Float64Array(6 * count);
    for (let i = 0; i < count; i++) {
      const [lon, lat, dLon, dLat] = pieces.slice(4 * i, 4 * i + 4) as [number, number, number, number];
      this.#chords.set([...inSpace(lon, lat), ...inSpace(lon + dLon, lat + dLat)], 6 * i);
    }
    this.#order = Uint32Array.from({ length: count }, (_, i) => i);
    const boxes: number[] = [];
    this.#build(boxes, 0, 0, count);
    this.#boxes = Float64Array.from(boxes);
  }

  #build(boxes: number[], node: number, from: number, to: number): void {
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let i = from; i < to; i++) {
      for (let axis = 0; axis < 6; axis++) {
        const value = this.#chords[6 * this.#order[i]! + axis]!;
        if (value < box[axis % 3]!) box[axis % 3] = value;
        if (value > box[3 + (axis % 3)]!) box[3 + (axis % 3)] = value;
      }
    }
    while (boxes.length < 6 * node + 6) boxes.push(0);
    for (let axis = 0; axis < 6; axis++) boxes[6 * node + axis] = box[axis]!;
    if (to - from <= LEAF) return;
    const sizes = [0, 1, 2].map((axis) => box[axis + 3]! - box[axis]!);
    const axis = sizes.indexOf(Math.max(...sizes));
    this.#order
      .subarray(from, to)
      .sort(
        (i, j) =>
          this.#chords[6 * i + axis]! +
          this.#chords[6 * i + 3 + axis]! -
          (this.#chords[6 * j + axis]! + this.#chords[6 * j + 3 + axis]!),
      );
    const middle = (from + to) >> 1;
    this.#build(boxes, 2 * node + 1, from, middle);
    this.#build(boxes, 2 * node + 2, middle, to);
  }

  /** The position of the line that is nearest along a geodesic, which is at most 5 km away. */
  nearest([lon, lat]: Position): Nearest {
    const p = inSpace(lon, lat);
    const best = { chord: Infinity, lon: 0, lat: 0 };
    this.#visit(p, best, 0, 0, this.#order.length);
    // A chord is shorter than its arc by c³ / 24R².
    const meters = best.chord * (1 + (best.chord / EARTH_RADIUS) ** 2 / 24);
    return { meters, lon: best.lon, lat: best.lat };
  }

  meters(position: Position): number {
    return this.nearest(position).meters;
  }

  #visit(
    p: Vector,
    best: { chord: number; lon: number; lat: number },
    node: number,
    from: number,
    to: number,
  ): void {
    if (to - from <= LEAF) {
      for (let i = from; i < to; i++) this.#look(p, best, this.#order[i]!);
      return;
    }
    const middle = (from + to) >> 1;
    const [left, right] = [2 * node + 1, 2 * node + 2];
    const [toLeft, toRight] = [this.#toBox(p, left), this.#toBox(p, right)];
    const leftFirst = toLeft < toRight;
    if (Math.min(toLeft, toRight) > best.chord + 2 * SAGITTA) return;
    if (leftFirst) this.#visit(p, best, left, from, middle);
    else this.#visit(p, best, right, middle, to);
    if (Math.max(toLeft, toRight) > best.chord + 2 * SAGITTA) return;
    if (leftFirst) this.#visit(p, best, right, middle, to);
    else this.#visit(p, best, left, from, middle);
  }

  #toBox([x, y, z]: Vector, node: number): number {
    const boxes = this.#boxes;
    const i = 6 * node;
    const dx = Math.max(0, boxes[i]! - x, x - boxes[i + 3]!);
    const dy = Math.max(0, boxes[i + 1]! - y, y - boxes[i + 4]!);
    const dz = Math.max(0, boxes[i + 2]! - z, z - boxes[i + 5]!);
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  #look([x, y, z]: Vector, best: { chord: number; lon: number; lat: number }, piece: number): void {
    const chords = this.#chords;
    const i = 6 * piece;
    const [ax, ay, az] = [chords[i]!, chords[i + 1]!, chords[i + 2]!];
    const [dx, dy, dz] = [chords[i + 3]! - ax, chords[i + 4]! - ay, chords[i + 5]! - az];
    const square = dx * dx + dy * dy + dz * dz;
    const at = square === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy + (z - az) * dz) / square;
    let t = Math.max(0, Math.min(1, at));
    const [ox, oy, oz] = [x - ax - t * dx, y - ay - t * dy, z - az - t * dz];
    if (Math.sqrt(ox * ox + oy * oy + oz * oz) > best.chord + 2 * SAGITTA) return;
    const [aLon, aLat, dLon, dLat] = this.#pieces.subarray(4 * piece, 4 * piece + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    for (let round = 0; ; round++) {
      const lon = aLon + dLon * t;
      const lat = aLat + dLat * t;
      const [qx, qy, qz] = inSpace(lon, lat);
      const [ex, ey, ez] = [x - qx, y - qy, z - qz];
      const chord = Math.sqrt(ex * ex + ey * ey + ez * ez);
      if (chord < best.chord) [best.chord, best.lon, best.lat] = [chord, lon, lat];
      if (round === 2 || square === 0) return;
      const next = Math.max(0, Math.min(1, t + (ex * dx + ey * dy + ez * dz) / square));
      if (Math.abs(next - t) * Math.sqrt(square) < 1e-6) return;
      t = next;
    }
  }
}
