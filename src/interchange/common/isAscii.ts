/** Whether bytes are ASCII, and so valid UTF-8. */

/** Highest bit of each of four bytes, which is set in bytes beyond ASCII. */
const HIGH_BITS = 0x80808080;
/** Number of words checked in one call. */
const BLOCK = 4096;

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
