/** Checks a corridor against the distances from its line, both ways, and says by how many tolerances it is wrong. */

import { corridor, lineToPolygon, type Position, signedDistanceMeters } from '../../../src/index.js';
import { faultsOf, moved, partsOf, trueMeters } from '../corridorChecker.js';
import { FastDistance } from './fastDistance.js';

export interface CorridorCase {
  readonly line: readonly Position[];
  readonly width: number;
  readonly cap: 'round' | 'flat';
  readonly tolerance?: number;
}

export type FaultKind =
  /** A position of the boundary at a wrong distance. */
  | 'boundary'
  /** A position of the polygon that is too far from the line. */
  | 'too far'
  /** A position near the line that is not in the polygon. */
  | 'missing'
  /** A position well inside a hole that is within the radius. */
  | 'hole'
  /** A position whose distance from the zone is not its distance from the line, less the radius. */
  | 'zone'
  /** A position that the flat ring of the wire has and the polygon has not, or the other way round. */
  | 'flat ring'
  | 'invalid'
  | 'threw';

export interface Fault {
  readonly kind: FaultKind;
  /** In units of the tolerance; infinite if this has no measure. */
  readonly error: number;
  readonly at: Position | null;
  readonly text?: string;
}

export interface Checked {
  readonly faults: readonly Fault[];
  /** Greatest error of the boundary in units of the tolerance. */
  readonly boundary: number;
  readonly holes: number;
  readonly vertices: number;
}

export const toleranceOf = ({ width, tolerance }: CorridorCase): number =>
  tolerance ?? Math.max(0.01, width / 2000);

function optionsOf({ cap, tolerance }: CorridorCase): { cap: 'round' | 'flat'; toleranceMeters?: number } {
  return { cap, ...(tolerance === undefined ? {} : { toleranceMeters: tolerance }) };
}

/** All edges of a polygon in bands of latitude, for the even-odd rule. */
class Edges {
  readonly #bands: number[][];
  readonly #south: number;
  readonly #scale: number;

  constructor(rings: readonly (readonly Position[])[]) {
    const lats = rings.flat().map(([, lat]) => lat);
    const count = Math.min(1024, lats.length);
    this.#south = lats.reduce((a, b) => Math.min(a, b));
    this.#scale = count / (lats.reduce((a, b) => Math.max(a, b)) - this.#south);
    this.#bands = Array.from({ length: count + 1 }, () => []);
    for (const ring of rings) {
      for (let i = 1; i < ring.length; i++) {
        const [[ax, ay], [bx, by]] = [ring[i - 1]!, ring[i]!];
        const [low, high] = [this.#band(Math.min(ay, by)), this.#band(Math.max(ay, by))];
        for (let k = low; k <= high; k++) this.#bands[k]!.push(ax, ay, bx, by);
      }
    }
  }

  #band(lat: number): number {
    return Math.floor((lat - this.#south) * this.#scale);
  }

  contains([x, y]: Position): boolean {
    const band = this.#bands[this.#band(y)] ?? [];
    let inside = false;
    for (let i = 0; i < band.length; i += 4) {
      const [ay, by] = [band[i + 1]!, band[i + 3]!];
      const ax = band[i]!;
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (band[i + 2]! - ax)) inside = !inside;
    }
    return inside;
  }
}

/** The middle of the widest chord of a ring along some parallels. */
function innerPosition(ring: readonly Position[]): Position | null {
  const lats = ring.map(([, lat]) => lat);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  let widest = 0;
  let found: Position | null = null;
  for (const share of [0.5, 0.35, 0.65, 0.2, 0.8, 0.08, 0.92]) {
    const y = south + (north - south) * share;
    const cuts: number[] = [];
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1]!, ring[i]!];
      if (ay > y !== by > y) cuts.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
    }
    cuts.sort((a, b) => a - b);
    for (let i = 0; i + 1 < cuts.length; i += 2) {
      if (cuts[i + 1]! - cuts[i]! <= widest) continue;
      widest = cuts[i + 1]! - cuts[i]!;
      found = [(cuts[i]! + cuts[i + 1]!) / 2, y];
    }
  }
  return found;
}

/** The greatest distance in a hole: at its centre, or if that is within the radius at the best position of a fine grid. */
function farthestIn(
  hole: readonly Position[],
  centre: Position,
  radius: number,
  distance: FastDistance,
): number {
  let farthest = distance.meters(centre);
  if (farthest > radius) return farthest;
  const edges = new Edges([hole]);
  const [lons, lats] = [hole.map(([lon]) => lon), hole.map(([, lat]) => lat)];
  const [west, south] = [Math.min(...lons), Math.min(...lats)];
  const [wide, high] = [Math.max(...lons) - west, Math.max(...lats) - south];
  for (let k = 0; k < GRID * GRID && farthest <= radius; k++) {
    const at: Position = [west + (wide * (k % GRID)) / GRID, south + (high * Math.floor(k / GRID)) / GRID];
    if (edges.contains(at)) farthest = Math.max(farthest, distance.meters(at));
  }
  return farthest;
}

const wrap = ([lon, lat]: Position): Position => [lon - 360 * Math.round(lon / 360), lat];

/** Checks `each` position of the line at most this often. */
const MOST_VERTICES = 150;
const MOST_BOUNDARY = 2500;
const GRID = 200;
/** Share of the corridors whose flat ring is compared too. */
const FLAT_RING_SHARE = 1 / 8;

/** Checks one corridor. `distance` is that of its line, so that several widths share it. */
export function checkCase(
  one: CorridorCase,
  random: () => number,
  distance: FastDistance = new FastDistance(one.line),
): Checked {
  const { line, width, cap } = one;
  const radius = width / 2;
  const tolerance = toleranceOf(one);
  const pairs = line.map(([lon, lat]): [number, number] => [lon, lat]);
  const worstOf = new Map<FaultKind, Fault>();
  const fault = (kind: FaultKind, error: number, at: Position | null, text?: string): void => {
    const worst = worstOf.get(kind);
    if (worst === undefined || error > worst.error)
      worstOf.set(kind, { kind, error, at, ...(text === undefined ? {} : { text }) });
  };
  let polygon: ReturnType<typeof corridor>;
  try {
    polygon = corridor(line, width, optionsOf(one));
  } catch (error) {
    return {
      faults: [{ kind: 'threw', error: Infinity, at: null, text: String(error) }],
      boundary: 0,
      holes: 0,
      vertices: 0,
    };
  }
  const parts = partsOf(polygon);
  const rings = parts.flat();
  for (const text of faultsOf(polygon)) fault('invalid', Infinity, null, text);

  // With flat caps nothing is said of positions within the radius of an end. A closed line has no ends.
  const [first, last] = [line[0]!, line.at(-1)!];
  const moves = line.filter(([lon, lat], i) => i === 0 || lon !== line[i - 1]![0] || lat !== line[i - 1]![1]);
  const isClosed = moves.length > 3 && first[0] === last[0] && first[1] === last[1];
  const ends = cap === 'flat' && !isClosed ? [first, last] : [];
  const isSaid = (position: Position): boolean =>
    ends.every((end) => trueMeters(end, position) > 1.0001 * radius + 3 * tolerance);

  let boundary = 0;
  const look = (position: Position): void => {
    const error = Math.abs(distance.meters(position) - radius) / tolerance;
    if (error <= boundary || !isSaid(position)) return;
    boundary = error;
    if (error > 1) fault('boundary', error, position);
  };
  const count = rings.reduce((sum, ring) => sum + ring.length - 1, 0);
  const share = MOST_BOUNDARY / count;
  for (const ring of rings) {
    const isHole = ring.length < 60;
    for (let i = 1; i < ring.length; i++) {
      const [a, b] = [ring[i - 1]!, ring[i]!];
      if (a[0] === b[0] && Math.abs(a[0]) === 180) continue;
      if (share < 1 && !isHole && random() > share) continue;
      look(a);
      for (const t of [0.5, random()]) look([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]);
    }
  }

  const edges = new Edges(rings);
  const flat =
    random() < FLAT_RING_SHARE
      ? new Edges([lineToPolygon({ geometry: pairs, width }, optionsOf(one)).polygon_geometry])
      : null;
  const probe = (position: Position): void => {
    const at = wrap(position);
    if (flat !== null) {
      // A ring across ±180° goes on beyond it.
      const times = [0, 360, -360].filter((turn) => flat.contains([at[0] + turn, at[1]])).length;
      if (times !== Number(edges.contains(at))) fault('flat ring', Infinity, at);
    }
    const meters = distance.meters(at);
    const error = Math.abs(meters - radius) / tolerance;
    if (error <= 1 || edges.contains(at) === meters < radius || !isSaid(at)) return;
    fault(meters < radius ? 'missing' : 'too far', error, at);
  };
  const step = Math.max(1, line.length / MOST_VERTICES);
  for (let i = 0; i < line.length; i += step) {
    const vertex = line[Math.floor(i)]!;
    probe(vertex);
    probe(moved(vertex, 360 * random(), radius * (0.9 + 0.0999 * random())));
    const far = moved(vertex, 360 * random(), 2 * radius * Math.sqrt(random()));
    probe(far);
    climb(far, distance, radius, probe);
  }

  for (const rings of parts) {
    for (const hole of rings.slice(1)) {
      const centre = innerPosition(hole);
      if (centre === null) fault('invalid', Infinity, hole[0]!, 'a hole without area');
      else if (isSaid(centre)) {
        const error = (radius - farthestIn(hole, centre, radius, distance)) / tolerance;
        if (error > 0) fault('hole', error, centre);
      }
    }
  }

  for (let k = 0; k < 2; k++) {
    const near = line[Math.floor(random() * line.length)]!;
    const at = wrap(moved(near, 360 * random(), 2 * radius * random()));
    const wanted = distance.meters(at) - radius;
    const error = Math.abs(
      signedDistanceMeters({ type: { key: 'line' }, geometry: pairs, width }, at) - wanted,
    );
    if (error > 1e-4) fault('zone', error / tolerance, at);
  }
  return {
    faults: [...worstOf.values()],
    boundary,
    holes: parts.reduce((sum, rings) => sum + rings.length - 1, 0),
    vertices: count,
  };
}

/** Goes away from the nearest position of the line in a few steps, towards the middle of what the line encloses. */
function climb(
  from: Position,
  distance: FastDistance,
  radius: number,
  visit: (position: Position) => void,
): void {
  let at = wrap(from);
  let step = radius / 2;
  let nearest = distance.nearest(at);
  for (let round = 0; round < 8; round++) {
    const scale = Math.cos((at[1] * Math.PI) / 180);
    const dLon = at[0] - nearest.lon;
    const [dx, dy] = [(dLon - 360 * Math.round(dLon / 360)) * scale, at[1] - nearest.lat];
    const length = Math.hypot(dx, dy);
    if (length === 0) return;
    const degrees = step / 111_320 / length;
    const next = wrap([at[0] + (dx * degrees) / scale, at[1] + dy * degrees]);
    const there = distance.nearest(next);
    if (there.meters > nearest.meters) [at, nearest] = [next, there];
    else step /= 2;
    if (nearest.meters > 3 * radius) return;
  }
  visit(at);
}
