/** Reads a cell with several positions: `56.3, 44.0; 56.4, 44.1`, `44.0 56.3, 44.1 56.4`, `[[56.3, 44.0], …]`. */

import { tableNumber } from './tableNumber.js';

/** Two numbers in the order of the text. */
export type NumberPair = readonly [first: number, second: number];

/** Number of characters examined for the form of a cell. Reading has no limit. */
const HEAD_LENGTH = 2000;
const BRACKETS = /[[(]([^[\]()]*)[\])]/g;

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
