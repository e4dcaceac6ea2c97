/** Receives the index that a job sends. */

import type { Piece } from './pipe.js';

/** The buffer of the index, and the final value of the job. `onText` gets the text pieces before it. Cancels the job if `onText` fails. */
export async function receivedIndex<Value>(
  pieces: AsyncGenerator<Piece, Value>,
  onText: (text: string) => Promise<unknown> = async () => {},
): Promise<{ readonly buffer: Uint8Array; readonly value: Value }> {
  // Shared memory: V8 counts other memory as pressure on the heap.
  let buffer: Uint8Array | null = null;
  let at = 0;
  try {
    for (;;) {
      const { value, done } = await pieces.next();
      if (done === true) return { buffer: buffer ?? new Uint8Array(), value };
      if (typeof value === 'string') await onText(value);
      else if (buffer === null) {
        const [length] = new Float64Array(value.slice().buffer);
        buffer = new Uint8Array(new SharedArrayBuffer(length!));
      } else {
        buffer.set(value, at);
        at += value.length;
      }
    }
  } finally {
    await pieces.return(undefined as Value);
  }
}
