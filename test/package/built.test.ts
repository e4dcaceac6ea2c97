import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** What `src/build.mjs` writes: each module once, and each file that the code names by its path. */

const DIST = resolve(import.meta.dirname, '../../dist');
const FILES: readonly { readonly path: string; readonly text: string }[] = readdirSync(DIST, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((path) => path.endsWith('.js') && !path.startsWith('report/client/'))
  .map((path) => ({ path, text: readFileSync(join(DIST, path), 'utf8') }));

test('no module is in the package twice, and what is no entry is a chunk', () => {
  // Within a file esbuild may write the imports of a module apart from its code.
  const modules = FILES.flatMap(({ text }) => [...new Set(text.match(/^\/\/ src\/.+\.ts$/gm) ?? [])]);
  expect(modules.length).toBeGreaterThan(400);
  expect(modules.filter((module, i) => modules.indexOf(module) !== i)).toEqual([]);
  const entries = FILES.map(({ path }) => path).filter((path) => !path.startsWith('chunks/'));
  expect(entries.sort()).toEqual([
    'cli/commands/locate/locateWorker.js',
    'cli/main.js',
    'index.js',
    'interchange/index.js',
    'listing/index.js',
    'parallel/index.js',
    'parallel/locateWorker.js',
    'parallel/replayWorker.js',
    'routing/index.js',
    'schemas/index.js',
    'tracks/index.js',
    'trips/index.js',
  ]);
});

test('every path that the built code names beside itself exists', () => {
  const named = FILES.flatMap(({ path, text }) =>
    [...text.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g)].map(
      ([, target]) => new URL(target!, pathToFileURL(join(DIST, path))),
    ),
  );
  expect(named.map(({ pathname }) => pathname.slice(DIST.length)).sort()).toEqual([
    '',
    '/parallel/locateWorker.js',
    '/parallel/replayWorker.js',
  ]);
  expect(named.filter((url) => !existsSync(url))).toEqual([]);
});

test('an import that binds nothing is not written: it would load a file that is not needed', () => {
  expect(FILES.filter(({ text }) => /^import "/m.test(text)).map(({ path }) => path)).toEqual([]);
});

test.each([
  ['browser', ['.mjs', '.js']],
  ['node', ['.cjs', '.js']],
] as const)(
  'with the condition %s own files are %s: only Node reads CommonJS without a bundler',
  async (platform, kinds) => {
    const { metafile } = await build({
      stdin: {
        contents: "export * from 'wayzone/interchange'; export * from 'wayzone/tracks';",
        resolveDir: resolve(DIST, '..'),
      },
      platform,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
    });
    const own = Object.keys(metafile.inputs).filter((path) => path.startsWith('dist/'));
    expect(new Set(own.map((path) => extname(path)))).toEqual(new Set(kinds));
  },
);
