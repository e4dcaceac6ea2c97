/**
 * Finds the encoding of a table's bytes. Byte order marks, valid UTF-8 and zero bytes decide first. Otherwise the letters decide: their
 * frequency in the languages of the encoding, their case, and their neighbours. General detectors need more letters than a short table has
 * (`test/interchange/findEncoding.test.ts`).
 */

import {
  ENCODING_LETTERS,
  type EncodingLetters,
  WIDE_ENCODINGS,
  type WideEncoding,
} from './encodingLetters.js';
import { type HeaderFact, headerFacts } from './headerFacts.js';

export interface FoundEncoding {
  /** Label of the encoding in the WHATWG Encoding Standard. */
  readonly encoding: string;
  /** Confidence from 0 to 1. 1: a byte order mark or valid UTF-8. Below 0.2 the caller should ask. */
  readonly confidence: number;
  /** Second most likely encoding that gives another text. */
  readonly second?: string;
  /** Whether some characters of UTF-8 are broken. */
  readonly isBroken?: true;
}

/** Number of bytes that are judged. */
const HEAD_BYTES = 65_536;
const BROKEN_BYTES = 1_048_576;
/** Log-likelihood of a character that no language of the encoding has, and of symbols that all have. */
const RARE = Math.log(0.00002);
const SYMBOL = Math.log(0.01);
/** Log-likelihoods of characters of two bytes: frequent ones, kana, others in use, all others. */
const FREQUENT = Math.log(0.002);
const KANA = Math.log(0.01);
const USUAL = Math.log(0.0001);
const UNUSUAL = Math.log(0.000001);
/** Log-likelihood added for a known word of a header, which is hardly accidental. */
const KNOWN_WORD = 8;
/** Difference of log-likelihoods that is certain, and largest number of letters that count for it. */
const CERTAIN = 25;
const MOST_LETTERS = 100;

/** The encoding of the bytes, judged by at most 64 kB around their first non-ASCII bytes. */
export function findEncoding(bytes: Uint8Array): FoundEncoding {
  const [a = 0, b = 0, c = 0] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return UTF_8;
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', confidence: 1 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', confidence: 1 };
  const zeros = zeroParity(bytes.subarray(0, 4096));
  if (zeros !== null) return { encoding: zeros, confidence: 0.9 };
  if (isUtf8(bytes)) return UTF_8;
  const first = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 200);
  if (isMostlyUtf8(bytes.subarray(first, first + BROKEN_BYTES))) return { ...UTF_8, isBroken: true };
  const head = bytes.subarray(first, first + HEAD_BYTES);
  const marks = new Uint8Array([...new Set(bytes)].filter((byte) => byte > 0x7f));
  const all = [
    ...ENCODING_LETTERS.map((letters) => narrowScore(head, marks, letters)),
    ...WIDE_ENCODINGS.flatMap((wide) => wideScore(head, wide) ?? []),
  ];
  const scored = [...all].sort((x, y) => y.total - x.total);
  const likeliest = scored[0]!;
  // Encodings that give the same text need no choice: ° is one byte in windows-1251 and windows-1252. The most common of them is named.
  const best = { ...likeliest, ...all.find(({ marked }) => marked === likeliest.marked) };
  const second = scored.find(({ marked }) => marked !== best.marked);
  if (second === undefined) return { encoding: best.encoding, confidence: 0.9 };
  const margin = (likeliest.total - second.total) * Math.min(1, MOST_LETTERS / best.letters);
  const shown = Math.min(1, (best.letters + 4 * best.words) / 4);
  const confidence = Math.min(0.99, Math.max(0, margin / CERTAIN)) * shown;
  return { encoding: best.encoding, confidence, second: second.encoding };
}

const UTF_8 = { encoding: 'utf-8', confidence: 1 } as const;

/** Whether most characters beyond ASCII are valid UTF-8. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let broken = 0;
  let valid = 0;
  for (const character of new TextDecoder().decode(bytes)) {
    if (character === '\ufffd') broken++;
    else if (character > '\u007f') valid++;
  }
  return valid > 2 * broken;
}

/** Whether `TextDecoder` knows a label. */
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

/** UTF-16 without a byte order mark, recognised by zero bytes at every second place of ASCII text; else null. */
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

interface Score {
  readonly encoding: string;
  /** Text of the characters beyond ASCII. */
  readonly marked: string;
  /** Log-likelihood of the bytes beyond ASCII. */
  readonly total: number;
  /** Number of these bytes. */
  readonly letters: number;
  /** Number of known header words with such bytes. */
  readonly words: number;
}

/** Score of an encoding of one byte per character, by the likeliest of its languages. */
function narrowScore(head: Uint8Array, marks: Uint8Array, own: EncodingLetters): Score {
  const { encoding, languages } = own;
  const decoder = new TextDecoder(encoding);
  const text = decoder.decode(head);
  const sums = languages.map(({ prior }) => prior);
  let letters = 0;
  let before = ' ';
  for (const character of text) {
    if (character > '\u007f') {
      letters++;
      const beside = besideScore(character, before, own);
      for (const [i, language] of languages.entries())
        sums[i]! += isSymbol(character)
          ? SYMBOL
          : (language.letters.get(character.toLowerCase()) ?? RARE) + beside;
    } else if (/[A-Za-z]/.test(character) && isOtherScript(before)) {
      // A Latin letter after a Cyrillic one means another encoding, or a plate written in both alphabets.
      for (let i = 0; i < sums.length; i++) sums[i]! -= 5;
    }
    before = character;
  }
  const words = knownWordsOf(text);
  const total = Math.max(...sums) + KNOWN_WORD * words;
  return { encoding, marked: decoder.decode(marks), total, letters, words };
}

/** Score of an encoding of two bytes per character; null for bytes that are invalid in it. */
function wideScore(head: Uint8Array, { encoding, frequent, isUsual }: WideEncoding): Score | null {
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
  let sum = 0;
  let letters = 0;
  let at = 0;
  let before = '';
  for (const character of text) {
    const lead = head[at]!;
    if (lead <= 0x7f) {
      // Small Latin letters do not follow characters of these scripts.
      if (before > '\u007f' && /[a-z]/.test(character)) sum -= 3;
      at++;
    } else if (isHalfKana(character)) {
      sum += RARE;
      letters++;
      at++;
    } else {
      const isKana = character >= '\u3040' && character <= '\u30ff';
      sum += frequent.has(character) ? FREQUENT : isKana ? KANA : isUsual(lead) ? USUAL : UNUSUAL;
      if (/[a-z]/.test(before)) sum -= 3;
      letters += 2;
      at += 2;
    }
    before = character;
  }
  const words = knownWordsOf(text);
  return { encoding, marked: text, total: sum + KNOWN_WORD * words, letters, words };
}

function isHalfKana(character: string): boolean {
  return character >= '\uff61' && character <= '\uff9f';
}

/** Number of known header words with letters beyond ASCII, up to four. */
function knownWordsOf(text: string): number {
  const cells = text.slice(0, 4000).split(/[;,\t|\n\r"]+/);
  const known = cells.filter((cell) => /[^\u0020-\u007e]/.test(cell) && headerFacts(cell).some(isByWord));
  return Math.min(known.length, 4);
}

/** Whether a header is known by its words. A unit in brackets shows nothing about the letters before it. */
function isByWord({ isByUnit }: HeaderFact): boolean {
  return isByUnit !== true;
}

function isCyrillic(character: string): boolean {
  return character >= '\u0400' && character <= '\u04ff';
}

/** Whether a character is a letter of a script other than Latin. */
function isOtherScript(character: string): boolean {
  return character > '\u02ff' && isLetter(character);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

/** Whether a character is a no-break space, a degree sign or a numero sign. */
function isSymbol(character: string): boolean {
  return character === '\u00a0' || character === '\u00b0' || character === '\u2116';
}

/** Log-likelihood added to a letter by the character before it. */
function besideScore(character: string, before: string, { afterOther, afterNone }: EncodingLetters): number {
  const isUpper = character.toLowerCase() !== character;
  // A small letter after a digit is unlikely: the no-break space in 12 345 is а in IBM866.
  if (!isUpper && isDigit(before) && isLetter(character)) return RARE;
  // An upper-case letter after a lower-case one is unlikely: KOI8-R and windows-1251 have the cases swapped.
  const odd = isUpper && isLetter(before) && before.toLowerCase() === before ? -4 : 0;
  const flipped = !isUpper && isCyrillic(before) && before.toLowerCase() !== before ? -0.3 : 0;
  const isMixed = isOtherScript(character) && /[A-Za-z]/.test(before);
  const run = before > '\u007f' && isLetter(before) ? afterOther : 0;
  return odd + flipped + (isMixed ? -4 : 0) + run + (isLetter(before) ? 0 : afterNone);
}
