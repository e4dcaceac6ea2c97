/** Messages between `LocatePool` and its workers. */

import type { ErrorCode } from '../../../core/errorCode.js';
import type { CsvStart } from '../../../interchange/csv/csvBytes.js';
import type { CsvPieceAnswer } from '../../../interchange/csv/readSplitCsv.js';
import type { CsvOptions } from '../../../interchange/index.js';
import type { Format } from '../../flags/options.js';

export type LocateMessage = LocateOrder | LocateTask;

export type LocateTask = LocateBatch | LocateFile | LocatePiece;

/** The zones and the format of the rows. Batches may arrive earlier: they wait in the worker. */
export interface LocateOrder {
  readonly kind: 'order';
  readonly format: Format;
  readonly index: SharedArrayBuffer;
  /** The concatenated ids of the zones in the order of their ordinals: one text is copied many times faster than a list. */
  readonly ids: string;
  /** By ordinal, where the zone's id ends in `ids`. */
  readonly idEnds: Uint32Array;
}

/** Positions in columns, which come back with their rows. */
export interface LocateBatch {
  readonly kind: 'batch';
  readonly batch: number;
  readonly length: number;
  /** The names that were not sent before; if `isNew`, all names, numbered from 0 again. */
  readonly names: readonly string[];
  readonly isNew: boolean;
  readonly columns: LocateColumns;
}

/** The CSV file to which the next pieces belong. */
export interface LocateFile {
  readonly kind: 'file';
  readonly start: CsvStart;
  readonly options: CsvOptions;
}

/** Whole rows of a CSV file, whose bytes come back with the rows of their positions. */
export interface LocatePiece {
  readonly kind: 'piece';
  readonly batch: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A buffer for the rows, used if they fit. */
  readonly room: ArrayBuffer | null;
}

export interface LocateColumns {
  readonly unit: Uint32Array<ArrayBuffer>;
  readonly time: Float64Array<ArrayBuffer>;
  readonly lonLat: Float64Array<ArrayBuffer>;
}

/** The rows of a batch as UTF-8. */
export interface LocateRowsAnswer {
  readonly batch: number;
  readonly rows: Uint8Array<ArrayBuffer>;
  /** The columns of a batch, for reuse; null for a piece. */
  readonly columns: LocateColumns | null;
  /** The answer to a piece; null for a batch. */
  readonly piece: CsvPieceAnswer | null;
  /** Number of answered positions. */
  readonly length: number;
}

/** Rows, or the fields of the error of an invalid position. */
export type LocateAnswer =
  | LocateRowsAnswer
  | { readonly batch: number; readonly error: { code: ErrorCode; field: string; message: string } };
