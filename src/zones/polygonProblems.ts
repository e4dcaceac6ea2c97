/**
 * Finds violations of the rules for polygons (OGC 06-103r4, §6.1.11), on the cylinder of longitudes: rings are simple; holes are within their shell, and
 * meet it and each other only at points; the interior is connected; parts meet only at points.
 */

import type { Finding } from '../planar/ringEdges.js';
import { selfIntersections } from '../planar/selfIntersections.js';
import { sideOf } from '../planar/sideOf.js';
import { sweepEdges } from '../planar/sweepEdges.js';
import { type CylinderGraph, cylinderGraph } from './cylinderGraph.js';
import { prepareNormal } from './preparedZone.js';
import { isInOnePiece, type Ring } from './ring.js';
import { unrolledRing, withUnrolled } from './unrolledRing.js';

/** Indices of a ring of a polygon: the part, and the ring in the part as `readShape` returns it. */
export interface RingPlace {
  readonly part: number;
  readonly ring: number;
}

export interface PolygonProblem {
  readonly code:
    | 'ring-self-intersects'
    | 'hole-outside'
    | 'hole-overlap'
    | 'interior-disconnected'
    | 'part-overlap';
  readonly at: RingPlace;
  /** The other ring of the problem. */
  readonly other: RingPlace | null;
  /** The edges of `at` and `other` that meet; without `other`, two edges of `at`. Edge i starts at vertex i. */
  readonly edges: readonly [number, number] | null;
}

export interface PolygonProblems {
  readonly problems: readonly PolygonProblem[];
  /** Whether the search is complete. False if it ended at its limit, so that there may be more problems. */
  readonly isComplete: boolean;
}

/** Largest number of times that rings with a problem are removed to compare the others further. */
const MOST_REMOVALS = 100;

/** Largest number of edges in all repeated comparisons together. Without a problem there is no limit. */
const MOST_EDGES = 5_000_000;

/** Number of vertices of a hole that are tested against its shell, to distinguish a hole outside from an overlap. */
const PROBES = 8;

interface Loop extends RingPlace {
  readonly coords: Float64Array;
  readonly turns: number;
  readonly pole: Ring['pole'];
  readonly hole: boolean;
}

/**
 * The problems of the rings of `parts`, at most `limit` (> 0). An empty list means a valid polygon. Exact, except for the rounding of unrolled
 * longitudes (1e-13°). The poles are lines of the lon/lat plane: rings touch there only at the same longitude.
 *
 * A ring that meets itself is not compared with other rings, and rings with a problem are not compared again. So each problem is independent. Cost:
 * O(n log n), and for each problem between rings O(n), within `MOST_EDGES`.
 */
export function polygonProblems(parts: readonly (readonly Ring[])[], limit: number): PolygonProblems {
  if (parts.length === 1 && parts[0]!.length === 1) {
    const problems = ringProblems(parts[0]![0]!, { part: 0, ring: 0 }, limit);
    return { problems, isComplete: problems.length < limit };
  }
  const problems: PolygonProblem[] = [];
  const loops: Loop[] = [];
  for (const [part, rings] of parts.entries()) {
    let isShellValid = true;
    const simple: Loop[] = [];
    for (const [ring, { coords, turns, pole, hole }] of rings.entries()) {
      const own = ringProblems(rings[ring]!, { part, ring }, limit - problems.length);
      problems.push(...own);
      if (own.length === 0) simple.push({ part, ring, coords, turns, pole, hole });
      else if (!hole) isShellValid = false;
    }
    if (isShellValid) loops.push(...simple);
  }
  if (problems.length >= limit) return { problems, isComplete: false };
  return { problems, isComplete: compareLoops(loops, parts, problems, limit) };
}

/** The self-intersections of one ring. Rings of bands between parallels have none. */
function ringProblems({ coords, turns }: Ring, at: RingPlace, limit: number): PolygonProblem[] {
  if (limit <= 0) return [];
  const pairs = isInOnePiece(coords)
    ? selfIntersections(coords, limit)
    : turns === 0 && isNarrow(coords)
      ? selfIntersections(withUnrolled(coords), limit)
      : roundMeeting(coords);
  return pairs.map((edges) => ({ code: 'ring-self-intersects', at, other: null, edges }));
}

/** Whether a ring spans less than 360° of longitude, so that its two ends cannot meet. */
function isNarrow(coords: Float64Array): boolean {
  const x = unrolledRing(coords);
  let west = x[0]!;
  let east = west;
  for (const lon of x) {
    if (lon < west) west = lon;
    if (lon > east) east = lon;
  }
  return east - west < 359;
}

/** One pair of meeting edges of a ring that spans 360° of longitude; none if there is no such pair. */
function roundMeeting(coords: Float64Array): [number, number][] {
  if (isAlongPole(coords)) return [];
  const graph = cylinderGraph([coords]);
  const found = sweepEdges({ ...graph, ring: null });
  if (found === null) return [];
  const pair = [graph.number[found.first]!, graph.number[found.second]!] as const;
  return [[Math.min(...pair), Math.max(...pair)]];
}

/** Whether a ring lies along a pole, where it bounds no area. */
function isAlongPole(coords: Float64Array): boolean {
  const lat = coords[1]!;
  return Math.abs(lat) === 90 && coords.every((value, i) => i % 2 === 0 || value === lat);
}

/** Adds the problems between simple rings. A ring named in one problem is not compared further. Returns false if there may be more. */
function compareLoops(
  all: readonly Loop[],
  parts: readonly (readonly Ring[])[],
  problems: PolygonProblem[],
  limit: number,
): boolean {
  const loops = all.filter(({ coords }) => !isAlongPole(coords));
  const graph = cylinderGraph(loops.map(({ coords }) => coords));
  const gone = new Uint8Array(loops.length);
  const touching: (readonly number[])[] = [];
  let rest = all;
  let groups = Int32Array.from(gone, (_, i) => i);
  let [removals, looked] = [0, 0];
  const sides = {
    ...sidesOf(graph, loops),
    bottom: bottomOf(all),
    low: -180,
    high: 180,
    touch: (rings: readonly number[]): boolean => {
      if (closesLoop(rings, loops, groups)) return true;
      touching.push(rings);
      return false;
    },
  };
  const found = (fault: Finding): boolean => {
    const { problem, isNamed } = problemOf(fault, graph, loops, parts);
    problems.push(problem);
    looked += rest.reduce((sum, { coords }) => sum + coords.length / 2, 0);
    removals++;
    rest = rest.filter((loop) => !isNamed(loop));
    sides.bottom = bottomOf(rest);
    for (const [i, loop] of loops.entries()) if (isNamed(loop)) gone[i] = 1;
    groups = Int32Array.from(gone, (_, i) => i);
    for (const rings of touching)
      closesLoop(
        rings.filter((ring) => gone[ring] === 0),
        loops,
        groups,
      );
    return problems.length < limit && removals < MOST_REMOVALS && looked <= MOST_EDGES;
  };
  return sweepEdges(graph, sides, { gone, found }) === null;
}

/** The problem of a fault, and the rings in it that are not compared further. */
function problemOf(
  { kind, first: firstEdge, second: secondEdge }: Finding,
  graph: CylinderGraph,
  loops: readonly Loop[],
  parts: readonly (readonly Ring[])[],
): { readonly problem: PolygonProblem; readonly isNamed: (loop: Loop) => boolean } {
  const first = firstEdge < 0 ? null : loops[graph.ring[firstEdge]!]!;
  const second = loops[graph.ring[secondEdge]!]!;
  if (kind === 'touch') {
    const at = second.hole ? second : first!;
    return {
      problem: { code: 'interior-disconnected', at, other: at === second ? first : second, edges: null },
      isNamed: (loop) => loop === at,
    };
  }
  const { code, at } = kind === 'meeting' ? blameMeeting(first!, second) : blameSides(first, second, parts);
  const other = at === second ? first : second;
  const numbers = [graph.number[firstEdge]!, graph.number[secondEdge]!] as const;
  const edges: [number, number] = at === second ? [numbers[1], numbers[0]] : [numbers[0], numbers[1]];
  return {
    problem: { code, at, other: other === at ? null : other, edges: kind === 'meeting' ? edges : null },
    isNamed: (loop) => (code === 'part-overlap' ? loop.part === at.part : loop === at),
  };
}

interface Blame {
  readonly code: PolygonProblem['code'];
  readonly at: Loop;
}

/** The problem of two rings whose edges cross or overlap. */
function blameMeeting(first: Loop, second: Loop): Blame {
  if (first === second) return { code: 'ring-self-intersects', at: first };
  if (first.part !== second.part) return { code: 'part-overlap', at: later(first, second) };
  if (first.hole && second.hole) return { code: 'hole-overlap', at: later(first, second) };
  return { code: 'hole-outside', at: first.hole ? first : second };
}

/**
 * The problem of two rings that are neighbours in latitude and contradict each other. `first` is null if no ring, or only the whole Earth,
 * is below.
 */
function blameSides(first: Loop | null, second: Loop, parts: readonly (readonly Ring[])[]): Blame {
  for (const loop of [second, first]) {
    if (loop?.hole && isOutside(loop, parts[loop.part]!)) return { code: 'hole-outside', at: loop };
  }
  if (first === null) return { code: second.hole ? 'hole-outside' : 'part-overlap', at: second };
  return blameMeeting(first, second);
}

function isOutside({ coords }: Loop, part: readonly Ring[]): boolean {
  const shell = prepareNormal({ key: 'polygon', parts: [part.filter(({ hole }) => !hole)] }, false);
  for (let i = 0; i < coords.length && i < 2 * PROBES; i += 2) {
    if (!shell.contains(coords[i]!, coords[i + 1]!)) return true;
  }
  return false;
}

function later(first: Loop, second: Loop): Loop {
  return (first.part - second.part || first.ring - second.ring) > 0 ? first : second;
}

/** By edge, the part directly above it and the part directly below it; -1 for no part. */
function sidesOf(
  { ring, from, to, x, y }: CylinderGraph,
  loops: readonly Loop[],
): { above: Int32Array; below: Int32Array } {
  const isLeftInside = loops.map((loop) => runsLeft(loop) !== loop.hole);
  const above = new Int32Array(ring.length);
  const below = new Int32Array(ring.length);
  for (let edge = 0; edge < ring.length; edge++) {
    const loop = ring[edge]!;
    const [p, q] = [from[edge]!, to[edge]!];
    const isForward = x[p]! < x[q]! || (x[p] === x[q] && y[p]! < y[q]!);
    const { part } = loops[loop]!;
    const isAbove = isForward === isLeftInside[loop];
    above[edge] = isAbove ? part : -1;
    below[edge] = isAbove ? -1 : part;
  }
  return { above, below };
}

/** Whether the area that a ring encloses is to the left of its edges; true for a band. */
function runsLeft({ coords, turns, pole }: Loop): boolean {
  if (turns !== 0) return pole === null || (pole === 'north') === turns > 0;
  const x = unrolledRing(coords);
  let first = 0;
  for (let i = 1; i < x.length; i++) {
    if (x[i]! < x[first]! || (x[i] === x[first] && coords[2 * i + 1]! < coords[2 * first + 1]!)) first = i;
  }
  const before = first === 0 ? x.length - 1 : first - 1;
  const after = first + 1 === x.length ? 0 : first + 1;
  const y = (i: number): number => coords[2 * i + 1]!;
  return sideOf(x[before]!, y(before), x[first]!, y(first), x[after]!, y(after)) > 0;
}

/** The part that contains the south pole; -1 for none. */
function bottomOf(loops: readonly Loop[]): number {
  const holders = new Set<number>();
  for (const { part, coords, turns, pole } of loops) {
    const isBelow = pole === null && turns !== 0 && coords[1] === -90 && isAlongPole(coords);
    if (pole !== 'south' && !isBelow) continue;
    if (!holders.delete(part)) holders.add(part);
  }
  return holders.size === 0 ? -1 : Math.min(...holders);
}

/**
 * Joins the touching rings of a part into groups. Returns true if two of them were already in one group: then they cut the interior in two.
 */
function closesLoop(rings: readonly number[], loops: readonly Loop[], groups: Int32Array): boolean {
  const firstOf = new Map<number, number>();
  for (const ring of rings) {
    const { part } = loops[ring]!;
    const first = firstOf.get(part);
    if (first === undefined) firstOf.set(part, ring);
    else {
      const [p, q] = [rootOf(groups, first), rootOf(groups, ring)];
      if (p === q) return true;
      groups[q] = p;
    }
  }
  return false;
}

function rootOf(groups: Int32Array, ring: number): number {
  let root = ring;
  while (groups[root] !== root) {
    groups[root] = groups[groups[root]!]!;
    root = groups[root]!;
  }
  return root;
}
