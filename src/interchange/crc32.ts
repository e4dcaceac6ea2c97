/** The checksum of ZIP (ISO 3309, polynomial EDB88320), piece by piece. */

const TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, value) => {
  let remainder = value;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ ((remainder & 1) === 0 ? 0 : 0xedb88320);
  return remainder >>> 0;
});

/** The checksum of all bytes so far: `before` is that of the bytes before these, 0 at the start. */
export function crc32(bytes: Uint8Array, before: number): number {
  let remainder = ~before;
  for (let i = 0; i < bytes.length; i++) {
    remainder = (remainder >>> 8) ^ TABLE[(remainder ^ bytes[i]!) & 0xff]!;
  }
  return ~remainder >>> 0;
}
