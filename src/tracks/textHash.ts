/** A short hash of a text: two 32-bit lanes of multiply and rotate (the mixing of MurmurHash3), for damage and not for attack. */

/** 16 hexadecimal digits. */
export function textHash(text: string): string {
  let a = 0x9e3779b9 ^ text.length;
  let b = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = rotate(Math.imul(a ^ unit, 0xcc9e2d51), 15);
    b = rotate(Math.imul(b ^ unit, 0x1b873593) + a, 13);
  }
  return hex(finish(a ^ b)) + hex(finish(Math.imul(b, 5) + a));
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function finish(word: number): number {
  const half = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const mixed = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
