/** Whether bytes are ASCII, which is UTF-8 as it stands. */

/** Marks of bytes that are not ASCII, in four bytes at once. */
const HIGH_BITS = 0x80808080;

export function isAscii(bytes: Uint8Array): boolean {
  const start = (4 - (bytes.byteOffset & 3)) & 3;
  const words = bytes.length < start ? 0 : (bytes.length - start) >> 2;
  for (let i = 0; i < Math.min(start, bytes.length); i++) if (bytes[i]! > 0x7f) return false;
  const view = new Int32Array(bytes.buffer, words === 0 ? 0 : bytes.byteOffset + start, words);
  let bits = 0;
  for (let i = 0; i < words; i++) bits |= view[i]!;
  if ((bits & HIGH_BITS) !== 0) return false;
  for (let i = start + 4 * words; i < bytes.length; i++) if (bytes[i]! > 0x7f) return false;
  return true;
}
