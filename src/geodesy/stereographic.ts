/**
 * A plane for any region that leaves one position of the Earth free: the stereographic projection from that position.
 *
 * The sphere is that of geodetic latitude: what counts is that the map is continuous, one to one and keeps left and right, not that
 * it is conformal on the ellipsoid.
 */

import { DEGREES_TO_RADIANS, RADIANS_TO_DEGREES } from '../core/angles.js';
import { cosLat } from './ellipsoid.js';

export type Vector = readonly [x: number, y: number, z: number];

export function unitVector(lon: number, lat: number): Vector {
  const cos = cosLat(lat);
  return [
    cos * Math.cos(lon * DEGREES_TO_RADIANS),
    cos * Math.sin(lon * DEGREES_TO_RADIANS),
    Math.sin(lat * DEGREES_TO_RADIANS),
  ];
}

export class Stereographic {
  readonly #centre: Vector;
  readonly #east: Vector;
  readonly #north: Vector;

  /** `centre` is a unit vector; its antipode must stay out of all that is projected. */
  constructor(centre: Vector) {
    const [x, y, z] = centre;
    const away: Vector = Math.abs(z) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const east = normalized(cross(away, centre));
    this.#centre = [x, y, z];
    this.#east = east;
    this.#north = cross(centre, east);
  }

  /** Plane coordinates; 1 is about an Earth's radius at the centre. */
  project(lon: number, lat: number): [number, number] {
    const vector = unitVector(lon, lat);
    const factor = 2 / (1 + dot(vector, this.#centre));
    return [factor * dot(vector, this.#east), factor * dot(vector, this.#north)];
  }

  /** Position in degrees, longitude in [-180, 180]. */
  unproject(x: number, y: number): [number, number] {
    const square = x * x + y * y;
    const across = 4 / (4 + square);
    const along = (4 - square) / (4 + square);
    const [c, e, n] = [this.#centre, this.#east, this.#north];
    const vx = across * (x * e[0] + y * n[0]) + along * c[0];
    const vy = across * (x * e[1] + y * n[1]) + along * c[1];
    const vz = across * (x * e[2] + y * n[2]) + along * c[2];
    return [
      Math.atan2(vy, vx) * RADIANS_TO_DEGREES,
      Math.atan2(vz, Math.sqrt(vx * vx + vy * vy)) * RADIANS_TO_DEGREES,
    ];
  }
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function normalized([x, y, z]: Vector): Vector {
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
