/**
 * Writes the JavaScript of dist/; the compiler writes only its declarations. One file for each subpath, the command line and each worker
 * thread, and chunks for what they share, so that no function or class is in the package twice (docs/decisions.md, D8).
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, transform } from 'esbuild';
import ts from 'typescript';

const SRC = import.meta.dirname;
const ROOT = dirname(SRC);
const { bin, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const sourceOf = (path) => join(SRC, relative('dist', path).replace(/\.js$/, '.ts'));
const subpaths = Object.values(exports).flatMap((target) => target.default ?? []);
/** Files that run by themselves: the command line, and what `new Worker(…)` names. */
const programs = [
  sourceOf(bin.wayzone),
  ...readdirSync(SRC, { recursive: true })
    .filter((path) => path.endsWith('Worker.ts'))
    .map((path) => join(SRC, path)),
];

/** Imports a package that does not say it is free of side effects: alone, a bundler drops it with the function that needs it. */
const alone = [join(SRC, 'planar/sideOf.ts')];

/** Whether a bundler has to assume that an expression has side effects: a call, or arithmetic, which may call `valueOf`. */
function mayAct(node) {
  if (ts.isFunctionLike(node)) return false;
  const acts = ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isBinaryExpression(node);
  return acts || (ts.forEachChild(node, mayAct) ?? false);
}

/**
 * The source with each constant of the module that is computed marked as free of side effects. A bundler that takes one function out of a chunk
 * can then drop the constants of the other modules in it.
 */
function withPureConstants(path) {
  const text = readFileSync(path, 'utf8');
  if (programs.includes(path)) return text;
  const values = ts
    .createSourceFile(path, text, ts.ScriptTarget.ES2022)
    .statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) => (initializer !== undefined && mayAct(initializer) ? [initializer] : []));
  return values.reduceRight(
    (done, { pos, end }) =>
      `${done.slice(0, pos)} /* @__PURE__ */ (() => (${done.slice(pos, end)}))()${done.slice(end)}`,
    text,
  );
}

const { outputFiles } = await build({
  entryPoints: [...subpaths.map(sourceOf), ...programs, ...alone],
  outbase: SRC,
  outdir: join(ROOT, 'dist'),
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
  plugins: [
    {
      name: 'pure constants',
      setup: (hooks) =>
        hooks.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
          contents: withPureConstants(path),
          loader: 'ts',
        })),
    },
  ],
});

// Only `require` can load a package late and synchronously, so Node gets CommonJS. Pages get modules, so that bundlers need not read CommonJS.
mkdirSync(join(ROOT, 'dist/lazy'), { recursive: true });
for (const name of readdirSync(join(SRC, 'lazy'))) {
  const text = readFileSync(join(SRC, 'lazy', name), 'utf8');
  const format = name.endsWith('.cts') ? 'cjs' : 'esm';
  const { code } = await transform(text, { loader: 'ts', format, target: 'es2022' });
  writeFileSync(join(ROOT, 'dist/lazy', name.replace(/ts$/, 'js')), code);
}

for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  // No module has side effects, so an import without names only makes Node and bundlers load a file that is not needed.
  writeFileSync(path, text.replaceAll(/^import "\..*";\n/gm, ''));
}
