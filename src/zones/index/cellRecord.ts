/**
 * What a cell knows, as words: the zones that cover it wholly, and of every other piece that reaches into it just what decides there.
 *
 * A record is: number of whole zones, number of entries, the whole zones in order, the entries in order of zone.
 * An entry is: zone; kind + 4 × base + 8 × count; piece; and then
 * - EDGES: per edge four float32 in the cell's own unit square: the range `[from, to)` of u, slope and offset of v = slope · u + offset;
 * - DISC_BORDER: the disc;
 * - LINE_BORDER: the four metres per degree of the cell's flat metrics, then per edge its two vertices.
 *
 * **Why the edges suffice.** The sides of a ray north change only where an edge is crossed. Take a box B around the cell, all edges that
 * reach into B, and let each end of an edge that is outside B run on for ever along its line: the line misses B out there, so nothing
 * changes in B (a vertical one that runs on north leans east by as little as you like). Then the number of lines that the ray meets differs from that of the whole part by a number which is even or odd all
 * over B: `base`, taken by exact predicates at the cell's middle.
 */

/** Kinds of entries. */
export const EDGES = 0;
export const DISC_BORDER = 1;
export const LINE_BORDER = 2;

/** Of a node: parts along a side, weight; then its cells, row by row from the south-west. */
export const NODE_HEAD = 2;

export const ENTRY_HEAD = 3;
export const EDGE_WORDS = 4;
export const LINE_HEAD = 4;

/**
 * How far rounding may move a position against an edge, in cells: float32 of the edge (2^-24 of each term), and the cell's corner and the
 * position's place in it (below 2^-22 for cells of at least `LEAST_CELL_DEGREES`), with room. What is nearer goes to the exact predicate.
 */
export const UNSURE: number = 2 ** -20;

/** An edge steeper than this is as good as vertical: it spans less than `UNSURE` / 2 of the cell's width. */
export const STEEPEST: number = 2 ** 21;

/** The least size of a cell: coordinates of 180° are exact to 3e-14. */
export const LEAST_CELL_DEGREES = 2e-6;

/** Words that an entry takes. */
export function entryWords(head: number): number {
  const kind = head & 3;
  const count = head >>> 3;
  if (kind === EDGES) return ENTRY_HEAD + EDGE_WORDS * count;
  return kind === DISC_BORDER ? ENTRY_HEAD + 1 : ENTRY_HEAD + LINE_HEAD + 2 * count;
}

/** Squared distance in metres from (0, 0) to the segment, of degrees in a metric. */
export function squaredToSegment(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  lonMeters: number,
  latMeters: number,
): number {
  const x = ax * lonMeters;
  const y = ay * latMeters;
  const dx = (bx - ax) * lonMeters;
  const dy = (by - ay) * latMeters;
  const square = dx * dx + dy * dy;
  let t = square === 0 ? 0 : -(x * dx + y * dy) / square;
  if (t > 1) t = 1;
  else if (!(t > 0)) t = 0;
  const px = x + t * dx;
  const py = y + t * dy;
  return px * px + py * py;
}
