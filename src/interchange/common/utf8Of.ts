/** Converts the bytes of a foreign file to UTF-8 without a byte order mark, for readers of bytes. UTF-8 files are not copied. */

import { utf8Encoder } from '../../core/ascii.js';
import {
  ChunkDecoder,
  chunkWithin,
  decodeText,
  encodingOf,
  HEAD_LENGTH,
  isAscii,
  isWithinBytes,
  Utf8Damage,
} from './decodeText.js';
import type { IssueList } from './issueList.js';
import type { LimitCounter } from './readOptions.js';
import { eachOf, joinedChunks } from './textSink.js';

/** `decodeText` for readers of bytes. Invalid UTF-8 stays in the bytes; it becomes U+FFFD where the bytes are decoded. */
export function utf8Of(input: unknown, issues: IssueList, limits: LimitCounter): Uint8Array | null {
  if (input instanceof Uint8Array) {
    if (!isWithinBytes(input.length, issues, limits)) return null;
    const stream = new Utf8Stream(issues, () => 1);
    const bytes = stream.push(input);
    const rest = stream.end();
    return rest.length === 0 ? bytes : joinedChunks([bytes, rest]);
  }
  const text = decodeText(input, issues, limits);
  return text === null ? null : utf8Encoder.encode(text);
}

/** `decodeChunks` for readers of bytes. `take` never receives an empty piece. `line`: line of the next byte that `take` receives. */
export async function eachUtf8(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  issues: IssueList,
  limits: LimitCounter,
  take: (bytes: Uint8Array) => boolean | Promise<boolean>,
  line: () => number,
): Promise<boolean> {
  const stream = new Utf8Stream(issues, line);
  for await (const chunk of eachOf(chunks, 'chunks')) {
    if (!chunkWithin(chunk, issues, limits)) return false;
    const bytes = stream.push(chunk);
    if (bytes.length === 0) continue;
    const wantsMore = take(bytes);
    if (!(typeof wantsMore === 'boolean' ? wantsMore : await wantsMore)) return false;
  }
  const rest = stream.end();
  if (rest.length > 0) await take(rest);
  return true;
}

const NONE: Uint8Array = new Uint8Array(0);

class Utf8Stream {
  readonly #issues: IssueList;
  #head: Uint8Array | null = new Uint8Array(0);
  /** Decoder of bytes in another encoding. */
  #decoder: ChunkDecoder | null = null;
  /** Checks that the bytes are valid; null once some were not. */
  #strict: InstanceType<typeof TextDecoder> | null = new TextDecoder('utf-8', { fatal: true });
  /** The last valid bytes, if they end within a character. */
  #open: Uint8Array = NONE;
  readonly #damage = new Utf8Damage();
  /** Decodes the text from the first invalid bytes on, to count them. */
  readonly #counted: InstanceType<typeof TextDecoder> = new TextDecoder();
  readonly #line: () => number;

  constructor(issues: IssueList, line: () => number) {
    this.#issues = issues;
    this.#line = line;
    issues.atEnd(() => this.#damage.report(issues, ''));
  }

  push(bytes: Uint8Array): Uint8Array {
    if (this.#head === null) return this.#pass(bytes);
    const head = this.#head.length === 0 ? bytes : joinedChunks([this.#head, bytes]);
    if (head.length < HEAD_LENGTH) {
      this.#head = Uint8Array.from(head);
      return this.#head.subarray(0, 0);
    }
    return this.#begin(head);
  }

  end(): Uint8Array {
    const rest = this.#head === null ? new Uint8Array(0) : this.#begin(this.#head);
    if (this.#decoder !== null) return joinedChunks([rest, utf8Encoder.encode(this.#decoder.end())]);
    if (this.#open.length > 0) this.#check(null);
    if (this.#strict === null) this.#damage.add(this.#counted.decode(), this.#line());
    return rest;
  }

  #begin(head: Uint8Array): Uint8Array {
    this.#head = null;
    const { label, isDeclared } = encodingOf(head);
    if (label !== 'utf-8' || isDeclared) this.#decoder = new ChunkDecoder(this.#issues);
    const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
    return this.#pass(hasMark && this.#decoder === null ? head.subarray(3) : head);
  }

  #pass(bytes: Uint8Array): Uint8Array {
    if (this.#decoder !== null) return utf8Encoder.encode(this.#decoder.push(bytes));
    if (this.#strict === null) this.#count(bytes);
    else if (this.#open.length > 0 || !isAscii(bytes)) this.#check(bytes);
    return bytes;
  }

  #count(bytes: Uint8Array): void {
    this.#damage.add(this.#counted.decode(bytes, { stream: true }), this.#line());
  }

  #check(bytes: Uint8Array | null): void {
    try {
      if (bytes === null) this.#strict?.decode();
      else this.#strict?.decode(bytes, { stream: true });
      this.#open = bytes === null ? NONE : openEnd(bytes);
      this.#damage.sound++;
    } catch {
      this.#strict = null;
      this.#count(joinedChunks([this.#open, bytes ?? NONE]));
    }
  }
}

/** The bytes at the end that begin a character without ending it. */
function openEnd(bytes: Uint8Array): Uint8Array {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 3) && bytes[at]! > 0x7f; at--)
    if (bytes[at]! >= 0xc0) return bytes.slice(at);
  return NONE;
}
