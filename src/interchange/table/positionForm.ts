/**
 * Parses positions of tables: decimal degrees, degrees with minutes and seconds, NMEA's degrees and minutes, scaled numbers, and lists of
 * pairs in one cell.
 */

import { plainNumber } from '../common/parseTime.js';
import { hexPoint } from '../csv/parseGeometryText.js';
import { tableNumber } from './tableNumber.js';

/** Number of characters examined for the form of a cell. Reading has no limit. */
const HEAD_LENGTH = 2000;
const BRACKETS = /[[(]([^[\]()]*)[\])]/g;

export type PositionForm = 'degrees' | 'dms' | 'ddmm' | '1e-5' | '1e-6' | '1e-7' | 'semicircles';

/** Units per degree. Garmin's semicircles: 2^31 are 180 degrees. */
const SCALES: Readonly<Partial<Record<PositionForm, number>>> = {
  '1e-5': 1e5,
  '1e-6': 1e6,
  '1e-7': 1e7,
  semicircles: 2 ** 31 / 180,
};
const MOST_INTEGER = 2 ** 31 - 1;
const SOUTH_WEST = /(?:[SWZ]|ю\.?\s?ш|з\.?\s?д)\.?/iu;
const HEMISPHERE = /^(?:[NSEWO]|с\.?\s?ш\.?|ю\.?\s?ш\.?|в\.?\s?д\.?|з\.?\s?д\.?)$/iu;
const LETTERS = /[^\d\s.,'"°º′″’”`+-]+(?:[\s.]*[^\d\s.,'"°º′″’”`+-]+)*\.?/gu;

/** Sign of a hemisphere: 1, or -1 for south and west; null if the text is not one. */
export function hemisphere(text: string): 1 | -1 | null {
  const word = text.trim();
  if (!HEMISPHERE.test(word)) return null;
  return SOUTH_WEST.test(word) && !/^[NEO]$/i.test(word) ? -1 : 1;
}

/**
 * Degrees of a cell like `56° 18′ 18,7″ с.ш.`, `44 00 37.5 E`, `N56°18.31'`. Null for other texts. Minutes and seconds must be below 60,
 * and only the last number may have a fraction.
 */
export function dmsDegrees(text: string): number | null {
  if (text.length > 60) return null;
  const words = text.match(LETTERS) ?? [];
  if (words.length > 1) return null;
  const sign = words.length === 0 ? 1 : hemisphere(words[0]!);
  if (sign === null) return null;
  const rest = text.replace(LETTERS, ' ').trim();
  const sign0 = rest.startsWith('-') ? -1 : 1;
  const parts = rest.match(/\d+(?:[.,]\d+)?/g) ?? [];
  const between = rest.replace(/^[+-]/, '').replace(/\d+(?:[.,]\d+)?/g, '');
  if (!/^[\s°º'′’`"″”.]*$/.test(between) || parts.length === 0 || parts.length > 3) return null;
  if (parts.slice(0, -1).some((part) => /[.,]/.test(part)) || !/^\d{1,3}(?:[.,]|$)/.test(parts[0]!))
    return null;
  const [degrees = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part.replace(',', '.')));
  if (minutes >= 60 || seconds >= 60) return null;
  if (sign0 < 0 && words.length > 0) return null;
  return sign * sign0 * (degrees + minutes / 60 + seconds / 3600);
}

/** Degrees of NMEA's `ddmm.mmmm` or `dddmm.mmmm`; null if the minutes are 60 or more. */
function ddmmDegrees(value: number): number | null {
  const size = Math.abs(value);
  const degrees = Math.floor(size / 100);
  const minutes = size - 100 * degrees;
  if (minutes >= 60 || degrees > 180) return null;
  return Math.sign(value) * (degrees + minutes / 60);
}

/** Degrees of a cell in a form; null if it does not have that form. */
export function positionDegrees(text: string, form: PositionForm, decimal: '.' | ','): number | null {
  if (form === 'dms') return dmsDegrees(text);
  const value = tableNumber(text.replace(/[°º]\s*$/, ''), decimal);
  if (value === null) return null;
  if (form === 'ddmm') return ddmmDegrees(value);
  const scale = SCALES[form];
  if (scale === undefined) return value;
  // Programs write negative numbers of 32 bits as if they had no sign: Google's histories do.
  return (value > MOST_INTEGER ? value - 2 ** 32 : value) / scale;
}

/** The two halves of a cell with both coordinates; null if it does not have two. */
export function pairTexts(text: string): readonly [string, string] | null {
  const bare = text
    .trim()
    .replace(/^(?:geo:|\(|\[)/i, '')
    .replace(/[)\]]$/, '');
  for (const mark of [';', ', ', '/', '|', ' : ']) {
    const parts = bare.split(mark);
    if (parts.length === 2 && parts.every((part) => /\d/.test(part)))
      return [parts[0]!.trim(), parts[1]!.trim()];
  }
  const commas = bare.split(',');
  if (commas.length === 2 && commas.every((part) => /\d/.test(part)))
    return [commas[0]!.trim(), commas[1]!.trim()];
  // 56,305221,44,010433: both numbers have a decimal comma.
  if (commas.length === 4 && commas.every((part) => /^\s*[+-]?\d+\s*$/.test(part))) {
    return [`${commas[0]},${commas[1]}`.trim(), `${commas[2]},${commas[3]}`.trim()];
  }
  const words = bare.split(/\s+/);
  if (words.length === 2 && words.every((part) => /^[+-]?\d{1,3}[.,]\d+,?$/.test(part))) {
    return [words[0]!.replace(/,$/, ''), words[1]!];
  }
  // Letters part the halves: 56°18'N 44°00'E, N 56°18' E 44°00'.
  if (bare.length > MOST_PAIR) return null;
  const [, first, second] = LETTERS_FIRST.exec(bare) ?? LETTERS_LAST.exec(bare) ?? [];
  return first === undefined || second === undefined || !/\d/.test(first) || !/\d/.test(second)
    ? null
    : [first.trim(), second.trim()];
}

/** Largest length of a pair whose halves are parted by letters, characters. */
const MOST_PAIR = 120;
const LETTERS_FIRST = /^([NSEWO][^NSEWO]+)([NSEWO][^NSEWO]+)$/i;
const LETTERS_LAST = /^([^NSEWO]+[NSEWO])([^NSEWO]+[NSEWO])$/i;

/** Order of two coordinates by the letters of their hemispheres; null if they have none; `neither` if both are of one axis. */
export function letterOrder(first: string, second: string): 'latlon' | 'lonlat' | 'neither' | null {
  const [a, b] = [isNorthSouth(first), isNorthSouth(second)];
  if (a === null || b === null) return null;
  return a === b ? 'neither' : a ? 'latlon' : 'lonlat';
}

function isNorthSouth(text: string): boolean | null {
  const words = text.length > 60 ? [] : (text.match(LETTERS) ?? []);
  return words.length !== 1 || hemisphere(words[0]!) === null ? null : NORTH_SOUTH.test(words[0]!);
}

const NORTH_SOUTH = /^(?:[NS]|[сю]\.?\s?ш\.?)$/iu;

/** Position `[x, y]` of `POINT (x y)`; null for other texts. */
export function wktPoint(text: string): readonly [number, number] | null {
  const binary = hexPoint(text);
  if (binary !== null) return binary;
  const plain = text
    .trim()
    .replace(/^SRID=4326;/i, '')
    .trimStart();
  if (!/^POINT[\s(]/i.test(plain) || !plain.endsWith(')')) return null;
  const open = plain.indexOf('(');
  if (open < 0 || !/^POINT\s{0,9}(?:Z|M|ZM)?\s{0,9}$/i.test(plain.slice(0, open))) return null;
  const numbers = plain
    .slice(open + 1, -1)
    .trim()
    .split(/\s+/);
  if (numbers.length < 2 || numbers.length > 4) return null;
  const [x, y] = numbers.map((own) => plainNumber(own));
  return x === null || y === null || x === undefined || y === undefined ? null : [x, y];
}

/** Whether a text begins like a WKT point, valid or not. */
export function isPointText(text: string): boolean {
  if (hexPoint(text) !== null) return true;
  return /^POINT[\sZM(]/i.test(
    text
      .trim()
      .replace(/^SRID=\d{1,6};/i, '')
      .trimStart(),
  );
}

/** Two numbers in the order of the text. */
export type NumberPair = readonly [first: number, second: number];

/** The positions of a cell, at least two; null for other texts. Cost: O(characters). */
export function pairList(text: string, decimal: '.' | ','): NumberPair[] | null {
  for (const parts of splits(text)) {
    const pairs: NumberPair[] = [];
    for (const part of parts) {
      const pair = pairOf(part, decimal);
      if (pair === null) break;
      pairs.push(pair);
    }
    if (pairs.length === parts.length && pairs.length >= 2) return pairs;
  }
  return null;
}

/** Whether a cell begins like a list of positions, valid or not. */
export function isPairList(text: string): boolean {
  const head = text.slice(0, HEAD_LENGTH).trim();
  if (!/^[[(\s+\-\d]/.test(head) || /[A-Za-z]/.test(head)) return false;
  const cut =
    head.length < text.trim().length
      ? head.slice(0, Math.max(0, head.search(/[;\n|\])][^;\n|\])]*$/)))
      : head;
  return [',', '.'].some((decimal) => (pairList(cut, decimal as '.' | ',')?.length ?? 0) >= 3);
}

/** Ways to cut a text into positions, the likeliest first. */
function* splits(text: string): Generator<readonly string[]> {
  const bare = text.trim();
  if (/^[[(]/.test(bare)) {
    const parts = Array.from(bare.matchAll(BRACKETS), (match) => match[1]!);
    const rest = bare.replaceAll(BRACKETS, '').replaceAll(/[\s,;[\]()]/g, '');
    if (parts.length > 1 && rest === '') yield parts;
  }
  for (const mark of [';', '|', '\n', ',']) {
    const parts = bare.split(mark).filter((part) => part.trim() !== '');
    if (parts.length > 1) yield parts;
  }
}

function pairOf(text: string, decimal: '.' | ','): NumberPair | null {
  const bare = text.trim();
  for (const mark of [/,\s+/, /\s+/, ...(decimal === '.' ? [','] : [])]) {
    const parts = bare.split(mark).map((part) => part.trim());
    if (parts.length !== 2) continue;
    const [a, b] = parts.map((part) => tableNumber(part, decimal));
    if (a !== null && b !== null && a !== undefined && b !== undefined) return [a, b];
  }
  return null;
}

/**
 * Order of the pairs of a column, by their ranges. `contradiction`: both first and second numbers exceed 90. `unknown`: none exceeds 90, so
 * both orders are possible.
 */
export function pairOrder(
  lists: readonly (readonly NumberPair[])[],
): 'latlon' | 'lonlat' | 'contradiction' | 'unknown' {
  let first = false;
  let second = false;
  for (const list of lists) {
    for (const [a, b] of list) {
      first ||= Math.abs(a) > 90;
      second ||= Math.abs(b) > 90;
    }
  }
  if (first && second) return 'contradiction';
  return first ? 'lonlat' : second ? 'latlon' : 'unknown';
}
