/**
 * The raw boundary of a corridor: one closed curve around all positions of the line, on the map of longitude and latitude.
 *
 * The curve runs along the right side of the line, round its end, back along the left side and round its start. Every offset position lies
 * at the true distance from its vertex. As a chain the curve is the sum of a band along every edge and a sector at every outer bend, all
 * counterclockwise; so its winding number is nowhere negative, and positive exactly on their union. At an inner bend the two offset edges
 * are cut at their crossing if it lies beside both edges: this takes a kite away, with corners at the vertex, the crossing and the ends of
 * both offsets. Else the curve goes from one offset's end towards the vertex, as far as the other edge's band requires, and back.
 *
 * Why a kite does not change the union: take the bands and sectors that contain a position q of kites, in the order of the line. If q is in
 * the kites at vertices i < j, one of them lies between i and j. For where the kite at i leaves the band of its second edge, q is within r
 * of the vertex i + 1 and in front of that edge; where the kite at j leaves the band of its first edge, q is within r of the vertex j - 1
 * and behind that edge; so the position of the line from i + 1 to j - 1 that is nearest to q has a band or a sector that contains q. In the
 * same way one comes before the first kite and one after the last, up to a round end. So there is at least one more of them than of kites,
 * and the winding number stays positive. An end that is cut off covers nothing beyond it: near one a kite must lie in both its bands, which
 * it does if no edge is shorter than r sin θ (test/zones/rawCurve.test.ts).
 *
 * Both sides are made in one pass: the right side from the front of an array, the left side from its back.
 */

import { EQUATORIAL_RADIUS } from '../../geodesy/ellipsoid.js';
import { LegendreSeries } from '../../geodesy/legendreSeries.js';
import { type Chains, FLAT_END, ROUND_END } from './chainsOf.js';
import { type ArcSteps, arcSteps, type CorridorInput, JITTER_SHARE } from './readCorridor.js';
import { jitterSource, tooMany } from './resolver.js';

/** Margin for a kite, which must lie in both bands although the map is not quite flat. */
const KITE_SHARE = 0.98;
/** Distance from a cut end, in half-widths, within which kites must lie in both bands: two, and a margin. */
const CUT_REACH = 2.1;
/** Share of the tolerance for the bend of the edges up to the place where their offsets are cut. */
const CUT_SHARE = 0.1;
/** Factor by which the last step of a sector may be longer, so that no tiny step remains. */
const LAST_STEP = 1.001;
/** Usual number of values of a vertex, both sides together. The array grows if more are needed. */
const USUAL_NUMBERS = 8;

/** Ways to join the offsets of two edges on the inner side of a bend. */
const AT_CROSSING = 0;
const TOWARDS_VERTEX = 1;
const STRAIGHT = 2;
type InnerJoin = typeof AT_CROSSING | typeof TOWARDS_VERTEX | typeof STRAIGHT;

export class OffsetCurve {
  readonly #coords: Float64Array;
  readonly #series: LegendreSeries = new LegendreSeries();
  readonly #outer: number;
  readonly #radius: number;
  readonly #gentle: number;
  readonly #jitter: number;
  readonly #kiteShare: number;
  /** Bound of the bend where two offsets are cut: within a metres, a lon/lat edge leaves its tangent by a² tan φ / 2R. */
  readonly #bendLimit: number;
  /** By vertex, the `ChainEnd` of a chain that ends there. */
  readonly #ends: Uint8Array;
  readonly #leadCos: number;
  readonly #leadSin: number;
  readonly #stepCos: number;
  readonly #stepSin: number;
  readonly #lastCos: number;
  /** Number of steps of a cap, all equal. */
  readonly #capSteps: number;
  readonly #capCos: number;
  readonly #capSin: number;
  /** Largest number of values for a cap, or for a bend with sectors on both sides. */
  readonly #room: number;
  readonly #random: () => number = jitterSource();
  #out: Float64Array = new Float64Array(0);
  /** `#out` holds the right side up to `#low`, and the left side from `#high` on. */
  #low = 0;
  #high = 0;
  #limit = 0;
  /** The end vertices of the part that are cut off at right angles; -1 for none. */
  #fromCut = -1;
  #toCut = -1;

  constructor(input: CorridorInput, { coords, ends }: Chains) {
    const { outer, lead, step }: ArcSteps = arcSteps(input.radius, input.tolerance);
    this.#ends = ends;
    this.#coords = coords;
    this.#radius = input.radius;
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
    this.#bendLimit = 2 * CUT_SHARE * input.tolerance * EQUATORIAL_RADIUS;
    this.#jitter = JITTER_SHARE * input.tolerance;
    this.#kiteShare = input.omitsShortCuts ? 0 : KITE_SHARE;
  }

  /**
   * The curve around the vertices `from` to `to` of one chain, at least two; its last point repeats its first. The flags cut the curve off
   * at right angles at an end where the chain continues. Error `limit-vertices` beyond a limit.
   */
  around(from: number, to: number, limit: number, isFromCut: boolean, isToCut: boolean): Float64Array {
    const coords = this.#coords;
    const series = this.#series;
    this.#out = new Float64Array(USUAL_NUMBERS * (to - from) + 3 * this.#room);
    this.#low = 0;
    this.#high = this.#out.length;
    this.#limit = limit;
    this.#fromCut = isFromCut || this.#ends[from] !== ROUND_END ? from : -1;
    this.#toCut = isToCut || this.#ends[to] !== ROUND_END ? to : -1;
    let lonOut = coords[2 * from + 2]! - coords[2 * from]!;
    let latOut = coords[2 * from + 3]! - coords[2 * from + 1]!;
    for (let i = from + 1; i < to; i++) {
      series.at(coords[2 * i + 1]!);
      const perLon = series.metersPerLon;
      const perLat = series.metersPerLat;
      // Both edges are scaled at this vertex, so that the directions in which they arrive and leave are true.
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
        inLength,
        outLength,
      );
    }
    this.#cap(to, lonOut, latOut, this.#toCut >= 0);
    const out = this.#out;
    out.copyWithin(this.#low, this.#high);
    this.#low += out.length - this.#high;
    this.#high = out.length;
    this.#cap(
      from,
      coords[2 * from]! - coords[2 * from + 2]!,
      coords[2 * from + 1]! - coords[2 * from + 3]!,
      this.#fromCut >= 0,
    );
    const curve = this.#out;
    curve[this.#low] = curve[0]!;
    curve[this.#low + 1] = curve[1]!;
    return curve.subarray(0, this.#low + 2);
  }

  #bend(
    i: number,
    inEast: number,
    inNorth: number,
    outEast: number,
    outNorth: number,
    inLength: number,
    outLength: number,
  ): void {
    this.#makeRoom();
    const cross = inEast * outNorth - inNorth * outEast;
    const dot = inEast * outEast + inNorth * outNorth;
    const radius = this.#radius;
    const sine = Math.abs(cross);
    // r tan(θ/2) for the turn θ. For a sharp turn 1 + cos θ consists of rounding errors, while 1 − cos θ keeps its digits. The quotient
    // then grows without bound as sin θ shrinks. So a fold never has a kite, on whichever side rounding puts it.
    const along = dot > 0 ? (sine * radius) / (1 + dot) : ((1 - dot) * radius) / sine;
    const join = this.#innerJoin(i, along, sine * radius, inLength, outLength);
    const isGentle = dot >= this.#gentle;
    const reach = radius / (1 + dot);
    // From here on the way from the end of one offset to the vertex is in the other edge's band.
    const inReach = Math.min(radius, (this.#kiteShare * outLength) / sine);
    const outReach = Math.min(radius, (this.#kiteShare * inLength) / sine);
    const hasOut = outReach < radius && inReach + outReach > 0;
    // A turn by 180° has sectors on both sides.
    if (cross >= 0) {
      if (isGentle) this.#right(i, (inNorth + outNorth) * reach, -(inEast + outEast) * reach);
      else this.#rightSector(i, inNorth, -inEast, outNorth, -outEast);
    } else if (join === AT_CROSSING) {
      this.#right(i, inNorth * radius - inEast * along, -inEast * radius - inNorth * along);
    } else {
      this.#right(i, inNorth * radius, -inEast * radius);
      if (join === TOWARDS_VERTEX) {
        if (inReach < radius) this.#right(i, inNorth * inReach, -inEast * inReach);
        if (hasOut) this.#right(i, outNorth * outReach, -outEast * outReach);
      }
      this.#right(i, outNorth * radius, -outEast * radius);
    }
    if (cross <= 0) {
      if (isGentle) this.#left(i, -(inNorth + outNorth) * reach, (inEast + outEast) * reach);
      else this.#leftSector(i, -inNorth, inEast, -outNorth, outEast);
    } else if (join === AT_CROSSING) {
      this.#left(i, -inNorth * radius - inEast * along, inEast * radius - inNorth * along);
    } else {
      this.#left(i, -inNorth * radius, inEast * radius);
      if (join === TOWARDS_VERTEX) {
        if (inReach < radius) this.#left(i, -inNorth * inReach, inEast * inReach);
        if (hasOut) this.#left(i, -outNorth * outReach, outEast * outReach);
      }
      this.#left(i, -outNorth * radius, outEast * radius);
    }
  }

  /** The join of the offsets of two edges on the inner side of a bend, from r tan(θ/2), r sin θ and the lengths of both edges. */
  #innerJoin(i: number, along: number, beside: number, inLength: number, outLength: number): InnerJoin {
    const inRoom = this.#kiteShare * inLength;
    const outRoom = this.#kiteShare * outLength;
    const here = Math.abs(this.#series.tan);
    // The tangent of the latitude at the far end of the kite. Even at the equator it is not 0 along the whole kite of a fold.
    const tan = here + ((1 + here * here) * along) / EQUATORIAL_RADIUS;
    const room = Math.min(inRoom, outRoom);
    const isStraight = along * along * tan <= this.#bendLimit;
    if (isStraight && along <= room && (beside <= room || !this.#isNearCut(i))) return AT_CROSSING;
    // At a flat end of the line the part that is cut off may reach beyond the band of the end's edge, as in GEOS.
    const isInEnd = this.#ends[i - 1] === FLAT_END;
    const isOutEnd = this.#ends[i + 1] === FLAT_END;
    if (!isInEnd && !isOutEnd) return TOWARDS_VERTEX;
    const isIn = isInEnd && (!isOutEnd || inRoom <= outRoom);
    const own = isIn ? inRoom : outRoom;
    const other = isIn ? outRoom : inRoom;
    if (isStraight && along <= own && Math.max(along, beside) <= other) return AT_CROSSING;
    return beside <= other && along > own && beside * beside * here <= this.#bendLimit
      ? STRAIGHT
      : TOWARDS_VERTEX;
  }

  /** Whether an end that is cut off at right angles is within two half-widths of a vertex, so that a kite may reach beyond it. */
  #isNearCut(i: number): boolean {
    return this.#isNear(i, this.#fromCut) || this.#isNear(i, this.#toCut);
  }

  #isNear(i: number, end: number): boolean {
    if (end < 0) return false;
    const coords = this.#coords;
    const east = (coords[2 * end]! - coords[2 * i]!) * this.#series.metersPerLon;
    const north = (coords[2 * end + 1]! - coords[2 * i + 1]!) * this.#series.metersPerLat;
    return east * east + north * north < CUT_REACH * CUT_REACH * this.#radius * this.#radius;
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
