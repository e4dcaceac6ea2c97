/** Closed curves in one array, and a tree of boxes over runs of consecutive edges. */

/**
 * Closed curves. Curve c has the points `starts[c]` to `starts[c + 1] - 1` of `xy` (x0, y0, x1, y1, …); its last point repeats its first.
 */
export interface Curves {
  readonly xy: Float64Array;
  readonly starts: Int32Array;
}

/** Closes the rings (x0, y0, x1, y1, …, not closed) and puts them into one array. */
export function joinRings(rings: readonly ArrayLike<number>[]): Curves {
  let length = 0;
  for (const ring of rings) length += ring.length + 2;
  const xy = new Float64Array(length);
  const starts = new Int32Array(rings.length + 1);
  let at = 0;
  for (let c = 0; c < rings.length; c++) {
    const ring = rings[c]!;
    starts[c] = at / 2;
    // Most rings are short: a loop is faster than `set`.
    for (let i = 0; i < ring.length; i++) xy[at + i] = ring[i]!;
    at += ring.length;
    xy[at] = ring[0]!;
    xy[at + 1] = ring[1]!;
    at += 2;
  }
  starts[rings.length] = at / 2;
  return { xy, starts };
}

/** `joinRings` for closed rings. A single ring is used without a copy. */
export function joinClosed(rings: readonly Float64Array[]): Curves {
  if (rings.length === 1) return { xy: rings[0]!, starts: Int32Array.of(0, rings[0]!.length / 2) };
  let length = 0;
  const starts = new Int32Array(rings.length + 1);
  for (let c = 0; c < rings.length; c++) {
    length += rings[c]!.length;
    starts[c + 1] = length / 2;
  }
  const xy = new Float64Array(length);
  for (let c = 0; c < rings.length; c++) xy.set(rings[c]!, 2 * starts[c]!);
  return { xy, starts };
}

/** Number of edges per leaf. */
export const CURVE_RUN = 4;

/**
 * A heap of boxes minX, minY, maxX, maxY: node 1 is the root, 2k and 2k + 1 are below k; leaf `leaves + r` holds the edges 4r to 4r + 3,
 * where edge k goes from point k to point k + 1. There is no edge from the last point of a curve to the first of the next.
 */
export interface CurveBoxes {
  readonly boxes: Float64Array;
  readonly leaves: number;
  /** By point, 1 for the last point of a curve, at which no edge begins. */
  readonly isLast: Uint8Array;
  /**
   * By node, a bit for each direction in which all of its edges advance by more than the margin: 1 towards greater x, 2 towards lesser x, 4
   * towards greater y, 8 towards lesser y. If a bit is set, the edges are a connected part of a curve, and of them only neighbours come
   * within the margin of each other.
   */
  readonly ways: Uint8Array;
}

/** The tree of closed curves. Boxes of edges are enlarged by `margin` on each side. */
export function boxTree({ xy, starts }: Curves, margin: number = 0): CurveBoxes {
  const points = xy.length >> 1;
  const runs = Math.ceil(points / CURVE_RUN);
  let leaves = 1;
  while (leaves < runs) leaves *= 2;
  const isLast = new Uint8Array(CURVE_RUN * leaves + 1);
  isLast.fill(1, points);
  for (let c = 1; c < starts.length; c++) isLast[starts[c]! - 1] = 1;
  const boxes = new Float64Array(8 * leaves);
  const ways = new Uint8Array(2 * leaves);
  for (let run = 0; run < leaves; run++) {
    const from = CURVE_RUN * run;
    if (isLast[from]! + isLast[from + 1]! + isLast[from + 2]! + isLast[from + 3]! > 0) {
      putBrokenRun(xy, isLast, run, margin, boxes, 4 * (leaves + run));
      continue;
    }
    let x = xy[2 * from]!;
    let y = xy[2 * from + 1]!;
    let minX = x;
    let minY = y;
    let maxX = x;
    let maxY = y;
    let way = 15;
    for (let k = 2 * from + 2; k <= 2 * (from + CURVE_RUN); k += 2) {
      const nextX = xy[k]!;
      const nextY = xy[k + 1]!;
      way &=
        (nextX > x + margin ? 1 : nextX < x - margin ? 2 : 0) |
        (nextY > y + margin ? 4 : nextY < y - margin ? 8 : 0);
      x = nextX;
      y = nextY;
      if (x < minX) minX = x;
      else if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      else if (y > maxY) maxY = y;
    }
    ways[leaves + run] = way;
    const box = 4 * (leaves + run);
    boxes[box] = minX - margin;
    boxes[box + 1] = minY - margin;
    boxes[box + 2] = maxX + margin;
    boxes[box + 3] = maxY + margin;
  }
  for (let node = leaves - 1; node >= 1; node--) {
    const box = 4 * node;
    const left = 8 * node;
    ways[node] = ways[2 * node]! & ways[2 * node + 1]!;
    boxes[box] = Math.min(boxes[left]!, boxes[left + 4]!);
    boxes[box + 1] = Math.min(boxes[left + 1]!, boxes[left + 5]!);
    boxes[box + 2] = Math.max(boxes[left + 2]!, boxes[left + 6]!);
    boxes[box + 3] = Math.max(boxes[left + 3]!, boxes[left + 7]!);
  }
  return { boxes, leaves, isLast, ways };
}

/** Writes the box of a run that contains the end of a curve, or that has fewer edges than other runs. */
function putBrokenRun(
  xy: Float64Array,
  isLast: Uint8Array,
  run: number,
  margin: number,
  boxes: Float64Array,
  box: number,
): void {
  let minX = Number.POSITIVE_INFINITY;
  let minY = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  const end = Math.min(xy.length >> 1, CURVE_RUN * run + CURVE_RUN);
  for (let k = CURVE_RUN * run; k < end; k++) {
    if (isLast[k] === 1) continue;
    minX = Math.min(minX, xy[2 * k]!, xy[2 * k + 2]!);
    minY = Math.min(minY, xy[2 * k + 1]!, xy[2 * k + 3]!);
    maxX = Math.max(maxX, xy[2 * k]!, xy[2 * k + 2]!);
    maxY = Math.max(maxY, xy[2 * k + 1]!, xy[2 * k + 3]!);
  }
  boxes[box] = minX - margin;
  boxes[box + 1] = minY - margin;
  boxes[box + 2] = maxX + margin;
  boxes[box + 3] = maxY + margin;
}
