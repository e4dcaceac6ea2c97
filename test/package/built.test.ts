import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** The output of `src/build.mjs`, of the library and of the command line: each module once, and each file to which the code refers by path. */

interface Built {
  readonly path: string;
  readonly text: string;
}

const filesOf = (dist: string): Built[] =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js') && !path.startsWith('report/client/'))
    .map((path) => ({ path, text: readFileSync(join(dist, path), 'utf8') }));

const DIST = resolve(import.meta.dirname, '../../dist');
const FILES = filesOf(DIST);
const CLI_DIST = resolve(import.meta.dirname, '../../src/cli/dist');
const CLI_FILES = filesOf(CLI_DIST);

test.each([
  ['wayzone', FILES, 300],
  ['wayzone-cli', CLI_FILES, 400],
] as const)('each module is in %s once, in an entry or a chunk', (_, files, least) => {
  // esbuild may separate the imports of a module from its code, so its name can occur twice in one file.
  const modules = files.flatMap(({ text }) => [...new Set(text.match(/^\/\/ src\/.+\.ts$/gm) ?? [])]);
  expect(modules.length).toBeGreaterThan(least);
  expect(modules.filter((module, i) => modules.indexOf(module) !== i)).toEqual([]);
});

test('an entry is a subpath, the program or a worker', () => {
  const entriesOf = (files: readonly Built[]): string[] =>
    files
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('chunks/'))
      .sort();
  expect(entriesOf(CLI_FILES)).toEqual(['main.js', 'parallel/replayWorker.js']);
  expect(entriesOf(FILES)).toEqual([
    'algebra/index.js',
    'hours/index.js',
    'index.js',
    'interchange/index.js',
    'listing/index.js',
    'operator/index.js',
    'parallel/index.js',
    'parallel/locateWorker.js',
    'parallel/replayWorker.js',
    'routing/index.js',
    'schemas/index.js',
    'tiles/index.js',
    'tracks/index.js',
    'trips/index.js',
  ]);
});

/** The files that an entry loads, and the packages and Node modules that they import. */
function loadedBy(
  entry: string,
  built: readonly Built[] = FILES,
): { readonly files: number; readonly packages: readonly string[] } {
  const textOf = new Map(built.map(({ path, text }) => [path, text]));
  const files = new Set<string>();
  const packages = new Set<string>();
  const load = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    for (const [, target] of textOf
      .get(path)!
      .matchAll(/^(?:import|\}|export) (?:[^;"]*? )?from "([^"]+)";$/gm))
      if (target!.startsWith('.')) load(join(path, '..', target!));
      else packages.add(target!);
  };
  load(entry);
  return { files: files.size, packages: [...packages].sort() };
}

test('an entry loads few files, and no package or Node module that it does not need', () => {
  const lazy = (...names: string[]): string[] => names.map((name) => `#lazy/${name}`);
  const geographiclib = lazy('geographiclib');
  const node = ['node:os', 'node:timers/promises', 'node:worker_threads'];
  const expected: Readonly<Record<string, readonly string[]>> = {
    index: geographiclib,
    'algebra/index': geographiclib,
    'hours/index': [],
    'interchange/index': lazy('csvStringify', 'fflate', 'geographiclib', 'saxes'),
    'listing/index': [],
    'operator/index': geographiclib,
    'parallel/index': [...geographiclib, ...node],
    'routing/index': geographiclib,
    'schemas/index': geographiclib,
    'tiles/index': [...geographiclib, 'pbf'],
    'tracks/index': geographiclib,
    'trips/index': geographiclib,
  };
  const loaded = Object.keys(expected).map((entry) => [entry, loadedBy(`${entry}.js`)] as const);
  expect(Object.fromEntries(loaded.map(([entry, { packages }]) => [entry, packages]))).toEqual(expected);
  expect(loadedBy('main.js', CLI_FILES).packages).toEqual([
    'node:fs',
    'node:module',
    'node:path',
    'node:url',
  ]);
  // Without merging `interchange/index` loads 96, `index` 24.
  expect(Math.max(...loaded.map(([, { files }]) => files))).toBeLessThan(20);
});

test.each([
  [DIST, FILES, ['/parallel/locateWorker.js', '/parallel/replayWorker.js']],
  [CLI_DIST, CLI_FILES, ['/parallel/replayWorker.js']],
] as const)('each file to which the code in %s refers exists', (dist, files, expected) => {
  const named = files.flatMap(({ path, text }) =>
    [...text.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g)].map(
      ([, target]) => new URL(target!, pathToFileURL(join(dist, path))),
    ),
  );
  expect(named.map(({ pathname }) => pathname.slice(dist.length)).sort()).toEqual(expected);
  expect(named.filter((url) => !existsSync(url))).toEqual([]);
});

test('the built code contains no import for side effects only, which would load an unneeded file', () => {
  expect(FILES.filter(({ text }) => /^import "/m.test(text)).map(({ path }) => path)).toEqual([]);
});

test.each([
  ['browser', ['.mjs', '.js']],
  ['node', ['.cjs', '.js']],
] as const)(
  'the condition %s resolves to %s files, since only Node reads CommonJS without a bundler',
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
