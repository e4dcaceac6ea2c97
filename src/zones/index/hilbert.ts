/** The place of a cell on the Hilbert curve: neighbours on the curve are neighbours on the map. */

/**
 * Distance along the curve of order 16 of the cell (x, y), both whole numbers from 0 to 65,535; the result is an unsigned 32-bit number.
 * The transform by parallel prefix after R. Rawlinson, "A parallel prefix Hilbert curve" (public domain, 2014).
 */
export function hilbert(x: number, y: number): number {
  let a = x ^ y;
  let b = 0xffff ^ a;
  let c = 0xffff ^ (x | y);
  let d = x & (y ^ 0xffff);

  let A = a | (b >> 1);
  let B = (a >> 1) ^ a;
  let C = (c >> 1) ^ (b & (d >> 1)) ^ c;
  let D = (a & (c >> 1)) ^ (d >> 1) ^ d;

  a = A;
  b = B;
  c = C;
  d = D;
  A = (a & (a >> 2)) ^ (b & (b >> 2));
  B = (a & (b >> 2)) ^ (b & ((a ^ b) >> 2));
  C ^= (a & (c >> 2)) ^ (b & (d >> 2));
  D ^= (b & (c >> 2)) ^ ((a ^ b) & (d >> 2));

  a = A;
  b = B;
  c = C;
  d = D;
  A = (a & (a >> 4)) ^ (b & (b >> 4));
  B = (a & (b >> 4)) ^ (b & ((a ^ b) >> 4));
  C ^= (a & (c >> 4)) ^ (b & (d >> 4));
  D ^= (b & (c >> 4)) ^ ((a ^ b) & (d >> 4));

  a = A;
  b = B;
  c = C;
  d = D;
  C ^= (a & (c >> 8)) ^ (b & (d >> 8));
  D ^= (b & (c >> 8)) ^ ((a ^ b) & (d >> 8));

  a = C ^ (C >> 1);
  b = D ^ (D >> 1);

  let i0 = x ^ y;
  let i1 = b | (0xffff ^ (i0 | a));

  i0 = (i0 | (i0 << 8)) & 0x00ff00ff;
  i0 = (i0 | (i0 << 4)) & 0x0f0f0f0f;
  i0 = (i0 | (i0 << 2)) & 0x33333333;
  i0 = (i0 | (i0 << 1)) & 0x55555555;
  i1 = (i1 | (i1 << 8)) & 0x00ff00ff;
  i1 = (i1 | (i1 << 4)) & 0x0f0f0f0f;
  i1 = (i1 | (i1 << 2)) & 0x33333333;
  i1 = (i1 | (i1 << 1)) & 0x55555555;
  return ((i1 << 1) | i0) >>> 0;
}

/** The order of `keys` from the least to the greatest, equal ones as they come: a radix sort by 11 bits. O(n). */
export function sortedOrder(keys: Uint32Array): Uint32Array {
  let from: Uint32Array = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) from[i] = i;
  let to: Uint32Array = new Uint32Array(keys.length);
  for (let shift = 0; shift < 32; shift += 11) {
    const starts = new Uint32Array(2049);
    for (let i = 0; i < keys.length; i++) {
      const digit = (keys[i]! >>> shift) & 2047;
      starts[digit + 1] = starts[digit + 1]! + 1;
    }
    for (let digit = 0; digit < 2048; digit++) starts[digit + 1] = starts[digit + 1]! + starts[digit]!;
    for (let i = 0; i < keys.length; i++) {
      const item = from[i]!;
      const digit = (keys[item]! >>> shift) & 2047;
      to[starts[digit]!] = item;
      starts[digit] = starts[digit]! + 1;
    }
    [from, to] = [to, from];
  }
  return from;
}
