/** Helpers for open-addressed hash tables of whole numbers. */

/** An empty table for `count` entries, at most half full; -1 marks an empty slot. */
export function hashTable(count: number): Int32Array {
  let size = 16;
  while (size < 2 * count) size *= 2;
  return new Int32Array(size).fill(-1);
}

/** A 32-bit hash of two whole numbers. */
export function pairHash(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
