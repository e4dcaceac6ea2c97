/** Files written whole or not at all: each beside its place first, then all renamed. */

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forgetPart, partOf } from './parts.js';

/** Writes each text (or bytes) under its name into `folder` (made if needed); returns the names with their sizes. */
export async function writeFiles(
  folder: string,
  contents: ReadonlyMap<string, string | Uint8Array>,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const parts = new Map([...contents.keys()].map((name) => [name, partOf(join(folder, name))]));
  try {
    for (const [name, part] of parts) await writeFile(part, contents.get(name)!);
    for (const [name, part] of parts) await rename(part, join(folder, name));
  } finally {
    for (const part of parts.values()) {
      await rm(part, { force: true });
      forgetPart(part);
    }
  }
  return [...contents].map(([name, text]) => `${name} (${size(Buffer.byteLength(text))})`);
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
