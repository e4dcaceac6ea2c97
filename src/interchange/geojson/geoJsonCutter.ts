/** Cuts GeoJSON in UTF-8 into its features and the text around them. Memory: one feature and the text around the features. */

import { COMMA } from '../../core/ascii.js';
import { WayzoneError } from '../../core/errors.js';
import { isAscii } from '../common/decodeText.js';
import { isRecord } from '../common/foreignFields.js';
import { MAX_TEXT_LENGTH } from '../common/readOptions.js';
import type { Crs } from '../crs/crs.js';
import { ARRAY_END, OBJECT, OBJECT_END, skipSpace, textSize, ValueEndScanner } from '../json/jsonBytes.js';
import { numberTexts } from '../json/numberTexts.js';
import { MAX_JSON_DEPTH, nanAsNull, parseJson, rootMembers, type TextPlace } from '../json/parseJson.js';
import type { FeatureReader } from './featureReader.js';
import { FeatureScanner } from './featureScanner.js';
import { GeoJsonFrame, utf8Decoder } from './geoJsonFrame.js';
import { crsMember } from './geoJsonOptions.js';

/** Number of levels around each feature: the root object and its array. */
const LEVELS_AROUND = 2;
/** Least `maxDepth` with which features are scanned. With a smaller one each feature is parsed, so that its levels are counted. */
const LEAST_SCANNED_DEPTH = 64;

export class GeoJsonCutter {
  /** Name of the coordinate system that the caller must load and pass to `resume`; null if none is needed. */
  waitsForCrs: string | null = null;
  /** Whether reading has ended before the end of the file, by an error or a limit. */
  isOver = false;
  readonly #reader: FeatureReader;
  readonly #frame = new GeoJsonFrame();
  /** The scanner, made at the first feature. */
  #scanner: FeatureScanner | null = null;
  readonly #mostLevels: number;
  /** Bytes, of which [#at, #end) are not read yet. A 0 follows them. */
  #bytes: Uint8Array = new Uint8Array(1);
  #at = 0;
  #end = 0;
  /** Text of bytes [0, #end) while features are read, if all are ASCII. */
  #text: string | null = null;
  /** Place in the file of byte `#counted`. */
  #place: TextPlace = { offset: 0, line: 1 };
  #counted = 0;
  #isInFeatures = false;
  #count = 0;
  /** Whether a comma must come before the next feature. */
  #wantsComma = false;
  /** Scan for the end of a value at `#at` that does not end in the bytes, with the index scanned up to. */
  #cut: { readonly value: ValueEndScanner; to: number } | null = null;
  /** Whether the file names a coordinate system before its features. */
  #sawCrs = false;

  constructor(reader: FeatureReader) {
    this.#reader = reader;
    this.#mostLevels = Math.min(reader.builder.limits.maxDepth, MAX_JSON_DEPTH) - LEVELS_AROUND;
  }

  /** Reads further bytes. The caller may reuse them. */
  write(bytes: Uint8Array): void {
    this.#add(bytes);
    this.#run();
  }

  /** Continues with the system of `waitsForCrs`; null if it cannot be loaded. */
  resume(crs: Crs | null): void {
    const name = this.waitsForCrs ?? '';
    this.waitsForCrs = null;
    if (crs === null) this.isOver = !this.#reader.acceptsCrs({ kind: 'named', name });
    else this.#reader.builder.crs = crs;
    this.#run();
  }

  /** Ends the file and checks the text around the features. */
  close(): void {
    if (this.isOver) return;
    this.#guard(() => {
      if (this.#isInFeatures) {
        if (this.#at < this.#end) this.#parse(this.#at, this.#end);
        this.#frame.resume(this.#placeOf(this.#end));
      }
      this.#readRoot();
    });
  }

  /** Appends bytes to the unread ones. */
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
    this.#counted -= this.#at;
    this.#at = 0;
    this.#end = length;
    this.#text = null;
  }

  /** Reads the bytes up to a value that does not end in them. */
  #run(): void {
    this.#guard(() => {
      let isStopped = false;
      while (!isStopped && !this.isOver && this.waitsForCrs === null && this.#at < this.#end) {
        if (this.#isInFeatures) isStopped = !this.#readFeatures();
        else this.#readFrame();
      }
    });
  }

  /** Calls `run`. Any error ends the reading; a `WayzoneError` becomes an issue. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.isOver = true;
      this.#reader.builder.issues.caught(error);
    }
  }

  /** Reads text around the features, up to the array of features or the end of the bytes. */
  #readFrame(): void {
    const { sawFeatures } = this.#frame;
    this.#at = this.#frame.take(this.#bytes, this.#at, this.#end);
    this.#placeOf(this.#at);
    if (sawFeatures || !this.#frame.sawFeatures) return;
    this.#isInFeatures = true;
    // The member `crs` may come before the features.
    const member = crsMember(this.#frame.parse(']}', this.#reader.builder.limits.maxDepth));
    this.#sawCrs = member.kind !== 'wgs84';
    if (member.kind === 'named' && !this.#reader.hasCrsOption) this.waitsForCrs = member.name;
    else this.isOver = !this.#reader.acceptsCrs(member);
  }

  /** Reads features up to the end of their array. Returns false if a value does not end in the bytes. */
  #readFeatures(): boolean {
    const bytes = this.#bytes;
    const all = bytes.subarray(0, this.#end);
    if (isAscii(all)) this.#text = utf8Decoder.decode(all);
    for (;;) {
      const at = skipSpace(bytes, this.#at);
      this.#at = at;
      if (at >= this.#end) break;
      const mark = bytes[at];
      if (mark === ARRAY_END && (this.#wantsComma || this.#count === 0)) {
        this.#isInFeatures = false;
        this.#frame.resume(this.#placeOf(at));
        return true;
      }
      if (mark === COMMA && this.#wantsComma) {
        this.#wantsComma = false;
        this.#at = at + 1;
      } else if (this.#wantsComma || mark === COMMA || mark === ARRAY_END || mark === OBJECT_END) {
        throw this.#syntaxError(at);
      } else {
        const end = this.#feature(at);
        if (end < 0) break;
        this.#at = end;
        this.#count++;
        this.#wantsComma = true;
      }
    }
    this.#placeOf(this.#at);
    return false;
  }

  /** Reads the value at `at` and returns the index after it; -1 if it does not end in the bytes. */
  #feature(at: number): number {
    const before = this.#cut;
    let end = before === null ? this.#scanned(at) : -1;
    if (end > 0) return end;
    const cut = before ?? { value: new ValueEndScanner(), to: at };
    const whole = cut.value.end(this.#bytes, cut.to, this.#end);
    if (whole < 0) {
      cut.to = this.#end;
      this.#cut = cut;
      if (this.#end - at > MAX_TEXT_LENGTH) throw this.#tooLong(at);
      return -1;
    }
    this.#cut = null;
    if (before !== null) end = this.#scanned(at);
    if (end > 0) return end;
    this.#member(at, whole, cut.value.deepest);
    return whole;
  }

  /** Reads the feature in bytes [from, to). Numbers that JSON does not have are read as null; a feature that is not JSON is left out. */
  #member(from: number, to: number, deepest: number): void {
    const { builder } = this.#reader;
    try {
      this.#reader.readMember(this.#parse(from, to, deepest), this.#textOf(from, to));
    } catch (error) {
      if (!(error instanceof WayzoneError) || error.code !== 'json-syntax') throw error;
      const { line } = this.#placeOf(from);
      const plain = nanAsNull(this.#textOf(from, to));
      try {
        if (plain === null) throw error;
        const feature = parseJson(plain, this.#mostLevels, () => this.#placeOf(from), deepest);
        const message = 'expected a number, received NaN or Infinity, which JSON does not have; read as null';
        builder.issues.warning('json-value', this.#reader.nextFeature, message, line);
        this.#reader.readMember(feature, plain);
      } catch (second) {
        // The message contains the line of the error itself.
        builder.issues.caught(second);
        this.#reader.skipMember();
      }
    }
  }

  /** Like `#feature`, but also -1 for a feature that must be parsed. */
  #scanned(at: number): number {
    const { builder } = this.#reader;
    if (this.#bytes[at] !== OBJECT || builder.crs !== null || this.#mostLevels < LEAST_SCANNED_DEPTH)
      return -1;
    this.#scanner ??= new FeatureScanner();
    const end = this.#scanner.read(this.#bytes, at, this.#reader.isFlat);
    return end > 0 && this.#reader.readScanned(this.#scanner, this.#bytes, this.#textOf) ? end : -1;
  }

  #parse(from: number, to: number, deepest?: number): unknown {
    return parseJson(this.#textOf(from, to), this.#mostLevels, () => this.#placeOf(from), deepest);
  }

  readonly #textOf = (from: number, to: number): string =>
    this.#text === null ? utf8Decoder.decode(this.#bytes.subarray(from, to)) : this.#text.slice(from, to);

  /** Place in the file of byte `at`, which must not be before that of the last call. */
  #placeOf(at: number): TextPlace {
    if (at !== this.#counted) {
      const { units, lines } = textSize(this.#bytes, this.#counted, at, this.#text !== null);
      const { offset, line } = this.#place;
      this.#place = { offset: offset + units, line: line + lines };
      this.#counted = at;
    }
    return this.#place;
  }

  /** Line of the next byte to be written. */
  get line(): number {
    return this.#place.line + textSize(this.#bytes, this.#counted, this.#end, true).lines;
  }

  #syntaxError(at: number): WayzoneError {
    const { offset, line } = this.#placeOf(at);
    const received = JSON.stringify(this.#textOf(at, Math.min(at + 4, this.#end)).charAt(0));
    const message = `expected JSON, received ${received} at offset ${offset} (line ${line})`;
    return new WayzoneError('json-syntax', `offset ${offset}`, message);
  }

  #tooLong(at: number): WayzoneError {
    const message = `expected a feature of at most ${MAX_TEXT_LENGTH} bytes, received more`;
    return new WayzoneError('limit-text', `offset ${this.#placeOf(at).offset}`, message);
  }

  #readRoot(): void {
    const reader = this.#reader;
    const { text, sawFeatures } = this.#frame;
    const root = this.#frame.parse('', reader.builder.limits.maxDepth);
    const member = crsMember(root);
    if (!this.#sawCrs && !reader.acceptsCrs(member)) {
      reader.clear();
      return;
    }
    if (!sawFeatures || !isRecord(root) || root['type'] !== 'FeatureCollection') {
      if (sawFeatures) reader.clear();
      reader.readRoot(root, text);
      return;
    }
    reader.readDocument(root, () => numberTexts(text));
    if (rootMembers(text).filter((name) => name === 'features').length > 1) {
      const message = 'expected one member features, received another; not read';
      reader.builder.issues.error('json-duplicate', 'features', message);
    }
  }
}
