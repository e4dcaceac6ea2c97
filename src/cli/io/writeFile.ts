/** Writes one file whole or not at all. */

import { basename, dirname } from 'node:path';
import { printable } from './terminal.js';
import { writeFiles } from './writeFiles.js';

/** The folder of `path` is made if needed. Returns the folder, the name and the size, as a text for people. */
export async function writeFile(path: string, content: string | Uint8Array): Promise<string> {
  const folder = dirname(path);
  const written = await writeFiles(folder, new Map([[basename(path), content]]));
  return `${printable(folder)}: ${written.join(', ')}`;
}
