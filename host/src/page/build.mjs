/** Bundles the page into `dist/map`: scripts, style, MapLibre's worker, and the HTML that names them with their hashes. Copies the example city. */

import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';
import { licencesOf, packagesOf } from '../../../src/licences.mjs';

const HOST = resolve(import.meta.dirname, '../..');
const OUT = resolve(HOST, 'dist/map');
const SOURCE = resolve(HOST, 'src/page');

const { metafile } = await build({
  entryPoints: {
    page: resolve(SOURCE, 'client/main.ts'),
    style: resolve(SOURCE, 'page.css'),
    worker: 'maplibre-gl/dist/maplibre-gl-worker.mjs',
  },
  // The page has the same modules as the report, so the library comes from its sources.
  alias: { wayzone: resolve(HOST, '../src') },
  bundle: true,
  splitting: true,
  minify: true,
  charset: 'utf8',
  format: 'esm',
  target: 'es2023',
  platform: 'browser',
  loader: { '.svg': 'dataurl' },
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  outdir: OUT,
  metafile: true,
  logLevel: 'warning',
});

const outputs = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
const addressOf = (ending) => {
  const found = outputs.find(([, { entryPoint }]) => entryPoint.endsWith(ending));
  if (found === undefined) throw new Error(`expected a bundle of ${ending}, received none`);
  return `/map/${basename(found[0])}`;
};
const html = readFileSync(resolve(SOURCE, 'index.html'), 'utf8')
  .replace('{script}', addressOf('client/main.ts'))
  .replace('{style}', addressOf('page.css'))
  .replace('{worker}', addressOf('maplibre-gl-worker.mjs'));
writeFileSync(resolve(OUT, 'index.html'), html);
// After the packages of the host's programs.
appendFileSync(
  resolve(HOST, 'dist/licences.txt'),
  `\n\n${licencesOf(packagesOf(metafile), import.meta.url)}`,
);
cpSync(resolve(HOST, '../LICENSE'), resolve(HOST, 'dist/LICENSE'));

const FIXTURES = resolve(HOST, '../fixtures');
for (const name of readdirSync(FIXTURES).filter((file) => file.startsWith('city-')))
  cpSync(resolve(FIXTURES, name), resolve(HOST, 'dist/example', name));
