/**
 * Checks a corridor by its definition: its boundary is at half the width from the line. It shares nothing with the product. The distance
 * is Karney's, to the nearest position, which is found by chords in space.
 */

import geographiclib from 'geographiclib-geodesic';
import GeoJSONReader from 'jsts/org/locationtech/jts/io/GeoJSONReader.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';
import type { MultiPolygon, Polygon, Position } from '../../src/index.js';

const wgs84 = (
  geographiclib as unknown as {
    Geodesic: {
      WGS84: {
        Inverse(lat1: number, lon1: number, lat2: number, lon2: number): { s12: number; azi1: number };
        Direct(lat: number, lon: number, azimuth: number, meters: number): { lat2: number; lon2: number };
      };
    };
  }
).Geodesic.WGS84;

/** The part of jsts that is used here; its types leave it out. */
const Reader = GeoJSONReader as unknown as new () => { read(geometry: object): object };
const ValidOperation = IsValidOp as unknown as new (
  geometry: object,
) => {
  isValid(): boolean;
  getValidationError(): unknown;
};

const RAD = Math.PI / 180;
const A = 6_378_137;
const E2 = (2 - 1 / 298.257223563) / 298.257223563;

export type Vector = readonly [number, number, number];

export function inSpace(lon: number, lat: number): Vector {
  const sin = Math.sin(lat * RAD);
  const cos = Math.sin((90 - Math.abs(lat)) * RAD);
  const n = A / Math.sqrt(1 - E2 * sin * sin);
  return [n * cos * Math.cos(lon * RAD), n * cos * Math.sin(lon * RAD), n * (1 - E2) * sin];
}

const apart = (p: Vector, q: Vector): number => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);

export const trueMeters = (a: Position, b: Position): number => wgs84.Inverse(a[1], a[0], b[1], b[0]).s12;

export function moved([lon, lat]: Position, azimuth: number, meters: number): Position {
  const { lon2, lat2 } = wgs84.Direct(lat, lon, azimuth, meters);
  return [lon2, lat2];
}

/** A piece of the line: straight in lon/lat, or so short that this does not matter. */
type Piece = readonly [aLon: number, aLat: number, bLon: number, bLat: number];

/** A ball around consecutive pieces. */
interface Ball {
  readonly centre: Vector;
  readonly radius: number;
  readonly from: number;
  readonly to: number;
  readonly parts: readonly [Ball, Ball] | null;
}

export class LineDistance {
  readonly #pieces: Piece[] = [];
  readonly #root: Ball;

  constructor(line: readonly Position[], edges: 'lonlat' | 'geodesic' = 'lonlat') {
    let [lon, lat] = line[0]!;
    if (line.length === 1) this.#pieces.push([lon, lat, lon, lat]);
    for (let i = 1; i < line.length; i++) {
      const [x, y] = line[i]!;
      if (edges === 'geodesic') this.#addGeodesic(lon, lat, x, y);
      else this.#addStraight(lon, lat, lon + shortStep(lon, x), y);
      [lon, lat] = [x, y];
    }
    this.#root = this.#ball(0, this.#pieces.length);
  }

  #addStraight(lon: number, lat: number, x: number, y: number): void {
    const parts = Math.max(1, Math.ceil(Math.max(Math.abs(x - lon) / 1, Math.abs(y - lat) / 0.2)));
    for (let k = 0; k < parts; k++) {
      const at = (t: number): Position => [lon + (x - lon) * t, t === 1 ? y : lat + (y - lat) * t];
      this.#pieces.push([...at(k / parts), ...at((k + 1) / parts)]);
    }
  }

  #addGeodesic(lon: number, lat: number, x: number, y: number): void {
    const { s12, azi1 } = wgs84.Inverse(lat, lon, y, x);
    const parts = Math.max(1, Math.ceil(s12 / (Math.abs(lat) > 80 || Math.abs(y) > 80 ? 20 : 200)));
    let from: Position = [lon, lat];
    for (let k = 1; k <= parts; k++) {
      const to = k === parts ? ([x, y] as const) : moved([lon, lat], azi1, (s12 * k) / parts);
      // Near a pole, a straight piece in lon/lat is far from the geodesic, so its two ends replace it.
      const [a, b] = [from, to];
      if (Math.abs(a[1]) > 89) this.#pieces.push([a[0], a[1], a[0], a[1]], [b[0], b[1], b[0], b[1]]);
      else this.#pieces.push([a[0], a[1], a[0] + shortStep(a[0], b[0]), b[1]]);
      from = to;
    }
  }

  #ball(from: number, to: number): Ball {
    if (to - from === 1) {
      const [aLon, aLat, bLon, bLat] = this.#pieces[from]!;
      const centre = inSpace((aLon + bLon) / 2, (aLat + bLat) / 2);
      const reach = Math.max(apart(centre, inSpace(aLon, aLat)), apart(centre, inSpace(bLon, bLat)));
      return { centre, radius: 1.01 * reach + 1e-6, from, to, parts: null };
    }
    const middle = (from + to) >> 1;
    const [p, q] = [this.#ball(from, middle), this.#ball(middle, to)];
    const centre: Vector = [
      (p.centre[0] + q.centre[0]) / 2,
      (p.centre[1] + q.centre[1]) / 2,
      (p.centre[2] + q.centre[2]) / 2,
    ];
    const radius = Math.max(p.radius + apart(centre, p.centre), q.radius + apart(centre, q.centre));
    return { centre, radius, from, to, parts: [p, q] };
  }

  /** Metres from a position to the nearest position of the line, along a geodesic. */
  meters(position: Position): number {
    const point = inSpace(position[0], position[1]);
    let best = Number.POSITIVE_INFINITY;
    let nearest: Position = [0, 0];
    const visit = (ball: Ball): void => {
      // The nearest position by geodesics may differ from that by chords, by a share of 1e-5.
      if (apart(point, ball.centre) - ball.radius > best) return;
      if (ball.parts === null) {
        const [meters, foot] = this.#nearestOn(this.#pieces[ball.from]!, point);
        if (meters < best) [best, nearest] = [meters, foot];
        return;
      }
      const [p, q] = ball.parts;
      const pFirst = apart(point, p.centre) - p.radius < apart(point, q.centre) - q.radius;
      visit(pFirst ? p : q);
      visit(pFirst ? q : p);
    };
    visit(this.#root);
    return trueMeters(position, nearest);
  }

  #nearestOn([aLon, aLat, bLon, bLat]: Piece, point: Vector): [number, Position] {
    const at = (t: number): Position => [aLon + (bLon - aLon) * t, t === 1 ? bLat : aLat + (bLat - aLat) * t];
    const chord = (t: number): number => apart(point, inSpace(...at(t)));
    const ratio = (Math.sqrt(5) - 1) / 2;
    let [low, high] = [0, 1];
    let [left, right] = [1 - ratio, ratio];
    let [atLeft, atRight] = [chord(left), chord(right)];
    for (let round = 0; round < 34; round++) {
      if (atLeft <= atRight) {
        [high, right, atRight] = [right, left, atLeft];
        left = high - ratio * (high - low);
        atLeft = chord(left);
      } else {
        [low, left, atLeft] = [left, right, atRight];
        right = low + ratio * (high - low);
        atRight = chord(right);
      }
    }
    let t = (low + high) / 2;
    for (const end of [0, 1]) if (chord(end) < chord(t)) t = end;
    return [chord(t), at(t)];
  }
}

function shortStep(from: number, to: number): number {
  const step = (to - from) % 360;
  return step > 180 ? step - 360 : step < -180 ? step + 360 : step;
}

export const partsOf = (polygon: Polygon | MultiPolygon): Position[][][] =>
  polygon.type === 'Polygon' ? [polygon.coordinates] : polygon.coordinates;

/** Even-odd rule on the flat map, as a consumer reads the polygon that ignores the shape of the Earth. */
export function flatContains(parts: readonly Position[][][], [x, y]: Position): boolean {
  return parts.some((rings) => {
    let inside = false;
    for (const ring of rings) {
      for (let i = 1; i < ring.length; i++) {
        const [[ax, ay], [bx, by]] = [ring[i - 1]!, ring[i]!];
        if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
      }
    }
    return inside;
  });
}

export interface CorridorFault {
  /** Greatest error of a vertex or of a position on an edge, in metres. */
  readonly boundaryMeters: number;
  readonly worst: Position | null;
  /** Probes on the wrong side. */
  readonly wrong: readonly Position[];
  readonly invalid: readonly string[];
}

export interface CheckOptions {
  readonly edges?: 'lonlat' | 'geodesic';
  /** Number of positions on the boundary, and of probes. */
  readonly samples: number;
  readonly probes: number;
  readonly random: () => number;
  /** With flat caps: whether a position is beyond the ends, where nothing is checked. */
  readonly skip?: (position: Position) => boolean;
}

export function checkCorridor(
  line: readonly Position[],
  width: number,
  polygon: Polygon | MultiPolygon,
  { edges, samples, probes, random, skip = () => false }: CheckOptions,
): CorridorFault {
  const radius = width / 2;
  const margin = Math.max(radius / 100, 0.01);
  const distance = new LineDistance(line, edges);
  const parts = partsOf(polygon);
  let boundaryMeters = 0;
  let worst: Position | null = null;
  const look = (position: Position): void => {
    if (skip(position)) return;
    const error = Math.abs(distance.meters(position) - radius);
    if (error > boundaryMeters) [boundaryMeters, worst] = [error, position];
  };
  const edgesOfMap = parts.flatMap((rings) =>
    rings.flatMap((ring) =>
      ring.slice(1).flatMap((b, i) => {
        const a = ring[i]!;
        const alongSeam = a[0] === b[0] && Math.abs(a[0]) === 180;
        return alongSeam || (a[1] === b[1] && Math.abs(a[1]) === 90) ? [] : [[a, b] as const];
      }),
    ),
  );
  const share = samples / (4 * edgesOfMap.length);
  for (const [a, b] of edgesOfMap) {
    if (random() > share) continue;
    for (const t of [0, 0.25, 0.5, 0.75]) look([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]);
  }
  const wrong: Position[] = [];
  for (let k = 0; k < probes; k++) {
    const near = line[Math.floor(random() * line.length)]!;
    const probe = moved(
      near,
      random() * 360,
      radius * (random() < 0.5 ? 0.8 + 0.4 * random() : 2 * random()),
    );
    const meters = distance.meters(probe);
    if (Math.abs(meters - radius) < margin || skip(probe)) continue;
    if (flatContains(parts, probe) !== meters < radius) wrong.push(probe);
  }
  return { boundaryMeters, worst, wrong, invalid: faultsOf(polygon) };
}

/** The reasons why a polygon does not conform to RFC 7946 and OGC; jsts tests whether it is simple. */
export function faultsOf(polygon: Polygon | MultiPolygon): string[] {
  const faults: string[] = [];
  for (const [p, rings] of partsOf(polygon).entries()) {
    for (const [i, ring] of rings.entries()) {
      const name = `part ${p} ring ${i}`;
      const [first, last] = [ring[0]!, ring.at(-1)!];
      if (ring.length < 4 || first[0] !== last[0] || first[1] !== last[1])
        faults.push(`${name} is not closed`);
      if (signedArea(ring) > 0 !== (i === 0)) faults.push(`${name} breaks the right-hand rule`);
      for (const [k, [lon, lat]] of ring.entries()) {
        if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90)) faults.push(`${name}[${k}] is off the map`);
        if (k > 0 && lon === ring[k - 1]![0] && lat === ring[k - 1]![1]) faults.push(`${name}[${k}] repeats`);
      }
    }
  }
  const operation = new ValidOperation(new Reader().read(polygon));
  if (!operation.isValid()) faults.push(String(operation.getValidationError()));
  return faults;
}

function signedArea(ring: readonly Position[]): number {
  const [x0, y0] = ring[0]!;
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    sum += (ring[i - 1]![0] - x0) * (ring[i]![1] - y0) - (ring[i]![0] - x0) * (ring[i - 1]![1] - y0);
  }
  return sum;
}
