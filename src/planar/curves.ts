/** Closed curves in one array, and a tree of boxes over runs of their edges: neighbours on a curve are neighbours in the plane. */

/** Curve c has the points `starts[c]` to `starts[c + 1] - 1` of `xy` (x0, y0, x1, y1, …); its first point stands again at its end. */
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
  rings.forEach((ring, c) => {
    starts[c] = at / 2;
    xy.set(ring, at);
    at += ring.length;
    xy[at] = ring[0] as number;
    xy[at + 1] = ring[1] as number;
    at += 2;
  });
  starts[rings.length] = at / 2;
  return { xy, starts };
}

/** Edges to a leaf. */
export const RUN = 4;

/**
 * A heap of boxes minX, minY, maxX, maxY: node 1 is the root, 2k and 2k + 1 are below k; leaf `leaves + r` holds the edges
 * 4r to 4r + 3, where edge k goes from point k to point k + 1. The pair of points between two curves is no edge.
 */
export interface BoxTree {
  readonly boxes: Float64Array;
  readonly leaves: number;
  /** 1 for the last point of a curve, from which no edge goes. */
  readonly isLast: Uint8Array;
}

export function boxTree({ xy, starts }: Curves): BoxTree {
  const points = xy.length >> 1;
  const runs = Math.ceil(points / RUN);
  let leaves = 1;
  while (leaves < runs) leaves *= 2;
  const isLast = new Uint8Array(RUN * leaves + 1);
  isLast.fill(1, points);
  for (let c = 1; c < starts.length; c++) isLast[(starts[c] as number) - 1] = 1;
  const boxes = new Float64Array(8 * leaves);
  for (let run = 0; run < leaves; run++) {
    let minX = Number.POSITIVE_INFINITY;
    let minY = Number.POSITIVE_INFINITY;
    let maxX = Number.NEGATIVE_INFINITY;
    let maxY = Number.NEGATIVE_INFINITY;
    const end = Math.min(points, RUN * run + RUN);
    let joined = false;
    for (let k = RUN * run; k < end; k++) {
      const hasEdge = isLast[k] === 0;
      if (hasEdge || joined) {
        const x = xy[2 * k] as number;
        const y = xy[2 * k + 1] as number;
        if (x < minX) minX = x;
        if (x > maxX) maxX = x;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
      }
      joined = hasEdge;
    }
    if (joined) {
      const x = xy[2 * end] as number;
      const y = xy[2 * end + 1] as number;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
    const box = 4 * (leaves + run);
    boxes[box] = minX;
    boxes[box + 1] = minY;
    boxes[box + 2] = maxX;
    boxes[box + 3] = maxY;
  }
  for (let node = leaves - 1; node >= 1; node--) {
    const box = 4 * node;
    const left = 8 * node;
    boxes[box] = Math.min(boxes[left] as number, boxes[left + 4] as number);
    boxes[box + 1] = Math.min(boxes[left + 1] as number, boxes[left + 5] as number);
    boxes[box + 2] = Math.max(boxes[left + 2] as number, boxes[left + 6] as number);
    boxes[box + 3] = Math.max(boxes[left + 3] as number, boxes[left + 7] as number);
  }
  return { boxes, leaves, isLast };
}
