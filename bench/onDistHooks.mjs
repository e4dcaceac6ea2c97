/** Module loader hooks for onDist.mjs. */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

const ROOT = new URL('..', import.meta.url).href;

/** Whether a module is source code of this repository: neither installed nor built. */
function isOwn(url) {
  return url.startsWith(ROOT) && !url.includes('/node_modules/') && !url.startsWith(`${ROOT}dist/`);
}

export async function resolve(specifier, context, next) {
  const { parentURL } = context;
  if (!/^\.\.?\/.*\.js$/.test(specifier) || parentURL === undefined || !isOwn(parentURL))
    return next(specifier, context);
  const { href } = new URL(specifier, parentURL);
  // Subpaths load from dist/. Modules that no subpath exports are compiled from source.
  const published = href.replace(`${ROOT}src/`, `${ROOT}dist/`);
  if (published !== href && href.endsWith('/index.js') && existsSync(fileURLToPath(published)))
    return next(published, context);
  const source = href.replace(/\.js$/, '.ts');
  return next(existsSync(fileURLToPath(source)) ? source : href, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code } = await transform(readFileSync(path, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    sourcefile: path,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
