/** Reads a whole GeoJSON file with the scanner of bytes, if the result is the same as that of parsing the file. */

import type { ForeignData } from '../../core/fix.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { eachUtf8, utf8Of } from '../common/utf8Of.js';
import { FeatureReader } from './featureReader.js';
import { GeoJsonBytes } from './geoJsonBytes.js';
import { GeoJsonFeed } from './geoJsonFeed.js';
import type { GeoJsonOptions } from './geoJsonOptions.js';
import type { PlainProperties } from './plainProperties.js';

/** Bytes scanned at a time. */
const PIECE = 1_048_576;
/** A text of fewer UTF-16 units is parsed: converting it to bytes takes longer. */
const SHORT_TEXT = 4096;
/** Levels of the root object and its array around each feature. */
const LEVELS_AROUND = 2;

/**
 * Reads the file. Null if it must be parsed: for any error of syntax or encoding, member names with escapes or a second `features`, the option
 * `crs` or `limits.maxDepth`, or `onZone`. `flat`: for an index, see `FeatureReader`.
 */
export function scanGeoJson(
  input: unknown,
  options: GeoJsonOptions,
  flat: PlainProperties | null,
): ForeignData | null {
  if (!isUsual(options)) return null;
  if (typeof input === 'string') {
    if (input.length < SHORT_TEXT || LONE_SURROGATE.test(input)) return null;
  } else if (!(input instanceof Uint8Array)) return null;
  const whole = new WholeScan(options, flat);
  const bytes = utf8Of(input, whole.builder.issues, whole.builder.limits);
  // The only possible issues so far are those of invalid bytes.
  if (bytes === null || whole.builder.issues.count > 0) return null;
  for (let at = 0; at < bytes.length; at += PIECE) {
    if (!whole.write(bytes.subarray(at, at + PIECE), true)) return null;
  }
  return whole.end();
}

/** `scanGeoJson` for a file in chunks. The caller may reuse the buffer of a chunk. */
export async function scanGeoJsonChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GeoJsonOptions,
  flat: PlainProperties | null,
): Promise<ForeignData | null> {
  if (!isUsual(options)) return null;
  const whole = new WholeScan(options, flat);
  const { issues, limits } = whole.builder;
  const isWhole = await eachUtf8(chunks, issues, limits, (bytes, isValid) => whole.write(bytes, isValid));
  return isWhole ? whole.end() : null;
}

function isUsual({ crs, onZone, limits }: GeoJsonOptions): boolean {
  return crs === undefined && onZone === undefined && limits?.maxDepth === undefined;
}

class WholeScan {
  readonly builder: ForeignBuilder;
  readonly #reader: FeatureReader;
  readonly #feed: GeoJsonFeed;
  readonly #scan: GeoJsonBytes;
  #isValid = true;

  constructor(options: GeoJsonOptions, flat: PlainProperties | null) {
    this.#reader = new FeatureReader(options, undefined, flat);
    this.builder = this.#reader.builder;
    this.#feed = new GeoJsonFeed(this.#reader, LEVELS_AROUND);
    this.#scan = new GeoJsonBytes(this.#reader, this.#feed, flat !== null);
  }

  /** Reads further bytes. False if the file must be parsed. */
  write(bytes: Uint8Array, isValid: boolean): boolean {
    this.#isValid = isValid;
    if (isValid) this.#scan.write(bytes, true);
    return isValid && !this.#feed.isOver && this.#feed.waitsForCrs === null;
  }

  /** Ends the file. Null if it must be parsed. */
  end(): ForeignData | null {
    const feed = this.#feed;
    const { builder } = this;
    if (!this.#isValid || !feed.sawFeatures) return null;
    const before = builder.issues.count;
    this.#scan.close();
    // A parsed file reports the issues of its root before those of its features.
    if (feed.isOver || builder.issues.count > before || !isPlainFrame(feed.frameText)) return null;
    this.#reader.finish();
    return builder.toForeignData();
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether the text around the features has no escapes and not two members `features`. */
function isPlainFrame(text: string): boolean {
  return !text.includes('\\') && text.indexOf('"features"') === text.lastIndexOf('"features"');
}
