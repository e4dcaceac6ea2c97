/** Deals the content of a cell out to its parts: each edge to the parts that it reaches into, each piece to those that it covers. */

import { type CellContent, INSIDE, OPEN, WHOLE } from './cellContent.js';
import { CellParts } from './cellParts.js';
import { PolygonDealer } from './cellPolygon.js';
import { dealDisc, dealLine } from './cellRound.js';
import { LINE, POLYGON, type ShapeStore } from './shapeStore.js';

export class CellCutter {
  readonly #store: ShapeStore;
  readonly #content: CellContent;
  readonly #cell: CellParts;
  readonly #polygons: PolygonDealer;

  constructor(store: ShapeStore, content: CellContent) {
    this.#store = store;
    this.#content = content;
    this.#cell = new CellParts(store, content);
    this.#polygons = new PolygonDealer(store, content, this.#cell);
  }

  /**
   * Deals the pairs in [from, to) of the cell with the corner (x, y), whose parts are `width` by `height`, to its `parts`² parts. Their pairs
   * follow from the content's end on, part by part; `ends` gets where each part's end, `weights` what each weighs.
   */
  deal(
    x: number,
    y: number,
    width: number,
    height: number,
    parts: number,
    from: number,
    to: number,
    ends: Int32Array,
    weights: Int32Array,
  ): void {
    const cell = this.#cell;
    cell.begin(x, y, width, height, parts);
    const { pairs, pieces } = this.#content;
    const { pieceKind } = this.#store;
    for (let at = from; at < to; ) {
      const item = pairs[at]!;
      const first = at;
      let marks = 0;
      for (; at < to && pairs[at] === item; at += 2) {
        const code = pairs[at + 1]!;
        if (code < 0) marks |= 1 << -code;
      }
      const piece = pieces[item]!;
      if ((marks & (1 << -WHOLE)) !== 0) cell.dealAll(item, WHOLE);
      else if (cell.reaches(piece)) {
        const kind = pieceKind[piece]!;
        const isOpen = (marks & (1 << -OPEN)) !== 0;
        if (kind === POLYGON)
          this.#polygons.deal(item, piece, first, at, (marks & (1 << -INSIDE)) !== 0, isOpen);
        else if (isOpen) cell.dealBox(item, OPEN);
        else if (kind === LINE) dealLine(cell, this.#store, this.#content, item, piece, first, at);
        else dealDisc(cell, this.#store, item, piece);
      }
    }
    cell.finish(ends, weights);
  }
}
