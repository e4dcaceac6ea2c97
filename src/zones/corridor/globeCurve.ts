/**
 * The raw boundary of a corridor anywhere on the Earth, poles included: arcs along the edges and sectors at their ends. The chain is built
 * like that of `offsetCurve.ts`, but inner bends always go through the vertex. Vertices are dense enough for straight lon/lat edges between
 * them.
 */

import { wrapLon } from '../../core/angles.js';
import { farDestinationError, localDestination } from '../../geodesy/destination.js';
import { FAR_ERROR_SHARE, farDistance, geodesicDistance } from '../../geodesy/distanceMeters.js';
import { cosLat } from '../../geodesy/ellipsoid.js';
import { directPosition } from '../../geodesy/karney.js';
import { type Chains, ROUND_END } from './chainsOf.js';
import { type Chart, follow, type LonLat, pushOverPole, SHEET } from './chart.js';
import { type EdgeArc, edgeArcs, latRange, poleMeters, turnBetween, type WayPoint } from './edgeArcs.js';
import {
  ARC_SHARE,
  type ArcSteps,
  arcSteps,
  type CorridorInput,
  DENSIFY_SHARE,
  JITTER_SHARE,
} from './readCorridor.js';
import { jitterSource, tooMany } from './resolver.js';

/** Share of the tolerance for the two spokes of an inner bend, to the vertex and back. Both leave their geodesics by the same amount. */
const SPOKE_SHARE = 0.5;
/** Share of the tolerance below which the change of the offset by an inner bend is ignored and its vertex skipped. */
const GAP_SHARE = 0.02;
const MAX_DEPTH = 40;
const MAX_SPOKE_DEPTH = 20;
/** Difference of a turn from 180°, degrees, below which it gets a cap on each side. */
const FOLD_DEGREES = 1e-6;

export class GlobeCurve {
  readonly #input: CorridorInput;
  readonly #coords: Float64Array;
  readonly #arcs: EdgeArc[] = [];
  /** By vertex, the index of the first arc of the edge to the next vertex. */
  readonly #from: Int32Array;
  /** By vertex, the `ChainEnd` of a chain that ends there. */
  readonly #ends: Uint8Array;
  /** By chain, the index after its last vertex. */
  readonly #starts: ReadonlySet<number>;
  readonly #arc: ArcSteps;
  /** Whether the error of the series is below the jitter. */
  readonly #isNear: boolean;
  /** By arc, lower bounds of the distance to the north pole and to the south pole, metres. */
  readonly #poleMeters: readonly (readonly [number, number])[];
  readonly #random: () => number = jitterSource();
  #out: number[] = [];
  #limit = 0;
  #chart: Chart = SHEET;

  constructor(input: CorridorInput, { coords, starts, ends }: Chains) {
    this.#input = input;
    this.#coords = coords;
    this.#ends = ends;
    this.#arc = arcSteps(input.radius, input.tolerance);
    this.#isNear = farDestinationError(input.radius) <= JITTER_SHARE * input.tolerance;
    const count = coords.length / 2;
    this.#from = new Int32Array(count);
    this.#starts = new Set(starts);
    for (let i = 0; i + 1 < count; i++) {
      this.#from[i] = this.#arcs.length;
      if (this.#starts.has(i + 1)) continue;
      const [aLon, aLat, bLon, bLat] = [
        coords[2 * i]!,
        coords[2 * i + 1]!,
        coords[2 * i + 2]!,
        coords[2 * i + 3]!,
      ];
      for (const arc of edgeArcs(input, aLon, aLat, bLon, bLat)) this.#arcs.push(arc);
    }
    this.#from[count - 1] = this.#arcs.length;
    this.#poleMeters = this.#arcs.map((arc) => {
      const [south, north] = latRange(arc, input.edges === 'geodesic');
      return [poleMeters(north), poleMeters(-south)];
    });
  }

  /** Whether any edge has an arc. */
  get hasWay(): boolean {
    return this.#arcs.length > 0;
  }

  /**
   * The pole on whose chart the edge from a vertex must be resolved, because the edge lies on the pole or so near to it that offsets fold.
   */
  poleOf(vertex: number): 'north' | 'south' | null {
    const lat = this.#coords[2 * vertex + 1]!;
    if (this.#from[vertex] === this.#from[vertex + 1]) {
      const isAlong = Math.abs(lat) === 90 && lat === this.#coords[2 * vertex + 3];
      return isAlong ? (lat > 0 ? 'north' : 'south') : null;
    }
    const arc = this.#arcs[this.#from[vertex]!]!;
    return arc.isPolar ? (arc.start.lat > 0 ? 'north' : 'south') : null;
  }

  /** A pole that the corridor of these vertices surely does not contain; null if it may contain both. */
  freePole(from: number, to: number): 'north' | 'south' | null {
    const reach = this.#input.radius + 2 * this.#input.tolerance;
    let [north, south] = [true, true];
    for (let b = this.#from[from]!; b < this.#from[to]!; b++) {
      if (this.#poleMeters[b]![0] <= reach) north = false;
      if (this.#poleMeters[b]![1] <= reach) south = false;
    }
    return south ? 'south' : north ? 'north' : null;
  }

  /**
   * The closed curve `[lon0, lat0, …]`, wrapped (first point not repeated), around the vertices `from` to `to`; empty if no edge has a
   * arc. The flags cut the curve off at right angles at an end where the chain continues. Error `limit-vertices` beyond a limit.
   *
   * A part that is cut off shares its last edge with the next part. An edge along a pole has no arc. A part that ends with such an edge
   * continues to the end of the next edge with an arc, so that it contains the bend at the pole. A part with no other edges is empty; the
   * part before covers it.
   */
  around(
    from: number,
    to: number,
    limit: number,
    chart: Chart,
    isFromCut: boolean,
    isToCut: boolean,
  ): Float64Array {
    let end = to;
    while (isToCut && this.#from[end] === this.#from[end - 1] && !this.#starts.has(end + 1)) end++;
    const first = this.#from[from]!;
    const last = this.#from[end]! - 1;
    this.#out = [];
    this.#limit = limit;
    this.#chart = chart;
    const isCovered = isFromCut && this.#from[to] === first;
    if (last < first || isCovered) return new Float64Array(0);
    for (let b = first; b <= last; b++) {
      this.#offsetOf(this.#arcs[b]!, 1);
      if (b < last) this.#bend(this.#arcs[b]!.end, this.#arcs[b + 1]!.start, 1);
    }
    this.#cap(
      this.#arcs[last]!.end,
      90,
      (isToCut && !this.#starts.has(end + 1)) || this.#ends[end] !== ROUND_END,
    );
    for (let b = last; b >= first; b--) {
      this.#offsetOf(this.#arcs[b]!, -1);
      if (b > first) this.#bend(this.#arcs[b]!.start, this.#arcs[b - 1]!.end, -1);
    }
    this.#cap(this.#arcs[first]!.start, -90, isFromCut || this.#ends[from] !== ROUND_END);
    return Float64Array.from(this.#out);
  }

  /** Adds the offset of an arc: on its right side (1), or on its left side in backward direction (-1). */
  #offsetOf(arc: EdgeArc, side: 1 | -1): void {
    const at = (share: number): LonLat => {
      const t = side === 1 ? share : 1 - share;
      const point = t === 0 ? arc.start : t === 1 ? arc.end : arc.at(t);
      return this.#around(point, point.azimuth + 90 * side, this.#input.radius);
    };
    this.#follow(at, DENSIFY_SHARE * this.#input.tolerance);
  }

  /** Joins the offsets of two arcs at a vertex: on the right side of `from` (1), or on its left side on the way back (-1). */
  #bend(from: WayPoint, to: WayPoint, side: 1 | -1): void {
    const turn = turnBetween(from, to);
    const { radius, tolerance } = this.#input;
    const azimuth = from.azimuth + 90 * side;
    if (Math.abs(turn) > 180 - FOLD_DEGREES) this.#sector(from, azimuth, 180);
    else if (turn <= 0) this.#sector(from, azimuth, -turn);
    else if ((turn * Math.PI * radius) / 180 > GAP_SHARE * tolerance) {
      this.#overVertex(from, azimuth, to, to.azimuth + 90 * side);
    }
  }

  #cap(end: WayPoint, side: 90 | -90, isCut: boolean): void {
    if (!isCut) this.#sector(end, end.azimuth + side, 180);
    else this.#overVertex(end, end.azimuth + side, end, end.azimuth - side);
  }

  /** Goes from one offset of a vertex over the vertex to another offset, along geodesics divided at the same distances. */
  #overVertex(from: WayPoint, inAzimuth: number, to: WayPoint, outAzimuth: number): void {
    const { radius, tolerance } = this.#input;
    const meters: number[] = [];
    const inAt = (reach: number): LonLat => this.#around(from, inAzimuth, reach);
    const outAt = (reach: number): LonLat => this.#around(to, outAzimuth, reach);
    const fits = (middle: LonLat, a: LonLat, b: LonLat): boolean =>
      this.#chart.isShort(a, b) &&
      geodesicDistance(...middle, ...this.#chart.middle(a, b)) <= SPOKE_SHARE * tolerance;
    const cut = (far: number, near: number, depth: number): void => {
      const middle = (far + near) / 2;
      const isFit = fits(inAt(middle), inAt(far), inAt(near)) && fits(outAt(middle), outAt(far), outAt(near));
      if (depth >= MAX_SPOKE_DEPTH || isFit) {
        meters.push(near);
        return;
      }
      cut(far, middle, depth + 1);
      cut(middle, near, depth + 1);
    };
    // The arcs already end at the offsets. Adding them again with another jitter would make loops that wind the wrong way.
    cut(radius, 0, 0);
    for (const reach of meters) this.#push(...inAt(reach));
    for (let k = meters.length - 2; k >= 0; k--) this.#push(...outAt(meters[k]!));
  }

  /** Adds vertices around `centre`, counterclockwise over `degrees` from azimuth `from`. */
  #sector(centre: WayPoint, from: number, degrees: number): void {
    const { outer, lead, step } = this.#arc;
    const between = (degrees * Math.PI) / 180 - 2 * lead;
    if (between <= 0) return;
    const count = Math.ceil(between / step);
    const at = (k: number): number => from - ((lead + (between * k) / count) * 180) / Math.PI;
    let before = this.#around(centre, at(0), outer);
    this.#push(...before);
    for (let k = 1; k <= count; k++) {
      const next = this.#around(centre, at(k), outer);
      this.#alongSector(centre, at(k - 1), before, at(k), next, 0);
      this.#push(...next);
      before = next;
    }
  }

  /** Adds positions between two positions of a circle, until straight edges are near enough to it. */
  #alongSector(
    centre: WayPoint,
    startAzimuth: number,
    start: LonLat,
    endAzimuth: number,
    end: LonLat,
    depth: number,
  ): void {
    const { radius, tolerance } = this.#input;
    const [lon, lat] = this.#chart.middle(start, end);
    const isShort = this.#chart.isShort(start, end);
    const meters = this.#fromCentre(centre, lon, lat);
    if (isShort && Math.abs(meters - radius) <= ARC_SHARE * tolerance) return;
    if (depth >= MAX_DEPTH) {
      pushOverPole(start, end, this.#chart, (x, y) => this.#push(x, y));
      return;
    }
    const azimuth = (startAzimuth + endAzimuth) / 2;
    const middle = this.#around(centre, azimuth, radius);
    this.#alongSector(centre, startAzimuth, start, azimuth, middle, depth + 1);
    this.#push(...middle);
    this.#alongSector(centre, azimuth, middle, endAzimuth, end, depth + 1);
  }

  /** Distance from the centre of a sector, metres, with an error below the jitter. */
  #fromCentre(centre: WayPoint, lon: number, lat: number): number {
    const { radius, tolerance } = this.#input;
    if (FAR_ERROR_SHARE * radius <= JITTER_SHARE * tolerance) {
      const meters = farDistance(wrapLon(centre.lon), centre.lat, lon, lat);
      if (meters >= 0) return meters;
    }
    return geodesicDistance(wrapLon(centre.lon), centre.lat, lon, lat);
  }

  #follow(at: (share: number) => LonLat, meters: number): void {
    const start = at(0);
    const end = at(1);
    this.#push(...start);
    follow(at, start, end, meters, this.#chart, (lon, lat) => this.#push(lon, lat));
    this.#push(...end);
  }

  #around({ lon, lat }: WayPoint, azimuth: number, meters: number): LonLat {
    const [x, y] = this.#isNear
      ? localDestination(lon, lat, azimuth, meters)
      : directPosition(lon, lat, azimuth, meters);
    return [wrapLon(x), y];
  }

  #push(lon: number, lat: number): void {
    if (this.#out.length > 2 * this.#limit) throw tooMany();
    const jitter = (JITTER_SHARE * this.#input.tolerance) / 111_320;
    const cos = cosLat(lat);
    const x = cos > 1e-6 ? lon + (this.#random() * jitter) / cos : lon;
    this.#out.push(wrapLon(x), Math.max(-90, Math.min(90, lat + this.#random() * jitter)));
  }
}
