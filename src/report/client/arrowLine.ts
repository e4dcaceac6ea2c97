/** A line with arrowheads in its direction. */

import type { SlicedCanvas } from './slicedCanvas.js';

/** Pixels along the line between two arrowheads. */
const ARROW_SPACING = 110;
const SHORT_LINE_POINTS = 20;
/** Side of a square, pixels. A square has at most one arrowhead, because a line may cross it many times. */
const SQUARE = 26;
/** Length of an arrowhead, pixels. A line that advances by less than this within twice this length gets none. */
const SIZE = 9;

export interface ArrowLineOptions extends L.PolylineOptions {
  /** Draws only the arrowheads. */
  readonly isBare?: boolean;
  /** Draws arrowheads from this zoom on; absent: always. */
  readonly arrowZoom?: number;
}

declare class PolylineMembers extends L.Polyline {
  _parts: L.Point[][];
  _pxBounds: L.Bounds | null;
  _clickTolerance(): number;
  _containsPoint(point: L.Point): boolean;
  _map: L.Map;
  _renderer: SlicedCanvas;
  _updatePath(): void;
}

const Polyline: typeof PolylineMembers = L.Polyline as unknown as typeof PolylineMembers;

export class ArrowLine extends Polyline {
  declare options: ArrowLineOptions;
  declare _chunks: { readonly parts: readonly L.Point[][]; readonly list: readonly Chunk[] } | undefined;

  constructor(line: L.LatLngExpression[] | L.LatLngExpression[][], options: ArrowLineOptions) {
    super(line, options);
  }

  /** Same result as Leaflet's test, but compares boxes of points first: it runs for each track in each frame while the pointer moves. */
  override _containsPoint(point: L.Point): boolean {
    const parts = this._parts;
    if (this.options.isBare || !this._pxBounds?.contains(point)) return false;
    if (this._chunks?.parts !== parts) this._chunks = { parts, list: parts.flatMap(chunksOf) };
    const reach = this._clickTolerance();
    return this._chunks.list.some(({ part, from, to, west, east, top, bottom }) => {
      if (point.x < west - reach || point.x > east + reach) return false;
      if (point.y < top - reach || point.y > bottom + reach) return false;
      for (let i = from; i < to; i++) {
        if (L.LineUtil.pointToSegmentDistance(point, part[i]!, part[i + 1]!) <= reach) return true;
      }
      return false;
    });
  }

  override _updatePath(): void {
    if (!this.options.isBare) super._updatePath();
    if (!this._renderer._drawing || this._map.getZoom() < (this.options.arrowZoom ?? 0)) return;
    const context = this._renderer._ctx;
    context.beginPath();
    const taken = new Set<string>();
    for (const part of this._parts) addArrowheads(context, part, taken);
    context.globalAlpha = 1;
    context.fillStyle = this.options.color ?? '#000';
    context.fill();
  }
}

/** A run of segments of a part, between two of its points, with its box. */
interface Chunk {
  readonly part: readonly L.Point[];
  readonly from: number;
  readonly to: number;
  readonly west: number;
  readonly east: number;
  readonly top: number;
  readonly bottom: number;
}

const CHUNK = 32;

function chunksOf(part: readonly L.Point[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (let from = 0; from + 1 < part.length; from += CHUNK) {
    const to = Math.min(part.length - 1, from + CHUNK);
    const points = part.slice(from, to + 1);
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [west, east] = [Math.min(...xs), Math.max(...xs)];
    chunks.push({ part, from, to, west, east, top: Math.min(...ys), bottom: Math.max(...ys) });
  }
  return chunks;
}

function addArrowheads(
  context: CanvasRenderingContext2D,
  part: readonly L.Point[],
  taken: Set<string>,
): void {
  // A short line of few points gets one arrowhead in its middle.
  let due = (part.length < SHORT_LINE_POINTS ? Math.min(ARROW_SPACING, lengthOf(part)) : ARROW_SPACING) / 2;
  let gone = 0;
  for (let i = 1; i < part.length; i++) {
    const [from, to] = [part[i - 1]!, part[i]!];
    const step = from.distanceTo(to);
    while (step > 0 && gone + step >= due) {
      addArrowhead(context, part, i, (due - gone) / step, taken);
      due += ARROW_SPACING;
    }
    gone += step;
  }
}

/**
 * Adds an arrowhead. Its tip is at a share of the segment that ends at point `i`; it points away from the place `SIZE` pixels before the
 * tip.
 */
function addArrowhead(
  context: CanvasRenderingContext2D,
  part: readonly L.Point[],
  i: number,
  share: number,
  taken: Set<string>,
): void {
  const [from, to] = [part[i - 1]!, part[i]!];
  const [x, y] = [from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)];
  let k = i - 1;
  let lineLength = 0;
  while (k > 0 && Math.hypot(x - part[k]!.x, y - part[k]!.y) < SIZE && lineLength < 2 * SIZE) {
    lineLength += part[k]!.distanceTo(part[k - 1]!);
    k--;
  }
  const [dx, dy] = [x - part[k]!.x, y - part[k]!.y];
  const length = Math.hypot(dx, dy);
  const square = `${Math.floor(x / SQUARE)} ${Math.floor(y / SQUARE)}`;
  if (length < SIZE || taken.has(square)) return;
  taken.add(square);
  const [ux, uy] = [(dx / length) * SIZE, (dy / length) * SIZE];
  context.moveTo(x, y);
  context.lineTo(x - ux - uy / 2, y - uy + ux / 2);
  context.lineTo(x - 0.6 * ux, y - 0.6 * uy);
  context.lineTo(x - ux + uy / 2, y - uy - ux / 2);
  context.closePath();
}

function lengthOf(part: readonly L.Point[]): number {
  let length = 0;
  for (let i = 1; i < part.length; i++) length += part[i - 1]!.distanceTo(part[i]!);
  return length;
}
