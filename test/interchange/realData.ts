/** Paths of the real data beside the repository, which most machines do not have. */

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function dataPath(path: string): string {
  return fileURLToPath(new URL(`../../../shared/data/${path}`, import.meta.url));
}

export function hasData(path: string): boolean {
  return existsSync(dataPath(path));
}

/** Files with this ending under a data folder, sorted. Empty without the folder. */
export function dataFiles(folder: string, ending: string): string[] {
  if (!hasData(folder)) return [];
  return readdirSync(dataPath(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => dataPath(`${folder}/${name}`));
}
