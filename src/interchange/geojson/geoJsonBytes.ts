/**
 * GeoJSON as UTF-8 bytes: features in the usual forms are read from the bytes themselves. What is around them, and every other feature, is for
 * `GeoJsonFeed`, whose zones, issues and errors these are.
 */

import { isAscii } from '../common/isAscii.js';
import { MAX_TEXT_LENGTH } from '../common/readLimits.js';
import { ARRAY, COMMA, OBJECT, skipSpace, textSize, ValueEndScanner } from '../json/jsonBytes.js';
import type { FeatureReader } from './featureReader.js';
import { FeatureScanner } from './featureScanner.js';
import type { GeoJsonFeed } from './geoJsonFeed.js';

/** Arrays before the features, in `bbox` or `crs`, that are looked at; a file of more may have no features at all. */
const MOST_ARRAYS = 64;
/** Fewer levels than this are for `JSON.parse` and its limit alone. */
const LEAST_DEPTH = 64;

const plain = new TextDecoder('utf-8', { ignoreBOM: true });

export class GeoJsonBytes {
  readonly #reader: FeatureReader;
  readonly #feed: GeoJsonFeed;
  readonly #scanner = new FeatureScanner();
  readonly #keeps: boolean;
  /** Bytes from `#at` to `#end` are not read yet; a 0 comes behind them. */
  #bytes: Uint8Array = new Uint8Array(1);
  #at = 0;
  #end = 0;
  /** Of bytes from 0 on, where all are ASCII. */
  #text: string | null = null;
  /** The feature at `#at`, when it goes beyond the bytes, and where its end was sought to. */
  #cut: { readonly value: ValueEndScanner; to: number } | null = null;
  /** The feed has counted the bytes before this. */
  #passed = 0;
  #isText = false;
  #arrays = 0;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** `keeps`: the coordinates of zones stay in the scanner's arrays. */
  constructor(reader: FeatureReader, feed: GeoJsonFeed, keeps: boolean) {
    this.#reader = reader;
    this.#feed = feed;
    this.#keeps = keeps;
    const { crs, limits } = reader.builder;
    this.#isText = crs !== null || limits.maxDepth < LEAST_DEPTH;
  }

  /** `isSound`: these bytes, and all before them, are UTF-8. */
  write(bytes: Uint8Array, isSound: boolean): void {
    if (!isSound) this.#isText = true;
    this.#add(bytes);
    this.run();
  }

  /** Goes on after the feed had to wait. */
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
      // The features may begin behind any bracket.
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

  /** Puts the bytes behind those that are not read yet. */
  #add(bytes: Uint8Array): void {
    const held = this.#end - this.#at;
    const length = held + bytes.length;
    const own = this.#bytes;
    if (length < own.length) own.copyWithin(0, this.#at, this.#end);
    else {
      this.#bytes = new Uint8Array(2 * length + 1);
      this.#bytes.set(own.subarray(this.#at, this.#end));
    }
    this.#bytes.set(bytes, held);
    this.#bytes[length] = 0;
    if (this.#cut !== null) this.#cut.to -= this.#at;
    this.#passed -= this.#at;
    this.#at = 0;
    this.#end = length;
    const now = this.#bytes.subarray(0, length);
    this.#text = !this.#isText && isAscii(now) ? plain.decode(now) : null;
  }

  /** Gives the feed text up to there. */
  #pass(to: number): void {
    this.#passTextTo(this.#at);
    this.#cut = null;
    const text = this.#decoder.decode(this.#bytes.subarray(this.#at, to), { stream: true });
    this.#at = to;
    this.#passed = to;
    this.#feed.write(text);
  }

  #passTextTo(to: number): void {
    if (to === this.#passed) return;
    const { units, lines } = textSize(this.#bytes, this.#passed, to, this.#text !== null);
    this.#feed.passText(units, lines);
    this.#passed = to;
  }

  readonly #textOf = (from: number, to: number): string =>
    this.#text === null ? plain.decode(this.#bytes.subarray(from, to)) : this.#text.slice(from, to);

  /** Reads features up to the one that goes beyond the bytes, or to what only the feed can read. */
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

  /** Reads the feature at `at` and returns the byte after it; -1 when that is not there yet. */
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

  /** As `#feature`; -1 also for a feature that must be parsed. */
  #scanned(at: number): number {
    const end = this.#scanner.read(this.#bytes, at, this.#keeps);
    if (end < 0 || !this.#reader.readScanned(this.#scanner, this.#bytes, this.#textOf)) return -1;
    this.#feed.passFeature();
    return end;
  }
}
