/** The folder and version of the package `wayzone-cli`, and its files that pages embed. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { PageFiles } from '../report/index.js';

/** The folder of the package, for the sources and for the built chunks, which lie deeper. */
export const PACKAGE_ROOT: URL = new URL(
  '.',
  pathToFileURL(createRequire(import.meta.url).resolve('wayzone-cli/package.json')),
);
/** Folder of the scripts that `npm run build` bundles from `src/report/client/`, one for each page. */
const SCRIPTS = new URL('dist/report/client/', PACKAGE_ROOT);

/** The version of the package. */
export function packageVersion(): string {
  const text = readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

export async function pageFiles(page: 'report' | 'route'): Promise<PageFiles> {
  const { resolve } = createRequire(import.meta.url);
  const [js, css, script] = await Promise.all([
    readFile(resolve('leaflet/dist/leaflet.js'), 'utf8'),
    readFile(resolve('leaflet/dist/leaflet.css'), 'utf8'),
    readFile(new URL(`${page}Main.js`, SCRIPTS), 'utf8'),
  ]);
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');
  return { leaflet: { js, css }, script, sha256 };
}
