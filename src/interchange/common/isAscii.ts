/** Whether bytes are ASCII, which is UTF-8 as it stands. */

/** Marks of bytes that are not ASCII, in four bytes at once. */
const HIGH_BITS = 0x80808080;
/** Words that are looked at in one call. */
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

/** In a function of its own, which V8 compiles once: a long loop is compiled anew with each chunk of a file. */
function allBits(words: Int32Array, from: number, to: number): number {
  let bits = 0;
  for (let i = from; i < to; i++) bits |= words[i]!;
  return bits;
}
