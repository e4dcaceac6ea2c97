/** The frame of one tile: its place in the world, in units, and its box in degrees. */

import { inputError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { latOfShare } from './mercator.js';

/** Side of a tile, units. */
export const EXTENT = 4096;
/** Width of the buffer that is drawn beyond each side of a tile, units. */
export const BUFFER = 64;
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
