/**
 * The raw boundary of a corridor: one closed curve around all positions of the line, on the map of longitude and latitude.
 *
 * It runs along the right side of the line, round its end, back along the other side and round its start. Every offset position lies
 * at the true distance from its vertex. As a chain it is the sum of a band along every edge and a sector at every outer bend, all
 * counterclockwise; so its winding number is nowhere negative, and positive exactly on their union. At an inner bend the two offset
 * edges are cut at their crossing where the kite that is cut off lies in both bands; else the way goes through the vertex.
 */

import { EQUATORIAL_RADIUS } from '../../geodesy/ellipsoid.js';
import { offsetLat, offsetLon, positionScales, SCALES } from '../../geodesy/legendre.js';
import type { Pieces } from './pieces.js';
import { type ArcSteps, arcSteps, type CorridorPlan, JITTER_SHARE } from './plan.js';
import { tooMany } from './resolve.js';

/** A kite must lie in both bands, also on a map that is not quite flat. */
const KITE_SHARE = 0.98;
/** Of the tolerance, for the bend of the edges up to where their offsets are cut. */
const CUT_SHARE = 0.1;

export class OffsetCurve {
  readonly #coords: Float64Array;
  readonly #scales: Float64Array;
  readonly #arc: ArcSteps;
  readonly #radius: number;
  readonly #gentle: number;
  readonly #jitter: number;
  /** A lon/lat edge leaves its tangent by a² tan φ / 2R in a metres: that much is allowed where two offsets are cut. */
  readonly #bendLimit: number;
  readonly #isCut: Uint8Array;
  #state = 0x9e3779b9 | 0;
  #out: Float64Array = new Float64Array(64);
  #length = 0;
  #limit = 0;

  constructor(plan: CorridorPlan, { coords, isCut }: Pieces) {
    this.#isCut = isCut;
    this.#coords = coords;
    this.#scales = positionScales(coords);
    this.#radius = plan.radius;
    this.#arc = arcSteps(plan.radius, plan.tolerance);
    this.#gentle = Math.cos(2 * this.#arc.lead);
    this.#bendLimit = 2 * CUT_SHARE * plan.tolerance * EQUATORIAL_RADIUS;
    this.#jitter = JITTER_SHARE * plan.tolerance;
  }

  /** The closed curve (first point not repeated) around the vertices `from` to `to` of one piece, at least two; `limit-vertices` beyond a limit. */
  around(from: number, to: number, limit: number): Float64Array {
    this.#length = 0;
    this.#limit = limit;
    this.#side(from, to, 1);
    this.#cap(to, 1);
    this.#side(to, from, -1);
    this.#cap(from, -1);
    return this.#out.slice(0, this.#length);
  }

  #side(from: number, to: number, step: 1 | -1): void {
    const coords = this.#coords;
    const scales = this.#scales;
    let lonIn = 0;
    let latIn = 0;
    for (let i = from; ; i += step) {
      const perLon = scales[SCALES * i]!;
      const perLat = scales[SCALES * i + 1]!;
      // Both edges by the scale of this vertex: the true directions in which they arrive and leave.
      let inEast = lonIn * perLon;
      let inNorth = latIn * perLat;
      const inLength = Math.sqrt(inEast * inEast + inNorth * inNorth);
      if (i === to) return;
      lonIn = coords[2 * (i + step)]! - coords[2 * i]!;
      latIn = coords[2 * (i + step) + 1]! - coords[2 * i + 1]!;
      let outEast = lonIn * perLon;
      let outNorth = latIn * perLat;
      const outLength = Math.sqrt(outEast * outEast + outNorth * outNorth);
      if (i === from) continue;
      inEast /= inLength;
      inNorth /= inLength;
      outEast /= outLength;
      outNorth /= outLength;
      this.#bend(i, inEast, inNorth, outEast, outNorth, Math.min(inLength, outLength));
    }
  }

  #bend(i: number, inEast: number, inNorth: number, outEast: number, outNorth: number, room: number): void {
    const cross = inEast * outNorth - inNorth * outEast;
    const dot = inEast * outEast + inNorth * outNorth;
    const radius = this.#radius;
    const isOuter = cross >= 0;
    // r tan(θ/2) of the turn θ. For a sharp turn 1 + cos θ is rounding alone, while 1 − cos θ keeps its digits: the quotient then grows
    // without bound as sin θ does shrink, so that a fold, whichever side its rounding puts it on, has no kite in a finite room.
    const along = dot > 0 ? (-cross * radius) / (1 + dot) : ((1 - dot) * radius) / -cross;
    const isCut =
      along <= KITE_SHARE * room &&
      along * along * Math.abs(this.#scales[SCALES * i + 3]!) <= this.#bendLimit;
    if (isOuter && dot >= this.#gentle) {
      const reach = radius / (1 + dot);
      this.#push(i, (inNorth + outNorth) * reach, -(inEast + outEast) * reach);
    } else if (!isOuter && isCut) {
      // On the offset of the edge that arrives, whatever rounding has done to `along`.
      this.#push(i, inNorth * radius - inEast * along, -inEast * radius - inNorth * along);
    } else if (isOuter) {
      // A turn right back may have the sign of -0.
      this.#sector(i, inNorth, -inEast, Math.atan2(Math.abs(cross), dot));
    } else {
      this.#push(i, inNorth * radius, -inEast * radius);
      this.#push(i, 0, 0);
      this.#push(i, outNorth * radius, -outEast * radius);
    }
  }

  /** Vertices around `i` from the direction (east, north), counterclockwise. */
  #sector(i: number, east: number, north: number, angle: number): void {
    const { outer, lead, step } = this.#arc;
    const between = angle - 2 * lead;
    const count = between > 0 ? Math.ceil(between / step) : 0;
    const start = between > 0 ? lead : angle / 2;
    const stepCos = count === 0 ? 1 : Math.cos(between / count);
    const stepSin = count === 0 ? 0 : Math.sin(between / count);
    let cos = Math.cos(start) * outer;
    let sin = Math.sin(start) * outer;
    for (let k = 0; k <= count; k++) {
      this.#push(i, east * cos - north * sin, east * sin + north * cos);
      const next = cos * stepCos - sin * stepSin;
      sin = cos * stepSin + sin * stepCos;
      cos = next;
    }
  }

  #cap(i: number, step: 1 | -1): void {
    const coords = this.#coords;
    const lon = (coords[2 * i]! - coords[2 * (i - step)]!) * this.#scales[SCALES * i]!;
    const lat = (coords[2 * i + 1]! - coords[2 * (i - step) + 1]!) * this.#scales[SCALES * i + 1]!;
    const length = Math.sqrt(lon * lon + lat * lat);
    const east = lat / length;
    const north = -lon / length;
    if (this.#isCut[i] === 1) {
      this.#push(i, east * this.#radius, north * this.#radius);
      this.#push(i, -east * this.#radius, -north * this.#radius);
    } else {
      this.#sector(i, east, north, Math.PI);
    }
  }

  #push(i: number, east: number, north: number): void {
    const e = east + this.#random() * this.#jitter;
    const n = north + this.#random() * this.#jitter;
    if (this.#length === this.#out.length) {
      if (this.#length > 2 * this.#limit) throw tooMany();
      const grown = new Float64Array(2 * this.#length);
      grown.set(this.#out);
      this.#out = grown;
    }
    this.#out[this.#length++] = this.#coords[2 * i]! + offsetLon(this.#scales, i, e, n);
    this.#out[this.#length++] = this.#coords[2 * i + 1]! + offsetLat(this.#scales, i, e, n);
  }

  /** From -1 to 1; the same for the same seed. */
  #random(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    return this.#state / 0x80000000;
  }
}
