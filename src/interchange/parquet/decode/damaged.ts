/** The error of bytes that are not a valid Parquet file. */

import { WayzoneError } from '../../../core/errors.js';

/** `wanted`: what the bytes should have held. */
export function damaged(wanted: string): WayzoneError {
  return new WayzoneError('parquet-invalid', '', `expected ${wanted}; the rest is not read`);
}
