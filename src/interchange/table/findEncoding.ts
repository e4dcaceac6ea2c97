/**
 * Finds the encoding of a table's bytes. Marks, valid UTF-8 and zero bytes decide. Between the 8-bit encodings the letters decide: how frequent
 * they are in Russian or in languages with Latin letters, in which case they stand, and what stands beside them. Detectors of general texts need more
 * letters than a short table has (`test/interchange/findEncoding.test.ts`).
 */

import { type HeaderFact, headerFacts } from './headerFacts.js';

export interface FoundEncoding {
  /** A label of the WHATWG Encoding Standard. */
  readonly encoding: string;
  /** 1: a mark or valid UTF-8. Below 0.5 the caller should ask. */
  readonly confidence: number;
}

/** Bytes that are judged. */
const HEAD_BYTES = 65_536;

const CANDIDATES: readonly string[] = [
  'windows-1251',
  'koi8-r',
  'ibm866',
  'windows-1252',
  'windows-1254',
  'windows-1250',
];

/** Letters of Russian by frequency, per 10,000 (Lyashevskaya & Sharov 2009, rounded). */
const RUSSIAN: ReadonlyMap<string, number> = new Map(
  Array.from('оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёієїґ').map((letter, i) => [
    letter,
    [
      1097, 845, 801, 735, 670, 626, 547, 473, 454, 440, 349, 321, 298, 281, 262, 201, 190, 174, 170, 165,
      159, 144, 121, 97, 94, 73, 64, 48, 36, 32, 26, 4, 4, 2, 2, 2, 2,
    ][i] ?? 2,
  ]),
);

/** Letters with marks in Western European texts, by rough frequency per 10,000 non-ASCII letters. */
const LATIN: ReadonlyMap<string, number> = new Map(
  Array.from('éäüößáíóúñèàçêôâîûåøæëïìòùãõœìýšžï°№').map((letter, i): [string, number] => [
    letter,
    i < 12 ? 700 : 200,
  ]),
);

/** Letters of Turkish that windows-1252 lacks, and of Central Europe that known words must show. */
const TURKISH: ReadonlyMap<string, number> = new Map([...LATIN, ...letters('ğışi̇', 200)]);
const CENTRAL: ReadonlyMap<string, number> = new Map([...LATIN, ...letters('ąćęłńśźżěčřůťďňőűăţľĺŕ', 30)]);

function letters(text: string, share: number): [string, number][] {
  return Array.from(text, (letter) => [letter, share]);
}

/** Log-likelihood of a character that no list has. */
const RARE = Math.log(0.00002);

/** The encoding of the bytes, judged by at most 64 kB around their first non-ASCII bytes. */
export function findEncoding(bytes: Uint8Array): FoundEncoding {
  const [a = 0, b = 0, c = 0] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', confidence: 1 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', confidence: 1 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', confidence: 1 };
  const zeros = zeroParity(bytes.subarray(0, 4096));
  if (zeros !== null) return { encoding: zeros, confidence: 0.9 };
  if (isUtf8(bytes)) return { encoding: 'utf-8', confidence: 1 };
  const first = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 200);
  const head = bytes.subarray(first, first + HEAD_BYTES);
  const scored = CANDIDATES.map((encoding) => ({ encoding, ...score(head, encoding) })).sort(
    (x, y) => y.mean - x.mean,
  );
  const best = scored[0]!;
  // Encodings that give the same text need no choice: ° is one byte in windows-1251 and windows-1252.
  const marks = new Uint8Array([...new Set(bytes)].filter((byte) => byte > 0x7f));
  const text = new TextDecoder(best.encoding).decode(marks);
  const second = scored.find(({ encoding }) => new TextDecoder(encoding).decode(marks) !== text);
  if (second === undefined) return { encoding: best.encoding, confidence: 0.9 };
  // In units of information per letter; more letters make the same difference more certain.
  const margin = (best.mean - second.mean) * Math.sqrt(Math.min(best.letters, 100));
  return {
    encoding: best.encoding,
    confidence: Math.min(0.99, Math.max(0, margin / 6)) * Math.min(1, best.letters / 4),
  };
}

/** Whether a label is one that `TextDecoder` knows. */
export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** UTF-16 without a mark: zero bytes at every second place of ASCII text. */
function zeroParity(head: Uint8Array): string | null {
  let even = 0;
  let odd = 0;
  for (const [i, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (i % 2 === 0) even++;
    else odd++;
  }
  const least = head.length / 8;
  if (head.length >= 4 && odd > least && odd > 20 * even) return 'utf-16le';
  if (head.length >= 4 && even > least && even > 20 * odd) return 'utf-16be';
  return null;
}

/** Mean log-likelihood of the characters beyond ASCII. */
function score(head: Uint8Array, encoding: string): { readonly mean: number; readonly letters: number } {
  const text = new TextDecoder(encoding).decode(head);
  let sum = 0;
  let count = 0;
  let before = ' ';
  for (const character of text) {
    if (character > '\u007f') {
      sum += likelihood(character, before, encoding);
      count++;
    } else if (/[A-Za-z]/.test(character) && isCyrillic(before)) {
      // A Latin letter after a Cyrillic one: another encoding, or a plate written with both alphabets.
      sum -= 5;
    }
    before = character;
  }
  return count === 0 ? { mean: 0, letters: 0 } : { mean: sum / count + wordBonus(text), letters: count };
}

/** Known words of headers with letters beyond ASCII: each is worth more than the letters of a short table. */
function wordBonus(text: string): number {
  const cells = text.slice(0, 4000).split(/[;,\t|\n\r"]+/);
  const known = cells.filter(
    (cell) => /[^\u0020-\u007e]/.test(cell) && headerFacts(cell).some(isByWord),
  ).length;
  return 1.5 * Math.min(known, 4);
}

/** A unit in brackets shows nothing of the letters before it. */
function isByWord({ isByUnit }: HeaderFact): boolean {
  return isByUnit !== true;
}

function isCyrillic(character: string): boolean {
  return character >= '\u0400' && character <= '\u04ff';
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function likelihood(character: string, before: string, encoding: string): number {
  if (character === '\u00a0' || character === '\u00b0' || character === '\u2116') return Math.log(0.01);
  const lower = character.toLowerCase();
  const isUpper = lower !== character;
  // A small letter after a digit: a no-break space in 12 345 is а in IBM866.
  if (!isUpper && isDigit(before) && isLetter(character)) return RARE;
  // An upper-case letter after a lower-case one shows the swapped cases of KOI8-R and windows-1251.
  const odd = isUpper && isLetter(before) && before.toLowerCase() === before ? -4 : 0;
  const flipped = !isUpper && isCyrillic(before) && before.toLowerCase() !== before ? -0.3 : 0;
  if (encoding.startsWith('windows-125') && encoding !== 'windows-1251') {
    const list = encoding === 'windows-1254' ? TURKISH : encoding === 'windows-1250' ? CENTRAL : LATIN;
    const known = list.get(lower);
    if (known === undefined) return RARE;
    // Letters with marks stand alone between plain letters.
    const run = before > '\u007f' && isLetter(before) ? -4 : 0;
    const alone = /[A-Za-z]/.test(before) ? 0 : -1.5;
    return Math.log(known / 10_000) + run + alone + odd;
  }
  const known = RUSSIAN.get(lower);
  if (known === undefined) return RARE;
  const mixed = /[A-Za-z]/.test(before) ? -4 : 0;
  return Math.log(known / 10_000) + odd + flipped + mixed;
}
