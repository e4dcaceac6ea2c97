/** Bytes of a foreign file as text: UTF-8, UTF-16 by its mark or its first character, else what an XML declaration names. */

import { expected, WayzoneError } from '../core/errors.js';
import type { IssueList } from './issueList.js';

const DECLARED_ENCODING = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]{0,40})["']/;

/**
 * The text of `input` without its byte order mark.
 *
 * Bytes that the encoding does not allow become U+FFFD with an `encoding` error issue; an encoding that is not known
 * is an `encoding` error issue too, and the bytes are read as UTF-8. Throws `input-type` for anything but text or bytes.
 */
export function decodeText(input: unknown, issues: IssueList): string {
  if (typeof input === 'string') return input.startsWith('\uFEFF') ? input.slice(1) : input;
  if (!(input instanceof Uint8Array)) {
    throw new WayzoneError('input-type', 'input', expected('text or a Uint8Array', input));
  }
  const label = encodingOf(input);
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch {
    issues.error('encoding', 'encoding', expected('a known encoding', label));
    decoder = new TextDecoder('utf-8', { fatal: true });
  }
  try {
    return decoder.decode(input);
  } catch {
    issues.error(
      'encoding',
      'encoding',
      `expected ${decoder.encoding} text, received bytes that it does not allow`,
    );
    return new TextDecoder(decoder.encoding).decode(input);
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  if (first !== 0x3c) return 'utf-8';
  const head = String.fromCharCode(...bytes.subarray(0, 300));
  return DECLARED_ENCODING.exec(head)?.[1] ?? 'utf-8';
}
