/** The way of rows into an index: which are taken, under which ordinal, and what is wrong with the others. */

import { describe, expected, WayzoneError } from '../../../core/errors.js';
import { FlatPairs } from '../../../core/flatPairs.js';
import { guarded } from '../../../core/input.js';
import { isDeleted } from '../../../core/wire.js';
import { readShape } from '../../shape.js';
import { putShape } from '../../shapes/putShape.js';
import { putPlain } from '../../shapes/readPlain.js';
import { KEEP, PARTS } from '../../shapes/rowModes.js';
import type { IndexRules } from '../indexOptions.js';
import type { ShapeIndex } from '../shapeIndex.js';
import type { ZoneIndexOptions, ZoneRow } from '../types.js';
import { bareRow, givenRow, keptRow, leaveParts, type PlainShape, plainShape } from './keptRow.js';
import type { RowTable } from './rowTable.js';

/** The longest id, in UTF-16 code units. */
export const MAX_ID_LENGTH = 65_536;

/** Instead of an ordinal: the row is left out, or is to be read the long way. */
const LEFT_OUT = -1;
const OTHER = -2;

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
    const [rows, vertices] = expectedSize(zones);
    this.#shapes.columns.reserve(rows, vertices);
    this.#rows.reserve(rows);
    let leftOut = 0;
    let number = -1;
    for (const row of zones) {
      number++;
      let ordinal = this.#insertPlain(row);
      if (ordinal === OTHER) {
        const field = `zones[${number}].`;
        try {
          ordinal = this.#insert(row, field);
        } catch (error) {
          if (onIssue === undefined || !(error instanceof WayzoneError)) throw error;
          onIssue({ code: error.code, severity: 'error', field: error.field, message: error.message });
          ordinal = LEFT_OUT;
        }
      }
      if (ordinal === LEFT_OUT) leftOut++;
    }
    return leftOut;
  }

  /** Takes in a new row and gives its ordinal, or -1 when it is left out. */
  insert(row: Row): number {
    const ordinal = this.#insertPlain(row);
    return ordinal === OTHER ? this.#insert(row, '') : ordinal;
  }

  /** Reads a row in place of another of its id; false, and nothing is done, when it is marked deleted. */
  replace(id: string, row: Row, ordinal: number): boolean {
    try {
      const isOut = !this.#rules.includeDeleted && isDeleted(row);
      if (!isOut && this.#putPlain(id, row, ordinal)) return true;
    } catch {
      // The long way tells what is wrong, and where.
    }
    if (this.#leavesOut(row, '')) return false;
    this.#put(id, row, '', ordinal);
    return true;
  }

  /** `#insert` for a row without anything out of the ordinary; OTHER for any other one, and nothing is changed. */
  #insertPlain(row: Row): number {
    // One `try` around all of it, and no field is spelled out: most rows are plain, and there are many.
    try {
      const id: unknown = row.id;
      if (typeof id !== 'string' || id.length > MAX_ID_LENGTH) return OTHER;
      if (!this.#rules.includeDeleted && isDeleted(row)) return LEFT_OUT;
      if (this.#rows.ordinalOf(id) !== null) return OTHER;
      const ordinal = this.#rows.count;
      return this.#putPlain(id, row, ordinal) ? ordinal : OTHER;
    } catch {
      return OTHER;
    }
  }

  #putPlain(id: string, row: Row, ordinal: number): boolean {
    const { lonIndex, lineSides } = this.#rules;
    const kept = bareRow(row, id);
    const mode = putPlain(this.#shapes.columns, ordinal, row, lonIndex, lineSides);
    if (mode === -1) return false;
    if (mode >= PARTS) leaveParts(kept, mode, row.geometry);
    this.#rows.put(ordinal, kept, mode);
    return true;
  }

  #insert(row: Row, field: string): number {
    const id = readId(row, field);
    if (this.#leavesOut(row, field)) return LEFT_OUT;
    if (this.#rows.ordinalOf(id) !== null) {
      throw new WayzoneError(
        'duplicate-id',
        `${field}id`,
        `expected an id of its own, received ${describe(id)} again`,
      );
    }
    const ordinal = this.#rows.count;
    this.#put(id, row, field, ordinal);
    return ordinal;
  }

  #leavesOut(row: Row, field: string): boolean {
    return !this.#rules.includeDeleted && guarded(`${field}is_delete`, () => isDeleted(row));
  }

  /** Reads a row that is not plain; a bad one throws, and nothing is changed. */
  #put(id: string, given: Row, field: string, ordinal: number): void {
    const row = withPairs(given);
    const shape = readShape(row, this.#options, field);
    // Of a field that nobody knows the row's own path is told: `zones[3]`.
    const whole = guarded(field.slice(0, -1), () => keptRow(row, id));
    putShape(this.#shapes.columns, ordinal, shape);
    this.#rows.put(ordinal, whole, KEEP);
  }

  /** The shape of an ordinal's row in plain numbers, or null. */
  plainShape(ordinal: number): PlainShape | null {
    const kept = this.#rows.kept(ordinal);
    return kept && plainShape(kept.row, kept.mode, this.#shapes.columns, ordinal, this.#rules.lonIndex);
  }

  /** The row of an ordinal as it was given, or null. */
  given(ordinal: number): Row | null {
    const kept = this.#rows.kept(ordinal);
    return kept && givenRow(kept.row, kept.mode, this.#shapes.columns, ordinal, this.#rules.lonIndex);
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

/** The row with its positions as pairs, whatever a reader gave it. */
function withPairs<Row extends ZoneRow>(row: Row): Row {
  try {
    const geometry: unknown = row.geometry;
    return geometry instanceof FlatPairs ? { ...row, geometry: geometry.toPairs() } : row;
  } catch {
    // Whoever reads the shape says what cannot be read.
    return row;
  }
}

/** Rows that are looked at for a guess of how much there is. */
const SAMPLE = 4096;

/** How many rows and vertices a list seems to hold: a guess for the memory to take at once, whatever the rows are. */
function expectedSize(zones: Iterable<ZoneRow>): [rows: number, vertices: number] {
  if (!Array.isArray(zones) || zones.length === 0) return [0, 0];
  const rows = zones as readonly ZoneRow[];
  const stride = Math.ceil(rows.length / SAMPLE);
  let vertices = 0;
  let looked = 0;
  try {
    for (let i = 0; i < rows.length; i += stride, looked++) vertices += rows[i]!.geometry.length;
  } catch {
    return [0, 0];
  }
  const guess = Math.ceil((stride === 1 ? 1 : 1.03) * (vertices / looked) * rows.length);
  return [rows.length, guess > 0 && guess <= 2 ** 28 ? guess : 0];
}
