/** Buffers of any size on a pipe, in chunks, so that sending one takes the event loop no long turn. */

import type { Chunk, Pipe } from './pipe.js';

/** Size of a chunk, bytes: about a millisecond. */
const PIECE_BYTES = 1 << 20;

export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    yield bytes.subarray(from, from + PIECE_BYTES) as Uint8Array<ArrayBuffer>;
}

/** Sends the length, as eight bytes, and then the buffer. */
export async function sendBytes(pipe: Pipe, bytes: Uint8Array): Promise<void> {
  await pipe.send(new Uint8Array(new Float64Array([bytes.length]).buffer));
  for (const chunk of chunksOf(bytes)) await pipe.send(chunk);
}

/** The buffers that a job sends with `sendBytes`, and its final value. */
export async function receivedBytes<Value>(
  chunks: AsyncGenerator<Chunk, Value>,
): Promise<{ readonly buffers: readonly Uint8Array[]; readonly value: Value }> {
  const buffers: Uint8Array[] = [];
  let left = 0;
  for (;;) {
    const { value, done } = await chunks.next();
    if (done === true) return { buffers, value };
    const chunk = value as Uint8Array;
    if (left === 0) {
      [left] = new Float64Array(chunk.slice().buffer) as unknown as [number];
      // Shared memory: V8 counts other memory as pressure on the heap.
      buffers.push(new Uint8Array(new SharedArrayBuffer(left)));
    } else {
      const buffer = buffers.at(-1)!;
      buffer.set(chunk, buffer.length - left);
      left -= chunk.length;
    }
  }
}
