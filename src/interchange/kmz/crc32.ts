/**
 * The checksum of ZIP (ISO 3309, polynomial EDB88320), incremental, four bytes at a time.
 *
 * M. E. Kounavis, F. L. Berry, "Novel table lookup-based algorithms for high-performance CRC generation", IEEE Transactions on Computers
 * 57 (11), 2008, doi:10.1109/TC.2008.85.
 */

/** Tables of remainders. Table `n` is for a byte followed by `n` bytes. */
const TABLES: readonly Uint32Array[] = Array.from({ length: 4 }, (_, behind) =>
  Uint32Array.from({ length: 256 }, (__, value) => {
    let remainder = value;
    for (let bit = 0; bit < 8 * (behind + 1); bit++) {
      remainder = (remainder >>> 1) ^ ((remainder & 1) === 0 ? 0 : 0xedb88320);
    }
    return remainder >>> 0;
  }),
);

/** The checksum of all bytes so far. `before`: the checksum of the earlier bytes, 0 at the start. */
export function crc32(bytes: Uint8Array, before: number): number {
  const [last, third, second, first] = TABLES as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  const whole = bytes.length - (bytes.length % 4);
  let remainder = ~before;
  for (let i = 0; i < whole; i += 4) {
    remainder ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    remainder =
      first[remainder & 0xff]! ^
      second[(remainder >>> 8) & 0xff]! ^
      third[(remainder >>> 16) & 0xff]! ^
      last[remainder >>> 24]!;
  }
  for (let i = whole; i < bytes.length; i++) {
    remainder = (remainder >>> 8) ^ last[(remainder ^ bytes[i]!) & 0xff]!;
  }
  return ~remainder >>> 0;
}
