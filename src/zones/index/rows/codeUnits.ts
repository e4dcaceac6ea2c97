/**
 * Text as bytes and back without loss, whatever its UTF-16 code units: each unit as UTF-8 codes a character below 2^16 (CESU-8), so that
 * halves of surrogate pairs survive too. Of ASCII it is ASCII.
 */

/** How many bytes `encodeUnits` writes. */
export function unitBytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1;
  }
  return bytes;
}

/** Writes the text from byte `at` on and gives the end. */
export function encodeUnits(text: string, bytes: Uint8Array, at: number): number {
  let end = at;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit <= 0x7f) {
      bytes[end++] = unit;
    } else if (unit <= 0x7ff) {
      bytes[end++] = 0xc0 | (unit >> 6);
      bytes[end++] = 0x80 | (unit & 0x3f);
    } else {
      bytes[end++] = 0xe0 | (unit >> 12);
      bytes[end++] = 0x80 | ((unit >> 6) & 0x3f);
      bytes[end++] = 0x80 | (unit & 0x3f);
    }
  }
  return end;
}

export function decodeUnits(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; ) {
    const byte = bytes[at++]!;
    if (byte < 0x80) text += String.fromCharCode(byte);
    else if (byte < 0xe0) text += String.fromCharCode(((byte & 0x1f) << 6) | (bytes[at++]! & 0x3f));
    else {
      const unit = ((byte & 0x0f) << 12) | ((bytes[at]! & 0x3f) << 6) | (bytes[at + 1]! & 0x3f);
      text += String.fromCharCode(unit);
      at += 2;
    }
  }
  return text;
}

/** FNV-1a over the code units, unsigned. */
export function hashUnits(text: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
