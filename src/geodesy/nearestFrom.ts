/** The nearest edge of a line to a position, searched from an edge that may be near. */

import { LEAST_RADIUS } from './edge.js';
import { SPACE_ROUNDING_METERS } from './edgeBulge.js';
import type { LineTree } from './lineTree.js';

/** Greatest distance for which an upper bound is given, metres. */
const CHORD_METERS = 100_000;

/** Like `LineTree.nearest`, from an edge that may be near. Its nearer neighbours give an upper bound, which saves most of the search. */
export function nearestFrom(tree: LineTree, edge: number, lon: number, lat: number, limit: number): number {
  let atMost = edgeAtMost(tree, edge, lon, lat);
  let at = edge;
  for (let way = 1; way >= -1; way -= 2) {
    for (let next = at + way; next >= 0 && next < tree.edgeCount; next += way) {
      const meters = edgeAtMost(tree, next, lon, lat);
      if (!(meters < atMost)) break;
      atMost = meters;
      at = next;
    }
  }
  return tree.nearest(lon, lat, limit, atMost);
}

/**
 * Upper bound of the distance from a position to edge i, metres, with a margin for rounding; `Infinity` far away.
 *
 * A point of the edge is within `bulge` of the nearest point of the segment between its ends. A geodesic has curvature up to 1/R, so it is
 * no longer than the arc of that curvature over the same chord c: c + c³ / 24 R² and less than a tenth of that.
 */
export function edgeAtMost(tree: LineTree, i: number, lon: number, lat: number): number {
  const { points } = tree;
  const place = tree.placeOf(lon, lat);
  const least = tree.edgeBound(i, points[place]!, points[place + 1]!, points[place + 2]!);
  const chord = least + 2 * tree.bulges[i]!;
  if (!(chord < CHORD_METERS)) return Number.POSITIVE_INFINITY;
  return chord * (1 + (chord * chord) / (20 * LEAST_RADIUS * LEAST_RADIUS)) + SPACE_ROUNDING_METERS;
}
