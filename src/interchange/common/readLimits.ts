/** Limits of the readers. Content is counted while it is read, because sizes in headers cannot be trusted. */

import type { ErrorCode } from '../../core/errorCode.js';
import { inputError, WayzoneError } from '../../core/errors.js';
import { checkOptions, type OptionTable, valuesOf } from '../../core/options.js';

/** Limits of a reader, each at least 1. Beyond a limit other than `maxIssues` reading stops with an error issue; the content before it is returned. */
export interface ReadLimits {
  /** Bytes of a file, or UTF-16 units of a text; of a KMZ, unpacked bytes of the entries that are read. Default 1 GiB. */
  readonly maxBytes?: number | undefined;
  /** Number of positions of all zones, routes and tracks. Default 20 million. */
  readonly maxVertices?: number | undefined;
  /** Number of zones, routes and tracks. Default 2 million. */
  readonly maxFeatures?: number | undefined;
  /** Number of levels of nested elements, arrays or objects. Default 1000. */
  readonly maxDepth?: number | undefined;
  /** Number of entries of a KMZ. Default 10,000. */
  readonly maxEntries?: number | undefined;
  /** Number of issues of one code that are reported one by one. One more issue counts the rest. Default 100. */
  readonly maxIssues?: number | undefined;
}

const LIMITS: OptionTable<ReadLimits> = {
  maxBytes: { default: 1_073_741_824, min: 1 },
  maxVertices: { default: 20_000_000, min: 1 },
  maxFeatures: { default: 2_000_000, min: 1 },
  maxDepth: { default: 1000, min: 1 },
  maxEntries: { default: 10_000, min: 1 },
  maxIssues: { default: 100, min: 1 },
};

/** Largest length of one element's text, one row or one feature, UTF-16 units. It bounds the memory of a reader of chunks. */
export const MAX_TEXT_LENGTH = 134_217_728;

/** Counts the content of one file. Each `count…` throws `limit-…` beyond its limit. */
export class LimitCounter {
  readonly maxBytes: number;
  readonly maxDepth: number;
  readonly maxEntries: number;
  readonly maxIssues: number;
  readonly #maxVertices: number;
  readonly #maxFeatures: number;
  #bytes = 0;
  #vertices = 0;
  #features = 0;

  constructor(limits: ReadLimits | undefined) {
    const given: unknown = limits ?? {};
    if (typeof given !== 'object' || given === null) {
      throw inputError('option-value', 'limits', 'an object of limits', limits);
    }
    checkOptions(given, LIMITS, 'limits');
    const read = valuesOf(given, LIMITS, 'limits');
    this.maxBytes = read.maxBytes;
    this.maxDepth = read.maxDepth;
    this.maxEntries = read.maxEntries;
    this.maxIssues = read.maxIssues;
    this.#maxVertices = read.maxVertices;
    this.#maxFeatures = read.maxFeatures;
  }

  countBytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes > this.maxBytes) throw beyond('limit-bytes', `${this.maxBytes} bytes`);
  }

  countVertices(count: number): void {
    this.#vertices += count;
    if (this.#vertices > this.#maxVertices) throw beyond('limit-vertices', `${this.#maxVertices} positions`);
  }

  /** Checks the number of all rows before the next ones are read, so that rows without content are limited too. */
  checkRows(rows: number): void {
    if (rows > this.#maxVertices) throw beyond('limit-vertices', `${this.#maxVertices} rows`);
  }

  countFeature(): void {
    if (++this.#features > this.#maxFeatures) throw beyond('limit-features', `${this.#maxFeatures} features`);
  }
}

function beyond(code: ErrorCode, most: string): WayzoneError {
  return new WayzoneError(code, '', `expected at most ${most}, received more; the rest is not read`);
}
