/** Which zones contain a position: an R-tree and the cells above it, decided by exact tests alone. */

import { splitBbox } from '../core/angles.js';
import { describe, expected, WayzoneError } from '../core/errors.js';
import { guarded, readBbox, readChoice, readNumber, readPosition } from '../core/gate.js';
import type { Bbox } from '../core/geometry.js';
import { type Geozone, isDeleted, type Pair } from '../core/wire.js';
import { BoxList, Candidates, type Item } from './index/candidates.js';
import { Cells, type SavedCells } from './index/cells.js';
import type { LineTest } from './index/exactTest.js';
import { openIndex, writeIndex } from './index/indexBuffer.js';
import { givenRow, keptRow } from './index/keptRow.js';
import { ZoneLocator } from './index/locator.js';
import { visitNearest } from './index/nearest.js';
import { AS_STORED, KEEP, putPlain } from './index/readPlain.js';
import { RowTable } from './index/rowTable.js';
import { type BoxSink, ShapeStore } from './index/shapeStore.js';
import type {
  BufferOptions,
  Crossing,
  NearestOptions,
  OpenOptions,
  ZoneDistance,
  ZoneIndexOptions,
  ZoneIndexStats,
  ZoneRow,
  ZonesOfPositions,
} from './index/types.js';
import { segmentBoxes } from './lonBoxes.js';
import { meetsBox } from './meetsBox.js';
import { type PreparedZone, prepareNormal } from './prepared.js';
import { readShape } from './shape.js';

export type { ZoneLocator } from './index/locator.js';
export type {
  BufferOptions,
  Crossing,
  NearestOptions,
  OpenOptions,
  ZoneDistance,
  ZoneIndexOptions,
  ZoneIndexStats,
  ZoneRow,
  ZonesOfPositions,
} from './index/types.js';

/** The longest id, in UTF-16 code units. */
export const MAX_ID_LENGTH = 65_536;

/** Prepared zones that are kept at hand. */
const MAX_PREPARED = 4096;

/** Shapes that are gone are cleared away when they are more than this and half of all. */
const MIN_DEAD_VERTICES = 65_536;

const LEAST_CELL_BYTES = 2 ** 26;

/**
 * An index of zones that answers as a scan over all of them with the exact predicates would, in order of insertion.
 *
 * Rows marked deleted are left out. A bad row throws its own error, or with `onIssue` is left out and reported; so is a repeated id
 * (`duplicate-id`). Rows are copied: changing one afterwards changes no answer. A position costs O(log n + candidates) where the index is
 * asked for the first time, and a look at its cell from then on.
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
  readonly #lonIndex: 0 | 1;
  readonly #halfOpen: boolean;
  #store: ShapeStore = new ShapeStore();
  #candidates: Candidates;
  /** Made when the first position is asked for, since laying the grid looks at every zone. */
  #madeCells: Cells | null = null;
  #savedCells: SavedCells | null = null;
  #rows: RowTable<Row> = new RowTable<Row>();
  #leftOut = 0;
  readonly #located = {
    version: 0,
    at: (position: Pair): string[] => this.at(position),
    safeBox: (lon: number, lat: number, box: Float64Array): boolean => this.#cells.safeBox(lon, lat, box),
  };
  /** The overlay's items of zones that were added or changed. */
  readonly #items = new Map<number, Item[]>();
  readonly #prepared = new Map<number, PreparedZone>();

  constructor(zones: Iterable<Row>, options: ZoneIndexOptions = {}) {
    this.#options = options;
    this.#lonIndex =
      readChoice(options.axisOrder, 'options.axisOrder', ['lonlat', 'latlon'], 'lonlat') === 'latlon' ? 1 : 0;
    this.#halfOpen =
      readChoice(options.boundary, 'options.boundary', ['closed', 'half-open'], 'closed') === 'half-open';
    if (options.maxMemoryBytes !== undefined) {
      readNumber(
        options.maxMemoryBytes,
        'options.maxMemoryBytes',
        'option-value',
        0,
        Number.MAX_SAFE_INTEGER,
      );
    }
    const list = new BoxList();
    const box: BoxSink = (piece, bounds) => list.add(piece, bounds);
    const [rows, vertices] = expectedSize(zones);
    this.#store.reserve(rows, vertices);
    list.reserve(rows);
    let number = 0;
    for (const row of zones) {
      const field = `zones[${number++}].`;
      try {
        if (this.#insert(row, field, box) === -1) this.#leftOut++;
      } catch (error) {
        if (options.onIssue === undefined || !(error instanceof WayzoneError)) throw error;
        this.#leftOut++;
        options.onIssue({ code: error.code, severity: 'error', field: error.field, message: error.message });
      }
    }
    this.#candidates = new Candidates(this.#store, list.pack());
  }

  /** How many zones are indexed. */
  get size(): number {
    return this.#rows.size;
  }

  /** How often it was edited: what was asked of it holds while this stays the same. */
  get edits(): number {
    return this.#located.version;
  }

  /** Ids of the zones that contain a position `[lon, lat]`, in order of insertion. Errors: `lat-range`, `lon-range`, `coord-…`. */
  at(position: Pair): string[] {
    const [lon, lat] = readPosition(position, 'position');
    const count = this.#cells.append(lon, lat, 0);
    const { out } = this.#cells;
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(this.#idAt(out[i]!));
    return ids;
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
    const cells = this.#cells;
    const offsets = new Uint32Array(lonLat.length / 2 + 1);
    const end = cells.appendMany(lonLat, offsets);
    const zones = cells.out.slice(0, end);
    cells.trim();
    return { offsets, zones };
  }

  /** The id of an ordinal that `atMany` gave, or null when that zone is gone. */
  idOf(ordinal: number): string | null {
    return this.#rows.idOf(ordinal);
  }

  /** The ordinal of an id: its place in the order of insertion, or null. */
  ordinalOf(id: string): number | null {
    return this.#rows.ordinalOf(id);
  }

  /** All ids, in order of insertion. */
  ids(): string[] {
    return this.#rows.ordinals().map((ordinal) => this.#idAt(ordinal));
  }

  /** Ids of the zones that share a position with a closed box (`bbox-invalid`), in order of insertion; west > east crosses ±180. */
  intersecting(bbox: Bbox): string[] {
    const found = new Set<number>();
    for (const part of splitBbox(readBbox(bbox, 'bbox'))) {
      for (const ordinal of this.#near(part)) {
        if (!found.has(ordinal) && meetsBox(this.#preparedAt(ordinal), part)) found.add(ordinal);
      }
    }
    return [...found].sort((p, q) => p - q).map((ordinal) => this.#idAt(ordinal));
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
    const near = new Set<number>();
    for (const box of segmentBoxes(aLon, aLat, bLon, bLat))
      for (const ordinal of this.#near(box)) near.add(ordinal);
    const crossings: Crossing[] = [];
    for (const ordinal of [...near].sort((p, q) => p - q)) {
      const id = this.#idAt(ordinal);
      const stays = this.#preparedAt(ordinal).stays(aLon, aLat, bLon, bLat);
      for (let i = 0; i < stays.length; i += 2) crossings.push({ id, from: stays[i]!, to: stays[i + 1]! });
    }
    return crossings.sort((p, q) => p.from - q.from);
  }

  /**
   * The nearest zones by true distance, 0 from within, each with its metres: equals in order of insertion. `count` is 1 by default,
   * `maxMeters` unbounded; a zone exactly that far is given. Accuracy as `signedDistanceMeters`. Errors: `option-value`, and as `at`.
   */
  nearest(position: Pair, options: NearestOptions = {}): ZoneDistance[] {
    const [lon, lat] = readPosition(position, 'position');
    const { count = 1, maxMeters = Number.POSITIVE_INFINITY } = options;
    if (!Number.isInteger(count) || count < 1) {
      throw new WayzoneError('option-value', 'options.count', expected('a whole number from 1', count));
    }
    readNumber(maxMeters, 'options.maxMeters', 'option-value', 0, Number.POSITIVE_INFINITY);
    const zones: ZoneDistance[] = [];
    visitNearest(
      this.#store,
      this.#candidates,
      lon,
      lat,
      maxMeters,
      (ordinal) => Math.max(0, this.#preparedAt(ordinal).signedDistanceMeters(lon, lat)),
      (ordinal, distanceMeters) => zones.push({ id: this.#idAt(ordinal), distanceMeters }) < count,
    );
    return zones;
  }

  /**
   * A way to ask for one unit's positions that remembers where its last answer holds: a unit that hardly moves costs next to nothing.
   *
   * @example
   * ```ts
   * import { ZoneIndex } from 'wayzone';
   * const locator = new ZoneIndex([{ id: 'a', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]).locator();
   * locator.at([37.601, 55.701]); // ['a']
   * ```
   */
  locator(): ZoneLocator {
    return new ZoneLocator(this.#located);
  }

  /** Works out all cells now instead of where the index is asked, as far as `maxMemoryBytes` allows. No answer changes. */
  learnAll(): void {
    this.#cells.learnAll();
  }

  /** What the index holds, and what it has learnt so far. */
  stats(): ZoneIndexStats {
    const store = this.#store;
    return {
      zones: this.size,
      leftOut: this.#leftOut,
      vertices: store.vertexCount + store.discCount - store.deadVertices,
      bytes: store.bytes + this.#candidates.tree.bytes + (this.#madeCells?.bytes ?? 0),
      cells: this.#madeCells?.count ?? 0,
      cellBytes: this.#madeCells?.bytes ?? 0,
      overlay: this.#items.size,
    };
  }

  /**
   * The index as one buffer that `fromBuffer` opens: versioned, with a checksum. Rows travel as JSON (what JSON cannot hold, a function,
   * `undefined`, is not in it). Edits are packed first. O(n). Errors: `buffer-row` for a row that JSON refuses, `buffer-limit`.
   */
  toBuffer(options: BufferOptions & { readonly shared: true }): SharedArrayBuffer;
  toBuffer(options?: BufferOptions & { readonly shared?: false }): ArrayBuffer;
  toBuffer(options: BufferOptions = {}): ArrayBuffer | SharedArrayBuffer {
    const { shared = false, cells = false, rows = true } = options;
    if (this.#items.size > 0 || this.#store.deadVertices > 0) this.#rebuild();
    const { axisOrder, lineWidth, defaultWidthMeters, boundary, includeDeleted } = this.#options;
    return writeIndex(
      {
        options: defined({ axisOrder, lineWidth, defaultWidthMeters, boundary, includeDeleted }),
        store: this.#store,
        tree: this.#candidates.tree,
        rows: this.#rows.save(rows),
        cells: cells ? this.#cells.saved() : null,
      },
      shared,
    );
  }

  /**
   * Opens a buffer that `toBuffer` wrote, with the options of then. Nothing is rebuilt: the index reads the buffer where it is, so several
   * threads can share one; edits stay with the reader that makes them (the first one copies the columns that it changes).
   *
   * Errors: `buffer-type`, `buffer-foreign`, `buffer-version`, `buffer-byte-order`, `buffer-truncated`, `buffer-damaged`.
   */
  static fromBuffer<Row extends ZoneRow = Geozone>(
    buffer: ArrayBuffer | SharedArrayBuffer,
    options: OpenOptions = {},
  ): ZoneIndex<Row> {
    const { options: saved, store, tree, rows, cells } = openIndex(buffer, options.verify !== false);
    const { maxMemoryBytes } = options;
    const index = new ZoneIndex<Row>([], {
      ...saved,
      ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
    });
    index.#rows = new RowTable<Row>(rows);
    index.#store = store;
    index.#candidates = new Candidates(store, tree);
    index.#savedCells = cells;
    return index;
  }

  /** Adds a row; false when it is marked deleted. A bad one throws and leaves the index as it was; `duplicate-id` for a known id. */
  add(row: Row): boolean {
    const boxes: [piece: number, box: Bbox][] = [];
    const ordinal = this.#insert(row, '', (piece, box) => boxes.push([piece, box]));
    if (ordinal === -1) return false;
    this.#overlay(ordinal, boxes);
    return true;
  }

  /** Replaces the row of the same id, which keeps its place; false for an unknown id. A row marked deleted is removed. */
  update(row: Row): boolean {
    const id = readId(row, '');
    const ordinal = this.#rows.ordinalOf(id);
    if (ordinal === null) return false;
    if (this.#leavesOut(row)) return this.remove(id);
    const [first, pieces] = this.#store.piecesOf(ordinal);
    const vertices = this.#store.verticesOf(ordinal);
    const boxes: [piece: number, box: Bbox][] = [];
    this.#put(id, row, '', ordinal, (piece, box) => boxes.push([piece, box]));
    this.#store.deadVertices += vertices;
    this.#forget(ordinal, first, pieces);
    this.#overlay(ordinal, boxes);
    return true;
  }

  /** Removes a zone; false for an unknown id. Its ordinal is not given again. */
  remove(id: string): boolean {
    const ordinal = this.#rows.ordinalOf(id);
    if (ordinal === null) return false;
    const [first, pieces] = this.#store.piecesOf(ordinal);
    this.#store.drop(ordinal);
    this.#forget(ordinal, first, pieces);
    this.#rows.remove(ordinal);
    this.#tidy();
    return true;
  }

  has(id: string): boolean {
    return this.#rows.ordinalOf(id) !== null;
  }

  /** The row of an id as it was given (a copy), or null. */
  get(id: string): Row | null {
    const ordinal = this.#rows.ordinalOf(id);
    const kept = ordinal === null ? null : this.#rows.kept(ordinal);
    return ordinal === null || kept === null
      ? null
      : givenRow(kept.row, kept.mode, this.#store, ordinal, this.#lonIndex);
  }

  /** The prepared zone of an id, or null: distances and stays without reading the shape again. */
  prepared(id: string): PreparedZone | null {
    const ordinal = this.#rows.ordinalOf(id);
    return ordinal === null ? null : this.#preparedAt(ordinal);
  }

  get #cells(): Cells {
    if (this.#madeCells !== null) return this.#madeCells;
    const { maxMemoryBytes } = this.#options;
    const store = this.#store;
    const bytes = maxMemoryBytes ?? Math.max(LEAST_CELL_BYTES, 3 * 16 * store.vertexCount);
    const line: LineTest = (ordinal, lon, lat) => this.#preparedAt(ordinal).contains(lon, lat);
    const cells = new Cells(store, this.#candidates, this.#halfOpen, bytes, line, this.#savedCells);
    // The grid is laid over the packed base: of what came since it hears here, and of what comes later when it comes.
    for (const ordinal of this.#items.keys()) cells.forget(...store.piecesOf(ordinal));
    this.#madeCells = cells;
    return cells;
  }

  #preparedAt(ordinal: number): PreparedZone {
    let zone = this.#prepared.get(ordinal);
    if (zone === undefined) {
      zone = prepareNormal(this.#store.shapeOf(ordinal), this.#halfOpen);
      if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
      this.#prepared.set(ordinal, zone);
    }
    return zone;
  }

  /** Zones with a box that meets a box, in order. */
  #near([west, south, east, north]: Bbox): Set<number> {
    const count = this.#candidates.collect(west, south, east, north);
    const ordinals = new Set<number>();
    for (let i = 0; i < count; i++) ordinals.add(this.#store.pieceZone[this.#candidates.pieces[i]!]!);
    return ordinals;
  }

  #leavesOut(row: Row): boolean {
    return this.#options.includeDeleted !== true && guarded('is_delete', () => isDeleted(row));
  }

  /** Takes in a new row and gives its ordinal, or -1 when it is left out. */
  #insert(row: Row, field: string, box: BoxSink): number {
    const id = readId(row, field);
    if (this.#leavesOut(row)) return -1;
    if (this.#rows.ordinalOf(id) !== null) {
      throw new WayzoneError(
        'duplicate-id',
        `${field}id`,
        `expected an id of its own, received ${describe(id)} again`,
      );
    }
    const ordinal = this.#rows.count;
    this.#put(id, row, field, ordinal, box);
    return ordinal;
  }

  /** Reads a row, and only then changes anything. */
  #put(id: string, row: Row, field: string, ordinal: number, box: BoxSink): void {
    const light = guarded(field, () => keptRow(row, id, AS_STORED));
    let mode = -1;
    try {
      mode = putPlain(this.#store, ordinal, row, this.#lonIndex, box);
    } catch {
      // A row that throws when read tells `readShape` where.
    }
    if (mode !== -1) {
      this.#rows.put(ordinal, light, mode);
      return;
    }
    const shape = readShape(row, this.#options, field);
    const whole = guarded(field, () => keptRow(row, id, KEEP));
    this.#store.put(ordinal, shape, box);
    this.#rows.put(ordinal, whole, KEEP);
  }

  /** A zone's shape is no longer what it was: those pieces. */
  #forget(ordinal: number, first: number, pieces: number): void {
    this.#located.version++;
    for (const item of this.#items.get(ordinal) ?? []) this.#candidates.remove(item);
    this.#items.delete(ordinal);
    this.#prepared.delete(ordinal);
    this.#forgetCells(first, pieces);
  }

  /** Cells that were saved know nothing of an edit: they are good no more. */
  #forgetCells(first: number, pieces: number): void {
    this.#savedCells = null;
    this.#madeCells?.forget(first, pieces);
  }

  /** A zone's new shape is in the overlay, and what the cells there knew is not true any more. */
  #overlay(ordinal: number, boxes: readonly (readonly [piece: number, box: Bbox])[]): void {
    this.#located.version++;
    this.#items.set(
      ordinal,
      boxes.map(([piece, box]) => this.#candidates.add(piece, box)),
    );
    this.#forgetCells(...this.#store.piecesOf(ordinal));
    this.#tidy();
  }

  /** Packs the overlay into the base when it has grown, and clears away shapes that are gone. */
  #tidy(): void {
    const { deadVertices, vertexCount, discCount } = this.#store;
    const isWasteful = deadVertices > MIN_DEAD_VERTICES && 2 * deadVertices > vertexCount + discCount;
    if (!isWasteful && !this.#candidates.isDueToMerge) return;
    if (isWasteful) this.#rebuild();
    else {
      this.#candidates.merge();
      this.#renew();
    }
  }

  /** Takes the shapes of all zones into new columns, in order, and packs them. */
  #rebuild(): void {
    const old = this.#store;
    const list = new BoxList();
    this.#store = new ShapeStore();
    for (const ordinal of this.#rows.ordinals()) {
      this.#store.put(ordinal, old.shapeOf(ordinal), (piece, box) => list.add(piece, box));
    }
    this.#candidates = new Candidates(this.#store, list.pack());
    this.#renew();
  }

  /** Everything is in the packed base. */
  #renew(): void {
    this.#prepared.clear();
    this.#items.clear();
    this.#madeCells = null;
    this.#savedCells = null;
  }

  #idAt(ordinal: number): string {
    return this.#rows.idOf(ordinal) ?? '';
  }
}

/** How many rows and vertices a list seems to hold: a guess for the memory to take at once, whatever the rows are. */
function expectedSize(zones: Iterable<ZoneRow>): [rows: number, vertices: number] {
  if (!Array.isArray(zones)) return [0, 0];
  let vertices = 0;
  try {
    for (const row of zones as readonly ZoneRow[]) vertices += row.geometry.length;
  } catch {
    return [0, 0];
  }
  return [zones.length, vertices > 0 && vertices <= 2 ** 28 ? vertices : 0];
}

function readId(row: ZoneRow, field: string): string {
  if (typeof row === 'object' && row !== null) {
    const id: unknown = guarded(`${field}id`, () => row.id);
    if (typeof id === 'string' && id.length <= MAX_ID_LENGTH) return id;
    if (typeof id === 'string') {
      throw new WayzoneError('id-length', `${field}id`, expected(`at most ${MAX_ID_LENGTH} characters`, id));
    }
    throw new WayzoneError('id-type', `${field}id`, expected('a text', id));
  }
  throw new WayzoneError('id-type', `${field}id`, expected('a text', undefined));
}

/** The entries that have a value. */
function defined<T extends object>(options: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}
