/** Files written whole or not at all: each beside its place first, then all renamed. */

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes each text (or bytes) under its name into `folder` (made if needed); returns the names with their sizes. */
export async function writeFiles(
  folder: string,
  contents: ReadonlyMap<string, string | Uint8Array>,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const aside = (name: string): string => join(folder, `.${name}.${process.pid}.part`);
  try {
    for (const [name, text] of contents) await writeFile(aside(name), text);
    for (const name of contents.keys()) await rename(aside(name), join(folder, name));
  } finally {
    for (const name of contents.keys()) await rm(aside(name), { force: true });
  }
  return [...contents].map(([name, text]) => `${name} (${size(Buffer.byteLength(text))})`);
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
