/**
 * The raw boundary of a corridor anywhere on the Earth, poles included, on a plane that a `Stereographic` gives: bands along short
 * geodesics and sectors at their ends, all by Karney's solutions. The same chain as in `offsetCurve.ts`; inner bends go through
 * the vertex.
 */

import { EQUATORIAL_RADIUS } from '../../geodesy/ellipsoid.js';
import { geodesicDistance } from '../../geodesy/inverse.js';
import { directPosition, geodesicSpan } from '../../geodesy/karney.js';
import type { Stereographic } from '../../geodesy/stereographic.js';
import { ARC_SHARE, type ArcSteps, arcSteps, type CorridorPlan, JITTER_SHARE } from './plan.js';

/** Of the tolerance, for chords of the plane along straight offsets. */
const CHORD_SHARE = 0.15;
/** An inner bend that moves the offset by less than this share goes without its vertex. */
const GAP_SHARE = 0.05;
const MAX_DEPTH = 30;

export class SphereCurve {
  readonly #plan: CorridorPlan;
  readonly #plane: Stereographic;
  readonly #coords: Float64Array;
  /** Of piece k: azimuths at its start and its end, degrees. */
  readonly #azimuths: Float64Array;
  readonly #arc: ArcSteps;
  #state: number;
  #out: number[] = [];

  /** `coords` are vertices between which the line is geodesic. */
  constructor(plan: CorridorPlan, coords: Float64Array, plane: Stereographic, seed: number) {
    this.#plan = plan;
    this.#plane = plane;
    this.#coords = coords;
    this.#arc = arcSteps(plan.radius, plan.tolerance);
    this.#state = (seed * 0x9e3779b9) | 0;
    this.#azimuths = new Float64Array(coords.length);
    for (let i = 0; i + 3 < coords.length; i += 2) {
      const ends = geodesicSpan(coords[i]!, coords[i + 1]!, coords[i + 2]!, coords[i + 3]!);
      this.#azimuths[i] = ends.startAzimuth;
      this.#azimuths[i + 1] = ends.endAzimuth;
    }
  }

  /** The closed curve (first point not repeated) around the vertices `from` to `to`. */
  around(from: number, to: number): Float64Array {
    const last = this.#coords.length / 2 - 1;
    this.#out = [];
    if (from === to) {
      this.#sector(from, 0, 360);
      return Float64Array.from(this.#out);
    }
    for (let k = from; k < to; k++) {
      this.#band(k, k + 1, this.#azimuths[2 * k]! + 90, this.#azimuths[2 * k + 1]! + 90);
      if (k + 1 < to) this.#bend(k + 1, this.#azimuths[2 * k + 1]! + 90, this.#azimuths[2 * k + 2]! + 90);
    }
    this.#cap(to, this.#azimuths[2 * to - 1]! + 90, to === last);
    for (let k = to - 1; k >= from; k--) {
      this.#band(k + 1, k, this.#azimuths[2 * k + 1]! - 90, this.#azimuths[2 * k]! - 90);
      if (k > from) this.#bend(k, this.#azimuths[2 * k]! - 90, this.#azimuths[2 * k - 1]! - 90);
    }
    this.#cap(from, this.#azimuths[2 * from]! - 90, from === 0);
    return Float64Array.from(this.#out);
  }

  /** The offset of one piece, from `a` to `b`, by the azimuths towards it at both. */
  #band(a: number, b: number, azimuthA: number, azimuthB: number): void {
    const { radius } = this.#plan;
    const coords = this.#coords;
    const start = directPosition(coords[2 * a]!, coords[2 * a + 1]!, azimuthA, radius);
    const end = directPosition(coords[2 * b]!, coords[2 * b + 1]!, azimuthB, radius);
    this.#push(...start);
    this.#alongBand(coords[2 * a]!, coords[2 * a + 1]!, coords[2 * b]!, coords[2 * b + 1]!, start, end, 0);
    this.#push(...end);
  }

  /** Positions between `start` and `end`, until the chord between them is near enough to the true offset of a→b. */
  #alongBand(
    aLon: number,
    aLat: number,
    bLon: number,
    bLat: number,
    start: readonly [number, number],
    end: readonly [number, number],
    depth: number,
  ): void {
    const { radius, tolerance } = this.#plan;
    const { meters, startAzimuth } = geodesicSpan(aLon, aLat, bLon, bLat);
    const [x, y] = this.#plane.project(aLon, aLat);
    // A chord bends by at most its length squared times this, whatever side of the line it is on.
    const bend = (meters * meters * (1 + x * x + y * y) * (1 + radius / 1e6)) / EQUATORIAL_RADIUS;
    if (depth >= MAX_DEPTH || bend < CHORD_SHARE * tolerance) return;
    const [px, py] = this.#plane.project(...start);
    const [qx, qy] = this.#plane.project(...end);
    const chord = this.#plane.unproject((px + qx) / 2, (py + qy) / 2);
    const [lon, lat] = directPosition(aLon, aLat, startAzimuth, meters / 2);
    const azimuth = geodesicSpan(lon, lat, bLon, bLat).startAzimuth;
    const right = directPosition(lon, lat, azimuth + 90, radius);
    const left = directPosition(lon, lat, azimuth - 90, radius);
    const toRight = geodesicDistance(...chord, ...right);
    const toLeft = geodesicDistance(...chord, ...left);
    if (Math.min(toRight, toLeft) <= CHORD_SHARE * tolerance) return;
    const offset = toRight < toLeft ? right : left;
    this.#alongBand(aLon, aLat, lon, lat, start, offset, depth + 1);
    this.#push(...offset);
    this.#alongBand(lon, lat, bLon, bLat, offset, end, depth + 1);
  }

  /** At a vertex, from one azimuth of the offset side to the next; decreasing azimuths are an outer bend. */
  #bend(i: number, from: number, to: number): void {
    const turn = shortTurn(to - from);
    if (turn <= 0) this.#sector(i, from, -turn);
    // Two bands that hardly turn are joined at once: their jitter must not leave a gap between them.
    else if ((turn * Math.PI * this.#plan.radius) / 180 > GAP_SHARE * this.#plan.tolerance) this.#point(i);
  }

  #cap(i: number, from: number, isEnd: boolean): void {
    if (!isEnd || this.#plan.cap === 'round') this.#sector(i, from, 180);
  }

  /** Vertices around `i`, counterclockwise from an azimuth over so many degrees. */
  #sector(i: number, from: number, degrees: number): void {
    const { outer, lead, step } = this.#arc;
    const whole = (degrees * Math.PI) / 180;
    const between = whole - 2 * lead;
    if (between <= 0) return;
    const count = Math.ceil(between / step);
    const at = (k: number): number => from - ((lead + (between * k) / count) * 180) / Math.PI;
    let before = this.#around(i, at(0), outer);
    this.#push(...before);
    for (let k = 1; k <= count; k++) {
      const next = this.#around(i, at(k), outer);
      this.#alongSector(i, at(k - 1), before, at(k), next, 0);
      this.#push(...next);
      before = next;
    }
  }

  /** Positions on the circle between two of its positions, until chords of the plane are near enough to it. */
  #alongSector(
    i: number,
    startAzimuth: number,
    start: readonly [number, number],
    endAzimuth: number,
    end: readonly [number, number],
    depth: number,
  ): void {
    const { radius, tolerance } = this.#plan;
    const [px, py] = this.#plane.project(...start);
    const [qx, qy] = this.#plane.project(...end);
    const [lon, lat] = this.#plane.unproject((px + qx) / 2, (py + qy) / 2);
    const meters = geodesicDistance(this.#coords[2 * i]!, this.#coords[2 * i + 1]!, lon, lat);
    if (depth >= MAX_DEPTH || Math.abs(meters - radius) <= ARC_SHARE * tolerance) return;
    const azimuth = (startAzimuth + endAzimuth) / 2;
    const middle = this.#around(i, azimuth, radius);
    this.#alongSector(i, startAzimuth, start, azimuth, middle, depth + 1);
    this.#push(...middle);
    this.#alongSector(i, azimuth, middle, endAzimuth, end, depth + 1);
  }

  #around(i: number, azimuth: number, meters: number): [number, number] {
    return directPosition(this.#coords[2 * i]!, this.#coords[2 * i + 1]!, azimuth, meters);
  }

  #point(i: number): void {
    this.#push(this.#coords[2 * i]!, this.#coords[2 * i + 1]!);
  }

  #push(lon: number, lat: number): void {
    const [x, y] = this.#plane.project(lon, lat);
    const jitter = (JITTER_SHARE * this.#plan.tolerance * (1 + (x * x + y * y) / 4)) / EQUATORIAL_RADIUS;
    this.#out.push(x + this.#random() * jitter, y + this.#random() * jitter);
  }

  #random(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    return this.#state / 0x80000000;
  }
}

/** A difference of azimuths in (-180, 180]; -180 counts as an outer bend on either side. */
function shortTurn(degrees: number): number {
  const turn = degrees - 360 * Math.round(degrees / 360);
  return turn > 179.999999 ? -180 : turn;
}
