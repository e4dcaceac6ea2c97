/** Allows one process per data folder, by a file with the process id that is created exclusively. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WayzoneError } from 'wayzone';

/** Locks the folder, creating it if it is missing. Returns a function that unlocks it. Throws `data-in-use` if a live process holds it. */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lock');
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = Number(readFileSync(file, 'utf8'));
    if (isAlive(owner))
      throw new WayzoneError(
        'data-in-use',
        'DATA_DIR',
        `expected a folder that no other process uses, received ${folder}, used by process ${owner}`,
      );
    rmSync(file, { force: true });
  }
  throw new WayzoneError(
    'data-in-use',
    'DATA_DIR',
    `expected a folder that no other process uses, received ${folder}`,
  );
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
