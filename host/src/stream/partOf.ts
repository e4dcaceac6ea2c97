/** Maps a unit to one of the cells of its company by a hash that never changes: FNV-1a with the finaliser of MurmurHash3. */

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A number from 0 to `parts` − 1. Equal for equal ids in every version: stored states rely on it. */
export function partOf(unitId: string, parts: number): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < unitId.length; i++) hash = Math.imul(hash ^ unitId.charCodeAt(i), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % parts;
}
