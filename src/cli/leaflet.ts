/** Leaflet's files, which every page carries within itself. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { LeafletSource } from '../report/index.js';

export async function leaflet(): Promise<LeafletSource> {
  const { resolve } = createRequire(import.meta.url);
  const text = (name: string): Promise<string> => readFile(resolve(`leaflet/dist/${name}`), 'utf8');
  return { js: await text('leaflet.js'), css: await text('leaflet.css') };
}
