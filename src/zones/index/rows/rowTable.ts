/** The rows of an index by ordinal and by id. Added rows take precedence over those of a buffer, which are read when needed. */

import { WayzoneError } from '../../../core/errors.js';
import { withRoom } from '../../shapes/index.js';

/**
 * Rows in columns: the UTF-16 code units of the ids, and the JSON of the rows with 0 in place of their ids. Each text goes from its offset
 * to the next.
 */
export interface SavedRows {
  readonly idFrom: Uint32Array;
  readonly idUnits: Uint16Array;
  readonly rowFrom: Uint32Array;
  readonly rowBytes: Uint8Array;
  readonly modes: Uint8Array;
  readonly live: number;
}

const MAX_BYTES = 2 ** 32 - 1;

export class RowTable<Row extends { readonly id: string }> {
  readonly #rows: (Row | undefined)[] = [];
  #modes: Uint8Array = new Uint8Array(64);
  /** Ordinals of the added rows by id. */
  readonly #ids = new Map<string, number>();
  /** Ordinals of all rows of the buffer by id. Built at the first look-up of an id, because a buffer opens in O(1). */
  #openedIds: Map<string, number> | null = null;
  #saved: SavedRows | null = null;
  /** Ordinals of the saved rows that were removed or replaced. */
  readonly #gone = new Set<number>();
  readonly #savedIds: (string | undefined)[] = [];
  /** Made at the first saved row: engines without Node or a browser, such as GraalJS, have none. */
  #decoder: InstanceType<typeof TextDecoder> | null = null;
  /** The next ordinal. */
  count = 0;
  size = 0;

  /** Takes the rows of a buffer, before any other row. */
  open(saved: SavedRows): void {
    this.#saved = saved;
    this.count = saved.idFrom.length - 1;
    this.size = saved.live;
  }

  /** Reserves memory for `count` rows. */
  reserve(count: number): void {
    this.#modes = withRoom(this.#modes, count);
  }

  /** Stores a row. It replaces an earlier row of the same id. */
  put(ordinal: number, row: Row, mode: number): void {
    if (this.#rows[ordinal] === undefined) {
      if (this.idOf(ordinal) === null) {
        this.#ids.set(row.id, ordinal);
        this.size++;
      }
      if (this.#isSaved(ordinal)) this.#gone.add(ordinal);
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
    else this.#ids.delete(id);
    this.#rows[ordinal] = undefined;
  }

  idOf(ordinal: number): string | null {
    const row = this.#rows[ordinal];
    if (row !== undefined) return row.id;
    if (!this.#isSaved(ordinal) || this.#gone.has(ordinal)) return null;
    const known = this.#savedIds[ordinal];
    if (known !== undefined) return known;
    const { idFrom, idUnits } = this.#saved!;
    let id = '';
    for (let at = idFrom[ordinal]!; at < idFrom[ordinal + 1]!; at++) id += String.fromCharCode(idUnits[at]!);
    this.#savedIds[ordinal] = id;
    return id;
  }

  ordinalOf(id: string): number | null {
    const added = this.#ids.get(id);
    if (added !== undefined || this.#saved === null) return added ?? null;
    this.#openedIds ??= this.#savedOrdinals(this.#saved);
    const ordinal = this.#openedIds.get(id);
    return ordinal !== undefined && this.idOf(ordinal) === id ? ordinal : null;
  }

  #savedOrdinals({ idFrom }: SavedRows): Map<string, number> {
    const ordinals = new Map<string, number>();
    for (let ordinal = 0; ordinal + 1 < idFrom.length; ordinal++) {
      const id = this.idOf(ordinal);
      if (id !== null) ordinals.set(id, ordinal);
    }
    return ordinals;
  }

  /** The stored row, and the mode by which its geometry is restored; null for a missing row. */
  kept(ordinal: number): { readonly row: Row; readonly mode: number } | null {
    const own = this.#rows[ordinal];
    if (own !== undefined) return { row: own, mode: this.#modes[ordinal]! };
    const id = this.idOf(ordinal);
    if (id === null) return null;
    const { rowFrom, rowBytes, modes } = this.#saved!;
    // Copied, because a decoder may refuse shared memory.
    const bytes = rowBytes.slice(rowFrom[ordinal]!, rowFrom[ordinal + 1]!);
    this.#decoder ??= new TextDecoder();
    const row = JSON.parse(this.#decoder.decode(bytes)) as Row & { id: string };
    row.id = id;
    return { row, mode: modes[ordinal]! };
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

  /** The rows in columns; without `withRows` only their number. Errors: `buffer-row`, `buffer-limit`. */
  save(withRows: boolean): SavedRows {
    const { count } = this;
    const idFrom = new Uint32Array(count + 1);
    const rowFrom = new Uint32Array(count + 1);
    const modes = new Uint8Array(count).fill(NO_ROW);
    let idUnits: Uint16Array = new Uint16Array(0);
    let rowBytes: Uint8Array = new Uint8Array(0);
    let [idEnd, rowEnd] = [0, 0];
    const encoder = new TextEncoder();
    for (let ordinal = 0; withRows && ordinal < count; ordinal++) {
      const kept = this.kept(ordinal);
      if (kept !== null) {
        const { id } = kept.row;
        // The 0 keeps the position of the id among the fields.
        const text = rowJson({ ...kept.row, id: 0 }, id);
        if (idEnd + id.length > MAX_BYTES || rowEnd + 3 * text.length > MAX_BYTES) {
          throw new WayzoneError('buffer-limit', 'rows', 'expected rows of at most 4 GB, received more');
        }
        idUnits = withRoom(idUnits, idEnd + id.length);
        for (let i = 0; i < id.length; i++) idUnits[idEnd++] = id.charCodeAt(i);
        rowBytes = withRoom(rowBytes, rowEnd + 3 * text.length);
        rowEnd += encoder.encodeInto(text, rowBytes.subarray(rowEnd)).written;
        modes[ordinal] = kept.mode;
      }
      idFrom[ordinal + 1] = idEnd;
      rowFrom[ordinal + 1] = rowEnd;
    }
    return {
      idFrom,
      idUnits: idUnits.subarray(0, idEnd),
      rowFrom,
      rowBytes: rowBytes.subarray(0, rowEnd),
      modes,
      live: withRows ? this.size : 0,
    };
  }
}

/** Mode of an ordinal without a row. */
const NO_ROW = 255;

function rowJson(row: object, id: string): string {
  try {
    return JSON.stringify(row);
  } catch (cause) {
    throw new WayzoneError(
      'buffer-row',
      `rows[${JSON.stringify(id)}]`,
      'expected a row that JSON.stringify accepts, received another',
      { cause },
    );
  }
}
