/** Reads GeoJSON text in pieces, feature by feature. Memory: one feature and the text around the features. */

import { expected, WayzoneError } from '../../core/errors.js';
import { isRecord, own } from '../common/foreignFields.js';
import type { Crs } from '../crs/crs.js';
import { ARRAY_END, COMMA } from '../json/jsonBytes.js';
import { JsonValue } from '../json/jsonPiece.js';
import { numberTexts } from '../json/numberTexts.js';
import { MAX_JSON_DEPTH, parseJson, type TextPlace } from '../json/parseJson.js';
import { rootMembers } from '../json/rootMembers.js';
import { crsMember } from './crsMember.js';
import type { FeatureReader } from './featureReader.js';
import { GeoJsonFrame } from './geoJsonFrame.js';

export class GeoJsonFeed {
  /** Name of the coordinate system that the caller must load and pass to `resume`; null if none is needed. */
  waitsForCrs: string | null = null;
  /** Whether reading has ended before the end of the file, by an error or a limit. */
  isOver = false;
  readonly #reader: FeatureReader;
  readonly #frame = new GeoJsonFrame();
  #feature: JsonValue | null = null;
  #mode: 'frame' | 'features' = 'frame';
  #wantsComma = false;
  #count = 0;
  #offset = 0;
  #line = 1;
  /** Text that came while a system was loaded. */
  #pending = '';
  readonly #levelsAround: number;

  /** `levelsAround`: number of levels around a feature that count with its own levels. */
  constructor(reader: FeatureReader, levelsAround: number = 0) {
    this.#reader = reader;
    this.#levelsAround = levelsAround;
  }

  write(text: string): void {
    if (this.isOver) return;
    if (this.waitsForCrs !== null) {
      this.#pending += text;
      return;
    }
    this.guard(() => {
      this.#scan(text);
    });
  }

  /** Continues with the system of `waitsForCrs`, or null if it cannot be loaded. */
  resume(crs: Crs | null): void {
    const { builder } = this.#reader;
    const name = this.waitsForCrs;
    this.waitsForCrs = null;
    if (crs === null) {
      this.#reader.acceptsCrs({ kind: 'named', name: name ?? '' });
      this.isOver = true;
      return;
    }
    builder.crs = crs;
    const text = this.#pending;
    this.#pending = '';
    this.write(text);
  }

  /** Whether the text ends within the array of features, between two of them. The next feature may then be read without the feed. */
  get isBetweenFeatures(): boolean {
    return this.#mode === 'features' && this.#feature === null && !this.isOver && this.waitsForCrs === null;
  }

  /** Whether the array of features has begun. */
  get sawFeatures(): boolean {
    return this.#frame.sawFeatures;
  }

  /** Whether a comma must come before the next feature. */
  get wantsComma(): boolean {
    return this.#wantsComma;
  }

  /** The text around the features so far. */
  get frameText(): string {
    return this.#frame.text;
  }

  /** Notes a comma between features. */
  passComma(): void {
    this.#wantsComma = false;
  }

  /** Counts a feature that was read without the feed. */
  passFeature(): void {
    this.#wantsComma = true;
    this.#count++;
  }

  /** Counts text that was read without the feed. */
  passText(units: number, lines: number): void {
    this.#offset += units;
    this.#line += lines;
  }

  /** Reads the text of a whole feature. `deepest`: number of its levels. */
  readFeature(text: string, deepest: number): void {
    const place = { offset: this.#offset, line: this.#line };
    this.passFeature();
    this.#reader.readMember(
      parseJson(text, this.#mostLevels, () => place, deepest),
      text,
    );
  }

  /** Ends the text and checks the text around the features. */
  close(): void {
    if (this.isOver) return;
    this.guard(() => {
      if (this.#feature !== null) this.#parse(this.#feature);
      const root = this.#frame.parse(this.#frame.text, this.#reader.builder.limits.maxDepth);
      const { builder } = this.#reader;
      if (!this.#frame.sawFeatures) {
        if (this.#reader.acceptsCrs(crsMember(root))) this.#reader.readRoot(root, this.#frame.text);
        return;
      }
      const type = isRecord(root) ? own(root, 'type') : undefined;
      if (type !== 'FeatureCollection') {
        builder.clear();
        builder.issues.error('geojson-type', 'type', expected('FeatureCollection', type));
      } else if (isRecord(root)) this.#reader.readDocument(root, () => numberTexts(this.#frame.text));
      if (rootMembers(this.#frame.text).filter((name) => name === 'features').length > 1) {
        builder.issues.error(
          'json-duplicate',
          'features',
          'expected one member features, received another; not read',
        );
      }
      const member = crsMember(root);
      if (builder.crs === null && member.kind !== 'wgs84') {
        builder.clear();
        this.#reader.acceptsCrs(member);
      }
    });
  }

  /** Calls `run`. Any error ends the reading; a `WayzoneError` becomes an issue. */
  guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.isOver = true;
      if (!(error instanceof WayzoneError)) throw error;
      this.#reader.builder.issues.error(error.code, error.field, error.message);
    }
  }

  #scan(text: string): void {
    let start = 0;
    while (start < text.length && this.waitsForCrs === null) {
      const end = this.#mode === 'frame' ? this.#scanFrame(text, start) : this.#scanFeatures(text, start);
      this.#advance(text, start, end);
      start = end;
    }
    if (start < text.length) this.#pending = text.slice(start) + this.#pending;
  }

  #advance(text: string, start: number, end: number): void {
    this.#offset += end - start;
    for (let i = text.indexOf('\n', start); i >= 0 && i < end; i = text.indexOf('\n', i + 1)) this.#line++;
  }

  /** Reads text around the features, up to the array of features or the end. Returns the index after it. */
  #scanFrame(text: string, start: number): number {
    const { sawFeatures } = this.#frame;
    const end = this.#frame.take(text, start);
    if (!sawFeatures && this.#frame.sawFeatures) this.#beginFeatures();
    return end;
  }

  #beginFeatures(): void {
    this.#mode = 'features';
    // The member `crs` may come before the features.
    const member = crsMember(
      this.#frame.parse(`${this.#frame.text}]}`, this.#reader.builder.limits.maxDepth),
    );
    if (this.#reader.hasCrsOption || member.kind !== 'named') {
      if (!this.#reader.acceptsCrs(member)) this.isOver = true;
      return;
    }
    this.waitsForCrs = member.name;
  }

  /** Reads features up to the end of their array or the end of the text. Returns the index after them. */
  #scanFeatures(text: string, start: number): number {
    if (this.isOver) return text.length;
    for (let i = start; i < text.length; i++) {
      if (this.#feature !== null) {
        const piece = this.#feature;
        const end = piece.take(text, i);
        if (!piece.isWhole) return end;
        this.#feature = null;
        this.#wantsComma = true;
        this.#count++;
        this.#reader.readMember(this.#parse(piece), piece.text);
        i = end - 1;
        continue;
      }
      const unit = text.charCodeAt(i);
      if (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) continue;
      if (unit === ARRAY_END && (this.#wantsComma || this.#count === 0)) {
        this.#mode = 'frame';
        this.#frame.resume(this.#placeAt(text, start, i));
        return i;
      }
      if (unit === COMMA && this.#wantsComma) {
        this.#wantsComma = false;
        continue;
      }
      const place = this.#placeAt(text, start, i);
      if (this.#wantsComma || unit === COMMA || unit === ARRAY_END) {
        throw new WayzoneError(
          'json-syntax',
          `offset ${place.offset}`,
          `expected JSON, received ${JSON.stringify(text.charAt(i))} at offset ${place.offset} (line ${place.line})`,
        );
      }
      this.#feature = new JsonValue(place);
      i--;
    }
    return text.length;
  }

  /** The place of an index. Its line is counted when an error needs it. */
  #placeAt(text: string, start: number, at: number): TextPlace {
    const first = this.#line;
    return {
      offset: this.#offset + at - start,
      get line(): number {
        let line = first;
        for (let i = text.indexOf('\n', start); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line++;
        return line;
      },
    };
  }

  #parse(piece: JsonValue): unknown {
    return parseJson(piece.text, this.#mostLevels, () => piece.place, piece.deepest);
  }

  get #mostLevels(): number {
    return Math.min(this.#reader.builder.limits.maxDepth, MAX_JSON_DEPTH) - this.#levelsAround;
  }
}
