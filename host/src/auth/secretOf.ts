/** The secret of a data folder: random, created at the first start, readable only by the owner of the file. */

import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BYTES = 32;

export function secretOf(folder: string): Uint8Array {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'secret');
  try {
    writeFileSync(file, randomBytes(BYTES), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file);
}
