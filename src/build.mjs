/**
 * Writes the JavaScript of two packages: `wayzone` into dist/, of which the compiler writes the declarations, and `wayzone-cli` into src/cli/dist/.
 * One file for each subpath, the command line and each worker thread, and chunks for what they share, so that no function or class is in a
 * package twice (docs/decisions.md, D8). The code is built twice: the first build tells which chunks to merge.
 */

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import ts from 'typescript';
import { mergeChunks } from './buildChunks.mjs';
import { licencesOf } from './licences.mjs';

const SRC = import.meta.dirname;
const ROOT = dirname(SRC);
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const sourceOf = (path) => join(SRC, relative('dist', path).replace(/\.js$/, '.ts'));
const subpaths = Object.values(exports)
  .flatMap((target) => target.default ?? [])
  .map(sourceOf);
/** Files that run by themselves: the command line, and what `new Worker(…)` names. */
const commandLine = join(SRC, 'cli/main.ts');
const workers = readdirSync(SRC, { recursive: true })
  .filter((path) => path.endsWith('Worker.ts'))
  .map((path) => join(SRC, path));
const programs = [commandLine, ...workers];

/** Small packages that become part of the code, since to open their files takes longer than to run them. Their licences are in licences.txt. */
const INLINED = ['rbush', 'quickselect', 'robust-predicates'];
/** Packages that are part of the pages of a report. */
const IN_PAGES = [
  '@mapbox/point-geometry',
  '@mapbox/vector-tile',
  'csv-stringify',
  'fflate',
  'leaflet',
  'pbf',
];

/** How often an entry is loaded, relative to others: the package, its subpaths, the command line, and what that loads for one command. */
function weightOf(path) {
  const source = join(ROOT, path);
  if (source === commandLine || source === join(SRC, 'cli/run.ts')) return Infinity;
  if (source === join(SRC, 'index.ts')) return 2;
  return subpaths.includes(source) || workers.includes(source) ? 1 : 0.2;
}

/**
 * Whether a bundler has to assume that an expression has side effects: a call, arithmetic, which may call `valueOf`, a member or a spread, which may
 * call getters, and a computed name, which may call `toString`.
 */
function mayAct(node) {
  if (ts.isFunctionLike(node)) return false;
  const acts =
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isBinaryExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isSpreadAssignment(node) ||
    ts.isComputedPropertyName(node);
  return acts || (ts.forEachChild(node, mayAct) ?? false);
}

/**
 * The source with each computed constant, and each class with a static block, marked as free of side effects. A bundler that takes one function out
 * of a chunk can then drop the constants and classes of the other modules in it.
 */
function withoutEffects(path) {
  const text = readFileSync(path, 'utf8');
  if (programs.includes(path)) return text;
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  const values = statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) => (initializer !== undefined && mayAct(initializer) ? [initializer] : []));
  const classes = statements.filter(
    (node) => ts.isClassDeclaration(node) && node.members.some(ts.isClassStaticBlockDeclaration),
  );
  const edits = [
    ...values.map(({ pos, end }) => ({ pos, end, before: ' ' })),
    ...classes.map(({ name, modifiers, end }) => ({
      pos: modifiers.end,
      end,
      before: ` const ${name.text} = `,
    })),
  ].sort((a, b) => b.pos - a.pos);
  return edits.reduce(
    (done, { pos, end, before }) =>
      `${done.slice(0, pos)}${before}/* @__PURE__ */ (() => (${done.slice(pos, end)}))()${done.slice(end)}`,
    text,
  );
}

const sources = {
  name: 'sources',
  setup: (hooks) => {
    hooks.onResolve({ filter: new RegExp(`^(${INLINED.join('|')})$`) }, ({ path }) => ({
      path: fileURLToPath(import.meta.resolve(path)),
      sideEffects: false,
    }));
    hooks.onLoad({ filter: /\.[jt]s$/ }, ({ path }) => ({ contents: withoutEffects(path), loader: 'ts' }));
  },
};

/** Makes each entry import the modules that `added` lists for it, so that all entries of a merged chunk load its parts. */
const merged = (added) => ({
  name: 'merged chunks',
  setup: (hooks) => {
    hooks.onResolve({ filter: /^[./]/ }, ({ kind, path, resolveDir }) => {
      if (resolveDir.includes('node_modules')) return undefined;
      return {
        path: resolve(resolveDir, path.replace(/\.js$/, '.ts')),
        namespace: kind === 'import-statement' ? 'file' : 'entry',
        // Else esbuild drops the imports without names, which are written below. No module has any.
        sideEffects: true,
      };
    });
    hooks.onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => {
      const [hashbang] = readFileSync(path, 'utf8').match(/^#!.*\n/) ?? [''];
      const others = added
        .get(relative(ROOT, path))
        .filter((other) => other.startsWith('src/'))
        .map((other) => `import '${join(ROOT, other)}';\n`);
      return { contents: `${hashbang}export * from '${path}';\n${others.join('')}`, resolveDir: SRC };
    });
  },
});

const bundle = (outdir, entryPoints, plugins) =>
  build({
    entryPoints,
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    // `#name` imports stay unresolved: package.json selects their file by condition.
    external: ['#*'],
    packages: 'external',
    charset: 'utf8',
    logLevel: 'warning',
    write: false,
    metafile: true,
    absWorkingDir: ROOT,
    plugins,
  });

/** Numbers of a module as constants again, which the engine puts into the code that it compiles: the bundler declares them as variables. */
const withConstants = (text) =>
  text.replaceAll(/^var (?=[A-Z][A-Z\d_]* = -?[\d.]+(?:e-?\d+)?;$)/gm, 'const ');

/** Writes the files of a package: one for each of `paths`, named after its path under `folder`, and one for each of `threads`. */
async function buildPackage({ folder, outdir, paths, threads, contained }) {
  const entries = [
    ...paths.map((path) => ({ in: path, out: relative(folder, path).replace(/\.ts$/, '') })),
    ...threads.map((path) => ({ in: path, out: relative(SRC, path).replace(/\.ts$/, '') })),
  ];
  const { metafile } = await bundle(outdir, entries, [sources]);
  const added = mergeChunks(metafile.outputs, weightOf, (path) => subpaths.includes(join(ROOT, path)));
  const { outputFiles } = await bundle(outdir, entries, [merged(added), sources]);
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    // No module has side effects, so an import without names only makes Node and bundlers load a file that is not needed.
    writeFileSync(path, withConstants(text).replaceAll(/^import "\..*";\n/gm, ''));
  }

  // Only `require` can load a package late and synchronously, so Node gets CommonJS. Pages get modules, so that bundlers need not read CommonJS.
  mkdirSync(join(outdir, 'lazy'), { recursive: true });
  for (const name of readdirSync(join(SRC, 'lazy'))) {
    const text = readFileSync(join(SRC, 'lazy', name), 'utf8');
    const format = name.endsWith('.cts') ? 'cjs' : 'esm';
    const { code } = await transform(text, { loader: 'ts', format, target: 'es2022' });
    writeFileSync(join(outdir, 'lazy', name.replace(/ts$/, 'js')), code);
  }
  writeFileSync(join(outdir, 'licences.txt'), licencesOf(contained, join(folder, 'package.json')));
}

const CLI = join(SRC, 'cli');
await buildPackage({
  folder: SRC,
  outdir: join(ROOT, 'dist'),
  paths: subpaths,
  threads: workers,
  contained: INLINED,
});
await buildPackage({
  folder: CLI,
  outdir: join(CLI, 'dist'),
  paths: [commandLine],
  threads: [join(SRC, 'parallel/replayWorker.ts')],
  contained: [...INLINED, ...IN_PAGES],
});
cpSync(join(ROOT, 'LICENSE'), join(CLI, 'dist/LICENSE'));
// The example city, which `wayzone report` reads if no file is given.
for (const name of readdirSync(join(ROOT, 'fixtures')).filter((file) => file.startsWith('city-')))
  cpSync(join(ROOT, 'fixtures', name), join(CLI, 'dist/example', name));
