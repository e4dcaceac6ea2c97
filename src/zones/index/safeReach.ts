/** How far a position may move from its place in a cell so that the cell's answer surely stays. */

import {
  DISC_BORDER,
  EDGE_WORDS,
  EDGES,
  ENTRY_HEAD,
  entryWords,
  LINE_HEAD,
  squaredToSegment,
  UNSURE,
} from './cellRecord.js';
import { surelyBeyond, surelyWithin } from './flatMetric.js';
import { DISC, type ShapeStore } from './shapeStore.js';

/** A reach in units of the cell: half of the side of a square around the place (u, v) in which no entry changes its mind; 0 when none is sure. */
export function safeReach(
  words: Int32Array,
  floats: Float32Array,
  record: number,
  store: ShapeStore,
  u: number,
  v: number,
  lon: number,
  lat: number,
  width: number,
  height: number,
): number {
  let reach = 1;
  let at = record + 2 + words[record]!;
  for (let entries = words[record + 1]!; entries > 0 && reach > 0; entries--) {
    const head = words[at + 1]!;
    const kind = head & 3;
    if (kind === EDGES) reach = Math.min(reach, edgesReach(floats, at + ENTRY_HEAD, head >>> 3, u, v));
    else if (kind === DISC_BORDER) {
      reach = Math.min(reach, discReach(store, words[at + ENTRY_HEAD]!, lon, lat, width, height));
    } else reach = Math.min(reach, lineReach(words, floats, at, store, lon, lat, width, height));
    at += entryWords(head);
  }
  return Math.max(0, reach);
}

/** No edge is crossed, and none begins or ends under the position, within the reach. */
function edgesReach(floats: Float32Array, first: number, count: number, u: number, v: number): number {
  let reach = 1;
  for (let edge = first; edge < first + EDGE_WORDS * count; edge += EDGE_WORDS) {
    const from = floats[edge]!;
    const to = floats[edge + 1]!;
    const slope = Math.abs(floats[edge + 2]!);
    const offset = floats[edge + 3]!;
    const toEnd = Math.min(Math.abs(u - from), Math.abs(u - to)) - 2 * UNSURE;
    if (!(u >= from && u < to)) {
      reach = Math.min(reach, toEnd);
      continue;
    }
    const above = Math.abs(v - (floats[edge + 2]! * u + offset));
    const toLine = (above - 2 * UNSURE * (1 + slope + Math.abs(offset))) / (1 + slope);
    reach = Math.min(reach, toLine, toEnd);
  }
  return reach;
}

function discReach(
  store: ShapeStore,
  disc: number,
  lon: number,
  lat: number,
  width: number,
  height: number,
): number {
  const { discs } = store;
  const at = DISC * disc;
  let x = lon - discs[at]!;
  if (x > 180) x -= 360;
  else if (x < -180) x += 360;
  const y = lat - discs[at + 1]!;
  const outside = Math.sqrt(discs[at + 2]! * x * x + discs[at + 3]! * y * y) - Math.sqrt(discs[at + 7]!);
  const inside =
    Math.sqrt(Math.max(0, discs[at + 6]!)) - Math.sqrt(discs[at + 4]! * x * x + discs[at + 5]! * y * y);
  // The greater metric moves a position farther than the lesser: it serves both.
  return perCell(
    Math.max(outside, inside),
    Math.sqrt(discs[at + 4]!),
    Math.sqrt(discs[at + 5]!),
    width,
    height,
  );
}

function lineReach(
  words: Int32Array,
  floats: Float32Array,
  entry: number,
  store: ShapeStore,
  lon: number,
  lat: number,
  width: number,
  height: number,
): number {
  const { coords, pieceSize } = store;
  const metric = entry + ENTRY_HEAD;
  const half = pieceSize[words[entry + 2]!]!;
  let [outside, inside] = [Infinity, -Infinity];
  const stop = metric + LINE_HEAD + 2 * (words[entry + 1]! >>> 3);
  for (let at = metric + LINE_HEAD; at < stop; at += 2) {
    const [a, b] = [2 * words[at]!, 2 * words[at + 1]!];
    const ax = coords[a]! - lon;
    const bx = coords[b]! - lon;
    if (Math.abs(ax) > 90 || Math.abs(bx) > 90) return 0;
    const ay = coords[a + 1]! - lat;
    const by = coords[b + 1]! - lat;
    const least = Math.sqrt(squaredToSegment(ax, ay, bx, by, floats[metric]!, floats[metric + 1]!));
    const most = Math.sqrt(squaredToSegment(ax, ay, bx, by, floats[metric + 2]!, floats[metric + 3]!));
    outside = Math.min(outside, least - surelyBeyond(half));
    inside = Math.max(inside, surelyWithin(half) - most);
  }
  return perCell(Math.max(outside, inside), floats[metric + 2]!, floats[metric + 3]!, width, height);
}

/** Metres in cells, so that a step of the reach in both directions is no longer than they are. */
function perCell(
  meters: number,
  lonMeters: number,
  latMeters: number,
  width: number,
  height: number,
): number {
  const x = lonMeters * width;
  const y = latMeters * height;
  return (meters * (1 - 1e-9) - 1e-6) / Math.sqrt(x * x + y * y);
}
