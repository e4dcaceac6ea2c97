/** Reads packed numbers. */

/** The number in `width` (at most 48) bits from bit `from` on, lowest bit first. The caller checks the number of bytes. */
export function bitsAt(bytes: Uint8Array, from: number, width: number): number {
  let value = 0;
  for (let got = 0; got < width; ) {
    const bit = (from + got) & 7;
    const some = Math.min(8 - bit, width - got);
    value += ((bytes[(from + got) >>> 3]! >> bit) & ((1 << some) - 1)) * 2 ** got;
    got += some;
  }
  return value;
}
