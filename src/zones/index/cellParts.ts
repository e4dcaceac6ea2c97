/** The parts of a cell that is being cut up, and what is dealt out to them. */

import { type CellContent, DISC_WEIGHT, LINE_WEIGHT, ROUND } from './cellContent.js';
import { MARGIN } from './cellRecord.js';
import { withRoom } from './columns.js';
import { LINE, type ShapeStore } from './shapeStore.js';

/** Parts of a part by which what is beside it is still dealt to it; the record's B is smaller. */
export const ROOM: number = 2 * MARGIN;

/** Numbers that are kept at hand. */
const MOST_KEPT = 2 ** 22;

export class CellParts {
  readonly #store: ShapeStore;
  readonly #content: CellContent;
  /** What was dealt, in order: part, item, edge or mark. */
  #dealt: Int32Array = new Int32Array(3 * 4096);
  #count = 0;
  /** The cell's corner, and the size of a part. */
  x = 0;
  y = 0;
  width = 0;
  height = 0;
  /** Parts along a side. */
  parts = 0;
  /** Of the piece at hand: the parts that its box reaches. */
  fromX = 0;
  toX = 0;
  fromY = 0;
  toY = 0;

  constructor(store: ShapeStore, content: CellContent) {
    this.#store = store;
    this.#content = content;
  }

  begin(x: number, y: number, width: number, height: number, parts: number): void {
    this.x = x;
    this.y = y;
    this.width = width;
    this.height = height;
    this.parts = parts;
    this.#count = 0;
  }

  /** The parts that the piece's box reaches; false when there are none. */
  reaches(piece: number): boolean {
    const { pieceBoxes } = this.#store;
    const last = this.parts - 1;
    this.fromX = Math.max(0, Math.floor((pieceBoxes[4 * piece]! - this.x) / this.width - ROOM));
    this.fromY = Math.max(0, Math.floor((pieceBoxes[4 * piece + 1]! - this.y) / this.height - ROOM));
    this.toX = Math.min(last, Math.floor((pieceBoxes[4 * piece + 2]! - this.x) / this.width + ROOM));
    this.toY = Math.min(last, Math.floor((pieceBoxes[4 * piece + 3]! - this.y) / this.height + ROOM));
    return this.fromX <= this.toX && this.fromY <= this.toY;
  }

  add(part: number, item: number, code: number): void {
    const at = 3 * this.#count++;
    if (at + 3 > this.#dealt.length) this.#dealt = withRoom(this.#dealt, at + 3);
    const dealt = this.#dealt;
    dealt[at] = part;
    dealt[at + 1] = item;
    dealt[at + 2] = code;
  }

  dealAll(item: number, code: number): void {
    for (let part = 0; part < this.parts * this.parts; part++) this.add(part, item, code);
  }

  dealBox(item: number, code: number): void {
    for (let row = this.fromY; row <= this.toY; row++) {
      for (let column = this.fromX; column <= this.toX; column++)
        this.add(row * this.parts + column, item, code);
    }
  }

  /** Puts what was dealt in order of part, each part's in the order in which it was dealt, behind the content's pairs. */
  finish(ends: Int32Array, weights: Int32Array): void {
    const content = this.#content;
    const count = this.#count;
    const dealt = this.#dealt;
    const parts = this.parts * this.parts;
    const start = content.length;
    content.pairs = withRoom(content.pairs, start + 2 * count);
    const { pairs } = content;
    ends.fill(0, 0, parts + 1);
    weights.fill(0, 0, parts);
    for (let i = 0; i < 3 * count; i += 3) ends[dealt[i]! + 1]! += 2;
    ends[0] = start;
    for (let part = 0; part < parts; part++) ends[part + 1]! += ends[part]!;
    const { pieceKind } = this.#store;
    const { pieces } = content;
    for (let i = 0; i < 3 * count; i += 3) {
      const part = dealt[i]!;
      const item = dealt[i + 1]!;
      const code = dealt[i + 2]!;
      const at = ends[part]!;
      ends[part] = at + 2;
      pairs[at] = item;
      pairs[at + 1] = code;
      if (code >= 0) weights[part]! += pieceKind[pieces[item]!] === LINE ? LINE_WEIGHT : 1;
      else if (code === ROUND) weights[part]! += DISC_WEIGHT;
    }
    content.length = start + 2 * count;
    if (dealt.length > MOST_KEPT) this.#dealt = new Int32Array(3 * 4096);
  }
}
