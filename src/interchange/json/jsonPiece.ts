/** Collects JSON text over chunks: any text, or one value up to its end. */

import { WayzoneError } from '../../core/errors.js';
import { MAX_TEXT_LENGTH } from '../common/readLimits.js';
import { ARRAY, ARRAY_END, BACKSLASH, COMMA, OBJECT, OBJECT_END, QUOTE } from './jsonBytes.js';
import type { TextPlace } from './parseJson.js';

export class JsonPiece {
  text = '';
  /** Where the text begins in the file. */
  readonly place: TextPlace;

  constructor(place: TextPlace) {
    this.place = place;
  }

  /** Appends text. Throws `limit-text`. */
  add(text: string): void {
    this.text += text;
    if (this.text.length > MAX_TEXT_LENGTH) {
      throw new WayzoneError(
        'limit-text',
        `offset ${this.place.offset}`,
        `expected a feature of at most ${MAX_TEXT_LENGTH} characters, received more`,
      );
    }
  }
}

/** The text of one JSON value. Its end is found by brackets and quotes; other errors of syntax are not noticed. */
export class JsonValue extends JsonPiece {
  /** Whether the value has ended. */
  isWhole = false;
  /** Greatest number of levels that were open at once. */
  deepest = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** Appends the part of `text` from `start` on that belongs to the value. Returns the index after that part. */
  take(text: string, start: number): number {
    const end = this.#end(text, start);
    this.add(text.slice(start, end));
    return end;
  }

  #end(text: string, start: number): number {
    let depth = this.#depth;
    let deepest = this.deepest;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let end = -1;
    for (let i = start; i < text.length && end < 0; i++) {
      const unit = text.charCodeAt(i);
      if (inString) {
        if (escaped) escaped = false;
        else if (unit === BACKSLASH) escaped = true;
        else if (unit === QUOTE) {
          inString = false;
          if (depth === 0) end = i + 1;
        }
      } else if (unit === QUOTE) inString = true;
      else if (unit === OBJECT || unit === ARRAY) {
        if (++depth > deepest) deepest = depth;
      } else if (unit === OBJECT_END || unit === ARRAY_END) {
        // The end of the array around it ends a number, `true`, `false` or `null`.
        if (depth === 0) end = i;
        else if (--depth === 0) end = i + 1;
      } else if (unit === COMMA && depth === 0) end = i;
    }
    this.#depth = depth;
    this.deepest = deepest;
    this.#inString = inString;
    this.#escaped = escaped;
    if (end < 0) return text.length;
    this.isWhole = true;
    return end;
  }
}
