/** Writes to standard output at the pace of its reader. */

import type { OutputStream } from './io.js';

/** Writes text or UTF-8, and waits until the stream accepts more. */
export async function writeOut(stream: OutputStream, data: string | Uint8Array): Promise<void> {
  if (data.length === 0) return;
  if (typeof data !== 'string' && stream.writeBytes !== undefined) {
    await stream.writeBytes(data);
    return;
  }
  const text =
    typeof data === 'string' ? data : Buffer.from(data.buffer, data.byteOffset, data.length).toString();
  if (stream.write(text) !== false || stream.once === undefined) return;
  await new Promise<void>((resolve) => {
    stream.once?.('drain', resolve);
  });
}
