/** The frame of one tile (its place in the world, in units, and its box in degrees), and the Mercator projection of web maps (EPSG:3857). */

import { DEGREES_TO_RADIANS, RADIANS_TO_DEGREES } from '../core/angles.js';
import { inputError } from '../core/errors.js';
import { guarded } from '../core/input.js';

/** Side of a tile, units. */
export const EXTENT = 4096;
/** Width of the buffer that is drawn beyond each side of a tile, units. */
const BUFFER = 64;
/** Side of a pixel of a tile shown 512 pixels wide, units. */
export const PIXEL = 8;
/** Spacing of the world-wide grid of vertices, units: half a pixel. */
export const SNAP = 4;
/** First and last drawn unit, in x and in y. */
export const LOW: number = -BUFFER;
export const HIGH: number = EXTENT + BUFFER;
export const MAX_ZOOM = 24;
/** Distance around the buffer within which vertices are never left out, units, so that snapping cannot move one into the buffer. */
const MARGIN = 2 * SNAP;
/** Latitude at which all latitudes beyond it are drawn, degrees, far outside the map: a pole has no place on it. */
const FARTHEST_LAT = 89.9;
const FOUR_PI: number = 4 * Math.PI;
/** Number of steps per degree in the table of `roughShare`. */
const STEPS = 64;
/** `mercatorShare` at each 64th of a degree, from 90° S. */
const SHARES: Float64Array = shares();

/** The column `x` from west and the row `y` from north of a tile of a zoom. */
export interface TileId {
  /** Zoom, 0 to 24. At zoom z the world has 2^z tiles along each side. */
  readonly z: number;
  /** Column from the west, 0 to 2^z − 1. */
  readonly x: number;
  /** Row from the north, 0 to 2^z − 1. */
  readonly y: number;
}

export interface TileFrame extends TileId {
  /** Side of the world, units. */
  readonly world: number;
  /** Length of a degree of longitude, units. */
  readonly perDegree: number;
  /** North-west corner of the tile, units of the world. */
  readonly left: number;
  readonly top: number;
  /** Box of the tile with its buffer, degrees. Longitudes may lie beyond ±180. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The frame of a tile whose numbers are in range. */
export function tileFrameOf(z: number, x: number, y: number): TileFrame {
  const world = EXTENT * 2 ** z;
  const left = EXTENT * x;
  const top = EXTENT * y;
  const lonAt = (units: number): number => ((left + units) / world) * 360 - 180;
  const latAt = (units: number): number => latOfShare((top + units) / world);
  return {
    z,
    x,
    y,
    world,
    perDegree: world / 360,
    left,
    top,
    west: lonAt(LOW - MARGIN),
    south: latAt(HIGH + MARGIN),
    east: lonAt(HIGH + MARGIN),
    north: latAt(LOW - MARGIN),
  };
}

/** Checks the numbers of a tile. Errors: `tile-type`, `tile-range`. */
export function readTile(tile: unknown): TileFrame {
  const numberOf = (name: 'x' | 'y' | 'z'): number => {
    const value = guarded(`tile.${name}`, () => (tile as Partial<TileId> | null | undefined)?.[name]);
    if (typeof value === 'number') return value;
    throw inputError('tile-type', `tile.${name}`, 'a whole number', value);
  };
  if (typeof tile !== 'object' || tile === null) {
    throw inputError('tile-type', 'tile', 'an object with z, x and y', tile);
  }
  const z = inRange('z', numberOf('z'), MAX_ZOOM);
  const last = 2 ** z - 1;
  return tileFrameOf(z, inRange('x', numberOf('x'), last), inRange('y', numberOf('y'), last));
}

function inRange(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= max) return value === 0 ? 0 : value;
  throw inputError('tile-range', `tile.${name}`, `a whole number from 0 to ${max}`, value);
}

/** Latitude beyond which no tile draws, degrees: the buffer of zoom 0 ends at 85.5°. The map is stretched most there. */
export const DRAWN_LAT = 85.6;
/** Latitude of the upper edge of the map, degrees: atan(sinh π). */
export const MAP_LAT: number = Math.atan(Math.sinh(Math.PI)) * RADIANS_TO_DEGREES;

/** Distance from the top as a share of the world's height: 0 at `MAP_LAT`, 1 at -`MAP_LAT`. */
export function mercatorShare(lat: number): number {
  const clamped = lat > FARTHEST_LAT ? FARTHEST_LAT : lat < -FARTHEST_LAT ? -FARTHEST_LAT : lat;
  const sin = Math.sin(clamped * DEGREES_TO_RADIANS);
  return 0.5 - Math.log((1 + sin) / (1 - sin)) / FOUR_PI;
}

/** The latitude, degrees, of a share of the world's height. */
export function latOfShare(share: number): number {
  return Math.atan(Math.sinh((1 - 2 * share) * Math.PI)) * RADIANS_TO_DEGREES;
}

function shares(): Float64Array {
  return Float64Array.from({ length: 180 * STEPS + 2 }, (_, i) => mercatorShare(i / STEPS - 90));
}

/** `mercatorShare` from a table, three times faster. Its error on the map is below 7e-7, or 0.2 units at zoom 6. */
export function roughShare(lat: number): number {
  const place = (lat + 90) * STEPS;
  const step = Math.floor(place);
  const share = SHARES[step]!;
  return share + (SHARES[step + 1]! - share) * (place - step);
}
