/**
 * Reads GeoJSON from UTF-8 bytes. Features in the usual forms are read from the bytes by `FeatureScanner`. Other features and the text around
 * the features go to `GeoJsonFeed`; zones, issues and errors are the same either way.
 */

import { isAscii } from '../common/isAscii.js';
import { MAX_TEXT_LENGTH } from '../common/readLimits.js';
import { ARRAY, COMMA, OBJECT, skipSpace, textSize, ValueEndScanner } from '../json/jsonBytes.js';
import type { FeatureReader } from './featureReader.js';
import { FeatureScanner } from './featureScanner.js';
import type { GeoJsonFeed } from './geoJsonFeed.js';

/** Most arrays before the features (`bbox`, `crs`). A file with more may have no features, and is read as text. */
const MOST_ARRAYS = 64;
/** With a smaller `maxDepth` the file is read as text, so that every level is counted. */
const LEAST_DEPTH = 64;

const plain = new TextDecoder('utf-8', { ignoreBOM: true });

export class GeoJsonBytes {
  readonly #reader: FeatureReader;
  readonly #feed: GeoJsonFeed;
  readonly #scanner = new FeatureScanner();
  readonly #keeps: boolean;
  /** Bytes [#at, #end) are not read yet. A 0 follows them. */
  #bytes: Uint8Array = new Uint8Array(1);
  #at = 0;
  #end = 0;
  /** The text of bytes [0, #end) if all are ASCII. */
  #text: string | null = null;
  /** The scan for the end of a feature at `#at` that does not end in the bytes, and the index up to which it was scanned. */
  #cut: { readonly value: ValueEndScanner; to: number } | null = null;
  /** The feed has counted the bytes before this index. */
  #passed = 0;
  /** Whether the rest of the file is read as text by the feed. */
  #isText = false;
  #arrays = 0;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** `keeps`: the coordinates of all zones stay in the scanner's arrays. */
  constructor(reader: FeatureReader, feed: GeoJsonFeed, keeps: boolean) {
    this.#reader = reader;
    this.#feed = feed;
    this.#keeps = keeps;
    const { crs, limits } = reader.builder;
    this.#isText = crs !== null || limits.maxDepth < LEAST_DEPTH;
  }

  /** Reads further bytes. `isValid`: these bytes and all before them are valid UTF-8. */
  write(bytes: Uint8Array, isValid: boolean): void {
    if (!isValid) this.#isText = true;
    this.#add(bytes);
    this.run();
  }

  /** Reads the bytes so far. Call it again after `feed.resume`. */
  run(): void {
    const feed = this.#feed;
    while (!feed.isOver && feed.waitsForCrs === null && this.#at < this.#end) {
      if (this.#reader.builder.crs !== null) this.#isText = true;
      if (this.#isText) {
        this.#pass(this.#end);
        return;
      }
      if (feed.isBetweenFeatures) {
        feed.guard(() => this.#features());
        if (this.#isText) continue;
        return;
      }
      // The features may begin after any opening bracket.
      const bracket = this.#bytes.subarray(0, this.#end).indexOf(ARRAY, this.#at);
      this.#pass(bracket < 0 ? this.#end : bracket + 1);
      if (++this.#arrays > MOST_ARRAYS) this.#isText = true;
    }
  }

  close(): void {
    this.#passTextTo(this.#at);
    const rest = this.#decoder.decode(this.#bytes.subarray(this.#at, this.#end));
    if (rest !== '') this.#feed.write(rest);
    this.#feed.close();
  }

  /** Appends bytes to those that are not read yet. */
  #add(bytes: Uint8Array): void {
    const unread = this.#end - this.#at;
    const length = unread + bytes.length;
    const own = this.#bytes;
    if (length < own.length) own.copyWithin(0, this.#at, this.#end);
    else {
      this.#bytes = new Uint8Array(2 * length + 1);
      this.#bytes.set(own.subarray(this.#at, this.#end));
    }
    this.#bytes.set(bytes, unread);
    this.#bytes[length] = 0;
    if (this.#cut !== null) this.#cut.to -= this.#at;
    this.#passed -= this.#at;
    this.#at = 0;
    this.#end = length;
    const now = this.#bytes.subarray(0, length);
    this.#text = !this.#isText && isAscii(now) ? plain.decode(now) : null;
  }

  /** Passes the text of bytes [#at, to) to the feed. */
  #pass(to: number): void {
    this.#passTextTo(this.#at);
    this.#cut = null;
    const text = this.#decoder.decode(this.#bytes.subarray(this.#at, to), { stream: true });
    this.#at = to;
    this.#passed = to;
    this.#feed.write(text);
  }

  /** Counts the text up to `to`, read here, in the feed. */
  #passTextTo(to: number): void {
    if (to === this.#passed) return;
    const { units, lines } = textSize(this.#bytes, this.#passed, to, this.#text !== null);
    this.#feed.passText(units, lines);
    this.#passed = to;
  }

  readonly #textOf = (from: number, to: number): string =>
    this.#text === null ? plain.decode(this.#bytes.subarray(from, to)) : this.#text.slice(from, to);

  /** Reads features up to one that does not end in the bytes, or up to text that only the feed can read. */
  #features(): void {
    const feed = this.#feed;
    const bytes = this.#bytes;
    for (;;) {
      const at = skipSpace(bytes, this.#at);
      this.#at = at;
      if (at >= this.#end) break;
      const mark = bytes[at];
      if (feed.wantsComma && mark === COMMA) {
        feed.passComma();
        this.#at = at + 1;
      } else if (!feed.wantsComma && mark === OBJECT) {
        const end = this.#feature(at);
        if (end < 0) break;
        this.#at = end;
      } else {
        this.#isText = true;
        return;
      }
    }
    this.#passTextTo(this.#at);
  }

  /** Reads the feature at `at` and returns the index after it; -1 if it does not end in the bytes. */
  #feature(at: number): number {
    const bytes = this.#bytes;
    const before = this.#cut;
    let end = before === null ? this.#scanned(at) : -1;
    if (end > 0) return end;
    const cut = before ?? { value: new ValueEndScanner(), to: at };
    const whole = cut.value.end(bytes, cut.to, this.#end);
    if (whole < 0) {
      cut.to = this.#end;
      this.#cut = cut;
      if (this.#end - at > MAX_TEXT_LENGTH) this.#isText = true;
      return -1;
    }
    this.#cut = null;
    if (before !== null) end = this.#scanned(at);
    if (end > 0) return end;
    this.#passTextTo(at);
    this.#feed.readFeature(this.#textOf(at, whole), cut.value.deepest);
    return whole;
  }

  /** As `#feature`, but -1 also for a feature that must be parsed. */
  #scanned(at: number): number {
    const end = this.#scanner.read(this.#bytes, at, this.#keeps);
    if (end < 0 || !this.#reader.readScanned(this.#scanner, this.#bytes, this.#textOf)) return -1;
    this.#feed.passFeature();
    return end;
  }
}
