/** Reads a whole table by its description, for the CSV readers. */

import { WayzoneError } from '../../core/errors.js';
import { isWithinBytes } from '../common/decodeText.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { joinedChunks } from '../common/joinedChunks.js';
import { nameOfFile } from '../table/nameOfFile.js';
import { readTable, unitsOf } from '../table/readTable.js';
import type { TableHints } from '../table/tableDescription.js';
import type { CsvOptions } from './csvOptions.js';
import { hintsOf, plainOptions } from './hintsOf.js';
import { isOneUnit } from './isOneUnit.js';
import { rowSample } from './rowSample.js';
import type { TablePath } from './tablePath.js';

/** Largest size of a table that is read by its description, bytes: its text must fit into one string. */
export const MOST_DESCRIBED = 268_435_456;

/** Sizes up to which all rows of a table are examined, bytes: if nothing is suspicious, and if something is. */
const FEW_BYTES = 262_144;
const MANY_BYTES = 2_097_152;

function wholeOf(input: string | Uint8Array | readonly Uint8Array[]): string | Uint8Array {
  return typeof input === 'string' || input instanceof Uint8Array ? input : joinedChunks(input);
}

/**
 * Reads a table by its description, or returns false if the reader of bytes must read it. Content that ends the reading becomes an issue.
 *
 * Throws `tz-unknown` and `option-value` of the hints.
 */
export function readWhole(
  input: string | Uint8Array | readonly Uint8Array[],
  path: TablePath,
  builder: ForeignBuilder,
  options: CsvOptions,
): boolean {
  if (path === 'described') {
    readDescribed(wholeOf(input), hintsOf(options), builder, options);
    return true;
  }
  if (path === 'plain') return false;
  try {
    const chunks =
      typeof input === 'string'
        ? [new TextEncoder().encode(input)]
        : input instanceof Uint8Array
          ? [input]
          : input;
    const own = plainOptions({ ...options, ...(builder.crs === null ? {} : { crs: builder.crs }) });
    if (!isOneUnit(rowSample(chunks, FEW_BYTES), own)) {
      const units = unitsOf(rowSample(chunks, MANY_BYTES), hintsOf(options), builder);
      if (units === 'described') readDescribed(wholeOf(input), hintsOf(options), builder, options);
      if (units !== 'one') return true;
    }
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
  }
  const name = nameOfFile(options.fileName);
  if (name !== null)
    builder.issues.warning(
      'table-assumed',
      'unit',
      `assumed: unit is ${JSON.stringify(name)}, the name of the file`,
    );
  return false;
}

/** Warns that a long table without units is taken for one unit. */
export function warnOfUnchecked(path: TablePath, { issues }: ForeignBuilder): void {
  if (path !== 'units') return;
  issues.warning(
    'table-assumed',
    'unit',
    'assumed: all rows are of one unit; the table is too long to check it',
  );
}

/**
 * Reads a table by its description. Content that ends the reading becomes an issue. Throws `tz-unknown` and `option-value` of the hints.
 */
function readDescribed(
  input: string | Uint8Array,
  hints: TableHints,
  builder: ForeignBuilder,
  { idPrefix = 'zone-' }: CsvOptions,
): void {
  if (!isWithinBytes(input.length, builder.issues, builder.limits)) return;
  if (input.length > MOST_DESCRIBED) {
    const message = `expected at most ${MOST_DESCRIBED} bytes of a table that is not plain UTF-8 with common headers, received more; not read`;
    builder.issues.error('limit-bytes', '', message);
    return;
  }
  try {
    readTable(input, hints, builder, idPrefix);
  } catch (error) {
    if (error instanceof WayzoneError && (error.code === 'option-value' || error.code === 'tz-unknown'))
      throw error;
    builder.issues.caught(error);
  }
}
