/** Converts the bytes of a foreign file to UTF-8 without a byte order mark, for readers of bytes. UTF-8 files are not copied. */

import { utf8Encoder } from '../../core/utf8.js';
import {
  ChunkDecoder,
  chunkWithin,
  decodeText,
  encodingOf,
  HEAD_LENGTH,
  isWithinBytes,
} from './decodeText.js';
import { eachOf } from './eachOf.js';
import { isAscii } from './isAscii.js';
import type { IssueList } from './issueList.js';
import { joinedChunks } from './joinedChunks.js';
import type { LimitCounter } from './readLimits.js';

/**
 * `decodeText` for readers of bytes. All issues of the encoding are reported before the content is read. Invalid UTF-8 stays in the bytes; it
 * becomes U+FFFD where the bytes are decoded.
 */
export function utf8Of(input: unknown, issues: IssueList, limits: LimitCounter): Uint8Array | null {
  if (input instanceof Uint8Array) {
    if (!isWithinBytes(input.length, issues, limits)) return null;
    const stream = new Utf8Stream(issues);
    const bytes = stream.push(input);
    const rest = stream.end();
    return rest.length === 0 ? bytes : joinedChunks([bytes, rest]);
  }
  const text = decodeText(input, issues, limits);
  return text === null ? null : utf8Encoder.encode(text);
}

/** `decodeChunks` for readers of bytes. `take` never gets an empty piece. */
export async function eachUtf8(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  issues: IssueList,
  limits: LimitCounter,
  take: (bytes: Uint8Array) => boolean | Promise<boolean>,
): Promise<boolean> {
  const stream = new Utf8Stream(issues);
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

class Utf8Stream {
  readonly #issues: IssueList;
  #head: Uint8Array | null = new Uint8Array(0);
  /** The decoder of bytes in another encoding. */
  #decoder: ChunkDecoder | null = null;
  /** Checks that the bytes are valid; null after invalid ones. */
  #strict: InstanceType<typeof TextDecoder> | null = new TextDecoder('utf-8', { fatal: true });
  /** Whether the last bytes may end within a character. */
  #isOpen = false;

  constructor(issues: IssueList) {
    this.#issues = issues;
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
    if (this.#isOpen) this.#check(null);
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
    if (this.#isOpen || !isAscii(bytes)) this.#check(bytes);
    return bytes;
  }

  #check(bytes: Uint8Array | null): void {
    try {
      if (bytes === null) this.#strict?.decode();
      else this.#strict?.decode(bytes, { stream: true });
      this.#isOpen = this.#strict !== null && (bytes?.at(-1) ?? 0) > 0x7f;
    } catch {
      this.#strict = null;
      this.#isOpen = false;
      this.#issues.error(
        'encoding',
        'encoding',
        'expected utf-8 text, received bytes that are invalid in it',
      );
    }
  }
}
