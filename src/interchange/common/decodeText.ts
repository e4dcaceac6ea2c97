/** Decodes the bytes of a foreign file (UTF-8, UTF-16 or a named encoding), and collects the lines of invalid UTF-8. */

import { CR, LF } from '../../core/ascii.js';
import { expected, inputError } from '../../core/errors.js';
import type { IssueList } from './issueList.js';
import type { LimitCounter } from './readOptions.js';
import { eachOf, joinedChunks } from './textSink.js';

const DECLARED_ENCODING = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]{0,40})["']/;
/** Number of first bytes that decide the encoding. */
export const HEAD_LENGTH = 300;
/** Highest bit of each of four bytes, which is set in bytes beyond ASCII. */
const HIGH_BITS = 0x80808080;
/** Number of words checked in one call. */
const BLOCK = 4096;
/** Largest number of lines kept. An `IssueList` names fewer. */
const MOST_LINES = 1000;

/**
 * The text of `input` without its byte order mark.
 *
 * Bytes that are invalid in the encoding become U+FFFD: in mostly valid UTF-8 with an `encoding` warning for each line, else with an error.
 * An unknown encoding is read as UTF-8, with an `encoding` error issue. A declaration that names UTF-16 but is not written in it is read as
 * UTF-8, with an `encoding` warning. Beyond the limit of bytes the result is null, with an issue `limit-bytes`. Throws `input-type` for
 * anything but text or bytes.
 */
export function decodeText(input: unknown, issues: IssueList, limits: LimitCounter): string | null {
  if (typeof input !== 'string' && !(input instanceof Uint8Array)) {
    throw inputError('input-type', 'input', 'text or a Uint8Array', input);
  }
  if (!isWithinBytes(input.length, issues, limits)) return null;
  if (typeof input === 'string') return input.startsWith('\uFEFF') ? input.slice(1) : input;
  const decoder = new ChunkDecoder(issues);
  const text = decoder.push(input);
  return text + decoder.end();
}

/** Counts the bytes. Returns false beyond the limit, with an issue `limit-bytes`. */
export function isWithinBytes(bytes: number, issues: IssueList, limits: LimitCounter): boolean {
  try {
    limits.countBytes(bytes);
    return true;
  } catch (error) {
    issues.caught(error);
    return false;
  }
}

/** `isWithinBytes` for a chunk of a stream. Throws `input-type` unless the chunk is a Uint8Array. */
export function chunkWithin(chunk: unknown, issues: IssueList, limits: LimitCounter): boolean {
  if (chunk instanceof Uint8Array) return isWithinBytes(chunk.length, issues, limits);
  throw inputError('input-type', 'chunks', 'Uint8Array chunks', chunk);
}

type Decoder = InstanceType<typeof TextDecoder>;

const plain: Decoder = new TextDecoder();

/** `decodeText` for bytes that come in chunks. */
export class ChunkDecoder {
  readonly #issues: IssueList;
  readonly #damage = new Utf8Damage();
  /** Line of the next character. */
  #line = 1;
  #head: Uint8Array | null = new Uint8Array(0);
  #decoder: Decoder | null = null;
  /** Checks that the bytes are valid; null once some were not. */
  #strict: Decoder | null = null;
  #isUtf8 = false;
  /** Whether anything was decoded yet. */
  #isBegun = false;
  /** Whether the last bytes may end within a character. */
  #isOpen = false;

  constructor(issues: IssueList) {
    this.#issues = issues;
    const { within } = issues;
    issues.atEnd(() => this.#damage.report(issues, within));
  }

  push(bytes: Uint8Array): string {
    if (this.#head === null) return this.#decode(bytes);
    const head = this.#head.length === 0 ? bytes : joinedChunks([this.#head, bytes]);
    if (head.length < HEAD_LENGTH) {
      this.#head = Uint8Array.from(head);
      return '';
    }
    return this.#begin(head);
  }

  end(): string {
    const text = this.#head === null ? '' : this.#begin(this.#head);
    return text + this.#decode(null);
  }

  #begin(head: Uint8Array): string {
    this.#head = null;
    const found = encodingOf(head);
    let { label } = found;
    try {
      this.#strict = new TextDecoder(label, { fatal: true });
      // Programs with 16-bit strings declare UTF-16 but write UTF-8.
      if (found.isDeclared && this.#strict.encoding.startsWith('utf-16')) {
        const message = `expected the encoding of the file in its declaration, received ${label} in a file that is not ${label}; read as UTF-8`;
        this.#issues.warning('encoding', 'encoding', message);
        label = 'utf-8';
        this.#strict = new TextDecoder(label, { fatal: true });
      }
    } catch {
      this.#issues.error('encoding', 'encoding', expected('a known encoding', label));
      label = 'utf-8';
      this.#strict = new TextDecoder(label, { fatal: true });
    }
    this.#decoder = new TextDecoder(label);
    this.#isUtf8 = this.#decoder.encoding === 'utf-8';
    return this.#decode(head);
  }

  #decode(bytes: Uint8Array | null): string {
    const text = this.#textOf(bytes);
    if (this.#strict === null && this.#isUtf8) this.#damage.add(text, this.#line);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#line++;
    return text;
  }

  #textOf(bytes: Uint8Array | null): string {
    // Fast path for ASCII bytes that follow a whole character.
    if (bytes !== null && this.#isUtf8 && !this.#isOpen && isAscii(bytes)) {
      if (!this.#isBegun) this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      this.#isBegun = true;
      return plain.decode(bytes);
    }
    this.#isBegun = true;
    this.#isOpen = (bytes?.at(-1) ?? 0) > 0x7f;
    const decode = (decoder: Decoder): string =>
      bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true });
    try {
      if (this.#strict !== null) decode(this.#strict);
      this.#damage.sound++;
    } catch {
      const encoding = this.#strict?.encoding ?? '';
      this.#strict = null;
      if (!this.#isUtf8) {
        const message = `expected ${encoding} text, received bytes that are invalid in it`;
        this.#issues.error('encoding', 'encoding', message);
      }
    }
    return this.#decoder === null ? '' : decode(this.#decoder);
  }
}

/**
 * Passes the text of each chunk to `take`, until `take` returns false or the limit of bytes is reached. Returns whether all was read.
 *
 * Issues as `decodeText`. Throws `source-type` for a source that is not iterable, `input-type` for a chunk that is not bytes, and the
 * source's own error.
 */
export async function decodeChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  issues: IssueList,
  limits: LimitCounter,
  take: (text: string) => boolean | Promise<boolean>,
): Promise<boolean> {
  const decoder = new ChunkDecoder(issues);
  for await (const chunk of eachOf(chunks, 'chunks')) {
    if (!chunkWithin(chunk, issues, limits)) return false;
    const text = decoder.push(chunk);
    if (text !== '' && !(await take(text))) return false;
  }
  const rest = decoder.end();
  if (rest !== '') await take(rest);
  return true;
}

function isAsciiByte(byte: number): boolean {
  return byte > 0 && byte < 0x80;
}

/** The encoding that the first bytes show. `isDeclared`: it is the one in the XML declaration. */
export function encodingOf(bytes: Uint8Array): { readonly label: string; readonly isDeclared: boolean } {
  const [first = 0, second = 0] = bytes;
  // UTF-16 without a mark: an ASCII character beside a zero byte, which no other encoding contains.
  if ((first === 0xff && second === 0xfe) || (isAsciiByte(first) && second === 0 && bytes.length > 1))
    return { label: 'utf-16le', isDeclared: false };
  if ((first === 0xfe && second === 0xff) || (first === 0 && isAsciiByte(second)))
    return { label: 'utf-16be', isDeclared: false };
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_LENGTH));
  const declared = DECLARED_ENCODING.exec(head.trimStart())?.[1];
  return { label: declared ?? 'utf-8', isDeclared: declared !== undefined };
}

export class Utf8Damage {
  /** Number of valid characters beyond ASCII. */
  sound = 0;
  #broken = 0;
  /** Line of the next character; null before the first text. */
  #line: number | null = null;
  /** The last character, as a code unit. */
  #last = 0;
  readonly #lines: number[] = [];

  /** Adds the decoded text from the first invalid bytes on. `first`: line where it begins. */
  add(text: string, first: number): void {
    let at = this.#line ?? first;
    let last = this.#last;
    let isNoted = this.#lines.at(-1) === at;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit === LF ? last !== CR : unit === CR) {
        at++;
        isNoted = false;
      } else if (unit === 0xfffd) {
        this.#broken++;
        if (!isNoted && this.#lines.length < MOST_LINES) this.#lines.push(at);
        isNoted = true;
      } else if (unit > 0x7f) this.sound++;
      last = unit;
    }
    this.#line = at;
    this.#last = last;
  }

  /**
   * Reports the damage, if any: each line if most of the text is valid, else that the file is not UTF-8. `within`: name of the file in an
   * archive.
   */
  report(issues: IssueList, within: string): void {
    if (this.#broken === 0) return;
    const field = `${within} encoding`.trimStart();
    if (this.#broken > Math.max(this.sound, 2)) {
      const message = `expected utf-8 text, received bytes that are invalid in it, ${this.#broken} in all`;
      issues.error('encoding', field, message);
      return;
    }
    const message = 'expected UTF-8, received a broken character, which is read as \ufffd';
    for (const line of this.#lines) issues.warning('encoding', field, message, line);
  }
}

/** Whether bytes are ASCII, and so valid UTF-8. */
export function isAscii(bytes: Uint8Array): boolean {
  const start = (4 - (bytes.byteOffset & 3)) & 3;
  const words = bytes.length < start ? 0 : (bytes.length - start) >> 2;
  for (let i = 0; i < Math.min(start, bytes.length); i++) if (bytes[i]! > 0x7f) return false;
  const view = new Int32Array(bytes.buffer, words === 0 ? 0 : bytes.byteOffset + start, words);
  for (let i = 0; i < words; i += BLOCK) {
    if ((allBits(view, i, Math.min(i + BLOCK, words)) & HIGH_BITS) !== 0) return false;
  }
  for (let i = start + 4 * words; i < bytes.length; i++) if (bytes[i]! > 0x7f) return false;
  return true;
}

/**
 * All bits of some words together. A separate function, so that V8 compiles it once: a long loop would be compiled again for each chunk of
 * a file.
 */
function allBits(words: Int32Array, from: number, to: number): number {
  let bits = 0;
  for (let i = from; i < to; i++) bits |= words[i]!;
  return bits;
}
