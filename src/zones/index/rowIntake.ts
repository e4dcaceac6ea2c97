/** The way of rows into an index: which are taken, under which ordinal, and what is wrong with the others. */

import { describe, expected, WayzoneError } from '../../core/errors.js';
import { guarded } from '../../core/gate.js';
import { isDeleted } from '../../core/wire.js';
import { readShape } from '../shape.js';
import type { IndexRules } from './indexOptions.js';
import { givenRow, keptRow, type PlainShape, plainShape } from './keptRow.js';
import { putShape } from './putShape.js';
import { AS_STORED, KEEP, putPlain } from './readPlain.js';
import type { RowTable } from './rowTable.js';
import type { ShapeIndex } from './shapeIndex.js';
import type { ZoneIndexOptions, ZoneRow } from './types.js';

/** The longest id, in UTF-16 code units. */
export const MAX_ID_LENGTH = 65_536;

export class RowIntake<Row extends ZoneRow> {
  readonly #shapes: ShapeIndex;
  readonly #rows: RowTable<Row>;
  readonly #options: ZoneIndexOptions;
  readonly #rules: IndexRules;

  constructor(shapes: ShapeIndex, rows: RowTable<Row>, options: ZoneIndexOptions, rules: IndexRules) {
    this.#shapes = shapes;
    this.#rows = rows;
    this.#options = options;
    this.#rules = rules;
  }

  /** Takes in a list and gives the number of rows left out: a bad one throws, or is reported where somebody asked for that. */
  insertAll(zones: Iterable<Row>): number {
    const { onIssue } = this.#options;
    this.#shapes.store.reserve(...expectedSize(zones));
    let leftOut = 0;
    let number = 0;
    for (const row of zones) {
      const field = `zones[${number++}].`;
      try {
        if (this.insert(row, field) === -1) leftOut++;
      } catch (error) {
        if (onIssue === undefined || !(error instanceof WayzoneError)) throw error;
        leftOut++;
        onIssue({ code: error.code, severity: 'error', field: error.field, message: error.message });
      }
    }
    return leftOut;
  }

  /** Takes in a new row and gives its ordinal, or -1 when it is left out. */
  insert(row: Row, field: string): number {
    const id = readId(row, field);
    if (this.leavesOut(row)) return -1;
    if (this.#rows.ordinalOf(id) !== null) {
      throw new WayzoneError(
        'duplicate-id',
        `${field}id`,
        `expected an id of its own, received ${describe(id)} again`,
      );
    }
    const ordinal = this.#rows.count;
    this.put(id, row, field, ordinal);
    return ordinal;
  }

  leavesOut(row: Row): boolean {
    return !this.#rules.includeDeleted && guarded('is_delete', () => isDeleted(row));
  }

  /** Reads a row under an ordinal, new or in place of its old one; a bad one throws, and nothing is changed. */
  put(id: string, row: Row, field: string, ordinal: number): void {
    const { store } = this.#shapes;
    const light = guarded(field, () => keptRow(row, id, AS_STORED));
    let mode = -1;
    try {
      mode = putPlain(store, ordinal, row, this.#rules.lonIndex);
    } catch {
      // A row that throws when read tells `readShape` where.
    }
    if (mode !== -1) {
      this.#rows.put(ordinal, light, mode);
      return;
    }
    const shape = readShape(row, this.#options, field);
    const whole = guarded(field, () => keptRow(row, id, KEEP));
    putShape(store, ordinal, shape);
    this.#rows.put(ordinal, whole, KEEP);
  }

  /** The shape of an ordinal's row in plain numbers, or null. */
  plainShape(ordinal: number): PlainShape | null {
    const kept = this.#rows.kept(ordinal);
    return kept && plainShape(kept.row, kept.mode, this.#shapes.store, ordinal, this.#rules.lonIndex);
  }

  /** The row of an ordinal as it was given, or null. */
  given(ordinal: number): Row | null {
    const kept = this.#rows.kept(ordinal);
    return kept && givenRow(kept.row, kept.mode, this.#shapes.store, ordinal, this.#rules.lonIndex);
  }
}

/** The id of a row; `id-type`, `id-length`, with `field` before the path. */
export function readId(row: ZoneRow, field: string): string {
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
