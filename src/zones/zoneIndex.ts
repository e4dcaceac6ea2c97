/** Finds the zones that contain a position. Lists of boxes and cached cells give candidates; exact tests decide. */

import type { Bbox, Position } from '../core/geometry.js';
import { itemsOf, readBbox, readPosition } from '../core/input.js';
import { readOptions } from '../core/options.js';
import {
  BUFFER_OPTIONS,
  type BufferOptions,
  type Crossing,
  checkLonLat,
  type IndexInternals,
  internalsOf,
  type NearestOptions,
  nearestZones,
  OPEN_OPTIONS,
  type OpenOptions,
  openIndex,
  packIndex,
  RowIntake,
  RowTable,
  readIndexRules,
  readInternalsBy,
  readRowId,
  readSegment,
  SegmentIntervals,
  ShapeIndex,
  savedOptions,
  type ZoneDistance,
  type ZoneIndexOptions,
  type ZoneIndexStats,
  type ZoneRow,
  type ZonesOfPositions,
  zonesInBox,
} from './index/index.js';

/**
 * An index of zones. Its results equal a scan over all zones with the exact tests, in order of insertion.
 *
 * Rows marked deleted are left out. An invalid row or a repeated id (`duplicate-id`) throws; with `onIssue` the row is left out and reported.
 * Rows are copied, so later changes of the caller's rows have no effect. A query of a position costs O(1), plus an exact test for each zone
 * whose box contains the position. Where many zones overlap, cells avoid most exact tests.
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
  readonly #shapes: ShapeIndex;
  readonly #rows: RowTable<Row> = new RowTable<Row>();
  readonly #intake: RowIntake<Row>;
  readonly #leftOut: number;
  readonly #segments: SegmentIntervals;
  readonly #notes = new Map<number, string>();

  constructor(zones: Iterable<Row>, options: ZoneIndexOptions = {}) {
    this.#options = options;
    const rules = readIndexRules(options);
    this.#shapes = new ShapeIndex(rules.halfOpen, rules.maxMemoryBytes);
    this.#segments = new SegmentIntervals(this.#shapes);
    this.#intake = new RowIntake(this.#shapes, this.#rows, rules);
    this.#leftOut = this.#intake.insertAll(itemsOf(zones, 'zones'), options.onIssue);
    this.#shapes.pack();
  }

  /** Number of indexed zones. */
  get size(): number {
    return this.#rows.size;
  }

  /** Ids of the zones that contain a position `[lon, lat]`, in order of insertion. Errors: `lat-range`, `lon-range`, `coord-…`. */
  at(position: Position): string[] {
    const [lon, lat] = readPosition(position, 'position');
    return this.#idsAt(lon, lat);
  }

  /**
   * `at` for many positions `[lon0, lat0, lon1, lat1, …]`, with ordinals instead of ids. Errors: `coord-type` for an odd length,
   * `lat-range` and others with the index of the position.
   */
  atMany(lonLat: Float64Array): ZonesOfPositions {
    checkLonLat(lonLat);
    const { positions } = this.#shapes;
    const offsets = new Uint32Array(lonLat.length / 2 + 1);
    return { offsets, zones: positions.findMany(lonLat, offsets) };
  }

  /** `at` for a list of positions: the ids for each position, in order of insertion. Errors: as `at`, with the field `positions[i]`. */
  locateAll(positions: Iterable<Position>): string[][] {
    const ids: string[][] = [];
    for (const position of itemsOf(positions, 'positions')) {
      const [lon, lat] = readPosition(position, `positions[${ids.length}]`);
      ids.push(this.#idsAt(lon, lat));
    }
    return ids;
  }

  /** The id of an ordinal that `atMany` returned. Null if that zone was removed. */
  idOf(ordinal: number): string | null {
    return this.#rows.idOf(ordinal);
  }

  /** The ordinal of an id: its index in the order of insertion. Null for an unknown id. */
  ordinalOf(id: string): number | null {
    return this.#rows.ordinalOf(id);
  }

  /** All ids, in order of insertion. */
  ids(): string[] {
    return this.#rows.ordinals().map((ordinal) => this.#idAt(ordinal));
  }

  /** Ids of the zones that share a position with a closed box, in order of insertion. West > east crosses ±180. Error: `bbox-invalid`. */
  intersecting(bbox: Bbox): string[] {
    return zonesInBox(this.#shapes, readBbox(bbox, 'bbox')).map((ordinal) => this.#idAt(ordinal));
  }

  /**
   * The intervals of the straight lon/lat segment a→b inside each zone, as fractions of the segment, sorted by `from`, then by insertion.
   *
   * An interval begins at 0 if and only if a is inside, and ends at 1 if and only if b is inside. A touch has `from` = `to`. For polygons the
   * fractions are accurate to 4e-15, and gaps under 2e-14 may be missed. For circles and lines the fractions are accurate to a nanometre of arc,
   * and intervals and gaps under 1 mm may be missed. Cost: O(log n + edges near the segment + intervals). The first queries of a ring read all
   * its edges. Errors: as `at`, and `edge-ambiguous` for a segment of exactly 180° of longitude.
   */
  crossing(a: Position, b: Position): Crossing[] {
    const segments = this.#segments;
    const count = segments.from(...readSegment(a, b)).find();
    const { zones, starts, stops } = segments;
    const crossings: Crossing[] = [];
    let zone = -1;
    let id = '';
    for (let i = 0; i < count; i++) {
      // Most neighbours are intervals in one zone.
      if (zones[i] !== zone) {
        zone = zones[i]!;
        id = this.#idAt(zone);
      }
      crossings.push({ id, from: starts[i]!, to: stops[i]! });
    }
    return crossings;
  }

  /**
   * The nearest zones with their distances in metres. A zone that contains the position has distance 0. Zones at equal distance are in order of
   * insertion. `count` is 1 by default. `maxMeters` is inclusive and unbounded by default. Accuracy: as `signedDistanceMeters`. Cost: a search
   * that grows at most with the square root of the number of zones, and an exact distance for each zone whose box is nearer than the last
   * result. The first five queries of a long line or border read all its edges. Errors: `option-value`, and as `at`.
   */
  nearest(position: Position, options: NearestOptions = {}): ZoneDistance[] {
    const [lon, lat] = readPosition(position, 'position');
    return nearestZones(this.#shapes, lon, lat, options, (ordinal) => this.#idAt(ordinal));
  }

  /** Makes all cells now, within `maxMemoryBytes`, instead of on demand. Results do not change. */
  learnAll(): void {
    this.#shapes.buildCells();
  }

  /** Counts and sizes of the zones and of the cells made so far. */
  stats(): ZoneIndexStats {
    const shapes = this.#shapes.stats();
    return { ...shapes, zones: this.size, leftOut: this.#leftOut };
  }

  /**
   * The index as one buffer for `fromBuffer`, with a version and a checksum. Rows are stored as JSON, without functions and `undefined`. Edits
   * are included. Cost: O(n). Errors: `buffer-row` for a row that cannot be written as JSON, `buffer-limit`.
   */
  toBuffer(options: BufferOptions & { readonly shared: true }): SharedArrayBuffer;
  toBuffer(options?: BufferOptions & { readonly shared?: false | undefined }): ArrayBuffer;
  toBuffer(options: BufferOptions = {}): ArrayBuffer | SharedArrayBuffer {
    const { shared, cells, rows } = readOptions(options, BUFFER_OPTIONS);
    this.#shapes.packEdits(() => this.#rows.ordinals());
    return packIndex(
      {
        options: savedOptions(this.#options),
        columns: this.#shapes.columns,
        layers: this.#shapes.candidates.layers,
        rows: this.#rows.save(rows),
        cells: cells ? this.#shapes.candidates.cells.saved() : null,
      },
      shared,
    );
  }

  /**
   * Opens a buffer of `toBuffer`, with the options of the original index. The index reads the buffer in place, so several threads can share one
   * buffer. Edits are private: the first edit copies the columns that it changes. The checksum detects accidents, not manipulation, so open only
   * buffers of your own programs.
   *
   * The bytes may also be a view, such as the `Buffer` that `readFile` returns. A view that does not begin at a multiple of 8 bytes of its
   * memory is copied. The bytes must not change while the index is in use.
   *
   * Errors: `option-type`, `buffer-type`, `buffer-foreign`, `buffer-version`, `buffer-byte-order`, `buffer-truncated`, `buffer-damaged`.
   */
  static fromBuffer<Row extends ZoneRow = ZoneRow>(
    buffer: ArrayBuffer | SharedArrayBuffer | ArrayBufferView,
    options: OpenOptions = {},
  ): ZoneIndex<Row> {
    const { verify } = readOptions(options, OPEN_OPTIONS);
    const { options: saved, columns, layers, rows, cells } = openIndex(buffer, verify);
    const { maxMemoryBytes } = options;
    const index = new ZoneIndex<Row>([], {
      ...saved,
      ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
    });
    index.#rows.open(rows);
    index.#shapes.open(columns, layers, cells);
    return index;
  }

  /** Adds a row. Returns false for a row marked deleted. An invalid row throws and leaves the index unchanged. A known id throws `duplicate-id`. */
  add(row: Row): boolean {
    const ordinal = this.#intake.insert(row);
    if (ordinal === -1) return false;
    this.#shapes.edited();
    this.#tidy();
    return true;
  }

  /** Replaces the row with the same id. The ordinal stays the same. Returns false for an unknown id. A row marked deleted removes the zone. */
  update(row: Row): boolean {
    const id = readRowId(row, '');
    const ordinal = this.#rows.ordinalOf(id);
    if (ordinal === null) return false;
    if (!this.#intake.replace(id, row, ordinal)) return this.remove(id);
    this.#notes.delete(ordinal);
    this.#shapes.edited();
    this.#tidy();
    return true;
  }

  /** Removes a zone. Returns false for an unknown id. Its ordinal is not reused. */
  remove(id: string): boolean {
    const ordinal = this.#rows.ordinalOf(id);
    if (ordinal === null) return false;
    this.#shapes.remove(ordinal);
    this.#rows.remove(ordinal);
    this.#notes.delete(ordinal);
    this.#tidy();
    return true;
  }

  /** Whether a zone of this id is indexed. */
  has(id: string): boolean {
    return this.#rows.ordinalOf(id) !== null;
  }

  /** A copy of the row of an id, as it was added. Null for an unknown id. */
  get(id: string): Row | null {
    const ordinal = this.#rows.ordinalOf(id);
    return ordinal === null ? null : this.#intake.given(ordinal);
  }

  #idsAt(lon: number, lat: number): string[] {
    const { positions } = this.#shapes;
    const count = positions.find(lon, lat);
    const { out } = positions;
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(this.#idAt(out[i]!));
    return ids;
  }

  #tidy(): void {
    this.#shapes.tidy(() => this.#rows.ordinals());
  }

  #idAt(ordinal: number): string {
    return this.#rows.idOf(ordinal) ?? '';
  }

  static {
    readInternalsBy((index) => (#shapes in index ? ZoneIndex.#internals(index) : null));
  }

  static #internals(own: ZoneIndex): IndexInternals {
    return {
      segments: own.#segments,
      shapeHashes: own.#notes,
      idOf: (ordinal) => own.#idAt(ordinal),
      get edits() {
        return own.#shapes.version;
      },
      prepared: (id) => {
        const ordinal = own.#rows.ordinalOf(id);
        return ordinal === null ? null : own.#shapes.preparedAt(ordinal);
      },
      plainShape: (ordinal) => own.#intake.plainShape(ordinal),
      get columns() {
        return own.#shapes.columns;
      },
      get candidates() {
        return own.#shapes.candidates;
      },
      includesDeleted: own.#options.includeDeleted === true,
      keptRow: (ordinal) => own.#rows.kept(ordinal)?.row ?? null,
      alone: (row) => internalsOf(new ZoneIndex([row], savedOptions(own.#options)))!,
    };
  }
}
