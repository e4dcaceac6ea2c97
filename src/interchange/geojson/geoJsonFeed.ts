/** GeoJSON text as it comes in, cut into its features: one feature lies in memory, and all that is around them. */

import { expected, WayzoneError } from '../../core/errors.js';
import { isRecord, own } from '../common/foreignFields.js';
import type { Crs } from '../crs/crs.js';
import { ARRAY_END, COMMA } from '../json/jsonBytes.js';
import { JsonValue } from '../json/jsonPiece.js';
import { numberTexts } from '../json/numberTexts.js';
import { MAX_JSON_DEPTH, parseJson, type TextPlace } from '../json/parseJson.js';
import { rootMembers } from '../json/rootMembers.js';
import { crsMember, type FeatureReader } from './featureReader.js';
import { GeoJsonFrame } from './geoJsonFrame.js';

export class GeoJsonFeed {
  /** Name of the coordinate system that the caller must load before `resume`; null if none is needed. */
  waitsForCrs: string | null = null;
  /** Whether no more text is wanted: something was wrong, or beyond a limit. */
  isOver = false;
  readonly #reader: FeatureReader;
  readonly #frame = new GeoJsonFrame();
  #feature: JsonValue | null = null;
  #mode: 'frame' | 'features' = 'frame';
  #wantsComma = false;
  #count = 0;
  #offset = 0;
  #line = 1;
  /** Text that came while a system was looked up. */
  #held = '';

  /** So many levels of the file around a feature count with those of the feature. */
  readonly #levelsAround: number;

  constructor(reader: FeatureReader, levelsAround: number = 0) {
    this.#reader = reader;
    this.#levelsAround = levelsAround;
  }

  write(text: string): void {
    if (this.isOver) return;
    if (this.waitsForCrs !== null) {
      this.#held += text;
      return;
    }
    this.guard(() => {
      this.#scan(text);
    });
  }

  /** Goes on with the system that was asked for; null: it is not known. */
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
    const text = this.#held;
    this.#held = '';
    this.write(text);
  }

  /** Whether an array of features is open and no feature in it: the next one may be taken from elsewhere than the text. */
  get isBetweenFeatures(): boolean {
    return this.#mode === 'features' && this.#feature === null && !this.isOver && this.waitsForCrs === null;
  }

  /** Whether the array of features has begun. */
  get sawFeatures(): boolean {
    return this.#frame.sawFeatures;
  }

  /** Whether a feature must not come but after a comma. */
  get wantsComma(): boolean {
    return this.#wantsComma;
  }

  /** All but the features, as far as it came. */
  get frameText(): string {
    return this.#frame.text;
  }

  /** Takes a comma between features. */
  passComma(): void {
    this.#wantsComma = false;
  }

  /** Counts a feature that was read elsewhere. */
  passFeature(): void {
    this.#wantsComma = true;
    this.#count++;
  }

  /** Counts the text since the last `write` or `passText`, which was read elsewhere. */
  passText(units: number, lines: number): void {
    this.#offset += units;
    this.#line += lines;
  }

  /** Reads a feature that is whole by its brackets. `deepest`: how many levels it has. */
  readFeature(text: string, deepest: number): void {
    const place = { offset: this.#offset, line: this.#line };
    this.passFeature();
    this.#reader.readMember(
      parseJson(text, this.#mostLevels, () => place, deepest),
      text,
    );
  }

  /** The text is at its end: what is around the features must be sound too. */
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

  /** Runs a part of the reading; what it throws ends the reading as an issue. */
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
    if (start < text.length) this.#held = text.slice(start) + this.#held;
  }

  #advance(text: string, start: number, end: number): void {
    this.#offset += end - start;
    for (let i = text.indexOf('\n', start); i >= 0 && i < end; i = text.indexOf('\n', i + 1)) this.#line++;
  }

  /** Takes text around the features, up to the array of features or the end; returns where it stopped. */
  #scanFrame(text: string, start: number): number {
    const { sawFeatures } = this.#frame;
    const end = this.#frame.take(text, start);
    if (!sawFeatures && this.#frame.sawFeatures) this.#beginFeatures();
    return end;
  }

  #beginFeatures(): void {
    this.#mode = 'features';
    // What stands before the features may name their system.
    const member = crsMember(
      this.#frame.parse(`${this.#frame.text}]}`, this.#reader.builder.limits.maxDepth),
    );
    if (this.#reader.hasCrsOption || member.kind !== 'named') {
      if (!this.#reader.acceptsCrs(member)) this.isOver = true;
      return;
    }
    this.waitsForCrs = member.name;
  }

  /** Takes features up to the end of the text or of their array; returns where it stopped. */
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

  /** Lines are counted only when an error asks for them. */
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
