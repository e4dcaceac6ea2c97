/** What `LocatePool` and its workers tell each other. */

import type { ErrorCode } from '../../../core/errorCode.js';
import type { Format } from '../../flags/options.js';

/** What holds for all batches. */
export interface LocateOrder {
  readonly kind: 'order';
  readonly format: Format;
  readonly index: SharedArrayBuffer;
  /** The ids of the zones by their ordinals. */
  readonly ids: readonly (string | null)[];
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

export interface LocateColumns {
  readonly unit: Uint32Array<ArrayBuffer>;
  readonly time: Float64Array<ArrayBuffer>;
  readonly lonLat: Float64Array<ArrayBuffer>;
}

/** The rows of a batch as UTF-8; or the fields of the error that a position of it is. */
export type LocateAnswer =
  | { readonly batch: number; readonly rows: Uint8Array<ArrayBuffer>; readonly columns: LocateColumns }
  | { readonly batch: number; readonly error: { code: ErrorCode; field: string; message: string } };
