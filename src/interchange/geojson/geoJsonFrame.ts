/** Collects the text of a GeoJSON file around its features. */

import { COLON, COMMA, QUOTE } from '../../core/ascii.js';
import { WayzoneError } from '../../core/errors.js';
import { MAX_TEXT_LENGTH } from '../common/readOptions.js';
import { ARRAY, ARRAY_END, BACKSLASH, OBJECT, OBJECT_END } from '../json/jsonBytes.js';
import { parseJson, type TextPlace } from '../json/parseJson.js';

export const utf8Decoder: InstanceType<typeof TextDecoder> = new TextDecoder('utf-8', { ignoreBOM: true });
const FEATURES = new TextEncoder().encode('"features"');

export class GeoJsonFrame {
  /** Whether the array of features has begun. */
  sawFeatures = false;
  /** Collected bytes. `text` decodes them, because a piece may end within a character. */
  readonly #pieces: Uint8Array[] = [];
  #length = 0;
  #text: string | null = null;
  /** End of the features: length of the collected text there, and place in the file. */
  #gap: { readonly length: number; readonly place: TextPlace } | null = null;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Number of bytes in which the last string at the root's level agrees with `FEATURES`; -1 if it differs. */
  #agreed = -1;
  /** Whether the value being read belongs to `features` in the root. */
  #isFeatures = false;

  /** The collected text. */
  get text(): string {
    this.#text ??= this.#decoded();
    return this.#text;
  }

  #decoded(): string {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return utf8Decoder.decode(bytes);
  }

  /** Collects bytes [from, to) up to the opening bracket of the features. Returns the index after the bracket, or `to`. */
  take(bytes: Uint8Array, from: number, to: number): number {
    const end = this.#end(bytes, from, to);
    this.#pieces.push(bytes.slice(from, end));
    this.#length += end - from;
    this.#text = null;
    if (this.#length > MAX_TEXT_LENGTH) {
      const message = `expected at most ${MAX_TEXT_LENGTH} bytes around the features, received more`;
      throw new WayzoneError('limit-text', '', message);
    }
    return end;
  }

  #end(bytes: Uint8Array, from: number, to: number): number {
    for (let i = from; i < to; i++) {
      const c = bytes[i]!;
      if (this.#inString) {
        this.#agreed = FEATURES[this.#agreed] === c ? this.#agreed + 1 : -1;
        if (this.#escaped) this.#escaped = false;
        else if (c === BACKSLASH) this.#escaped = true;
        else if (c === QUOTE) this.#inString = false;
      } else if (c === QUOTE) {
        this.#inString = true;
        this.#agreed = this.#depth === 1 ? 1 : -1;
      } else if (c === COLON && this.#depth === 1) this.#isFeatures = this.#agreed === FEATURES.length;
      else if (c === COMMA && this.#depth === 1) this.#isFeatures = false;
      else if (c === OBJECT) this.#depth++;
      else if (c === OBJECT_END || c === ARRAY_END) this.#depth--;
      else if (c === ARRAY) {
        if (this.#isFeatures && this.#depth === 1 && !this.sawFeatures) {
          this.sawFeatures = true;
          return i + 1;
        }
        this.#depth++;
      }
    }
    return to;
  }

  /** Continues at the closing bracket of the features, or at the end of the file. */
  resume(place: TextPlace): void {
    this.#depth = 2;
    this.#isFeatures = false;
    this.#gap = { length: this.text.length, place };
  }

  /** Parses the collected text followed by `after`. Errors have their place in the file. */
  parse(after: string, maxDepth: number): unknown {
    const { text } = this;
    const gap = this.#gap;
    return parseJson(text + after, maxDepth, (offset) =>
      gap === null || offset < gap.length
        ? { offset: 0, line: 1 }
        : {
            offset: gap.place.offset - gap.length,
            line: gap.place.line - (text.slice(0, gap.length).split('\n').length - 1),
          },
    );
  }
}
