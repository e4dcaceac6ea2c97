/** Collects the text of a GeoJSON file around its features. */

import { ARRAY, ARRAY_END, BACKSLASH, COLON, COMMA, OBJECT, OBJECT_END, QUOTE } from '../json/jsonBytes.js';
import { JsonPiece } from '../json/jsonPiece.js';
import { parseJson, type TextPlace } from '../json/parseJson.js';

export class GeoJsonFrame {
  /** Whether the array of features has begun. */
  sawFeatures = false;
  readonly #piece = new JsonPiece({ offset: 0, line: 1 });
  /** The end of the features: the length of the collected text there, and the place in the file. */
  #gap: { readonly length: number; readonly place: TextPlace } | null = null;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Where the last string at the root's level begins in the collected text. */
  #stringStart = -1;
  /** The last string at the root's level, which may be a member name. */
  #string = '';
  /** Name of the member whose value is being read; empty between members. */
  #key = '';

  get text(): string {
    return this.#piece.text;
  }

  /** Collects text up to the opening bracket of the features, or to the end. Returns the index after it. */
  take(text: string, start: number): number {
    const piece = this.#piece;
    for (let i = start; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (unit === BACKSLASH) this.#escaped = true;
        else if (unit === QUOTE) {
          this.#inString = false;
          if (this.#depth === 1)
            this.#string = piece.text.slice(this.#stringStart) + text.slice(start, i + 1);
        }
        continue;
      }
      if (unit === QUOTE) {
        this.#inString = true;
        if (this.#depth === 1) {
          // A name may begin in this chunk and end in the next one. The caller continues after the quote.
          piece.text += text.slice(start, i);
          this.#stringStart = piece.text.length;
          piece.text += text.charAt(i);
          return i + 1;
        }
      } else if (unit === COLON && this.#depth === 1) this.#key = this.#string;
      else if (unit === COMMA && this.#depth === 1) this.#key = '';
      else if (unit === OBJECT) this.#depth++;
      else if (unit === OBJECT_END || unit === ARRAY_END) this.#depth--;
      else if (unit === ARRAY) {
        if (this.#depth === 1 && this.#key === '"features"' && !this.sawFeatures) {
          piece.add(text.slice(start, i + 1));
          this.sawFeatures = true;
          return i + 1;
        }
        this.#depth++;
      }
    }
    piece.add(text.slice(start));
    return text.length;
  }

  /** Continues at the closing bracket of the features. */
  resume(place: TextPlace): void {
    this.#depth = 2;
    this.#key = '';
    this.#gap = { length: this.text.length, place };
  }

  /** Parses the collected text, or a text that begins with it. Errors have their place in the file. */
  parse(text: string, maxDepth: number): unknown {
    const gap = this.#gap;
    return parseJson(text, maxDepth, (offset) =>
      gap === null || offset < gap.length
        ? { offset: 0, line: 1 }
        : {
            offset: gap.place.offset - gap.length,
            line: gap.place.line - (text.slice(0, gap.length).split('\n').length - 1),
          },
    );
  }
}
