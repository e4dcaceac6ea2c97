/** Writes several files whole or not at all: each goes to a temporary file, then all are moved to their paths. */

import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Output, openOutput } from './output.js';
import { printable } from './terminal.js';
import { mapWriteErrors } from './unwritable.js';

/** Writes each text (or bytes) under its name into `folder`, which is made if needed. Returns the names with their sizes. */
export async function writeFiles(
  folder: string,
  contents: ReadonlyMap<string, string | Uint8Array>,
): Promise<string[]> {
  await mapWriteErrors(folder, () => mkdir(folder, { recursive: true }));
  const outputs: Output[] = [];
  try {
    for (const [name, content] of contents) {
      const output = await openOutput(join(folder, name));
      outputs.push(output);
      await output.write(typeof content === 'string' ? Buffer.from(content) : content);
    }
    for (const output of outputs) await output.commit();
  } finally {
    for (const output of outputs) await output.drop();
  }
  return [...contents].map(([name, text]) => `${name} (${size(Buffer.byteLength(text))})`);
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Writes a file; the folder of `path` is made if needed. Returns folder, name and size as text for people. */
export async function writeFile(path: string, content: string | Uint8Array): Promise<string> {
  const folder = dirname(path);
  const written = await writeFiles(folder, new Map([[basename(path), content]]));
  return `${printable(folder)}: ${written.join(', ')}`;
}
