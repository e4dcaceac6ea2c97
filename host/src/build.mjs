/**
 * Writes the programs of dist/: `main.js` and the processes that the host starts, with chunks for what they share. To open the host's 200 files, the
 * 250 of kysely and the 700 of typebox takes a third of its start. Other packages stay packages.
 */

import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { licencesOf, packagesOf } from '../../src/licences.mjs';

const SRC = import.meta.dirname;
/** Packages whose code becomes part of the chunks. */
const INLINED = ['jose', 'kysely', 'typebox'];

const processes = readdirSync(SRC, { recursive: true }).filter((path) => path.endsWith('Process.ts'));

const OUT = resolve(SRC, '../dist');

const { metafile } = await build({
  entryPoints: ['main.ts', ...processes].map((path) => join(SRC, path)),
  outbase: SRC,
  outdir: OUT,
  metafile: true,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'es2023',
  charset: 'utf8',
  logLevel: 'warning',
  plugins: [
    {
      name: 'packages',
      setup: (hooks) => {
        hooks.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
          kind === 'entry-point' || INLINED.some((name) => path === name || path.startsWith(`${name}/`))
            ? undefined
            : { path, external: true },
        );
      },
    },
  ],
});
writeFileSync(join(OUT, 'licences.txt'), licencesOf(packagesOf(metafile), import.meta.url));
