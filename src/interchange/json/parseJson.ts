/**
 * Parses JSON text (RFC 8259) and lists member names, repeated ones included. Syntax errors come with their offset. The depth is checked
 * before `JSON.parse` runs.
 */

import { COMMA, QUOTE } from '../../core/ascii.js';
import { WayzoneError } from '../../core/errors.js';
import { ARRAY, ARRAY_END, OBJECT, OBJECT_END } from './jsonBytes.js';

const WORDS: readonly string[] = ['NaN', 'Infinity', '-Infinity'];
/** Largest number of levels of nested arrays and objects. */
export const MAX_JSON_DEPTH = 1000;

/** Place in a file where a text begins: UTF-16 units before it, and its line from 1. */
export interface TextPlace {
  readonly offset: number;
  readonly line: number;
}

const START: TextPlace = { offset: 0, line: 1 };

/**
 * Parses `text`. `placeOf(offset)` returns the place in the file. `deepest`: number of levels, if the caller has counted them.
 *
 * Throws `json-syntax` with the offset (UTF-16 units) of the first error, `limit-depth` for more than `maxDepth` levels.
 */
export function parseJson(
  text: string,
  maxDepth: number = MAX_JSON_DEPTH,
  placeOf: (offset: number) => TextPlace = () => START,
  deepest: number = Number.POSITIVE_INFINITY,
): unknown {
  const most = Math.min(maxDepth, MAX_JSON_DEPTH);
  if (deepest > most) checkDepth(text, most, placeOf);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const wrong = firstSyntaxError(text);
    const place = placeOf(wrong);
    const offset = place.offset + wrong;
    const line = place.line + text.slice(0, wrong).split('\n').length - 1;
    const found = wrong >= text.length ? 'the end of the text' : JSON.stringify(text[wrong]);
    throw new WayzoneError(
      'json-syntax',
      `offset ${offset}`,
      `expected JSON, received ${found} at offset ${offset} (line ${line})`,
      { cause },
    );
  }
}

function checkDepth(text: string, most: number, placeOf: (offset: number) => TextPlace): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) i = stringEnd(text, i);
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > most) {
        const offset = placeOf(i).offset + i;
        throw new WayzoneError(
          'limit-depth',
          `offset ${offset}`,
          `expected at most ${most} levels, received more at offset ${offset}`,
        );
      }
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
}

/** Index of the closing quote of the string that begins at `start`; the length of the text if there is none. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  for (;;) {
    if (end < 0) return text.length;
    let before = end;
    while (text.charCodeAt(before - 1) === 0x5c) before--;
    if ((end - before) % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
}

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Offset of the first syntax error in a text that `JSON.parse` rejects. */
function firstSyntaxError(text: string): number {
  const open: string[] = [];
  let expect: 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'next' | 'done' = 'value';
  let i = skipSpace(text, 0);
  while (i < text.length) {
    const mark = text.charAt(i);
    const wantsValue: boolean = expect === 'value' || expect === 'valueOrEnd';
    let end = i + 1;
    if (mark === '"' && (wantsValue || expect === 'key' || expect === 'keyOrEnd')) {
      const string = checkString(text, i);
      if (!string.sound) return string.end;
      end = string.end;
      expect = wantsValue ? (open.length === 0 ? 'done' : 'next') : 'colon';
    } else if (wantsValue && (mark === '[' || mark === '{')) {
      open.push(mark);
      expect = mark === '[' ? 'valueOrEnd' : 'keyOrEnd';
    } else if (mark === ':' && expect === 'colon') expect = 'value';
    else if (mark === ',' && expect === 'next') expect = open.at(-1) === '[' ? 'value' : 'key';
    else if (
      (mark === ']' && open.at(-1) === '[' && (expect === 'next' || expect === 'valueOrEnd')) ||
      (mark === '}' && open.at(-1) === '{' && (expect === 'next' || expect === 'keyOrEnd'))
    ) {
      open.pop();
      expect = open.length === 0 ? 'done' : 'next';
    } else {
      SCALAR.lastIndex = i;
      if (!wantsValue || !SCALAR.test(text)) return i;
      end = SCALAR.lastIndex;
      expect = open.length === 0 ? 'done' : 'next';
    }
    i = skipSpace(text, end);
  }
  return text.length;
}

/** The end of the string that begins at `start`, or the offset of its error: a control character, an invalid escape or the end of the text. */
function checkString(text: string, start: number): { sound: boolean; end: number } {
  for (let i = start + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) return { sound: true, end: i + 1 };
    if (unit < 0x20) return { sound: false, end: i };
    if (unit === 0x5c) {
      ESCAPE.lastIndex = i;
      if (!ESCAPE.test(text)) return { sound: false, end: i };
      i = ESCAPE.lastIndex - 1;
    }
  }
  return { sound: false, end: text.length };
}

function skipSpace(text: string, from: number): number {
  let i = from;
  while (i < text.length && ' \t\n\r'.includes(text.charAt(i))) i++;
  return i;
}

/** The text with `NaN`, `Infinity` and `-Infinity` outside strings as `null`; null if there are none. */
export function nanAsNull(text: string): string | null {
  let plain = '';
  let from = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === '"') inString = !inString;
    else if (inString) {
      if (c === '\\') i++;
    } else if (c === 'N' || c === 'I' || c === '-') {
      const word = WORDS.find((own) => text.startsWith(own, i));
      if (word === undefined) continue;
      plain += `${text.slice(from, i)}null`;
      from = i + word.length;
      i = from - 1;
    }
  }
  return from === 0 ? null : plain + text.slice(from);
}

/** Member names of the root object in the order of the text; empty if the root is not an object. `text` must be valid JSON. */
export function rootMembers(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let isObject = false;
  let isName = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    switch (unit) {
      case QUOTE: {
        const start = i;
        i = stringEnd(text, start);
        if (isName) names.push(JSON.parse(text.slice(start, i + 1)) as string);
        isName = false;
        break;
      }
      case OBJECT:
      case ARRAY:
        if (depth === 0) isObject = unit === OBJECT;
        isName = isObject && depth === 0;
        depth++;
        break;
      case OBJECT_END:
      case ARRAY_END:
        depth--;
        break;
      case COMMA:
        isName = isObject && depth === 1;
        break;
      default:
    }
  }
  return names;
}
