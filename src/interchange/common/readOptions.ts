/** Options, limits and results of the readers of all formats. Content is counted while it is read, because sizes in headers cannot be trusted. */

import type { ErrorCode } from '../../core/errorCode.js';
import { inputError, WayzoneError } from '../../core/errors.js';
import type { Fix, FixBatch, RawTrack } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { checkOptions, type OptionTable, OWN, valuesOf } from '../../core/options.js';
import type { Geozone, Route, RoutePoint } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import type { Crs } from '../crs/crs.js';

/** Options of every reader that returns zones. */
export interface ReadOptions {
  /** Order of the pairs in the returned zones and routes. Files always have lon, lat. Default `lonlat`. */
  readonly axisOrder?: 'lonlat' | 'latlon' | undefined;
  /** Prefix for zones and routes without an id in the file; their running number follows. Default `zone-` and `route-`. */
  readonly idPrefix?: string | undefined;
  /**
   * The coordinate system of the file if it is not WGS84: the result of `loadCrs`. Asynchronous functions (`read…`) also accept its name or
   * definition. Returned coordinates are always WGS84.
   */
  readonly crs?: string | Crs | undefined;
  /**
   * `[lon, lat]` of a place near the zones. If a zone is near it only with its numbers swapped, the reader warns `axis-order-suspect` (rule:
   * `validateGeozones`). Default: zones are compared with each other, except with `onZone`.
   */
  readonly near?: Position | undefined;
  /** Limits on the size of the file and its content. */
  readonly limits?: ReadLimits | undefined;
  /**
   * Called with each fix in the order of the file. `value` then contains no tracks. With `onFix` and `onZone` the memory of a reader of chunks
   * does not grow with the file.
   */
  readonly onFix?: ((unitId: string, fix: Fix) => void) | undefined;
  /**
   * Called with the fixes in batches of columns, at most 8,192 fixes each. Several times faster than `onFix`; `onFix` is then not called. The
   * batch is reused after the call, so copy all kept values.
   */
  readonly onFixes?: ((batch: FixBatch) => void) | undefined;
  /**
   * Called with each zone in the order of the file. `value` then contains no zones. Repeated ids are neither renamed nor reported. Zones of KML
   * lack the colours of shared styles. A route written by `toKml` is read as a group of its points.
   */
  readonly onZone?: ((zone: ForeignZone) => void) | undefined;
}

export const READ_OPTIONS: OptionTable<ReadOptions> = {
  axisOrder: ZONE_OPTIONS.axisOrder,
  idPrefix: OWN,
  crs: OWN,
  near: OWN,
  limits: OWN,
  onFix: OWN,
  onFixes: OWN,
  onZone: OWN,
};

/** A zone from foreign data. Fields of the file without a place on the wire are under `properties`. */
export interface ForeignZone extends Geozone {
  /** All other fields of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A route point from foreign data. */
export interface ForeignRoutePoint extends RoutePoint {
  /** All other fields of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A route from foreign data. */
export interface ForeignRoute extends Route {
  /** All other fields of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A track from foreign data. */
export interface ForeignTrack extends RawTrack {
  /** All other fields of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/**
 * Limits of a reader, each at least 1. Beyond a limit reading stops with an error issue, and the content before it is returned. `maxIssues` does
 * not stop reading.
 */
export interface ReadLimits {
  /** Greatest number of bytes of a file, or of UTF-16 units of a text. For a KMZ: unpacked bytes of the entries that are read. Default 1 GiB. */
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

/** The name of a file without its folder and extensions. */
export function nameOfFile(fileName: string | undefined): string | null {
  if (fileName === undefined) return null;
  const base = fileName
    .replace(/^.*[/\\]/, '')
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]+$/, '');
  return base === '' ? null : base;
}
