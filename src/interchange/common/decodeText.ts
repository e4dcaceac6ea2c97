/** Bytes of a foreign file as text: UTF-8, UTF-16 by its mark or its first character, else what an XML declaration names. */

import { expected, inputError, WayzoneError } from '../../core/errors.js';
import { eachOf } from './eachOf.js';
import { isAscii } from './isAscii.js';
import type { IssueList } from './issueList.js';
import type { LimitCounter } from './readLimits.js';

const DECLARED_ENCODING = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]{0,40})["']/;

/** So many bytes say what the encoding is. */
export const HEAD_LENGTH = 300;

/**
 * The text of `input` without its byte order mark.
 *
 * Bytes that the encoding does not allow become U+FFFD with an `encoding` error issue; an encoding that is not known
 * is an `encoding` error issue too, and the bytes are read as UTF-8; so are, with an `encoding` warning, those whose declaration names UTF-16 and
 * is not written in it. Beyond the limit of bytes it is null, with
 * an issue `limit-bytes`.
 * Throws `input-type` for anything but text or bytes.
 */
export function decodeText(input: unknown, issues: IssueList, limits: LimitCounter): string | null {
  if (typeof input !== 'string' && !(input instanceof Uint8Array)) {
    throw inputError('input-type', 'input', 'text or a Uint8Array', input);
  }
  if (!within(input.length, issues, limits)) return null;
  if (typeof input === 'string') return input.startsWith('\uFEFF') ? input.slice(1) : input;
  const decoder = new ChunkDecoder(issues);
  const text = decoder.push(input);
  return text + decoder.end();
}

/** Counts the bytes; beyond the limit an issue says so. */
export function within(bytes: number, issues: IssueList, limits: LimitCounter): boolean {
  try {
    limits.countBytes(bytes);
    return true;
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    issues.error(error.code, error.field, error.message);
    return false;
  }
}

/** Whether a chunk is within the limit of bytes; `input-type` for one that is not bytes. */
export function isWanted(chunk: unknown, issues: IssueList, limits: LimitCounter): boolean {
  if (chunk instanceof Uint8Array) return within(chunk.length, issues, limits);
  throw inputError('input-type', 'chunks', 'Uint8Array chunks', chunk);
}

type Decoder = InstanceType<typeof TextDecoder>;

const plain: Decoder = new TextDecoder();

/** `decodeText` for bytes that come in chunks. */
export class ChunkDecoder {
  readonly #issues: IssueList;
  #head: Uint8Array | null = new Uint8Array(0);
  #decoder: Decoder | null = null;
  /** Only says whether the bytes are allowed; null once they were not. */
  #strict: Decoder | null = null;
  #isUtf8 = false;
  /** Whether anything was decoded; and whether the decoders may hold the beginning of a character. */
  #isBegun = false;
  #isOpen = false;

  constructor(issues: IssueList) {
    this.#issues = issues;
  }

  push(bytes: Uint8Array): string {
    if (this.#head === null) return this.#decode(bytes);
    const head = this.#head.length === 0 ? bytes : joined(this.#head, bytes);
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
      // Programs that make a text of 16-bit units declare that, and write the text as UTF-8.
      if (found.isDeclared && this.#strict.encoding.startsWith('utf-16')) {
        const message = `expected an encoding in which the declaration can be read as it was, received ${label}; read as UTF-8`;
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
    // Between characters ASCII is text as it stands, which is decoded many times faster.
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
    } catch {
      const encoding = this.#strict?.encoding ?? '';
      this.#strict = null;
      this.#issues.error(
        'encoding',
        'encoding',
        `expected ${encoding} text, received bytes that it does not allow`,
      );
    }
    return this.#decoder === null ? '' : decode(this.#decoder);
  }
}

/**
 * Gives `take` the text of the chunks as they come, until it wants no more or the limit of bytes is reached; whether that was all.
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
    if (!isWanted(chunk, issues, limits)) return false;
    const text = decoder.push(chunk);
    if (text !== '' && !(await take(text))) return false;
  }
  const rest = decoder.end();
  if (rest !== '') await take(rest);
  return true;
}

export function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function isAsciiByte(byte: number): boolean {
  return byte > 0 && byte < 0x80;
}

/** What the first bytes say of the rest. */
export function encodingOf(bytes: Uint8Array): { readonly label: string; readonly isDeclared: boolean } {
  const [first = 0, second = 0] = bytes;
  // Without a mark, a character of ASCII beside a 0: no text in another encoding holds a 0.
  if ((first === 0xff && second === 0xfe) || (isAsciiByte(first) && second === 0 && bytes.length > 1))
    return { label: 'utf-16le', isDeclared: false };
  if ((first === 0xfe && second === 0xff) || (first === 0 && isAsciiByte(second)))
    return { label: 'utf-16be', isDeclared: false };
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_LENGTH));
  const declared = DECLARED_ENCODING.exec(head.trimStart())?.[1];
  return { label: declared ?? 'utf-8', isDeclared: declared !== undefined };
}
