/** Mutates Parquet files inside their frame, so that readers come to the pages and the metadata. */

import type { Below } from './mutate.js';

/** The last bytes of a file: the length of the metadata and `PAR1`. */
const TAIL = 8;

/** Changes bytes of the pages or of the metadata in place, or adds and removes bytes of the metadata with its length. */
export function mutateParquet(input: Uint8Array, below: Below): Uint8Array {
  const size = input.length;
  const copy = input.slice();
  const view = new DataView(copy.buffer);
  const length = size < 4 + TAIL ? 0 : view.getUint32(size - TAIL, true);
  const start = size - TAIL - length;
  if (length === 0 || start <= 4) {
    if (size > 0) copy[below(size)]! ^= 1 << below(8);
    return copy;
  }
  if (below(4) === 0) return resized(input, start + below(length), below);
  const isMetadata = below(3) === 0;
  const from = isMetadata ? start : 4;
  const count = isMetadata ? length : start - 4;
  const at = from + below(count);
  switch (below(4)) {
    case 0:
      copy[at]! ^= 1 << below(8);
      break;
    case 1:
      copy[at] = [0, 1, 0x7f, 0x80, 0xff, below(256)][below(6)]!;
      break;
    case 2:
      if (at + 4 <= from + count)
        view.setUint32(at, [0, 1, 0x7fff_ffff, 0xffff_ffff, count, below(256)][below(6)]!, true);
      break;
    default: {
      const other = from + below(count);
      const span = Math.min(1 + below(16), from + count - Math.max(at, other));
      copy.copyWithin(at, other, other + span);
    }
  }
  return copy;
}

function resized(input: Uint8Array, at: number, below: Below): Uint8Array {
  const metadataEnd = input.length - TAIL;
  const added = Array.from({ length: below(4) }, () => below(256));
  const rest = input.subarray(Math.min(at + below(4), metadataEnd), metadataEnd);
  const start = metadataEnd - new DataView(input.buffer, input.byteOffset).getUint32(metadataEnd, true);
  const result = new Uint8Array(at + added.length + rest.length + TAIL);
  result.set(input.subarray(0, at));
  result.set(added, at);
  result.set(rest, at + added.length);
  result.set(input.subarray(metadataEnd), result.length - TAIL);
  new DataView(result.buffer).setUint32(result.length - TAIL, result.length - TAIL - start, true);
  return result;
}
