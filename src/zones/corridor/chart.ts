/**
 * The two flat maps on which curves of the Earth are resolved (longitudes and latitudes, and a plane around a pole), and the cut of closed
 * curves at ±180°.
 */

import {
  crossesAntimeridian,
  DEGREES_TO_RADIANS,
  lonStep,
  RADIANS_TO_DEGREES,
  wrapLon,
} from '../../core/angles.js';
import { geodesicDistance } from '../../geodesy/distanceMeters.js';

export type LonLat = readonly [lon: number, lat: number];

export interface Chart {
  /** The middle of the straight edge of the chart between two wrapped positions. */
  middle(a: LonLat, b: LonLat): LonLat;
  /** Whether the edge's shorter way round is certain: it does not span too much longitude. */
  isShort(a: LonLat, b: LonLat): boolean;
}

/** Largest span of longitude of one edge of the result, degrees. */
const MAX_LON_STEP = 90;
export const SHEET: Chart = {
  middle: (a, b) => [wrapLon(a[0] + lonStep(a[0], b[0]) / 2), (a[1] + b[1]) / 2],
  isShort: (a, b) => Math.abs(lonStep(a[0], b[0])) <= MAX_LON_STEP,
};

/** Azimuthal equidistant map around a pole, in degrees. Left stays left. */
export class PolarChart implements Chart {
  readonly #sign: 1 | -1;

  constructor(pole: 'north' | 'south') {
    this.#sign = pole === 'north' ? 1 : -1;
  }

  project(lon: number, lat: number): [x: number, y: number] {
    const reach = 90 - this.#sign * lat;
    return [
      reach * Math.cos(lon * DEGREES_TO_RADIANS),
      this.#sign * reach * Math.sin(lon * DEGREES_TO_RADIANS),
    ];
  }

  unproject(x: number, y: number): LonLat {
    const lon = Math.atan2(this.#sign * y, x) * RADIANS_TO_DEGREES;
    return [wrapLon(lon), this.#sign * (90 - Math.sqrt(x * x + y * y))];
  }

  middle(a: LonLat, b: LonLat): LonLat {
    const [ax, ay] = this.project(...a);
    const [bx, by] = this.project(...b);
    return this.unproject((ax + bx) / 2, (ay + by) / 2);
  }

  isShort(): boolean {
    return true;
  }
}

const MAX_DEPTH = 40;

/** Pushes positions between the shares 0 and 1 of a curve, until straight edges of the chart are within `meters` of it. */
export function follow(
  at: (share: number) => LonLat,
  start: LonLat,
  end: LonLat,
  meters: number,
  chart: Chart,
  push: (lon: number, lat: number) => void,
): void {
  const between = (from: number, a: LonLat, to: number, b: LonLat, depth: number): void => {
    const middle = (from + to) / 2;
    const position = at(middle);
    if (chart.isShort(a, b) && geodesicDistance(...position, ...chart.middle(a, b)) <= meters) return;
    if (depth >= MAX_DEPTH) {
      pushOverPole(a, b, chart, push);
      return;
    }
    between(from, a, middle, position, depth + 1);
    push(...position);
    between(middle, position, to, b, depth + 1);
  };
  between(0, start, 1, end, 0);
}

/** Joins two positions along the pole. They stay far apart in longitude however often the curve is halved, so the curve passes the pole. */
export function pushOverPole(
  a: LonLat,
  b: LonLat,
  chart: Chart,
  push: (lon: number, lat: number) => void,
): void {
  if (chart.isShort(a, b)) return;
  const step = lonStep(a[0], b[0]) / 3;
  for (let k = 0; k <= 3; k++) push(wrapLon(a[0] + k * step), a[1] > 0 ? 90 : -90);
}

/** The end of a chain on the border. The next chain begins on the other side. */
interface Crossing {
  readonly chain: number;
  readonly lat: number;
  readonly isEastward: boolean;
}

/**
 * The closed curve `[lon0, lat0, …]` (wrapped, first point not repeated) as closed curves of the map. It must not wind around `freePole`.
 *
 * Crossings that are adjacent in latitude and opposite in direction are joined along both borders. All others go around the Earth in one
 * direction and are joined over the other pole.
 */
export function cutAtAntimeridian(curve: Float64Array, freePole: 'north' | 'south'): number[][] {
  const { chains, crossings } = cutAtBorder(curve);
  if (crossings.length === 0) return chains;
  const count = chains.length;
  const follow = new Int32Array(count);
  const left: Crossing[] = [];
  for (const crossing of crossings.toSorted((p, q) => p.lat - q.lat)) {
    const open = left.at(-1);
    if (open === undefined || open.isEastward === crossing.isEastward) {
      left.push(crossing);
      continue;
    }
    left.pop();
    follow[open.chain] = (crossing.chain + 1) % count;
    follow[crossing.chain] = (open.chain + 1) % count;
  }
  const pole = freePole === 'north' ? -90 : 90;
  for (const { chain, isEastward } of left) {
    const border = isEastward ? 180 : -180;
    chains[chain]!.push(border, pole, -border, pole);
    follow[chain] = (chain + 1) % count;
  }
  return linked(chains, follow);
}

function cutAtBorder(curve: Float64Array): {
  readonly chains: number[][];
  readonly crossings: readonly Crossing[];
} {
  const chains: number[][] = [[]];
  const crossings: Crossing[] = [];
  for (let i = 0; i < curve.length; i += 2) {
    const lon = curve[i]!;
    const lat = curve[i + 1]!;
    const next = i + 2 < curve.length ? i + 2 : 0;
    chains.at(-1)!.push(lon, lat);
    if (!crossesAntimeridian(lon, curve[next]!)) continue;
    const isEastward = lon > 0;
    const border = isEastward ? 180 : -180;
    const at = lat + (curve[next + 1]! - lat) * ((border - lon) / lonStep(lon, curve[next]!));
    chains.at(-1)!.push(border, at);
    crossings.push({ chain: crossings.length, lat: at, isEastward });
    chains.push([-border, at]);
  }
  if (crossings.length > 0) {
    // The last chain continues with the first.
    const tail = chains.pop()!;
    chains[0] = [...tail, ...chains[0]!];
  }
  return { chains, crossings };
}

function linked(chains: readonly number[][], follow: Int32Array): number[][] {
  const rings: number[][] = [];
  const isUsed = new Uint8Array(chains.length);
  for (let first = 0; first < chains.length; first++) {
    if (isUsed[first] === 1) continue;
    const ring: number[] = [];
    for (let chain = first; isUsed[chain] === 0; chain = follow[chain]!) {
      isUsed[chain] = 1;
      for (const value of chains[chain]!) ring.push(value);
    }
    rings.push(ring);
  }
  return rings;
}
