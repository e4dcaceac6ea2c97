/** Messages between `LocatePool` and its workers. */

import type { ErrorCode } from '../../../core/errorCode.js';
import type { CsvStart } from '../../../interchange/csv/csvBytes.js';
import type { CsvPieceAnswer } from '../../../interchange/csv/readSplitCsv.js';
import type { CsvOptions } from '../../../interchange/index.js';
import type { Format } from '../../flags/options.js';

export type LocateMessage = LocateOrder | LocateTask;

export type LocateTask = LocateBatch | LocateFile | LocatePiece;

/** The zones and the format of the rows. Batches may come before it: they wait in the worker. */
export interface LocateOrder {
  readonly kind: 'order';
  readonly format: Format;
  readonly index: SharedArrayBuffer;
  /** The ids of the zones in the order of their ordinals, one behind another: one text is copied many times faster than a list. */
  readonly ids: string;
  /** Where the id of each ordinal ends. */
  readonly idEnds: Uint32Array;
}

/** Positions in columns, which come back with their rows. */
export interface LocateBatch {
  readonly kind: 'batch';
  readonly batch: number;
  readonly length: number;
  /** Names that follow those sent before; or all of them, when their numbers begin anew. */
  readonly names: readonly string[];
  readonly isNew: boolean;
  readonly columns: LocateColumns;
}

/** The next pieces are rows of this CSV file. */
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
  /** For the rows, if they fit. */
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
  /** Of a batch. */
  readonly columns: LocateColumns | null;
  /** Of a piece. */
  readonly piece: CsvPieceAnswer | null;
  /** How many positions were answered. */
  readonly length: number;
}

/** Rows, or the fields of the error of an invalid position. */
export type LocateAnswer =
  | LocateRowsAnswer
  | { readonly batch: number; readonly error: { code: ErrorCode; field: string; message: string } };
