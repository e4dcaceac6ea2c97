/** The borders of polygons as lines, without the edges that clipping made. */

import type { Polygons } from './soundPolygons.js';
import { HIGH, LOW } from './tileFrame.js';
import type { TileLine } from './tileWriter.js';

/** The borders of the polygons. For a zone too thin to have borders at this zoom, its rings as lines. */
export function borderLines(polygons: Polygons, parts: readonly (readonly number[][])[]): TileLine[] {
  const lines: TileLine[] = [];
  if (polygons.length === 0) {
    for (const ring of parts.flat()) addBorder(ring, lines);
    return lines;
  }
  for (const polygon of polygons) for (const ring of polygon) addBorder(ring, lines);
  return lines;
}

/** Adds the lines of a ring that lie between edges along the border of the buffer. */
function addBorder(ring: readonly number[], lines: TileLine[]): void {
  const count = ring.length;
  let first = -1;
  for (let i = 0; i < count && first < 0; i += 2) if (isAlong(ring, i)) first = i;
  if (first < 0) {
    lines.push({ points: ring, isClosed: true });
    return;
  }
  let line: number[] = [];
  for (let k = 2; k <= count; k += 2) {
    const i = (first + k) % count;
    if (isAlong(ring, i)) {
      if (line.length > 0) lines.push({ points: line, isClosed: false });
      line = [];
      continue;
    }
    const next = (i + 2) % count;
    if (line.length === 0) line.push(ring[i]!, ring[i + 1]!);
    line.push(ring[next]!, ring[next + 1]!);
  }
}

/** Whether the edge that begins at a vertex lies along one side of the buffer's border. */
function isAlong(ring: readonly number[], i: number): boolean {
  const next = i + 2 < ring.length ? i + 2 : 0;
  const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[next]!, ring[next + 1]!];
  return (ax === bx && (ax === LOW || ax === HIGH)) || (ay === by && (ay === LOW || ay === HIGH));
}
