/**
 * The raw boundary of a corridor: one closed curve around all positions of the line, on the map of longitude and latitude.
 *
 * The curve runs along the right side of the line, round its end, back along the left side and round its start. Every offset position lies
 * at the true distance from its vertex. As a chain the curve is the sum of a band along every edge and a sector at every outer bend, all
 * counterclockwise; so its winding number is nowhere negative, and positive exactly on their union. At an inner bend the two offset
 * edges are cut at their crossing if the kite that is cut off lies in both bands; else the curve goes through the vertex.
 *
 * Why the union stays the same: each kite lowers the winding number by one on its area. A position in k kites is in both bands at each
 * of k vertices of a path, so in at least k + 1 bands, and keeps a winding number of at least 1 (test/zones/rawCurve.test.ts). The kite
 * of a turn θ has the vertex, the crossing (r tan(θ/2) back along both edges) and the ends of both offsets; the end of one offset is
 * r sin θ back along the other edge and r cos θ beside it. So it lies in both bands if no edge is shorter than either length.
 *
 * Both sides are made in one pass: the right side from the front of an array, the left side from its back.
 */

import { EQUATORIAL_RADIUS } from '../../geodesy/ellipsoid.js';
import { LegendreSeries } from '../../geodesy/legendreSeries.js';
import { type ArcSteps, arcSteps, type CorridorPlan, JITTER_SHARE } from './corridorPlan.js';
import { jitterSource } from './jitterSource.js';
import type { Pieces } from './pieces.js';
import { tooMany } from './resolver.js';

/** Margin for a kite, which must lie in both bands although the map is not quite flat. */
const KITE_SHARE = 0.98;
/** Share of the tolerance for the bend of the edges up to the place where their offsets are cut. */
const CUT_SHARE = 0.1;
/** Factor by which the last step of a sector may be longer, so that no tiny step remains. */
const LAST_STEP = 1.001;
/** Usual count of numbers for a vertex on both sides together; the array grows if more are needed. */
const USUAL_NUMBERS = 8;

export class OffsetCurve {
  readonly #coords: Float64Array;
  readonly #series: LegendreSeries = new LegendreSeries();
  readonly #outer: number;
  readonly #radius: number;
  readonly #gentle: number;
  readonly #jitter: number;
  /** Bound of the bend where two offsets are cut: within a metres a lon/lat edge leaves its tangent by a² tan φ / 2R. */
  readonly #bendLimit: number;
  readonly #isCut: Uint8Array;
  readonly #leadCos: number;
  readonly #leadSin: number;
  readonly #stepCos: number;
  readonly #stepSin: number;
  readonly #lastCos: number;
  /** Steps of a cap, all equal. */
  readonly #capSteps: number;
  readonly #capCos: number;
  readonly #capSin: number;
  /** Largest count of numbers for a cap, or for a bend with sectors on both sides. */
  readonly #room: number;
  readonly #random: () => number = jitterSource();
  #out: Float64Array = new Float64Array(0);
  /** `#out` holds the right side up to `#low`, and the left side from `#high` on. */
  #low = 0;
  #high = 0;
  #limit = 0;

  constructor(plan: CorridorPlan, { coords, isCut }: Pieces) {
    const { outer, lead, step }: ArcSteps = arcSteps(plan.radius, plan.tolerance);
    this.#isCut = isCut;
    this.#coords = coords;
    this.#radius = plan.radius;
    this.#outer = outer;
    this.#leadCos = Math.cos(lead);
    this.#leadSin = Math.sin(lead);
    this.#stepCos = Math.cos(step);
    this.#stepSin = Math.sin(step);
    this.#lastCos = Math.cos(LAST_STEP * step) * outer * outer;
    this.#gentle = Math.cos(2 * lead);
    const between = Math.PI - 2 * lead;
    this.#capSteps = Math.ceil(between / step);
    this.#capCos = Math.cos(between / this.#capSteps);
    this.#capSin = Math.sin(between / this.#capSteps);
    this.#room = 4 * (this.#capSteps + 4);
    this.#bendLimit = 2 * CUT_SHARE * plan.tolerance * EQUATORIAL_RADIUS;
    this.#jitter = JITTER_SHARE * plan.tolerance;
  }

  /**
   * The curve around the vertices `from` to `to` of one piece, at least two; its last point repeats its first. The flags cut the curve off
   * at right angles at that end, although the piece continues. Error `limit-vertices` beyond a limit.
   */
  around(from: number, to: number, limit: number, isFromCut: boolean, isToCut: boolean): Float64Array {
    const coords = this.#coords;
    const series = this.#series;
    this.#out = new Float64Array(USUAL_NUMBERS * (to - from) + 3 * this.#room);
    this.#low = 0;
    this.#high = this.#out.length;
    this.#limit = limit;
    let lonOut = coords[2 * from + 2]! - coords[2 * from]!;
    let latOut = coords[2 * from + 3]! - coords[2 * from + 1]!;
    for (let i = from + 1; i < to; i++) {
      series.at(coords[2 * i + 1]!);
      const perLon = series.metersPerLon;
      const perLat = series.metersPerLat;
      // Scale both edges at this vertex, for the true directions in which they arrive and leave.
      const inEast = lonOut * perLon;
      const inNorth = latOut * perLat;
      const inLength = Math.sqrt(inEast * inEast + inNorth * inNorth);
      lonOut = coords[2 * i + 2]! - coords[2 * i]!;
      latOut = coords[2 * i + 3]! - coords[2 * i + 1]!;
      const outEast = lonOut * perLon;
      const outNorth = latOut * perLat;
      const outLength = Math.sqrt(outEast * outEast + outNorth * outNorth);
      this.#bend(
        i,
        inEast / inLength,
        inNorth / inLength,
        outEast / outLength,
        outNorth / outLength,
        Math.min(inLength, outLength),
      );
    }
    this.#cap(to, lonOut, latOut, isToCut || this.#isCut[to] === 1);
    const out = this.#out;
    out.copyWithin(this.#low, this.#high);
    this.#low += out.length - this.#high;
    this.#high = out.length;
    this.#cap(
      from,
      coords[2 * from]! - coords[2 * from + 2]!,
      coords[2 * from + 1]! - coords[2 * from + 3]!,
      isFromCut || this.#isCut[from] === 1,
    );
    const curve = this.#out;
    curve[this.#low] = curve[0]!;
    curve[this.#low + 1] = curve[1]!;
    return curve.subarray(0, this.#low + 2);
  }

  #bend(i: number, inEast: number, inNorth: number, outEast: number, outNorth: number, room: number): void {
    this.#makeRoom();
    const cross = inEast * outNorth - inNorth * outEast;
    const dot = inEast * outEast + inNorth * outNorth;
    const radius = this.#radius;
    const sine = Math.abs(cross);
    // r tan(θ/2) for the turn θ. For a sharp turn 1 + cos θ consists of rounding errors, while 1 − cos θ keeps its digits. The quotient
    // then grows without bound as sin θ shrinks. So a fold never has a kite, on whichever side rounding puts it.
    const along = dot > 0 ? (sine * radius) / (1 + dot) : ((1 - dot) * radius) / sine;
    const back = Math.max(along, sine * radius);
    const isKite = back <= KITE_SHARE * room && back * back * Math.abs(this.#series.tan) <= this.#bendLimit;
    const isGentle = dot >= this.#gentle;
    const reach = radius / (1 + dot);
    // A turn by 180° has sectors on both sides.
    if (cross >= 0) {
      if (isGentle) this.#right(i, (inNorth + outNorth) * reach, -(inEast + outEast) * reach);
      else this.#rightSector(i, inNorth, -inEast, outNorth, -outEast);
    } else if (isKite) {
      this.#right(i, inNorth * radius - inEast * along, -inEast * radius - inNorth * along);
    } else {
      this.#right(i, inNorth * radius, -inEast * radius);
      this.#right(i, 0, 0);
      this.#right(i, outNorth * radius, -outEast * radius);
    }
    if (cross <= 0) {
      if (isGentle) this.#left(i, -(inNorth + outNorth) * reach, (inEast + outEast) * reach);
      else this.#leftSector(i, -inNorth, inEast, -outNorth, outEast);
    } else if (isKite) {
      this.#left(i, -inNorth * radius - inEast * along, inEast * radius - inNorth * along);
    } else {
      this.#left(i, -inNorth * radius, inEast * radius);
      this.#left(i, 0, 0);
      this.#left(i, -outNorth * radius, outEast * radius);
    }
  }

  /**
   * Adds vertices around `i` from the direction (aEast, aNorth) counterclockwise to (bEast, bNorth), at most half a turn: a lead after the
   * first direction, steps, and a lead before the last. The cosine of the remaining angle shows when the last step is reached.
   */
  #rightSector(i: number, aEast: number, aNorth: number, bEast: number, bNorth: number): void {
    const leadCos = this.#leadCos * this.#outer;
    const leadSin = this.#leadSin * this.#outer;
    let east = aEast * leadCos - aNorth * leadSin;
    let north = aEast * leadSin + aNorth * leadCos;
    const lastEast = bEast * leadCos + bNorth * leadSin;
    const lastNorth = bNorth * leadCos - bEast * leadSin;
    this.#right(i, east, north);
    while (east * lastEast + north * lastNorth < this.#lastCos) {
      const next = east * this.#stepCos - north * this.#stepSin;
      north = east * this.#stepSin + north * this.#stepCos;
      east = next;
      this.#right(i, east, north);
    }
    this.#right(i, lastEast, lastNorth);
  }

  /** Like `#rightSector`, but clockwise on the left side. */
  #leftSector(i: number, aEast: number, aNorth: number, bEast: number, bNorth: number): void {
    const leadCos = this.#leadCos * this.#outer;
    const leadSin = this.#leadSin * this.#outer;
    let east = aEast * leadCos + aNorth * leadSin;
    let north = aNorth * leadCos - aEast * leadSin;
    const lastEast = bEast * leadCos - bNorth * leadSin;
    const lastNorth = bEast * leadSin + bNorth * leadCos;
    this.#left(i, east, north);
    while (east * lastEast + north * lastNorth < this.#lastCos) {
      const next = east * this.#stepCos + north * this.#stepSin;
      north = north * this.#stepCos - east * this.#stepSin;
      east = next;
      this.#left(i, east, north);
    }
    this.#left(i, lastEast, lastNorth);
  }

  /** Adds the cap at the end `i` of a line that arrives in the direction (lon, lat), from the right side to the left side. */
  #cap(i: number, lon: number, lat: number, isCut: boolean): void {
    this.#makeRoom();
    const series = this.#series;
    series.at(this.#coords[2 * i + 1]!);
    const east = lon * series.metersPerLon;
    const north = lat * series.metersPerLat;
    const length = Math.sqrt(east * east + north * north);
    if (isCut) {
      const share = this.#radius / length;
      this.#right(i, north * share, -east * share);
      this.#right(i, -north * share, east * share);
      return;
    }
    const leadCos = (this.#leadCos * this.#outer) / length;
    const leadSin = (this.#leadSin * this.#outer) / length;
    let x = north * leadCos + east * leadSin;
    let y = north * leadSin - east * leadCos;
    this.#right(i, x, y);
    for (let k = 0; k < this.#capSteps; k++) {
      const next = x * this.#capCos - y * this.#capSin;
      y = x * this.#capSin + y * this.#capCos;
      x = next;
      this.#right(i, x, y);
    }
  }

  #right(i: number, east: number, north: number): void {
    const e = east + this.#random() * this.#jitter;
    const n = north + this.#random() * this.#jitter;
    const series = this.#series;
    this.#out[this.#low] = this.#coords[2 * i]! + series.lonOf(e, n);
    this.#out[this.#low + 1] = this.#coords[2 * i + 1]! + series.latOf(e, n);
    this.#low += 2;
  }

  #left(i: number, east: number, north: number): void {
    const e = east + this.#random() * this.#jitter;
    const n = north + this.#random() * this.#jitter;
    const series = this.#series;
    this.#high -= 2;
    this.#out[this.#high] = this.#coords[2 * i]! + series.lonOf(e, n);
    this.#out[this.#high + 1] = this.#coords[2 * i + 1]! + series.latOf(e, n);
  }

  /** Ensures room between both sides for a bend or a cap, and for the closing point. */
  #makeRoom(): void {
    const out = this.#out;
    if (this.#high - this.#low >= this.#room) return;
    const back = out.length - this.#high;
    if (this.#low + back > 2 * this.#limit) throw tooMany();
    const grown = new Float64Array(2 * out.length);
    grown.set(out.subarray(0, this.#low));
    grown.set(out.subarray(this.#high), grown.length - back);
    this.#high = grown.length - back;
    this.#out = grown;
  }
}
