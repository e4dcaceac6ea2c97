/** Standard output at the pace of who reads it. */

import type { OutputStream } from './io.js';

/** Writes the text and waits until the stream takes more. */
export async function writeOut(stream: OutputStream, text: string): Promise<void> {
  if (text === '' || stream.write(text) !== false || stream.once === undefined) return;
  await new Promise<void>((resolve) => {
    stream.once?.('drain', resolve);
  });
}
