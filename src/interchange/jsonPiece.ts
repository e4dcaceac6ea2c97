/** A piece of JSON text that grows over chunks, and one value that ends where its brackets and quotes say so. */

import { WayzoneError } from '../core/errors.js';
import { MAX_TEXT_LENGTH } from './limits.js';
import type { TextPlace } from './parseJson.js';

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const ARRAY = 0x5b;
export const ARRAY_END = 0x5d;
export const OBJECT = 0x7b;
export const OBJECT_END = 0x7d;

export class JsonPiece {
  text = '';
  /** Where it begins in the file. */
  readonly place: TextPlace;

  constructor(place: TextPlace) {
    this.place = place;
  }

  /** Throws `limit-text`. */
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

export class JsonValue extends JsonPiece {
  /** Whether it has closed all that it opened. */
  isWhole = false;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** Takes what belongs to it from `start` on; returns where that ends. */
  take(text: string, start: number): number {
    const end = this.#end(text, start);
    this.add(text.slice(start, end));
    return end;
  }

  #end(text: string, start: number): number {
    for (let i = start; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (unit === BACKSLASH) this.#escaped = true;
        else if (unit === QUOTE) {
          this.#inString = false;
          if (this.#depth === 0) return this.#whole(i + 1);
        }
      } else if (unit === QUOTE) this.#inString = true;
      else if (unit === OBJECT || unit === ARRAY) this.#depth++;
      else if (unit === OBJECT_END || unit === ARRAY_END) {
        // A bare number or word ends before the array does.
        if (this.#depth === 0) return this.#whole(i);
        if (--this.#depth === 0) return this.#whole(i + 1);
      } else if (unit === COMMA && this.#depth === 0) return this.#whole(i);
    }
    return text.length;
  }

  #whole(end: number): number {
    this.isWhole = true;
    return end;
  }
}
