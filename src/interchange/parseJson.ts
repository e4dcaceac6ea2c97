/** JSON text (RFC 8259) as a value: a syntax error with its offset, and a limit on depth that holds before anything is built. */

import { WayzoneError } from '../core/errors.js';

/** Arrays and objects may lie in each other this deep. */
export const MAX_JSON_DEPTH = 1000;

/** The value; throws `json-syntax` with the offset (in UTF-16 units) of the first error, `limit-depth` beyond `MAX_JSON_DEPTH`. */
export function parseJson(text: string): unknown {
  checkDepth(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const offset = firstSyntaxError(text);
    const line = text.slice(0, offset).split('\n').length;
    const found = offset >= text.length ? 'the end of the text' : JSON.stringify(text[offset]);
    throw new WayzoneError(
      'json-syntax',
      `offset ${offset}`,
      `expected JSON, received ${found} at offset ${offset} (line ${line})`,
      { cause },
    );
  }
}

function checkDepth(text: string): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) i = stringEnd(text, i);
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > MAX_JSON_DEPTH) {
        throw new WayzoneError(
          'limit-depth',
          `offset ${i}`,
          `expected at most ${MAX_JSON_DEPTH} levels, received more at offset ${i}`,
        );
      }
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
}

/** The index of the quote that ends the string begun at `start`, or the end of the text. */
function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) return i;
    if (unit === 0x5c) i++;
  }
  return text.length;
}

const TOKEN =
  /[ \t\n\r]*(?:("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([[\]{},:]))/uy;

/** Where JSON text first goes wrong; called only when `JSON.parse` refuses it. */
function firstSyntaxError(text: string): number {
  const open: string[] = [];
  let expect: 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'next' | 'done' = 'value';
  TOKEN.lastIndex = 0;
  for (;;) {
    const before: number = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) return skipSpace(text, before);
    const [, string, scalar, mark = ''] = match;
    const at = TOKEN.lastIndex - (string ?? scalar ?? mark).length;
    const wantsValue = expect === 'value' || expect === 'valueOrEnd';
    if (string !== undefined && (expect === 'key' || expect === 'keyOrEnd')) expect = 'colon';
    else if (wantsValue && mark === '') expect = open.length === 0 ? 'done' : 'next';
    else if (wantsValue && (mark === '[' || mark === '{')) {
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
    } else return at;
  }
}

function skipSpace(text: string, from: number): number {
  let i = from;
  while (i < text.length && ' \t\n\r'.includes(text.charAt(i))) i++;
  return i;
}
