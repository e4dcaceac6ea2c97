/** What is around a moving unit: a short list of pieces that a search of the tree gave, and a box that no border comes into. */

/** A segment is eight numbers: its ends, a and b, and the box around them. Numbers in an array cost no memory on their way. */
export const A_LON = 0;
export const A_LAT = 1;
export const B_LON = 2;
export const B_LAT = 3;
export const WEST = 4;
export const SOUTH = 5;
export const EAST = 6;
export const NORTH = 7;

/** Pieces that a list may hold. */
export const MAX_NEAR = 32;

/**
 * Facts about an index, true while its version is that of then: which pieces have boxes that meet a box, and where no border is. Steps
 * inside need no search. They do not depend on the unit, which only makes it likely that the next step falls into them.
 */
export class Surroundings {
  /** The index's version that the list is of. */
  version = -1;
  west = 1;
  south = 1;
  east = -1;
  north = -1;
  /** How far the last list reached, in degrees: about so far the next one can. */
  reach: number = Number.POSITIVE_INFINITY;
  /** In order of zone, then of piece; with their boxes. */
  count = 0;
  readonly pieces: Uint32Array;
  readonly boxes: Float32Array;
  calmVersion = -1;
  calmWest = 1;
  calmSouth = 1;
  calmEast = -1;
  calmNorth = -1;
  /** The index's version at the unit's last step: while it is the same, the zones that the unit is in are known. */
  seenVersion = -1;
  /** Steps to go before the next try to make a list, where there was too much for one. */
  patience = 0;

  constructor() {
    const memory = new ArrayBuffer(20 * MAX_NEAR);
    this.boxes = new Float32Array(memory, 0, 4 * MAX_NEAR);
    this.pieces = new Uint32Array(memory, 16 * MAX_NEAR, MAX_NEAR);
  }

  /** Whether the box of a segment is inside that of the list, at that version. */
  covers(version: number, segment: Float64Array): boolean {
    return (
      this.version === version &&
      segment[WEST]! >= this.west &&
      segment[SOUTH]! >= this.south &&
      segment[EAST]! <= this.east &&
      segment[NORTH]! <= this.north
    );
  }

  /** Whether an end of a segment is in the box without a border, at that version. */
  isCalmAt(version: number, segment: Float64Array, end: typeof A_LON | typeof B_LON): boolean {
    return (
      this.calmVersion === version &&
      segment[end]! >= this.calmWest &&
      segment[end + 1]! >= this.calmSouth &&
      segment[end]! <= this.calmEast &&
      segment[end + 1]! <= this.calmNorth
    );
  }

  /** Names the box around a position, of so many degrees each way, as one without a border. */
  calmAt(version: number, lon: number, lat: number, reach: number): void {
    this.calmVersion = version;
    this.calmWest = lon - reach;
    this.calmSouth = lat - reach;
    this.calmEast = lon + reach;
    this.calmNorth = lat + reach;
  }

  /** Writes the pieces of the list whose boxes meet the segment's into `out`, in order, and gives their number. */
  near(out: Uint32Array, segment: Float64Array): number {
    const { boxes, pieces, count } = this;
    const west = segment[WEST]!;
    const south = segment[SOUTH]!;
    const east = segment[EAST]!;
    const north = segment[NORTH]!;
    let found = 0;
    for (let i = 0, box = 0; i < count; i++, box += 4) {
      if (boxes[box]! > east || boxes[box + 2]! < west) continue;
      if (boxes[box + 1]! > north || boxes[box + 3]! < south) continue;
      out[found++] = pieces[i]!;
    }
    return found;
  }
}
