/** A whole GeoJSON file by the scanner of bytes, where that gives what parsing the file at once would. */

import type { ForeignData } from '../../core/fix.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { eachUtf8, utf8Of } from '../common/utf8Of.js';
import { FeatureReader } from './featureReader.js';
import { GeoJsonBytes } from './geoJsonBytes.js';
import { GeoJsonFeed } from './geoJsonFeed.js';
import type { GeoJsonOptions } from './geoJsonOptions.js';
import type { PlainProperties } from './plainProperties.js';

/** Bytes that are scanned at a time. */
const PIECE = 1_048_576;
/** Units of a text that is not worth the way over bytes. */
const SHORT_TEXT = 4096;
/** Levels around a feature in its file, which its own limit does not see. */
const LEVELS_AROUND = 2;

/**
 * Null where the file must be parsed: for any error of the file, names of its members with escapes or twice, a system of coordinates,
 * a limit on levels. Nothing was given to the caller then. `flat`: for an index alone, see `FeatureReader`.
 */
export function scanGeoJson(
  input: unknown,
  options: GeoJsonOptions,
  flat: PlainProperties | null,
): ForeignData | null {
  if (!isUsual(options)) return null;
  if (typeof input === 'string') {
    if (input.length < SHORT_TEXT || HALF_CHARACTER.test(input)) return null;
  } else if (!(input instanceof Uint8Array)) return null;
  const whole = new WholeScan(options, flat);
  const bytes = utf8Of(input, whole.builder.issues, whole.builder.limits);
  // Nothing but bytes that are wrong can be said yet.
  if (bytes === null || whole.builder.issues.count > 0) return null;
  for (let at = 0; at < bytes.length; at += PIECE) {
    if (!whole.write(bytes.subarray(at, at + PIECE), true)) return null;
  }
  return whole.end();
}

/** `scanGeoJson` of a file that comes in chunks, which may be one buffer that is filled anew. */
export async function scanGeoJsonChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GeoJsonOptions,
  flat: PlainProperties | null,
): Promise<ForeignData | null> {
  if (!isUsual(options)) return null;
  const whole = new WholeScan(options, flat);
  const { issues, limits } = whole.builder;
  const isWhole = await eachUtf8(chunks, issues, limits, (bytes, isSound) => whole.write(bytes, isSound));
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
  #isSound = true;

  constructor(options: GeoJsonOptions, flat: PlainProperties | null) {
    this.#reader = new FeatureReader(options, undefined, flat);
    this.builder = this.#reader.builder;
    this.#feed = new GeoJsonFeed(this.#reader, LEVELS_AROUND);
    this.#scan = new GeoJsonBytes(this.#reader, this.#feed, flat !== null);
  }

  /** False: the file must be parsed. */
  write(bytes: Uint8Array, isSound: boolean): boolean {
    this.#isSound = isSound;
    if (isSound) this.#scan.write(bytes, true);
    return isSound && !this.#feed.isOver && this.#feed.waitsForCrs === null;
  }

  end(): ForeignData | null {
    const feed = this.#feed;
    const { builder } = this;
    if (!this.#isSound || !feed.sawFeatures) return null;
    const said = builder.issues.count;
    this.#scan.close();
    // What the file says of itself comes before its features where it is parsed.
    if (feed.isOver || builder.issues.count > said || !isPlainFrame(feed.frameText)) return null;
    this.#reader.finish();
    return builder.toForeignData();
  }
}

const HALF_CHARACTER = /\p{Surrogate}/u;

/** Whether no member can stand twice. */
function isPlainFrame(text: string): boolean {
  return !text.includes('\\') && text.indexOf('"features"') === text.lastIndexOf('"features"');
}
