/** Allows one process per data folder, by a lock of the operating system, which ends with the process whatever way it ends. */

import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { WayzoneError } from 'wayzone';

/** Locks the folder, creating it if it is missing. Returns a function that unlocks it. Throws `data-in-use` if another process holds it. */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lock');
  const descriptor = openSync(file, 'a+');
  if (!tryLock(descriptor)) {
    closeSync(descriptor);
    throw new WayzoneError(
      'data-in-use',
      'DATA_DIR',
      `expected a folder that no other process uses, received ${folder}, used by process ${readFileSync(file, 'utf8')}`,
    );
  }
  // For people only: the lock decides.
  ftruncateSync(descriptor);
  writeSync(descriptor, String(process.pid));
  return () => closeSync(descriptor);
}
