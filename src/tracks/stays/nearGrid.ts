/** Positions of which the one with the most others near it is asked again and again, while positions are removed. */

import { DEGREES_TO_RADIANS, wrapOnce } from '../../core/angles.js';
import type { Position } from '../../core/geometry.js';
import { decidedDistance, geodesicDistance } from '../../geodesy/inverse.js';

/** Cells of a limit: a cell that is near as a whole is counted without its positions. */
const PARTS = 6;
const MAX_METERS_PER_DEGREE = 111_700;
/** Degrees. Nearer to a pole all of a row is examined. */
const POLAR = 80;

interface Cell {
  readonly lon: number;
  readonly lat: number;
  /** Metres from there to the farthest position that it may hold. */
  readonly reach: number;
  readonly members: Set<number>;
}

export class NearGrid {
  readonly #positions: readonly Position[];
  readonly #limit: number;
  /** Degrees of latitude of a row. */
  readonly #height: number;
  readonly #rows = new Map<number, Map<number, Cell>>();
  readonly #isRemoved: Uint8Array;
  /** A heap of positions by what was once their number of near ones, which never grows; ties by index. */
  readonly #heap: number[] = [];
  readonly #count: Float64Array;

  constructor(positions: readonly Position[], limitMeters: number) {
    this.#positions = positions;
    this.#limit = limitMeters;
    this.#height = limitMeters / PARTS / MAX_METERS_PER_DEGREE;
    this.#isRemoved = new Uint8Array(positions.length);
    this.#count = new Float64Array(positions.length);
    for (const [i, position] of positions.entries()) this.#cellOf(position).members.add(i);
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
    this.#visit(position, (cell, isWhole) => {
      for (const i of cell.members) if (isWhole || this.#isNear(position, i)) found.push(i);
    });
    return found.sort((a, b) => a - b);
  }

  remove(i: number): void {
    this.#isRemoved[i] = 1;
    this.#cellOf(this.#positions[i]!).members.delete(i);
  }

  #countNear(position: Position): number {
    let count = 0;
    this.#visit(position, (cell, isWhole) => {
      if (isWhole) count += cell.members.size;
      else for (const i of cell.members) if (this.#isNear(position, i)) count++;
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

  /** Calls `use` with the cells that may hold near positions. */
  #visit(position: Position, use: (cell: Cell, isWhole: boolean) => void): void {
    const [lon, lat] = position;
    const reach = PARTS + 1;
    const row = Math.floor(lat / this.#height);
    for (let y = row - reach; y <= row + reach; y++) {
      const cells = this.#rows.get(y);
      if (cells === undefined) continue;
      const width = this.#widthOf(y);
      const isPolar = Math.abs(lat) > POLAR || cells.size <= 2 * reach;
      if (isPolar) for (const cell of cells.values()) this.#offer(position, cell, use);
      else {
        const turn = Math.round(360 / width);
        const column = Math.floor((lon + 180) / width);
        for (let x = column - reach - 1; x <= column + reach + 1; x++) {
          const cell = cells.get(((x % turn) + turn) % turn);
          if (cell !== undefined) this.#offer(position, cell, use);
        }
      }
    }
  }

  #offer([lon, lat]: Position, cell: Cell, use: (cell: Cell, isWhole: boolean) => void): void {
    if (cell.members.size === 0) return;
    const meters = geodesicDistance(lon, lat, cell.lon, cell.lat);
    if (meters - cell.reach <= this.#limit) use(cell, meters + cell.reach < 0.999 * this.#limit);
  }

  /** Degrees of longitude of the cells of a row: whole cells make a turn. */
  #widthOf(row: number): number {
    const middle = Math.min(89.9, Math.abs((row + 0.5) * this.#height));
    const width = this.#height / Math.cos(middle * DEGREES_TO_RADIANS);
    return 360 / Math.max(1, Math.floor(360 / width));
  }

  #cellOf([lon, lat]: Position): Cell {
    const row = Math.floor(lat / this.#height);
    const width = this.#widthOf(row);
    const turn = Math.round(360 / width);
    const column = Math.floor((lon + 180) / width) % turn;
    let cells = this.#rows.get(row);
    if (cells === undefined) {
      cells = new Map();
      this.#rows.set(row, cells);
    }
    let cell = cells.get(column);
    if (cell === undefined) {
      const [west, south] = [column * width - 180, Math.max(-90, row * this.#height)];
      const [east, north] = [west + width, Math.min(90, (row + 1) * this.#height)];
      const [centreLon, centreLat] = [wrapOnce((west + east) / 2), (south + north) / 2];
      // The corners are farthest; near a pole the bound is of the wide side.
      const reach =
        1.01 *
        Math.max(
          geodesicDistance(centreLon, centreLat, wrapOnce(west), south),
          geodesicDistance(centreLon, centreLat, wrapOnce(west), north),
        );
      cell = { lon: centreLon, lat: centreLat, reach, members: new Set() };
      cells.set(column, cell);
    }
    return cell;
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
