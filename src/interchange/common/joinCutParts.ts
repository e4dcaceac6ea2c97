/** Joins polygons that a file has cut at ±180°, as RFC 7946 §3.1.9 requires of writers. */

import { crossesAntimeridian, lonStep, wrapLon } from '../../core/angles.js';
import type { MultiPolygonCoordinates, Position } from '../../core/geometry.js';
import { planarArea } from '../../planar/orient2d.js';

/** Difference of latitudes on the cut below which they count as equal, degrees; about 0.1 mm. Programs round the two sides differently. */
const SAME_DEGREES = 1e-9;

type Rings = readonly (readonly Position[])[];

/** An edge of a ring, with the inside of its polygon on the left. */
interface Edge {
  readonly from: Position;
  readonly to: Position;
  readonly polygon: number;
  /** The next edge of its ring. */
  next: Edge;
  /** Whether the edge bounds nothing: it lies on the cut with the region on both sides, or along a pole. */
  isGone: boolean;
}

/**
 * The polygons, with those joined that share an interval of ±180°; the same list if none do. Positions made by the cut are dropped. A
 * region around the Earth is closed along the edge of the map, which states its pole. Polygons with an edge of 180° or more are not joined:
 * it goes the short way, so they were not cut.
 */
export function joinCutParts(polygons: MultiPolygonCoordinates): MultiPolygonCoordinates {
  if (!hasSeam(polygons, 180) || !hasSeam(polygons, -180)) return polygons;
  const cut = new Cut(polygons);
  const edges = polygons.map((rings, i) => (isUncut(rings) ? [] : edgesOf(rings, i, cut)));
  const leaders = polygons.map((_, i) => i);
  const leaderOf = (i: number): number => {
    let at = i;
    while (leaders[at] !== at) at = leaders[at] = leaders[leaders[at]!]!;
    return at;
  };
  const isJoined = new Set<number>();
  for (const [east, west] of facingPairs(edges.flat(), cut)) {
    east.isGone = true;
    west.isGone = true;
    const [low, high] = [leaderOf(east.polygon), leaderOf(west.polygon)].sort((p, q) => p - q);
    leaders[high!] = low!;
    isJoined.add(east.polygon);
  }
  if (isJoined.size === 0) return polygons;
  const joinedLeaders = new Set([...isJoined].map(leaderOf));
  const members = new Map<number, number[]>();
  for (const i of polygons.keys()) {
    const leader = leaderOf(i);
    if (joinedLeaders.has(leader)) members.set(leader, [...(members.get(leader) ?? []), i]);
  }
  return polygons.flatMap((rings, i): readonly Rings[] => {
    const group = members.get(leaderOf(i));
    if (group === undefined) return [rings];
    const region = regionOf(
      group.flatMap((member) => edges[member]!),
      cut,
    );
    if (region === null) return [rings];
    return group[0] === i ? [region] : [];
  }) as MultiPolygonCoordinates;
}

/** Whether a polygon has an edge along the meridian `lon`. Loops without closures: every polygon of a file is tested. */
function hasSeam(polygons: MultiPolygonCoordinates, lon: 180 | -180): boolean {
  for (const rings of polygons) {
    for (const ring of rings) {
      let wasOn = false;
      for (let i = 0; i < ring.length; i++) {
        const isOn = ring[i]![0] === lon;
        if (isOn && wasOn) return true;
        wasOn = isOn;
      }
    }
  }
  return false;
}

/** Whether an edge crosses the antimeridian the short way, or is ambiguous. Edges along a pole are points. */
function isUncut(rings: Rings): boolean {
  return rings.some((ring) =>
    ring.some(([x, y], i) => {
      const [lon, lat] = ring[i === 0 ? ring.length - 1 : i - 1]!;
      return Math.abs(x) > 180 || (Math.abs(x - lon) >= 180 && !(Math.abs(y) === 90 && lat === y));
    }),
  );
}

/** The distinct latitudes on the cut, numbered from the south. */
class Cut {
  readonly #lats: number[] = [];
  readonly #numbers = new Map<number, number>();

  constructor(polygons: MultiPolygonCoordinates) {
    const lats = polygons.flat(2).flatMap(([lon, lat]) => (Math.abs(lon) === 180 ? [lat] : []));
    let before = Number.NEGATIVE_INFINITY;
    for (const lat of lats.sort((p, q) => p - q)) {
      if (lat - before > SAME_DEGREES) this.#lats.push(lat);
      this.#numbers.set(lat, this.#lats.length - 1);
      before = lat;
    }
  }

  numberOf(lat: number): number {
    return this.#numbers.get(lat)!;
  }

  /** The latitudes on the cut between two others, in the direction from the first to the second. */
  between(from: number, to: number): number[] {
    const [p, q] = [this.numberOf(from), this.numberOf(to)];
    return p < q ? this.#lats.slice(p + 1, q) : this.#lats.slice(q + 1, p).reverse();
  }

  /** A text that is equal for positions at one place on the cylinder, and for all positions at a pole. */
  placeOf([lon, lat]: Position): string {
    if (Math.abs(lat) === 90) return String(lat);
    return Math.abs(lon) === 180 ? `cut ${this.numberOf(lat)}` : `${lon} ${lat}`;
  }
}

/** Edges of a polygon. Those on the cut are split at every latitude on it. */
function edgesOf(rings: Rings, polygon: number, cut: Cut): Edge[] {
  return rings.flatMap((given, j) => {
    const ring = planarArea(given) > 0 === (j === 0) ? given : given.toReversed();
    const own: Edge[] = [];
    const add = (from: Position, to: Position): void => {
      const isAtPole = Math.abs(from[1]) === 90 && from[1] === to[1];
      const edge = { from, to, polygon, isGone: isAtPole };
      own.push({ ...edge, next: edge as Edge });
    };
    for (const [i, from] of ring.entries()) {
      const to = ring[i + 1 < ring.length ? i + 1 : 0]!;
      if (from[0] === to[0] && from[1] === to[1]) continue;
      let last = from;
      for (const lat of isOnCut(from, to) ? cut.between(from[1], to[1]) : []) {
        const here: Position = [from[0], lat];
        add(last, here);
        last = here;
      }
      add(last, to);
    }
    for (const [i, edge] of own.entries()) edge.next = own[i + 1 < own.length ? i + 1 : 0]!;
    return own;
  });
}

function isOnCut(from: Position, to: Position): boolean {
  return Math.abs(from[0]) === 180 && from[0] === to[0];
}

/** The pairs of edges at the same place on both sides of the cut. */
function facingPairs(edges: readonly Edge[], cut: Cut): [east: Edge, west: Edge][] {
  const east = new Map<number, Edge[]>();
  const pairs: [Edge, Edge][] = [];
  const onCut = edges.filter(({ from, to }) => isOnCut(from, to));
  // With the inside on the left, edges at 180 run north, edges at -180 south.
  for (const edge of onCut) {
    const [low, high] = [cut.numberOf(edge.from[1]), cut.numberOf(edge.to[1])];
    if (edge.from[0] === 180 && low < high) east.set(low, [...(east.get(low) ?? []), edge]);
  }
  for (const edge of onCut) {
    const [low, high] = [cut.numberOf(edge.to[1]), cut.numberOf(edge.from[1])];
    const facing = edge.from[0] === -180 && low < high ? east.get(low)?.pop() : undefined;
    if (facing !== undefined) pairs.push([facing, edge]);
  }
  return pairs;
}

/** Shell and holes bounded by the edges on the cylinder; null if the region cannot be one polygon. */
function regionOf(edges: readonly Edge[], cut: Cut): Rings | null {
  const loops = loopsOf(edges, cut);
  if (loops === null) return null;
  const around = loops.filter((ring) => turnsOf(ring) !== 0);
  const [first, second] = around;
  const plain = loops.filter((ring) => turnsOf(ring) === 0).map(withoutCut);
  const shells = plain.filter((ring) => unrolledArea(ring) > 0);
  const holes = plain.filter((ring) => unrolledArea(ring) < 0);
  if (first === undefined) return shells.length === 1 ? [...shells, ...holes].map(closed) : null;
  if (shells.length > 0) return null;
  if (around.length === 1) return [overPole(first), ...holes.map(closed)];
  // A band around the Earth: the region north of its southern boundary without the region north of the other one.
  const [south, north] = turnsOf(first) > 0 ? [first, second!] : [second!, first];
  if (around.length !== 2 || turnsOf(south) !== 1 || turnsOf(north) !== -1) return null;
  return [overPole(south), overPole(north.toReversed()), ...holes.map(closed)];
}

/** Closed walks along the edges that bound the region; null if a walk has no unique continuation. */
function loopsOf(edges: readonly Edge[], cut: Cut): Position[][] | null {
  const left = edges.filter(({ isGone }) => !isGone);
  const before = new Map(edges.map((edge) => [edge.next, edge]));
  /** By place, the edges that begin there and whose previous edge is gone. */
  const loose = new Map<string, Edge[]>();
  for (const edge of left) {
    if (!before.get(edge)!.isGone) continue;
    const place = cut.placeOf(edge.from);
    loose.set(place, [...(loose.get(place) ?? []), edge]);
  }
  const isUsed = new Set<Edge>();
  const loops: Position[][] = [];
  for (const start of left) {
    if (isUsed.has(start)) continue;
    const ring: Position[] = [];
    let edge = start;
    do {
      if (isUsed.has(edge)) return null;
      isUsed.add(edge);
      ring.push(edge.from);
      const next = edge.next.isGone ? nextOf(edge, loose.get(cut.placeOf(edge.to)) ?? []) : edge.next;
      if (next === null) return null;
      // The walk runs along a pole here.
      if (Math.abs(edge.to[1]) === 90 && edge.to[0] !== next.from[0]) ring.push(edge.to);
      edge = next;
    } while (edge !== start);
    loops.push(ring);
  }
  return loops;
}

/** The first of `edges` clockwise from the way back along `edge`, so that the region stays on the left. Removes it from the list. */
function nextOf(edge: Edge, edges: Edge[]): Edge | null {
  const back = directionOf(edge.to, edge.from);
  const turnTo = (next: Edge): number => {
    const turn = back - directionOf(next.from, next.to);
    return turn <= 0 ? turn + 2 * Math.PI : turn;
  };
  let best = 0;
  for (let i = 1; i < edges.length; i++) if (turnTo(edges[i]!) < turnTo(edges[best]!)) best = i;
  return edges.splice(best, 1)[0] ?? null;
}

function directionOf(from: Position, to: Position): number {
  return Math.atan2(to[1] - from[1], lonStep(from[0], to[0]));
}

function turnsOf(ring: readonly Position[]): number {
  let turns = 0;
  for (const [i, [lon]] of ring.entries()) {
    const from = wrapLon(lon);
    const to = wrapLon(ring[i + 1 < ring.length ? i + 1 : 0]![0]);
    if (crossesAntimeridian(from, to)) turns += from > to ? 1 : -1;
  }
  return turns;
}

/** Signed area on the plane with unrolled longitudes, counterclockwise positive. */
function unrolledArea(ring: readonly Position[]): number {
  let lon = ring[0]![0];
  return planarArea(
    ring.map(([x, y], i) => {
      if (i > 0) lon += lonStep(wrapLon(ring[i - 1]![0]), wrapLon(x));
      return [lon, y] as const;
    }),
  );
}

/** The ring without positions on the cut that lie on the edge between their neighbours. */
function withoutCut(ring: readonly Position[]): readonly Position[] {
  const kept = ring.filter(([lon, lat], i) => {
    if (Math.abs(lon) !== 180) return true;
    const [fromLon, fromLat] = ring[i === 0 ? ring.length - 1 : i - 1]!;
    const [toLon, toLat] = ring[i + 1 < ring.length ? i + 1 : 0]!;
    const span = 360 - Math.abs(fromLon) - Math.abs(toLon);
    if (fromLon * toLon >= 0 || span >= 180 || span === 0) return true;
    const share = (180 - Math.abs(fromLon)) / span;
    return Math.abs(fromLat + share * (toLat - fromLat) - lat) > SAME_DEGREES;
  });
  return kept.length < 3 ? ring : kept;
}

function closed(ring: readonly Position[]): readonly Position[] {
  return [...ring, ring[0]!];
}

/** A ring around the Earth, closed along the edge of the map: over the north pole if it runs east, over the south pole if it runs west. */
function overPole(ring: readonly Position[]): readonly Position[] {
  const at = ring.findIndex(([lon]) => Math.abs(lon) === 180);
  const lat = ring[at]![1];
  const side = turnsOf(ring) > 0 ? 180 : -180;
  const pole = side / 2;
  const seam: Position[] = [
    [side, lat],
    [side, pole],
    [-side, pole],
    [-side, lat],
  ];
  return closed([...seam, ...ring.slice(at + 1), ...ring.slice(0, at)]);
}
