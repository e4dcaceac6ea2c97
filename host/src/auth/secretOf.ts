/** The secret that signs the host's own tokens. That of a data folder is random, created at the first start, and readable only by the owner of the file. */

import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../settings.js';
import { syncPath } from '../storage/syncedFiles.js';

const BYTES = 32;

/** null if an issuer signs all tokens. */
export function secretOf({
  secret,
  published,
  signIn,
  dataDir,
}: Pick<Settings, 'secret' | 'published' | 'signIn' | 'dataDir'>): Uint8Array | null {
  return published !== null && signIn === null ? null : (secret ?? secretIn(dataDir));
}

function secretIn(folder: string): Uint8Array {
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
