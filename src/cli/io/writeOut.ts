/** Standard output at the pace of who reads it. */

import type { OutputStream } from './io.js';

/** Writes text, or UTF-8, and waits until the stream takes more. */
export async function writeOut(stream: OutputStream, data: string | Uint8Array): Promise<void> {
  if (data.length === 0 || put(stream, data) !== false || stream.once === undefined) return;
  await new Promise<void>((resolve) => {
    stream.once?.('drain', resolve);
  });
}

function put(stream: OutputStream, data: string | Uint8Array): unknown {
  if (typeof data === 'string') return stream.write(data);
  if (stream.writeBytes !== undefined) return stream.writeBytes(data);
  return stream.write(Buffer.from(data.buffer, data.byteOffset, data.length).toString());
}
