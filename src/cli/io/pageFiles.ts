/** The files of the package that pages embed. Apart from `packageRoot.ts`, so that `--version` does not load them. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { PageFiles } from '../../report/index.js';
import { PACKAGE_ROOT } from '../packageRoot.js';

/** Folder of the scripts that `npm run build` bundles from `src/report/client/`, one for each page. */
const SCRIPTS = new URL('dist/report/client/', PACKAGE_ROOT);

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
