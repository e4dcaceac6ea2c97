/** The folder and version of the package `wayzone-cli`. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The folder of the package, for the sources and for the built chunks, which lie deeper. */
export const PACKAGE_ROOT: URL = new URL(
  '.',
  pathToFileURL(createRequire(import.meta.url).resolve('wayzone-cli/package.json')),
);

/** The version of the package. */
export function packageVersion(): string {
  const text = readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
