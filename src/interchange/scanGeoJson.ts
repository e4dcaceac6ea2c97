/** A whole GeoJSON file by the scanner of bytes, where that gives what parsing the file at once would. */

import type { ForeignData } from '../core/fix.js';
import { FeatureReader, type GeoJsonOptions } from './featureReader.js';
import { GeoJsonBytes } from './geoJsonBytes.js';
import { GeoJsonFeed } from './geoJsonFeed.js';
import { utf8Of } from './utf8Bytes.js';

/** Bytes that are scanned at a time. */
const PIECE = 1_048_576;
/** Units of a text that is not worth the way over bytes. */
const SHORT_TEXT = 4096;
/** Levels around a feature in its file, which its own limit does not see. */
const LEVELS_AROUND = 2;

/**
 * Null where the file must be parsed: for any error of the file, names of its members with escapes or twice, a system of coordinates,
 * a limit on levels. Nothing was given to the caller then.
 */
export function scanGeoJson(input: unknown, options: GeoJsonOptions, isFlat: boolean): ForeignData | null {
  if (options.crs !== undefined || options.onZone !== undefined || options.limits?.maxDepth !== undefined) {
    return null;
  }
  if (typeof input === 'string') {
    if (input.length < SHORT_TEXT || HALF_CHARACTER.test(input)) return null;
  } else if (!(input instanceof Uint8Array)) return null;
  const reader = new FeatureReader(options, undefined, isFlat);
  const { builder } = reader;
  const bytes = utf8Of(input, builder.issues, builder.limits);
  // Nothing but bytes that are wrong can be said yet.
  if (bytes === null || builder.issues.toArray().length > 0) return null;
  const feed = new GeoJsonFeed(reader, LEVELS_AROUND);
  const scan = new GeoJsonBytes(reader, feed, isFlat);
  for (let at = 0; at < bytes.length; at += PIECE) {
    scan.write(bytes.subarray(at, at + PIECE), true);
    if (feed.isOver || feed.waitsForCrs !== null) return null;
  }
  if (!feed.sawFeatures) return null;
  const said = builder.issues.count;
  scan.close();
  // What the file says of itself comes before its features where it is parsed.
  if (feed.isOver || builder.issues.count > said || !isPlainFrame(feed.frameText)) return null;
  reader.finish();
  return builder.toForeignData();
}

const HALF_CHARACTER = /\p{Surrogate}/u;

/** Whether no member can stand twice. */
function isPlainFrame(text: string): boolean {
  return !text.includes('\\') && text.indexOf('"features"') === text.lastIndexOf('"features"');
}
