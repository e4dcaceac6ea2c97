/**
 * What a cell knows, as words: the zones that cover it wholly, and of every other piece that reaches into it just what decides there.
 *
 * A record is: 2048 × number of whole zones + number of entries; the whole zones in order; the entries in order of zone.
 * An entry is: zone; kind + 4 × base + 8 × count + 2^16 × place of the piece among its zone's; and then
 * - EDGES: per edge two words of two quanta each, (x, y) of the west end and of the east end;
 * - DISC_BORDER: middle u, v and metres per unit of u, v; metres² surely in, metres² surely out (float32);
 * - LINE_BORDER: metres per unit of u, v, metres² surely in, metres² surely out; per edge u, v of its ends (float32);
 * - EXACT: nothing: the exact test alone can say.
 *
 * **Why the edges suffice.** Cut every edge to a box B a little larger than the cell. Where an edge leaves B by its east or west side let
 * it run on level, where it leaves by the south side let it run on below B, and where it leaves by the north side let it run on above
 * B, eastwards. Nothing of that enters the cell, so the number of edges that a ray north meets differs from that of the whole part by a
 * number which is even or odd all over the cell: `base`. What runs on above B is an edge at B's north side (two of them cancel out
 * where both are).
 *
 * **Why quanta are exact enough.** An end is moved by at most half a quantum, so an edge stays within half a quantum, in x and in y, of
 * where it was; a position that is farther than a whole one from all edges and from the meridians of all their ends has the sides that it had.
 * All others go to the exact predicate. What is left of the quantum is far more than the rounding of a position's place in its cell
 * (below 2^-22 of cells of at least `LEAST_CELL_DEGREES`).
 */

/** Kinds of entries. */
export const EDGES = 0;
export const DISC_BORDER = 1;
export const LINE_BORDER = 2;
export const EXACT = 3;

/** Of a node: the weight that no part should come near; then its cells, row by row from the south-west. */
export const NODE_HEAD = 1;

/** The first word of a record counts entries below this, and whole zones above. */
export const ENTRY_LIMIT = 2048;
export const WHOLE_LIMIT: number = 2 ** 20;

export const ENTRY_HEAD = 2;
export const EDGE_WORDS = 2;
export const DISC_WORDS = 6;
export const LINE_HEAD = 4;
export const LINE_EDGE_WORDS = 4;

/** An entry holds fewer edges than this, and its piece is one of fewer than 2^16 of its zone. */
export const COUNT_LIMIT: number = 2 ** 13;
export const PLACE_LIMIT: number = 2 ** 16;

/** A cell is so many quanta wide and high; its middle is at 0. */
export const QUANTA = 64_000;

/** Parts of a cell by which B is larger on each side. */
export const MARGIN: number = 1 / 1024;

/** Quanta to which an edge's place is known, rounding included, with room: see above. */
export const UNSURE = 1;

/** The least size of a cell: coordinates of 180° are exact to 3e-14. */
export const LEAST_CELL_DEGREES = 2e-6;

/** Words that an entry takes. */
export function entryWords(head: number): number {
  const kind = head & 3;
  const count = (head >>> 3) & (COUNT_LIMIT - 1);
  if (kind === EDGES) return ENTRY_HEAD + EDGE_WORDS * count;
  if (kind === DISC_BORDER) return ENTRY_HEAD + DISC_WORDS;
  return kind === EXACT ? ENTRY_HEAD : ENTRY_HEAD + LINE_HEAD + LINE_EDGE_WORDS * count;
}

/** Squared distance from (0, 0) to the segment. */
export function squaredToSegment(x: number, y: number, bx: number, by: number): number {
  const dx = bx - x;
  const dy = by - y;
  const square = dx * dx + dy * dy;
  let t = square === 0 ? 0 : -(x * dx + y * dy) / square;
  if (t > 1) t = 1;
  else if (!(t > 0)) t = 0;
  const px = x + t * dx;
  const py = y + t * dy;
  return px * px + py * py;
}

/** Squared distance of a place in the cell to the edges of a line's entry, in the units of the entry. */
export function squaredToLine(
  floats: Float32Array,
  start: number,
  stop: number,
  u: number,
  v: number,
): number {
  const perU = floats[start]!;
  const perV = floats[start + 1]!;
  let least = Infinity;
  for (let at = start + LINE_HEAD; at < stop; at += LINE_EDGE_WORDS) {
    const square = squaredToSegment(
      (floats[at]! - u) * perU,
      (floats[at + 1]! - v) * perV,
      (floats[at + 2]! - u) * perU,
      (floats[at + 3]! - v) * perV,
    );
    if (square < least) least = square;
  }
  return least;
}
