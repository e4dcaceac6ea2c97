/** Small zones as points. The zones of one pixel, or of a crowded square of 16 pixels, share one point. */

import { PIXEL } from './tileFrame.js';

/** Side of a square, units; then the number of squares along a tile's side. */
export const SQUARE = 128;
export const SQUARES = 32;
/** Largest number of zones in a square that is not crowded. */
const CROWD = 8;

/** A point of the layer `points`. */
export interface PointGroup {
  readonly x: number;
  readonly y: number;
  readonly count: number;
  /** Ordinal of the zone; null for several zones. */
  readonly ordinal: number | null;
}

/** Collects the small zones of a tile. */
export class PointGroups {
  readonly #counts: Uint32Array = new Uint32Array(SQUARES * SQUARES);
  readonly #sumX: Float64Array = new Float64Array(SQUARES * SQUARES);
  readonly #sumY: Float64Array = new Float64Array(SQUARES * SQUARES);
  /** Zones of squares that are not crowded so far, by square: ordinal, x, y. */
  readonly #members = new Map<number, number[]>();

  /** Adds a zone at a whole unit of the tile, 0 to 4095. */
  add(ordinal: number, x: number, y: number): void {
    const square = squareAt(x, y);
    const count = ++this.#counts[square]!;
    this.#sumX[square]! += x;
    this.#sumY[square]! += y;
    if (count > CROWD) return;
    const members = this.#members.get(square);
    if (members === undefined) this.#members.set(square, [ordinal, x, y]);
    else members.push(ordinal, x, y);
  }

  /** The points, by square from the north-west, then by pixel. */
  groups(): PointGroup[] {
    const groups: PointGroup[] = [];
    for (let square = 0; square < this.#counts.length; square++) {
      const count = this.#counts[square]!;
      if (count > CROWD) {
        const x = Math.floor(this.#sumX[square]! / count);
        const y = Math.floor(this.#sumY[square]! / count);
        groups.push({ x, y, count, ordinal: null });
      } else if (count > 0) addPixels(this.#members.get(square)!, groups);
    }
    return groups;
  }
}

/** The number of the square of a unit. */
export function squareAt(x: number, y: number): number {
  return Math.floor(y / SQUARE) * SQUARES + Math.floor(x / SQUARE);
}

/** Adds a group for each pixel, at the mean of its zones. */
function addPixels(members: readonly number[], groups: PointGroup[]): void {
  const pixels = new Map<number, { ordinal: number; count: number; x: number; y: number }>();
  for (let i = 0; i < members.length; i += 3) {
    const [ordinal, x, y] = [members[i]!, members[i + 1]!, members[i + 2]!];
    const pixel = Math.floor(y / PIXEL) * 4096 + Math.floor(x / PIXEL);
    const group = pixels.get(pixel);
    if (group === undefined) pixels.set(pixel, { ordinal, count: 1, x, y });
    else {
      group.count++;
      group.x += x;
      group.y += y;
    }
  }
  for (const [, { ordinal, count, x, y }] of [...pixels].sort(([p], [q]) => p - q)) {
    groups.push({
      x: Math.floor(x / count),
      y: Math.floor(y / count),
      count,
      ordinal: count === 1 ? ordinal : null,
    });
  }
}
