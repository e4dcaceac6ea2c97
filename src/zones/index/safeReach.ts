/** How far a position may move from its place in a cell so that the cell's answer surely stays. */

import {
  COUNT_LIMIT,
  DISC_BORDER,
  EDGE_WORDS,
  EDGES,
  ENTRY_HEAD,
  ENTRY_LIMIT,
  EXACT,
  entryWords,
  QUANTA,
  squaredToLine,
  UNSURE,
} from './cellRecord.js';

/** Room for rounding, in cells. */
const ROOM = 1e-6;

/** A reach in units of the cell: half of the side of a square around the place (u, v) in which no entry changes its mind; 0 when none is sure. */
export function safeReach(
  words: Int32Array,
  floats: Float32Array,
  record: number,
  u: number,
  v: number,
): number {
  let reach = 1;
  let at = record + 1 + (words[record]! >>> 11);
  for (let entries = words[record]! & (ENTRY_LIMIT - 1); entries > 0 && reach > 0; entries--) {
    const mark = words[at + 1]!;
    const kind = mark & 3;
    const start = at + ENTRY_HEAD;
    const stop = at + entryWords(mark);
    if (kind === EDGES)
      reach = Math.min(reach, edgesReach(words, start, (mark >>> 3) & (COUNT_LIMIT - 1), u, v));
    else if (kind === EXACT) return 0;
    else if (kind === DISC_BORDER) reach = Math.min(reach, discReach(floats, start, u, v));
    else reach = Math.min(reach, lineReach(floats, start, stop, u, v));
    at = stop;
  }
  return Math.max(0, reach - ROOM);
}

/** No edge is crossed, and none begins or ends under the position, within the reach. */
function edgesReach(words: Int32Array, first: number, count: number, u: number, v: number): number {
  const x = QUANTA * u - QUANTA / 2;
  const y = QUANTA * v - QUANTA / 2;
  let reach = QUANTA;
  for (let at = first; at < first + EDGE_WORDS * count; at += EDGE_WORDS) {
    const fromX = (words[at]! << 16) >> 16;
    const fromY = words[at]! >> 16;
    const toX = (words[at + 1]! << 16) >> 16;
    const run = toX - fromX;
    const rise = (words[at + 1]! >> 16) - fromY;
    reach = Math.min(reach, Math.abs(x - fromX) - 2 * UNSURE, Math.abs(x - toX) - 2 * UNSURE);
    if (!(x >= fromX && x < toX)) continue;
    const side = Math.abs(run * (y - fromY) - rise * (x - fromX));
    reach = Math.min(reach, side / (run + Math.abs(rise)) - 2 * UNSURE);
  }
  return reach / QUANTA;
}

function discReach(floats: Float32Array, at: number, u: number, v: number): number {
  const perU = floats[at + 2]!;
  const perV = floats[at + 3]!;
  const meters = Math.hypot((u - floats[at]!) * perU, (v - floats[at + 1]!) * perV);
  return perCell(meters, floats[at + 4]!, floats[at + 5]!, perU, perV);
}

function lineReach(floats: Float32Array, start: number, stop: number, u: number, v: number): number {
  const perU = floats[start]!;
  const perV = floats[start + 1]!;
  const least = squaredToLine(floats, start, stop, u, v);
  return perCell(Math.sqrt(least), floats[start + 2]!, floats[start + 3]!, perU, perV);
}

/** From metres to a border (squared: surely in, surely out) to cells, so that a step of the reach in both directions is no longer. */
function perCell(meters: number, inSquare: number, outSquare: number, perU: number, perV: number): number {
  const inside = inSquare < 0 ? -1 : Math.sqrt(inSquare) - meters;
  const room = Math.max(inside, meters - Math.sqrt(outSquare));
  return (room * (1 - 1e-9) - 1e-6) / Math.hypot(perU, perV);
}
