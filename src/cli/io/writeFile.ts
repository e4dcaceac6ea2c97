/** Writes one file whole or not at all. */

import { basename, dirname } from 'node:path';
import { printable } from './terminal.js';
import { writeFiles } from './writeFiles.js';

/** Writes a file; the folder of `path` is made if needed. Returns folder, name and size as text for people. */
export async function writeFile(path: string, content: string | Uint8Array): Promise<string> {
  const folder = dirname(path);
  const written = await writeFiles(folder, new Map([[basename(path), content]]));
  return `${printable(folder)}: ${written.join(', ')}`;
}
