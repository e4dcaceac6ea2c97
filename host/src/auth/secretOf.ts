/** The secret of a data folder: random, created at the first start, readable only by the owner of the file. */

import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from '../storage/syncedFiles.js';

const BYTES = 32;

export function secretOf(folder: string): Uint8Array {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'secret');
  const own = `${file}.${process.pid}`;
  try {
    writeFileSync(own, randomBytes(BYTES), { mode: 0o600, flush: true });
    // Fails if there is a secret. A power cut leaves the whole secret or none.
    linkSync(own, file);
    syncPath(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  return readFileSync(file);
}
