/** Which zones contain a position: lists of boxes, what was worked out for those asked often, and exact tests that alone decide. */

import type { Bbox, Position } from '../core/geometry.js';
import { checkOptions, itemsOf, readBbox, readPosition } from '../core/input.js';
import { openIndex, writeIndex } from './index/buffer/indexBuffer.js';
import { checkLonLat, readIndexRules, readNearest, readSegment, savedOptions } from './index/indexRules.js';
import type { Insides } from './index/insides.js';
import { RowIntake, readId } from './index/rows/rowIntake.js';
import { RowTable } from './index/rows/rowTable.js';
import { SegmentIntervals } from './index/segments/segmentIntervals.js';
import { ShapeIndex } from './index/shapeIndex.js';
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
import { visitNearest } from './index/visitNearest.js';
import { ZoneLocator } from './index/zoneLocator.js';
import { zonesInBox } from './index/zonesInBox.js';

/** What an index gives trackers beside its public names; null for an index of another kind. */
export let insidesOf: (index: object) => Insides | null;

/**
 * An index of zones that answers as a scan over all of them with the exact predicates would, in order of insertion.
 *
 * Rows marked deleted are left out. A bad row throws its own error, or with `onIssue` is left out and reported; so is a repeated id
 * (`duplicate-id`). Rows are copied: changing one afterwards changes no answer. A position costs O(1) and an
 * exact test for each zone whose box holds it. Where many zones lie over one another, cells are made that need hardly any exact test.
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
    this.#intake = new RowIntake(this.#shapes, this.#rows, options, rules);
    this.#leftOut = this.#intake.insertAll(itemsOf(zones, 'zones'));
    this.#shapes.pack();
  }

  /** How many zones are indexed. */
  get size(): number {
    return this.#rows.size;
  }

  /** Ids of the zones that contain a position `[lon, lat]`, in order of insertion. Errors: `lat-range`, `lon-range`, `coord-…`. */
  at(position: Position): string[] {
    const [lon, lat] = readPosition(position, 'position');
    return this.#idsAt(lon, lat);
  }

  /**
   * `at` for many positions `[lon0, lat0, lon1, lat1, …]`, as ordinals.
   * Errors: `coord-type` for an odd length, `lat-range` and the like with the number of the position.
   */
  atMany(lonLat: Float64Array): ZonesOfPositions {
    checkLonLat(lonLat);
    const { positions } = this.#shapes;
    const offsets = new Uint32Array(lonLat.length / 2 + 1);
    return { offsets, zones: positions.findMany(lonLat, offsets) };
  }

  /** `at` for a list of positions: of each the ids, in order of insertion. Errors as `at`, with `positions[i]`. */
  locateAll(positions: Iterable<Position>): string[][] {
    const ids: string[][] = [];
    for (const position of itemsOf(positions, 'positions')) {
      const [lon, lat] = readPosition(position, `positions[${ids.length}]`);
      ids.push(this.#idsAt(lon, lat));
    }
    return ids;
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
    return zonesInBox(this.#shapes, readBbox(bbox, 'bbox')).map((ordinal) => this.#idAt(ordinal));
  }

  /**
   * The intervals of the straight lon/lat segment a→b inside each zone, as fractions of it: in order of `from`, then of insertion.
   *
   * An interval begins at 0 exactly when a is inside and ends at 1 exactly when b is; a touch has `from` = `to`. Circles and lines are
   * resolved to a nanometre of arc; their intervals and gaps under 1 mm may be missed. Errors as `at`, and `edge-ambiguous` for a
   * segment of exactly 180° of longitude.
   */
  crossing(a: Position, b: Position): Crossing[] {
    const segments = this.#segments;
    const count = segments.from(...readSegment(a, b)).find();
    const { zones, starts, stops } = segments;
    const crossings: Crossing[] = [];
    for (let i = 0; i < count; i++)
      crossings.push({ id: this.#idAt(zones[i]!), from: starts[i]!, to: stops[i]! });
    return crossings;
  }

  /**
   * The nearest zones by true distance, 0 from within, each with its metres: equals in order of insertion. `count` is 1 by default,
   * `maxMeters` unbounded; a zone exactly that far is given. Accuracy as `signedDistanceMeters`. Errors: `option-value`, and as `at`.
   */
  nearest(position: Position, options: NearestOptions = {}): ZoneDistance[] {
    const [lon, lat] = readPosition(position, 'position');
    const { count, maxMeters } = readNearest(options);
    const zones: ZoneDistance[] = [];
    visitNearest(
      this.#shapes.columns,
      this.#shapes.tree.root,
      lon,
      lat,
      maxMeters,
      (ordinal) => Math.max(0, this.#shapes.preparedAt(ordinal).signedDistanceMeters(lon, lat)),
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
    return new ZoneLocator(this.#shapes, (position) => this.at(position));
  }

  /** Makes all cells now, as far as `maxMemoryBytes` allows, instead of where answers are dear. No answer changes. */
  learnAll(): void {
    this.#shapes.learnAll();
  }

  /** What the index holds, and what it has learnt so far. */
  stats(): ZoneIndexStats {
    return { zones: this.size, leftOut: this.#leftOut, ...this.#shapes.stats() };
  }

  /**
   * The index as one buffer that `fromBuffer` opens: versioned, with a checksum. Rows travel as JSON (what JSON cannot hold, a function,
   * `undefined`, is not in it). Edits are packed first. O(n). Errors: `buffer-row` for a row that JSON refuses, `buffer-limit`.
   */
  toBuffer(options: BufferOptions & { readonly shared: true }): SharedArrayBuffer;
  toBuffer(options?: BufferOptions & { readonly shared?: false }): ArrayBuffer;
  toBuffer(options: BufferOptions = {}): ArrayBuffer | SharedArrayBuffer {
    checkOptions(options);
    const { shared = false, cells = false, rows = true } = options;
    this.#shapes.settle(() => this.#rows.ordinals());
    return writeIndex(
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
   * Opens a buffer that `toBuffer` wrote, with the options of then. Nothing is rebuilt: the index reads the buffer where it is, so several
   * threads can share one; edits stay with the reader that makes them (the first one copies the columns that it changes). The checksum
   * finds accidents, not intent: open only what your own programs wrote.
   *
   * Errors: `option-type`, `buffer-type`, `buffer-foreign`, `buffer-version`, `buffer-byte-order`, `buffer-truncated`, `buffer-damaged`.
   */
  static fromBuffer<Row extends ZoneRow = ZoneRow>(
    buffer: ArrayBuffer | SharedArrayBuffer,
    options: OpenOptions = {},
  ): ZoneIndex<Row> {
    checkOptions(options);
    const { options: saved, columns, layers, rows, cells } = openIndex(buffer, options.verify !== false);
    const { maxMemoryBytes } = options;
    const index = new ZoneIndex<Row>([], {
      ...saved,
      ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
    });
    index.#rows.open(rows);
    index.#shapes.open(columns, layers, cells);
    return index;
  }

  /** Adds a row; false when it is marked deleted. A bad one throws and leaves the index as it was; `duplicate-id` for a known id. */
  add(row: Row): boolean {
    const ordinal = this.#intake.insert(row);
    if (ordinal === -1) return false;
    this.#shapes.edited();
    this.#tidy();
    return true;
  }

  /** Replaces the row of the same id, which keeps its place; false for an unknown id. A row marked deleted is removed. */
  update(row: Row): boolean {
    const id = readId(row, '');
    const ordinal = this.#rows.ordinalOf(id);
    if (ordinal === null) return false;
    if (!this.#intake.replace(id, row, ordinal)) return this.remove(id);
    this.#notes.delete(ordinal);
    this.#shapes.edited();
    this.#tidy();
    return true;
  }

  /** Removes a zone; false for an unknown id. Its ordinal is not given again. */
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

  /** The row of an id as it was given (a copy), or null. */
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
    insidesOf = (index) => {
      if (!(#shapes in index)) return null;
      const own: ZoneIndex = index;
      return {
        segments: own.#segments,
        notes: own.#notes,
        idOf: (ordinal) => own.#idAt(ordinal),
        get edits() {
          return own.#shapes.version;
        },
        prepared: (id) => {
          const ordinal = own.#rows.ordinalOf(id);
          return ordinal === null ? null : own.#shapes.preparedAt(ordinal);
        },
        plainShape: (ordinal) => own.#intake.plainShape(ordinal),
      };
    };
  }
}
