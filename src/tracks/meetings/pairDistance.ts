/** The distance of two units that move straight in lon/lat and linearly in time, over one interval. */

import { DEGREES_TO_RADIANS, lonStep, wrapOnce } from '../../core/angles.js';
import { LEAST_RADIUS } from '../../geodesy/edge.js';
import { cosLat, ECCENTRICITY_SQUARED, MAX_RADIUS, METERS_PER_LAT_DEGREE, meridianRadius, normalRadius, POLAR_RADIUS } from '../../geodesy/ellipsoid.js'; // biome-ignore format: one line
import { geodesicDistance } from '../../geodesy/inverse.js';
import { type NearlyConvex, sublevelFractions } from '../../geodesy/sublevelIntervals.js';

/** Where a unit is at the beginning and at the end of the interval, degrees. */
export interface Move {
  readonly lonA: number;
  readonly latA: number;
  readonly lonB: number;
  readonly latB: number;
}

export type MutableMove = { -readonly [Key in keyof Move]: Move[Key] };

/** Beyond this distance units count as unrelated: their own ways bound the change of the distance. */
const NEAR_METERS = 200_000;
/** A geodesic up to this long is less than 0.1 mm longer than its chord. */
const CLOSE_METERS = 4000;
/** Rounding of positions in space, metres. */
const CHORD_ERROR = 1e-7;
/** Nearer to a pole directions change too fast. */
const MOST_LAT = 89;
/** Most metres of a degree, of longitude at the equator too. */
const PER_LAT = MAX_RADIUS * DEGREES_TO_RADIANS;
/** Error of `least`, metres. */
export const LEAST_TOLERANCE = 0.002;
const MAX_PIECES = 2000;
const NEWTON_ROUNDS = 3;

/** Whether two units are surely more than `meters` apart throughout. Cheap, and never wrong. */
export function areApart(a: Move, b: Move, meters: number): boolean {
  const gap = Math.max(
    Math.min(a.latA, a.latB) - Math.max(b.latA, b.latB),
    Math.min(b.latA, b.latB) - Math.max(a.latA, a.latB),
  );
  if (gap * METERS_PER_LAT_DEGREE > meters) return true;
  const spans = Math.abs(lonStep(a.lonA, a.lonB)) + Math.abs(lonStep(b.lonA, b.lonB));
  // Round the Earth the other way it is at least as much. Where the spans may meet, it is negative, and so is the sine.
  const east = Math.abs(lonStep(a.lonA, b.lonA)) - spans;
  const highest = Math.max(Math.abs(a.latA), Math.abs(a.latB), Math.abs(b.latA), Math.abs(b.latB));
  // On the sphere of reduced latitude (`lowerBounds.ts`): the distance is at least b σ ≥ 2 b cos φ sin(Δλ / 2).
  const half = (east / 2) * DEGREES_TO_RADIANS;
  return 2 * POLAR_RADIUS * cosLat(highest) * Math.sin(half) > meters * (1 + 1e-9) + 1e-6;
}

/** Metres between two units at a fraction of the interval. */
export function metersAt(a: Move, b: Move, t: number): number {
  return geodesicDistance(
    wrapOnce(a.lonA + lonStep(a.lonA, a.lonB) * t),
    a.latA + (a.latB - a.latA) * t,
    wrapOnce(b.lonA + lonStep(b.lonA, b.lonB) * t),
    b.latA + (b.latB - b.latA) * t,
  );
}

export class PairDistance {
  readonly startMeters: number;
  readonly endMeters: number;
  readonly #a: Move;
  readonly #b: Move;
  readonly #aLon: number;
  readonly #bLon: number;
  /** Metres by which the distance changes at most over the interval; NaN until it is asked for. */
  #way: number = Number.NaN;
  /** NaN until it is asked for. */
  #bulge: number = Number.NaN;
  #chord: ChordLine | null = null;

  /** `startMeters` is the distance at the beginning; NaN: unknown. */
  constructor(a: Move, b: Move, startMeters: number) {
    this.#a = a;
    this.#b = b;
    this.#aLon = lonStep(a.lonA, a.lonB);
    this.#bLon = lonStep(b.lonA, b.lonB);
    this.startMeters = Number.isNaN(startMeters)
      ? geodesicDistance(a.lonA, a.latA, b.lonA, b.latA)
      : startMeters;
    this.endMeters = geodesicDistance(a.lonB, a.latB, b.lonB, b.latB);
  }

  /** Metres between the units at a fraction of the interval. */
  at(t: number): number {
    if (t === 0) return this.startMeters;
    if (t === 1) return this.endMeters;
    return metersAt(this.#a, this.#b, t);
  }

  /** Upper bound of the change of the distance over the interval, metres. */
  get way(): number {
    if (Number.isNaN(this.#way)) this.#bound();
    return this.#way;
  }

  /**
   * Between two fractions the distance lies at most this, times the square of their difference, above the straight line between its values
   * there, give or take 0.1 mm; `Infinity` far apart or near a pole.
   *
   * The chord between the units is a vector C, and |C|″ ≥ −|C″|: were both ways straight, the length would be convex. A way that is straight in
   * lon/lat has |P″| ≤ (1.02 n² + (e² + 2 n e) / cos φ) / R for n metres to the north and e to the east, at most 2.7 of the square of the way
   * over R cos φ. The geodesic is longer than the chord by less than D³ / 20 R².
   */
  get bulge(): number {
    if (Number.isNaN(this.#bulge)) this.#bound();
    return this.#bulge;
  }

  /** The fractions `[from0, to0, …]` at which the units are at most `meters` apart. */
  within(meters: number): number[] {
    if (Math.max(this.startMeters, this.endMeters) + this.bulge <= meters) return [0, 1];
    const chord = this.bulge < Number.POSITIVE_INFINITY ? this.#chordLine : null;
    const way = (from: number, to: number): number => this.way * (to - from);
    return sublevelFractions(
      (t) => this.at(t) - meters,
      way,
      this.startMeters - meters,
      this.endMeters - meters,
      chord === null ? undefined : shapeOf(chord, this.bulge, meters),
    );
  }

  /** The chord between the units as if it moved linearly: it is then at most `bulge` away. */
  get #chordLine(): ChordLine {
    if (this.#chord !== null) return this.#chord;
    const [a, b] = [this.#a, this.#b];
    const [startA, startB] = [inSpace(a.lonA, a.latA), inSpace(b.lonA, b.latA)];
    const [endA, endB] = [inSpace(a.lonB, a.latB), inSpace(b.lonB, b.latB)];
    const [x, y, z] = [startB.x - startA.x, startB.y - startA.y, startB.z - startA.z];
    const [u, v, w] = [endB.x - endA.x - x, endB.y - endA.y - y, endB.z - endA.z - z];
    this.#chord = {
      constant: x * x + y * y + z * z,
      linear: 2 * (x * u + y * v + z * w),
      square: u * u + v * v + w * w,
    };
    return this.#chord;
  }

  /** A lower bound of the distance between two fractions. */
  atLeast(from: number, to: number): number {
    return (this.at(from) + this.at(to) - this.way * (to - from)) / 2;
  }

  /** The one of two fractions at which the distance is less; of equal ones the first. */
  nearerEnd(from: number, to: number): { t: number; meters: number } {
    const [first, last] = [this.at(from), this.at(to)];
    return last < first ? { t: to, meters: last } : { t: from, meters: first };
  }

  /** The fraction between two others at which the distance is least; within 2 mm if that is less than `atMost`. */
  least(from: number, to: number, atMost: number): { t: number; meters: number } {
    let best = { t: from, meters: this.at(from) };
    const take = (t: number): number => {
      const meters = this.at(t);
      if (meters < best.meters) best = { t, meters };
      return meters;
    };
    const end = take(to);
    take(this.#closest(from, to));
    // Branch and bound over what the plane may have missed.
    const pieces = [{ from, to, left: this.at(from), right: end }];
    for (let k = 0; k < pieces.length && k < MAX_PIECES; k++) {
      const piece = pieces[k]!;
      const bound = (piece.left + piece.right - this.way * (piece.to - piece.from)) / 2;
      const middle = (piece.from + piece.to) / 2;
      if (bound >= Math.min(best.meters, atMost) - LEAST_TOLERANCE) continue;
      const meters = take(middle);
      pieces.push(
        { from: piece.from, to: middle, left: piece.left, right: meters },
        { from: middle, to: piece.to, left: meters, right: piece.right },
      );
    }
    return best;
  }

  /** The closest approach on the plane, improved at each place. */
  #closest(from: number, to: number): number {
    const [a, b] = [this.#a, this.#b];
    const eastSpeed = this.#bLon - this.#aLon;
    const northSpeed = b.latB - b.latA - (a.latB - a.latA);
    let t = (from + to) / 2;
    for (let round = 0; round < NEWTON_ROUNDS; round++) {
      const lat = (a.latA + (a.latB - a.latA) * t + b.latA + (b.latB - b.latA) * t) / 2;
      const sin = Math.sin(lat * DEGREES_TO_RADIANS);
      const [perLon, perLat] = [normalRadius(sin) * cosLat(lat), meridianRadius(sin)];
      const east = lonStep(wrapOnce(a.lonA + this.#aLon * t), wrapOnce(b.lonA + this.#bLon * t)) * perLon;
      const north = (b.latA + (b.latB - b.latA) * t - a.latA - (a.latB - a.latA) * t) * perLat;
      const [u, v] = [eastSpeed * perLon, northSpeed * perLat];
      const square = u * u + v * v;
      if (square === 0) return from;
      t = Math.min(to, Math.max(from, t - (east * u + north * v) / square));
    }
    return t;
  }

  /**
   * Sets `way` and `bulge`.
   *
   * |dD/dt| is at most the difference of the velocities, each in the directions of its own place, and what the directions and the scale of
   * longitude change over the distance: 2 tan φ D / R of the lesser speed, as the difference may be taken in the directions of either place. Far
   * apart, or near a pole, the sum of both ways.
   */
  #bound(): void {
    const [a, b] = [this.#a, this.#b];
    const southmost = Math.min(a.latA, a.latB, b.latA, b.latB);
    const northmost = Math.max(a.latA, a.latB, b.latA, b.latB);
    const low = Math.max(0, southmost, -northmost);
    const highest = Math.max(northmost, -southmost);
    const perLon = PER_LAT * cosLat(low);
    const aMeters = lengthOf(this.#aLon * perLon, (a.latB - a.latA) * PER_LAT);
    const bMeters = lengthOf(this.#bLon * perLon, (b.latB - b.latA) * PER_LAT);
    const sum = (aMeters + bMeters) * (1 + 1e-12);
    const ends = this.startMeters + this.endMeters;
    const farthest = (ends + sum) / 2;
    this.#way = sum;
    this.#bulge = Number.POSITIVE_INFINITY;
    if (!(farthest < NEAR_METERS) || highest > MOST_LAT) return;
    const cos = cosLat(highest);
    const apart = lengthOf(
      (this.#bLon - this.#aLon) * perLon,
      (b.latB - b.latA - (a.latB - a.latA)) * PER_LAT,
    );
    const turnShare = ((2.2 / cos) * Math.min(aMeters, bMeters)) / LEAST_RADIUS;
    const way = Math.min(sum, 1.001 * apart + turnShare * farthest);
    // So bounded the units are nearer to each other, and turn less.
    this.#way = Math.min(way, 1.001 * apart + turnShare * ((ends + way) / 2));
    if (!(farthest < CLOSE_METERS)) return;
    const squares = aMeters * aMeters + bMeters * bMeters;
    this.#bulge = (2.7 * squares) / (8 * LEAST_RADIUS * cos) + farthest ** 3 / (20 * LEAST_RADIUS ** 2);
  }
}

/** The square of the chord's length is `constant + linear t + square t²`. */
interface ChordLine {
  readonly constant: number;
  readonly linear: number;
  readonly square: number;
}

/** What the chord says of the distance less `meters`. */
function shapeOf({ constant, linear, square }: ChordLine, bulge: number, meters: number): NearlyConvex {
  return {
    bulge,
    leastExcess(from, to) {
      const t = Math.min(to, Math.max(from, square > 0 ? -linear / (2 * square) : from));
      const least = Math.sqrt(Math.max(0, constant + t * (linear + t * square)));
      return least - bulge - CHORD_ERROR - meters;
    },
    crossing(from, to) {
      const root = Math.sqrt(Math.max(0, linear * linear - 4 * square * (constant - meters * meters)));
      const [first, last] = [(-linear - root) / (2 * square), (-linear + root) / (2 * square)];
      const t = Math.abs(first - (from + to) / 2) < Math.abs(last - (from + to) / 2) ? first : last;
      return { t, slope: (linear + 2 * square * t) / (2 * meters) };
    },
  };
}

/** A position in space, metres. */
function inSpace(lon: number, lat: number): { readonly x: number; readonly y: number; readonly z: number } {
  const east = lon * DEGREES_TO_RADIANS;
  const sin = Math.sin(lat * DEGREES_TO_RADIANS);
  const radius = normalRadius(sin);
  const toAxis = radius * cosLat(lat);
  return {
    x: toAxis * Math.cos(east),
    y: toAxis * Math.sin(east),
    z: radius * (1 - ECCENTRICITY_SQUARED) * sin,
  };
}

function lengthOf(east: number, north: number): number {
  return Math.sqrt(east * east + north * north);
}
