/** The zones along each step of a unit: pieces between two borders, each with the zones that contain it. */

import { type IndexInternals, internalsOf } from '../../zones/index/index.js';
import type { ZoneIndexLike } from '../zoneIndexLike.js';

/** Zones at a unit's last position. Saves queries, changes no answer, and is not part of snapshots. */
export interface LastZones {
  lon: number;
  lat: number;
  /** Edits of the index when `here` was found; null before the first step. */
  edits: number | null;
  /** Ordinals of the zones that contain the position, ascending. */
  here: readonly number[];
}

export function noLastZones(): LastZones {
  return { lon: 0, lat: 0, edits: null, here: NONE };
}

const NONE: readonly number[] = [];

/** Two borders nearer than this on a step are one: rounding at an edge that two zones share opens no hole between them. */
const SAME_BORDER_MS = 1e-3;

/** Finds the pieces of one step after another. Its fields describe the last step. */
export class StepZones {
  /** Number of pieces. Piece k reaches from fraction `bounds[k]` to `bounds[k + 1]`. */
  count: number = 0;
  readonly bounds: number[] = [];
  /** Ordinals of the zones of each piece, ascending. */
  readonly zones: (readonly number[])[] = [];
  readonly #index: ZoneIndexLike;
  readonly #internals: IndexInternals | null;
  /** The intervals of the step; the lists may be longer. */
  #found = 0;
  #ordinals: number[] = [];
  #starts: number[] = [];
  #stops: number[] = [];
  /** Ids by ordinal, of an index that only has the public methods. */
  readonly #ids = new Map<number, string>();

  constructor(index: ZoneIndexLike) {
    this.#index = index;
    this.#internals = internalsOf(index);
  }

  idOf(ordinal: number): string {
    return this.#internals?.idOf(ordinal) ?? this.#ids.get(ordinal)!;
  }

  /** Divides a step that is not a gap, of `milliseconds`. `last` is then the place at its end. */
  divide(
    last: LastZones,
    aLon: number,
    aLat: number,
    bLon: number,
    bLat: number,
    milliseconds: number,
  ): void {
    const isKnown = last.edits === this.#edits && last.lon === aLon && last.lat === aLat;
    if (aLon === bLon && aLat === bLat) {
      if (!isKnown) this.#find(last, aLon, aLat, aLon, aLat);
      this.#setWhole(last.here);
    } else {
      this.#find(last, aLon, aLat, bLon, bLat);
      this.#setPieces(last, milliseconds);
    }
    last.lon = bLon;
    last.lat = bLat;
  }

  get #edits(): number {
    // An index without a count of edits is asked at each step.
    return this.#internals?.segments.version ?? this.#index.edits ?? Number.NaN;
  }

  #find(last: LastZones, aLon: number, aLat: number, bLon: number, bLat: number): void {
    if (this.#internals === null) this.#askIndex(aLon, aLat, bLon, bLat);
    else this.#askSegments(this.#internals, aLon, aLat, bLon, bLat);
    last.edits = this.#edits;
    let here: number[] | null = null;
    for (let i = 0; i < this.#found; i++) {
      if (this.#stops[i] !== 1) continue;
      here ??= [];
      if (!here.includes(this.#ordinals[i]!)) here.push(this.#ordinals[i]!);
    }
    last.here = here === null ? NONE : here.sort(ascending);
  }

  #askSegments(internals: IndexInternals, aLon: number, aLat: number, bLon: number, bLat: number): void {
    const { segments } = internals;
    const count = segments.from(aLon, aLat, bLon, bLat).find();
    const { zones, starts, stops } = segments;
    this.#found = count;
    for (let i = 0; i < count; i++) {
      this.#ordinals[i] = zones[i]!;
      this.#starts[i] = starts[i]!;
      this.#stops[i] = stops[i]!;
    }
  }

  #askIndex(aLon: number, aLat: number, bLon: number, bLat: number): void {
    const found = this.#index.crossing([aLon, aLat], [bLon, bLat]);
    this.#ordinals = found.map(({ id }) => this.#index.ordinalOf(id)!);
    this.#starts = found.map(({ from }) => from);
    this.#stops = found.map(({ to }) => to);
    this.#found = found.length;
    for (const [i, { id }] of found.entries()) this.#ids.set(this.#ordinals[i]!, id);
  }

  #setWhole(zones: readonly number[]): void {
    this.count = 1;
    this.bounds[0] = 0;
    this.bounds[1] = 1;
    this.zones[0] = zones;
  }

  #setPieces(last: LastZones, milliseconds: number): void {
    const count = this.#found;
    let isWhole = true;
    for (let i = 0; i < count && isWhole; i++) isWhole = this.#starts[i] === 0 && this.#stops[i] === 1;
    if (isWhole) this.#setWhole(last.here);
    else this.#cut(SAME_BORDER_MS / milliseconds);
  }

  /** Cuts the step at the borders of zones that it meets for longer than a touch. */
  #cut(same: number): void {
    const cuts: number[] = [0];
    const borders: number[] = [];
    for (let i = 0; i < this.#found; i++) {
      if (this.#stops[i]! - this.#starts[i]! > same) borders.push(this.#starts[i]!, this.#stops[i]!);
    }
    borders.sort(ascending);
    for (const border of borders) {
      if (border - cuts.at(-1)! > same && 1 - border > same) cuts.push(border);
    }
    cuts.push(1);
    this.count = cuts.length - 1;
    for (let k = 0; k < cuts.length; k++) this.bounds[k] = cuts[k]!;
    for (let k = 0; k < this.count; k++) {
      const middle = (cuts[k]! + cuts[k + 1]!) / 2;
      const zones: number[] = [];
      for (let i = 0; i < this.#found; i++) {
        if (this.#starts[i]! <= middle && middle <= this.#stops[i]!) zones.push(this.#ordinals[i]!);
      }
      this.zones[k] = zones.sort(ascending);
    }
  }
}

function ascending(a: number, b: number): number {
  return a - b;
}
