/** Reads rows into an index: chooses the rows to take, assigns ordinals, and reports the errors of invalid rows. */

import { describe, inputError, WayzoneError } from '../../../core/errors.js';
import { geoJsonHint, guarded } from '../../../core/input.js';
import { FlatPairs, isDeleted } from '../../../core/wire.js';
import { putShape } from '../../kinds/index.js';
import { readShapeInto } from '../../readShape.js';
import type { ShapeColumns } from '../../shapes/index.js';
import type { IndexRules } from '../indexRules.js';
import type { ZoneIndexOptions, ZoneRow } from '../types.js';
import { GivenCopier, type RetainedShape } from './givenPairs.js';
import { putPlain } from './putPlain.js';
import { bareRow, givenRow, type PlainShape, plainShape, retainedRow, retainShape } from './retainedRow.js';
import type { RowTable } from './rowTable.js';
import { KEEP } from './takeRing.js';

/** Largest length of an id, UTF-16 code units. */
export const MAX_ID_LENGTH = 65_536;

/** Results instead of an ordinal: the row is left out, or needs `readShape`. */
const LEFT_OUT = -1;
const OTHER = -2;

export class RowIntake<Row extends ZoneRow> {
  /** The index's shapes. Their columns may be replaced when edits are packed. */
  readonly #shapes: { readonly columns: ShapeColumns };
  readonly #rows: RowTable<Row>;
  readonly #rules: IndexRules;
  readonly #copier: GivenCopier = new GivenCopier();
  readonly #retained: RetainedShape = { geometry: null, parts: null };

  constructor(shapes: { readonly columns: ShapeColumns }, rows: RowTable<Row>, rules: IndexRules) {
    this.#shapes = shapes;
    this.#rows = rows;
    this.#rules = rules;
  }

  /** Adds the rows of a list and returns the number left out. An invalid row throws, or goes to `onIssue`. */
  insertAll(zones: Iterable<Row>, onIssue: ZoneIndexOptions['onIssue']): number {
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

  /** Adds a row and returns its ordinal, or -1 when it is left out. */
  insert(row: Row): number {
    const ordinal = this.#insertPlain(row);
    return ordinal === OTHER ? this.#insert(row, '') : ordinal;
  }

  /** Replaces the row of an id. Returns false, without a change, if the new row is marked deleted. */
  replace(id: string, row: Row, ordinal: number): boolean {
    try {
      const isOut = !this.#rules.includeDeleted && isDeleted(row);
      if (!isOut && this.#putPlain(id, row, ordinal)) return true;
    } catch {
      // `readShape` reports the error and its field.
    }
    if (this.#leavesOut(row, '')) return false;
    this.#put(id, row, '', ordinal);
    return true;
  }

  /** `#insert` for a row in plain form. Returns OTHER, without a change, for any other row. */
  #insertPlain(row: Row): number {
    // One `try` around the whole row, without paths of fields, because nearly all rows are plain.
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
    const kept = bareRow(row, id);
    const retained = this.#retained;
    const mode = putPlain(this.#shapes.columns, ordinal, row, this.#rules, this.#copier, retained);
    if (mode === -1) return false;
    retainShape(kept, mode, retained);
    this.#rows.put(ordinal, kept, mode);
    return true;
  }

  #insert(row: Row, field: string): number {
    const id = readRowId(row, field);
    if (this.#leavesOut(row, field)) return LEFT_OUT;
    if (this.#rows.ordinalOf(id) !== null) {
      throw new WayzoneError(
        'duplicate-id',
        `${field}id`,
        `expected a unique id, received ${describe(id)} again`,
      );
    }
    const ordinal = this.#rows.count;
    this.#put(id, row, field, ordinal);
    return ordinal;
  }

  #leavesOut(row: Row, field: string): boolean {
    return !this.#rules.includeDeleted && guarded(`${field}is_delete`, () => isDeleted(row));
  }

  /** Reads any row; an invalid one throws, without a change. */
  #put(id: string, given: Row, field: string, ordinal: number): void {
    const row = withPairs(given);
    const shape = readShapeInto(row, this.#rules, field, null)!;
    // An error in an unknown field names only the row: `zones[3]`.
    const whole = guarded(field.slice(0, -1), () => retainedRow(row, id, this.#copier));
    putShape(this.#shapes.columns, ordinal, shape);
    this.#rows.put(ordinal, whole, KEEP);
  }

  /** The shape of an ordinal's row in plain numbers, or null. */
  plainShape(ordinal: number): PlainShape | null {
    const kept = this.#rows.kept(ordinal);
    return kept && plainShape(kept.row, kept.mode, this.#shapes.columns, ordinal, this.#rules.lonIndex);
  }

  /** The row of an ordinal as given by the caller; null if there is none. */
  given(ordinal: number): Row | null {
    const kept = this.#rows.kept(ordinal);
    return kept && givenRow(kept.row, kept.mode, this.#shapes.columns, ordinal, this.#rules.lonIndex);
  }
}

/** The id of a row. Errors: `id-type`, `id-length`, with `field` before the path. */
export function readRowId(row: ZoneRow, field: string): string {
  if (typeof row === 'object' && row !== null) {
    const id: unknown = guarded(`${field}id`, () => row.id);
    if (typeof id === 'string' && id.length <= MAX_ID_LENGTH) return id;
    if (typeof id === 'string') {
      throw inputError('id-length', `${field}id`, `at most ${MAX_ID_LENGTH} characters`, id);
    }
    const hint = geoJsonHint(guarded(`${field}type`, () => row.type));
    throw inputError('id-type', `${field}id`, `a text${hint}`, id);
  }
  throw inputError('id-type', `${field}id`, 'a text', undefined);
}

/** The row with its positions as pairs, from any form. */
function withPairs<Row extends ZoneRow>(row: Row): Row {
  try {
    const geometry: unknown = row.geometry;
    return geometry instanceof FlatPairs ? { ...row, geometry: geometry.toPairs() } : row;
  } catch {
    // `readShape` reports the unreadable value.
    return row;
  }
}

/** Number of rows sampled to estimate the number of vertices. */
const SAMPLE = 4096;

/** Estimated numbers of rows and vertices, for reserving memory. */
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
