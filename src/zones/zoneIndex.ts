/** Which zones contain a position: an R-tree over the zones' boxes, decided by the exact tests of the prepared zones. */

import RBush from 'rbush';
import { splitBbox } from '../core/angles.js';
import { describe, expected, WayzoneError } from '../core/errors.js';
import type { Issue } from '../core/fix.js';
import { guarded, readBbox, readLonLat, readPosition } from '../core/gate.js';
import type { Bbox } from '../core/geometry.js';
import { type Geozone, isDeleted, type Pair, type ZoneOptions } from '../core/wire.js';
import { segmentBoxes } from './lonBoxes.js';
import { meetsBox } from './meetsBox.js';
import { type PreparedZone, prepareZone } from './prepared.js';

/** The longest id, in UTF-16 code units. */
export const MAX_ID_LENGTH = 65_536;

/** What the index needs of a row; every further field is kept. */
export type ZoneRow = Pick<Geozone, 'id' | 'type' | 'geometry' | 'width' | 'parts' | 'is_delete'>;

export interface ZoneIndexOptions extends ZoneOptions {
  /** Whether rows marked deleted are indexed too. Default false. */
  readonly includeDeleted?: boolean;
  /** Receives what is wrong with a bad row, which is then left out; without it a bad row throws. */
  readonly onIssue?: (issue: Issue) => void;
}

/** A stay of a segment inside a zone, as fractions of the segment. */
export interface Crossing {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** Compressed rows: the zones of position `i` are `zones[offsets[i]] … zones[offsets[i + 1] - 1]`, as ordinals. */
export interface ZonesOfPositions {
  readonly offsets: Uint32Array;
  readonly zones: Uint32Array;
}

interface Entry<Row> {
  readonly row: Row;
  readonly zone: PreparedZone;
  readonly ordinal: number;
  readonly items: readonly Item[];
}

interface Item {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly ordinal: number;
}

/**
 * An index of zones that answers as a scan over all of them with the exact predicates would, in order of insertion.
 *
 * Rows marked deleted are left out. A bad row throws its own error, or with `onIssue` is left out and reported; so is a repeated id
 * (`duplicate-id`). Geometry is copied: changing a row afterwards changes no answer. Queries cost O(log n + candidates).
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * index.at([37.601, 55.701]); // ['depot']
 * ```
 */
export class ZoneIndex<Row extends ZoneRow = ZoneRow> {
  readonly #options: ZoneIndexOptions;
  readonly #tree: RBush<Item> = new RBush<Item>();
  readonly #byId = new Map<string, Entry<Row>>();
  readonly #byOrdinal: (Entry<Row> | undefined)[] = [];

  constructor(zones: Iterable<Row>, options: ZoneIndexOptions = {}) {
    this.#options = options;
    const items: Item[] = [];
    let number = 0;
    for (const row of zones) {
      const field = `zones[${number++}].`;
      try {
        const entry = this.#read(row, field, this.#byOrdinal.length);
        if (entry === null) continue;
        this.#keep(entry);
        for (const item of entry.items) items.push(item);
      } catch (error) {
        if (options.onIssue === undefined || !(error instanceof WayzoneError)) throw error;
        options.onIssue({ code: error.code, severity: 'error', field: error.field, message: error.message });
      }
    }
    this.#tree.load(items);
  }

  /** How many zones are indexed. */
  get size(): number {
    return this.#byId.size;
  }

  /** Ids of the zones that contain a position `[lon, lat]`, in order of insertion. Errors: `lat-range`, `lon-range`, `coord-…`. */
  at(position: Pair): string[] {
    const [lon, lat] = readPosition(position, 'position');
    return this.#ordinalsAt(lon, lat).map((ordinal) => this.#byOrdinal[ordinal]!.row.id);
  }

  /**
   * `at` for many positions `[lon0, lat0, lon1, lat1, …]`, as ordinals.
   * Errors: `coord-type` for an odd length, `lat-range` and the like with the number of the position.
   */
  atMany(lonLat: Float64Array): ZonesOfPositions {
    if (!(lonLat instanceof Float64Array) || lonLat.length % 2 !== 0) {
      throw new WayzoneError(
        'coord-type',
        'lonLat',
        expected('a Float64Array of lon, lat, lon, lat, …', lonLat),
      );
    }
    const offsets = new Uint32Array(lonLat.length / 2 + 1);
    const zones: number[] = [];
    for (let i = 0; i < lonLat.length; i += 2) {
      const [lon, lat] = readLonLat(lonLat[i], lonLat[i + 1], `lonLat[${i / 2}]`);
      for (const ordinal of this.#ordinalsAt(lon, lat)) zones.push(ordinal);
      offsets[i / 2 + 1] = zones.length;
    }
    return { offsets, zones: Uint32Array.from(zones) };
  }

  /** The id of an ordinal that `atMany` gave, or null when that zone is gone. */
  idOf(ordinal: number): string | null {
    return this.#byOrdinal[ordinal]?.row.id ?? null;
  }

  /** The ordinal of an id: its place in the order of insertion, or null. */
  ordinalOf(id: string): number | null {
    return this.#byId.get(id)?.ordinal ?? null;
  }

  /** All ids, in order of insertion. */
  ids(): string[] {
    return this.#byOrdinal.flatMap((entry) => (entry === undefined ? [] : [entry.row.id]));
  }

  /** Ids of the zones that share a position with a closed box (`bbox-invalid`), in order of insertion; west > east crosses ±180. */
  intersecting(bbox: Bbox): string[] {
    const parts = splitBbox(readBbox(bbox, 'bbox'));
    const found = parts.flatMap((part) =>
      this.#search(part).filter((ordinal) => meetsBox(this.#byOrdinal[ordinal]!.zone, part)),
    );
    return sortedUnique(found).map((ordinal) => this.#byOrdinal[ordinal]!.row.id);
  }

  /**
   * Every stay of the straight lon/lat segment a→b in a zone, as fractions of it: in order of `from`, then of insertion.
   *
   * A stay begins at 0 exactly when a is inside and ends at 1 exactly when b is; a touch has `from` = `to`. Circles and lines are
   * resolved to a nanometre of arc; their dips and touches under 1 mm may be missed. Errors as `at`, and `edge-ambiguous` for a
   * segment of exactly 180° of longitude.
   */
  crossing(a: Pair, b: Pair): Crossing[] {
    const [aLon, aLat] = readPosition(a, 'a');
    const [bLon, bLat] = readPosition(b, 'b');
    if (Math.abs(bLon - aLon) === 180) {
      throw new WayzoneError(
        'edge-ambiguous',
        'b',
        'expected a segment of less than 180° of longitude, received exactly 180°',
      );
    }
    const ordinals = sortedUnique(segmentBoxes(aLon, aLat, bLon, bLat).flatMap((box) => this.#search(box)));
    const crossings: Crossing[] = [];
    for (const ordinal of ordinals) {
      const { row, zone } = this.#byOrdinal[ordinal]!;
      const stays = zone.stays(aLon, aLat, bLon, bLat);
      for (let i = 0; i < stays.length; i += 2)
        crossings.push({ id: row.id, from: stays[i]!, to: stays[i + 1]! });
    }
    return crossings.sort((p, q) => p.from - q.from);
  }

  /** Adds a row; false when it is marked deleted. A bad one throws and leaves the index as it was; `duplicate-id` for a known id. */
  add(row: Row): boolean {
    const entry = this.#read(row, '', this.#byOrdinal.length);
    if (entry === null) return false;
    this.#keep(entry);
    for (const item of entry.items) this.#tree.insert(item);
    return true;
  }

  /** Replaces the row of the same id, which keeps its place; false for an unknown id. A row marked deleted is removed. */
  update(row: Row): boolean {
    const old = this.#byId.get(readId(row, ''));
    if (old === undefined) return false;
    if (this.#leavesOut(row)) return this.remove(old.row.id);
    const entry = this.#prepare(row, '', old.ordinal);
    for (const item of old.items) this.#tree.remove(item);
    for (const item of entry.items) this.#tree.insert(item);
    this.#byId.set(entry.row.id, entry);
    this.#byOrdinal[entry.ordinal] = entry;
    return true;
  }

  /** Removes a zone; false for an unknown id. Its ordinal is not given again. */
  remove(id: string): boolean {
    const entry = this.#byId.get(id);
    if (entry === undefined) return false;
    for (const item of entry.items) this.#tree.remove(item);
    this.#byId.delete(id);
    this.#byOrdinal[entry.ordinal] = undefined;
    return true;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** The row of an id as it was given (a shallow copy), or null. */
  get(id: string): Row | null {
    return this.#byId.get(id)?.row ?? null;
  }

  /** The prepared zone of an id, or null: distances and stays without reading the shape again. */
  prepared(id: string): PreparedZone | null {
    return this.#byId.get(id)?.zone ?? null;
  }

  #leavesOut(row: Row): boolean {
    return this.#options.includeDeleted !== true && guarded('is_delete', () => isDeleted(row));
  }

  #read(row: Row, field: string, ordinal: number): Entry<Row> | null {
    const id = readId(row, field);
    if (this.#leavesOut(row)) return null;
    if (this.#byId.has(id)) {
      throw new WayzoneError(
        'duplicate-id',
        `${field}id`,
        `expected an id of its own, received ${describe(id)} again`,
      );
    }
    return this.#prepare(row, field, ordinal);
  }

  #prepare(row: Row, field: string, ordinal: number): Entry<Row> {
    const zone = prepareZone(row, this.#options, field);
    const items = zone.boxes.map(([minX, minY, maxX, maxY]) => ({ minX, minY, maxX, maxY, ordinal }));
    return { row: guarded(field, () => ({ ...row })), zone, ordinal, items };
  }

  #keep(entry: Entry<Row>): void {
    this.#byId.set(entry.row.id, entry);
    this.#byOrdinal[entry.ordinal] = entry;
  }

  /** At a pole every longitude is the same position. */
  #ordinalsAt(lon: number, lat: number): number[] {
    const box: Bbox = Math.abs(lat) === 90 ? [-180, lat, 180, lat] : [lon, lat, lon, lat];
    return sortedUnique(
      this.#search(box).filter((ordinal) => this.#byOrdinal[ordinal]!.zone.contains(lon, lat)),
    );
  }

  /** Ordinals of the zones whose boxes meet a box; one of several boxes may come more than once. */
  #search([minX, minY, maxX, maxY]: Bbox): number[] {
    return this.#tree.search({ minX, minY, maxX, maxY }).map((item) => item.ordinal);
  }
}

function readId(row: ZoneRow, field: string): string {
  return guarded(`${field}id`, () => {
    if (typeof row !== 'object' || row === null || typeof row.id !== 'string') {
      throw new WayzoneError('id-type', `${field}id`, expected('a text', row?.id));
    }
    if (row.id.length > MAX_ID_LENGTH) {
      throw new WayzoneError(
        'id-length',
        `${field}id`,
        expected(`at most ${MAX_ID_LENGTH} characters`, row.id),
      );
    }
    return row.id;
  });
}

function sortedUnique(ordinals: readonly number[]): number[] {
  if (ordinals.length < 2) return [...ordinals];
  return [...new Set(ordinals)].sort((p, q) => p - q);
}
