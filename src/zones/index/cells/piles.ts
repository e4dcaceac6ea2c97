/**
 * Long lists cut up: where many zones lie over one another, squares that name the zones that cover them and, to be tested, those whose borders
 * come into them.
 */

import { columnOf, withRoom } from '../../shapes/columns.js';
import type { ShapeColumns } from '../../shapes/shapeColumns.js';
import { type BoxGrid, ENTRY } from '../grid/boxGrid.js';
import { BORDER, drawPiece, INSIDE, LEAST_SQUARE, OUTSIDE } from './raster.js';
import type { Room } from './room.js';

/** Lists of fewer pieces are read as they are. */
export const LONG_LIST = 40;

/** How often a list is read before it is cut up: about what that costs. */
const READ = 100;

/** Squares along a side, before they are joined; and how many names the squares may have for each piece. */
const SIDE = 16;
const NAMES_OF_PIECE = 192;

const MAX_WORDS: number = 2 ** 29;

export class Piles {
  readonly #columns: ShapeColumns;
  readonly #room: Room;
  /** By list, as the layer and the part: how often it was read, or the place of its squares, negative; 0 where there are none. */
  readonly #state = new Map<number, number>();
  words: Uint32Array = columnOf(Uint32Array, 0);
  #used = 1;

  constructor(columns: ShapeColumns, room: Room) {
    this.#columns = columns;
    this.#room = room;
  }

  /** How many lists are cut up. */
  get count(): number {
    let count = 0;
    for (const state of this.#state.values()) if (state < 0) count++;
    return count;
  }

  get bytes(): number {
    return 4 * (this.#used - 1);
  }

  /** The place of a list's squares, or 0 where it is to be read as it is. */
  of(grid: BoxGrid, layer: number, part: number): number {
    const key = layer * 2 ** 32 + part;
    const state = this.#state.get(key) ?? READ;
    if (state < 0) return -state;
    if (state === 0) return 0;
    if (state > 1) {
      this.#state.set(key, state - 1);
      return 0;
    }
    return this.#make(grid, part, key);
  }

  /** Cuts up all long lists of a grid, as far as there is room. */
  makeAll(grid: BoxGrid, layer: number): void {
    for (let part = 0; part + 1 < grid.starts.length; part++) {
      const key = layer * 2 ** 32 + part;
      if (grid.starts[part + 1]! - grid.starts[part]! < LONG_LIST) continue;
      if ((this.#state.get(key) ?? READ) > 0) this.#make(grid, part, key);
    }
  }

  #make(grid: BoxGrid, part: number, key: number): number {
    this.#state.set(key, 0);
    const { entries, starts } = grid;
    const first = ENTRY * starts[part]!;
    const count = starts[part + 1]! - starts[part]!;
    const [west, south, east, north] = grid.boundsOf(part);
    const perLon = SIDE / (east - west);
    const perLat = SIDE / (north - south);
    if (!(1 / perLon > LEAST_SQUARE && 1 / perLat > LEAST_SQUARE)) return 0;
    const lattice = { west, south, perLon, perLat, side: SIDE };
    const drawn = new Uint32Array(SIDE * count);
    for (let i = 0; i < count; i++) {
      const piece = entries[first + ENTRY * i]!;
      if (!drawPiece(this.#columns, piece, lattice, drawn, SIDE * i))
        drawn.fill(0xaaaa_aaaa, SIDE * i, SIDE * i + SIDE);
    }
    for (let joined = 1; joined < SIDE; joined *= 2) {
      const side = SIDE / joined;
      const names = counted(drawn, count, joined);
      const total = names.reduce((sum, n) => sum + n, 0);
      if (total > NAMES_OF_PIECE * count) continue;
      return this.#write(grid, first, count, drawn, joined, side, names, total, key);
    }
    return 0;
  }

  /** Squares as: how many along a side; where each begins, and the last ends; pieces, twice, and one more where it covers the square. */
  #write(
    { entries }: BoxGrid,
    first: number,
    count: number,
    drawn: Uint32Array,
    joined: number,
    side: number,
    names: Uint32Array,
    total: number,
    key: number,
  ): number {
    const place = this.#used;
    const end = place + 2 + side * side + total;
    if (end > MAX_WORDS || !this.#room.take(4 * (end - place))) return 0;
    if (end > this.words.length) this.words = withRoom(this.words, 2 * end);
    const { words } = this;
    words[place] = side;
    let at = place + 2 + side * side;
    for (let square = 0; square < side * side; square++) {
      words[place + 1 + square] = at;
      at += names[square]!;
    }
    words[place + 1 + side * side] = at;
    const ends = words.slice(place + 1, place + 1 + side * side);
    for (let i = 0; i < count; i++) {
      const piece = entries[first + ENTRY * i]!;
      for (let square = 0; square < side * side; square++) {
        const value = joinedValue(drawn, SIDE * i, square, side, joined);
        if (value !== OUTSIDE) words[ends[square]!++] = 2 * piece + (value === INSIDE ? 1 : 0);
      }
    }
    this.#used = end;
    this.#state.set(key, -place);
    return place;
  }
}

function counted(drawn: Uint32Array, count: number, joined: number): Uint32Array {
  const side = SIDE / joined;
  const names = new Uint32Array(side * side);
  for (let i = 0; i < count; i++)
    for (let square = 0; square < names.length; square++)
      if (joinedValue(drawn, SIDE * i, square, side, joined) !== OUTSIDE) names[square]!++;
  return names;
}

/** What joined × joined squares are together. */
function joinedValue(drawn: Uint32Array, at: number, square: number, side: number, joined: number): number {
  const row = joined * Math.floor(square / side);
  const shift = 2 * joined * (square % side);
  const mask = joined === 16 ? -1 : (1 << (2 * joined)) - 1;
  const first = (drawn[at + row]! >>> shift) & mask;
  const whole = first === 0 ? OUTSIDE : first === (0x5555_5555 & mask) ? INSIDE : BORDER;
  if (whole === BORDER) return BORDER;
  for (let i = 1; i < joined; i++) if (((drawn[at + row + i]! >>> shift) & mask) !== first) return BORDER;
  return whole;
}
