/** The error for bytes that are not a valid Parquet file. */

import { WayzoneError } from '../../../core/errors.js';

/** `wanted`: the expected content of the bytes. */
export function damaged(wanted: string): WayzoneError {
  return new WayzoneError('parquet-invalid', '', `expected ${wanted}; the rest is not read`);
}
