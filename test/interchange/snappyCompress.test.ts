import { snappyUncompress } from 'hyparquet';
import { snappyCompress as writerCompress } from 'hyparquet-writer/src/snappy.js';
import { expect, test } from 'vitest';
import { snappyCompress } from '../../src/interchange/parquet/snappyCompress.js';
import { seeded, volume } from '../volume.js';

/** Bytes of one kind: noise, few values, repeats at all distances, or doubles that grow. */
function bytesOf(kind: number, length: number, random: () => number): Uint8Array {
  if (kind === 3)
    return new Uint8Array(
      Float64Array.from({ length: Math.ceil(length / 8) }, (_, i) => 37.6 + i / 1e4 + random() / 1e3).buffer,
    ).slice(0, length);
  const bytes = new Uint8Array(length);
  const back = 1 + Math.floor(random() * 70_000);
  for (let i = 0; i < length; i++) {
    const isRepeat = kind === 2 && i >= back && random() < 0.99;
    bytes[i] = isRepeat ? bytes[i - back]! : Math.floor(random() * (kind === 1 ? 3 : 256));
  }
  return bytes;
}

test('writes the bytes of hyparquet-writer, and they decompress to the input', () => {
  const random = seeded(60);
  for (let run = 0; run < volume(20_000, 160); run++) {
    const length = run < 64 ? run : Math.floor(random() ** 4 * 200_000);
    const bytes = bytesOf(run % 4, length, random);
    const within = new Uint8Array(length + 3).subarray(3);
    within.set(bytes);
    const compressed = snappyCompress(within);
    expect(Buffer.compare(compressed, writerCompress(bytes)), `run ${run}`).toBe(0);
    const output = new Uint8Array(length);
    if (length > 0) snappyUncompress(compressed, output);
    expect(Buffer.compare(output, bytes), `run ${run}`).toBe(0);
  }
});
