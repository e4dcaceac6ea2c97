/** The rows of an index by ordinal and by id: those given to it, above those of a buffer that are read when they are asked for. */

import { WayzoneError } from '../../../core/errors.js';
import { withRoom } from '../../shapes/columnOf.js';
import { decodeUnits, encodeUnits, hashUnits, unitBytes } from './codeUnits.js';
import { IdTable } from './idTable.js';

/** Rows in columns: ids and the JSON of the rows without their ids, each from its offset to the next; a hash table of ordinals + 1. */
export interface SavedRows {
  readonly idFrom: Uint32Array;
  readonly idBytes: Uint8Array;
  readonly rowFrom: Uint32Array;
  readonly rowBytes: Uint8Array;
  readonly modes: Uint8Array;
  readonly buckets: Uint32Array;
  readonly live: number;
}

const MAX_BYTES = 2 ** 32 - 1;

export class RowTable<Row extends { readonly id: string }> {
  readonly #rows: (Row | undefined)[] = [];
  #modes: Uint8Array = new Uint8Array(64);
  readonly #ordinals: IdTable = new IdTable(this.#rows);
  #saved: SavedRows | null = null;
  /** Ordinals of the saved rows that were removed or replaced. */
  readonly #gone = new Set<number>();
  readonly #savedIds: (string | undefined)[] = [];
  /** The next ordinal. */
  count = 0;
  size = 0;

  /** Takes on the rows of a buffer, before any other. */
  open(saved: SavedRows): void {
    this.#saved = saved;
    this.count = saved.idFrom.length - 1;
    this.size = saved.live;
  }

  /** Makes room for so many rows at once. */
  reserve(count: number): void {
    this.#modes = withRoom(this.#modes, count);
    this.#ordinals.reserve(count);
  }

  /** Puts a row in its place: a new one, or in that of another of the same id. */
  put(ordinal: number, row: Row, mode: number): void {
    if (this.#rows[ordinal] === undefined) {
      if (this.idOf(ordinal) === null) this.size++;
      if (this.#isSaved(ordinal)) this.#gone.add(ordinal);
      this.#ordinals.put(row.id, ordinal);
    }
    this.#rows[ordinal] = row;
    this.#modes = withRoom(this.#modes, ordinal + 1);
    this.#modes[ordinal] = mode;
    this.count = Math.max(this.count, ordinal + 1);
  }

  remove(ordinal: number): void {
    const id = this.idOf(ordinal);
    if (id === null) return;
    this.size--;
    if (this.#isSaved(ordinal)) this.#gone.add(ordinal);
    this.#rows[ordinal] = undefined;
  }

  idOf(ordinal: number): string | null {
    const row = this.#rows[ordinal];
    if (row !== undefined) return row.id;
    if (!this.#isSaved(ordinal) || this.#gone.has(ordinal)) return null;
    const known = this.#savedIds[ordinal];
    if (known !== undefined) return known;
    const { idFrom, idBytes } = this.#saved!;
    const id = decodeUnits(idBytes, idFrom[ordinal]!, idFrom[ordinal + 1]!);
    this.#savedIds[ordinal] = id;
    return id;
  }

  ordinalOf(id: string): number | null {
    const ordinal = this.#ordinals.find(id);
    if (ordinal >= 0) return ordinal;
    if (this.#saved === null || this.#saved.buckets.length === 0) return null;
    const { buckets } = this.#saved;
    const mask = buckets.length - 1;
    for (let at = hashUnits(id) & mask; buckets[at] !== 0; at = (at + 1) & mask) {
      const found = buckets[at]! - 1;
      if (!this.#gone.has(found) && this.idOf(found) === id) return found;
    }
    return null;
  }

  /** The row as the index keeps it, with how its geometry is given back; null when there is none. */
  kept(ordinal: number): { readonly row: Row; readonly mode: number } | null {
    const row = this.#rows[ordinal];
    if (row !== undefined) return { row, mode: this.#modes[ordinal]! };
    const id = this.idOf(ordinal);
    if (id === null) return null;
    const { rowFrom, rowBytes, modes } = this.#saved!;
    // A copy: a decoder need not take shared memory.
    const bytes = rowBytes.slice(rowFrom[ordinal]!, rowFrom[ordinal + 1]!);
    const rest = JSON.parse(new TextDecoder().decode(bytes)) as Row;
    return { row: { ...rest, id }, mode: modes[ordinal]! };
  }

  /** Ordinals of all rows, in order. */
  ordinals(): number[] {
    const ordinals: number[] = [];
    for (let ordinal = 0; ordinal < this.count; ordinal++) {
      if (this.#rows[ordinal] !== undefined || (this.#isSaved(ordinal) && !this.#gone.has(ordinal))) {
        ordinals.push(ordinal);
      }
    }
    return ordinals;
  }

  #isSaved(ordinal: number): boolean {
    const saved = this.#saved;
    return (
      saved !== null && ordinal + 1 < saved.idFrom.length && ordinal >= 0 && saved.modes[ordinal] !== NO_ROW
    );
  }

  /** The rows in columns; without `withRows` only how many there are. Errors: `buffer-row`, `buffer-limit`. */
  save(withRows: boolean): SavedRows {
    const { count } = this;
    const idFrom = new Uint32Array(count + 1);
    const rowFrom = new Uint32Array(count + 1);
    const modes = new Uint8Array(count).fill(NO_ROW);
    if (!withRows) {
      const none = new Uint8Array(0);
      const buckets = new Uint32Array(0);
      return { idFrom, idBytes: none, rowFrom, rowBytes: none, modes, buckets, live: 0 };
    }
    let buckets = 1;
    while (buckets < 2 * this.size) buckets *= 2;
    const table = new Uint32Array(buckets);
    let idBytes: Uint8Array = new Uint8Array(16 * count);
    let rowBytes: Uint8Array = new Uint8Array(128 * count);
    const encoder = new TextEncoder();
    for (let ordinal = 0; ordinal < count; ordinal++) {
      let idEnd = idFrom[ordinal]!;
      let rowEnd = rowFrom[ordinal]!;
      const kept = this.kept(ordinal);
      if (kept !== null) {
        const { id, ...rest } = kept.row;
        const text = rowJson(rest, id);
        if (idEnd + 3 * id.length > MAX_BYTES || rowEnd + 3 * text.length > MAX_BYTES) {
          throw new WayzoneError('buffer-limit', 'rows', 'expected rows of at most 4 GB, received more');
        }
        idBytes = withRoom(idBytes, idEnd + unitBytes(id));
        idEnd = encodeUnits(id, idBytes, idEnd);
        rowBytes = withRoom(rowBytes, rowEnd + 3 * text.length);
        rowEnd += encoder.encodeInto(text, rowBytes.subarray(rowEnd)).written;
        modes[ordinal] = kept.mode;
        let at = hashUnits(id) & (buckets - 1);
        while (table[at] !== 0) at = (at + 1) & (buckets - 1);
        table[at] = ordinal + 1;
      }
      idFrom[ordinal + 1] = idEnd;
      rowFrom[ordinal + 1] = rowEnd;
    }
    return {
      idFrom,
      idBytes: idBytes.subarray(0, idFrom[count]),
      rowFrom,
      rowBytes: rowBytes.subarray(0, rowFrom[count]),
      modes,
      buckets: table,
      live: this.size,
    };
  }
}

/** The mark of an ordinal whose row is not there. */
const NO_ROW = 255;

function rowJson(row: object, id: string): string {
  try {
    return JSON.stringify(row);
  } catch (cause) {
    throw new WayzoneError(
      'buffer-row',
      `rows[${JSON.stringify(id)}]`,
      'expected a row that JSON can hold, received another',
      { cause },
    );
  }
}
