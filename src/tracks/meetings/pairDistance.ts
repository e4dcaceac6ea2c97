/** The distance of two units that move straight in lon/lat and linearly in time, over one interval. */

import { DEGREES_TO_RADIANS, lonStep, wrapOnce } from '../../core/angles.js';
import { geodesicDistance } from '../../geodesy/distanceMeters.js';
import { LEAST_RADIUS } from '../../geodesy/edge.js';
import { cosLat, ECCENTRICITY_SQUARED, MAX_RADIUS, METERS_PER_LAT_DEGREE, normalRadius, POLAR_RADIUS } from '../../geodesy/ellipsoid.js'; // biome-ignore format: one line
import { type NearlyConvex, sublevelFractions } from '../../geodesy/sublevelIntervals.js';

/** Positions of a unit at the beginning and at the end of the interval, degrees. */
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
    const way = (from: number, to: number): number => this.way * (to - from);
    return sublevelFractions(
      (t) => this.at(t) - meters,
      way,
      this.startMeters - meters,
      this.endMeters - meters,
      this.bulge < Number.POSITIVE_INFINITY ? shapeOf(this.#chordOver(0, 1), this.bulge, meters) : undefined,
    );
  }

  /**
   * The chord between the units from one fraction to another, as if it moved linearly: it is at most `bulge` times the square of their
   * difference away.
   */
  #chordOver(from: number, to: number): ChordLine {
    const [start, end] = [this.#chordAt(from), this.#chordAt(to)];
    const [u, v, w] = [end.x - start.x, end.y - start.y, end.z - start.z];
    return {
      constant: start.x * start.x + start.y * start.y + start.z * start.z,
      linear: 2 * (start.x * u + start.y * v + start.z * w),
      square: u * u + v * v + w * w,
    };
  }

  #chordAt(t: number): Vector {
    const [a, b] = [this.#a, this.#b];
    const from = inSpace(a.lonA + this.#aLon * t, a.latA + (a.latB - a.latA) * t);
    const to = inSpace(b.lonA + this.#bLon * t, b.latA + (b.latB - b.latA) * t);
    return { x: to.x - from.x, y: to.y - from.y, z: to.z - from.z };
  }

  /** The fraction between two others at which the distance is least, of equal ones the first; within 2 mm if that is less than `atMost`. */
  least(from: number, to: number, atMost: number): { t: number; meters: number } {
    let best = { t: from, meters: this.at(from) };
    const take = (t: number): number => {
      const meters = this.at(t);
      if (meters < best.meters) best = { t, meters };
      return meters;
    };
    const isMissed = (bound: number): boolean => bound < Math.min(best.meters, atMost) - LEAST_TOLERANCE;
    const pieces = [{ from, to, left: best.meters, right: take(to) }];
    for (let k = 0; k < pieces.length && k < MAX_PIECES; k++) {
      const piece = pieces[k]!;
      const width = piece.to - piece.from;
      if (!isMissed((piece.left + piece.right - this.way * width) / 2)) continue;
      if (this.bulge < Number.POSITIVE_INFINITY) {
        const chord = this.#chordOver(piece.from, piece.to);
        const nearest = nearestOf(chord, 0, 1);
        const bound = lengthAt(chord, nearest) - this.bulge * width * width - CHORD_ERROR;
        if (!isMissed(bound)) continue;
        take(piece.from + width * nearest);
        if (!isMissed(bound)) continue;
      }
      const middle = piece.from + width / 2;
      const meters = take(middle);
      pieces.push(
        { from: piece.from, to: middle, left: piece.left, right: meters },
        { from: middle, to: piece.to, left: meters, right: piece.right },
      );
    }
    return best;
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

/** The fraction between two others at which the chord is shortest. */
function nearestOf({ linear, square }: ChordLine, from: number, to: number): number {
  return Math.min(to, Math.max(from, square > 0 ? -linear / (2 * square) : from));
}

function lengthAt({ constant, linear, square }: ChordLine, t: number): number {
  return Math.sqrt(Math.max(0, constant + t * (linear + t * square)));
}

/** Shape of the distance less `meters` along the chord. */
function shapeOf(chord: ChordLine, bulge: number, meters: number): NearlyConvex {
  const { constant, linear, square } = chord;
  return {
    bulge,
    leastExcess(from, to) {
      return lengthAt(chord, nearestOf(chord, from, to)) - bulge - CHORD_ERROR - meters;
    },
    crossing(from, to) {
      const root = Math.sqrt(Math.max(0, linear * linear - 4 * square * (constant - meters * meters)));
      const [first, last] = [(-linear - root) / (2 * square), (-linear + root) / (2 * square)];
      const t = Math.abs(first - (from + to) / 2) < Math.abs(last - (from + to) / 2) ? first : last;
      return { t, slope: (linear + 2 * square * t) / (2 * meters) };
    },
  };
}

/** Metres. */
interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A position in space. */
function inSpace(lon: number, lat: number): Vector {
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
