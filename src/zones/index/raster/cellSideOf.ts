/** Tests a position against the edges in the record of a square. */

import { INSIDE, OUTSIDE, UNDECIDED } from '../../kinds/index.js';
import { MARGIN, UNITS } from './cellFrame.js';

/**
 * Side of a position by the `count` cut edges from index `at` on: INSIDE, OUTSIDE or UNDECIDED. `isOdd`: parity below the square; `x` and
 * `y`: shares of the square. Corners are rounded to units, so the result is UNDECIDED if an edge is less than a unit away.
 */
export function cellSideOf(
  words: Uint32Array,
  at: number,
  count: number,
  isOdd: number,
  x: number,
  y: number,
): number {
  const px = (x + MARGIN) * UNITS;
  const py = (y + MARGIN) * UNITS;
  let odd = isOdd;
  const end = at + 2 * count;
  for (let i = at; i < end; i += 2) {
    const low = words[i]!;
    const high = words[i + 1]!;
    const y1 = low >>> 16;
    const y2 = high >>> 16;
    if (py < y1 - 1 || py > y2 + 1) continue;
    const x1 = low & 0xffff;
    const x2 = high & 0xffff;
    if (px < x1 - 1 && px < x2 - 1) continue;
    if (py < y1 + 1 || py > y2 - 1) return UNDECIDED;
    if (px > x1 + 1 && px > x2 + 1) {
      odd ^= 1;
      continue;
    }
    const dx = x2 - x1;
    const dy = y2 - y1;
    const cross = dy * (px - x1) - dx * (py - y1);
    const unsure = Math.abs(dx) + dy + 1;
    if (cross > unsure) odd ^= 1;
    else if (cross >= -unsure) return UNDECIDED;
  }
  return odd === 1 ? INSIDE : OUTSIDE;
}
