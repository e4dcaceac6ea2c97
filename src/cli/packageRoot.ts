/** The folder and version of the package. */

import { readFileSync } from 'node:fs';

/** The folder of the package: two folders above this module, and above the built chunk that contains it. */
export const PACKAGE_ROOT: URL = new URL('../../', import.meta.url);

/** The version of the package. */
export function packageVersion(): string {
  const text = readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
