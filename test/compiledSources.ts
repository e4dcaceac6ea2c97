/**
 * Gives tests the sources as Node loads them: compiled one by one, without Vite's wrapper, which reads each imported name through a getter and
 * makes geometry a fifth slower. The compiled files are in `out/js`; only those that changed are compiled again.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import type { Plugin } from 'vitest/config';

const ROOT = resolve(import.meta.dirname, '..');

/** Folders of sources, and their compiled files. The latter are in the same package, so that imports of packages find the same files. */
const FOLDERS = [
  [join(ROOT, 'src'), join(ROOT, 'out/js/src')],
  [join(ROOT, 'host/src'), join(ROOT, 'host/out/js/src')],
] as const;

const PAGE = join(ROOT, 'host/src/page/client/');

/** Compiled files by their names. */
export const COMPILED: RegExp = /\/out\/js\//;

const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const filesIn = (folder: string, ending: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        (name) => name.endsWith(ending) && !name.endsWith('.d.ts'),
      )
    : [];

/** Files that this one made before it was changed are made again. */
const RECIPE = timeOf(fileURLToPath(import.meta.url));

async function compile(source: string, target: string): Promise<void> {
  const { code } = await transform(readFileSync(source, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
    sourcefile: source,
    sourcemap: 'inline',
    sourcesContent: false,
    // A source finds files beside itself, and asks whether it is TypeScript.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(source).href) },
  });
  mkdirSync(dirname(target), { recursive: true });
  // Another run may read the file meanwhile.
  const own = `${target}.${process.pid}`;
  writeFileSync(own, code);
  renameSync(own, target);
}

async function compileAll(): Promise<void> {
  for (const [from, to] of FOLDERS) {
    const names = filesIn(from, '.ts').map((name) => name.slice(0, -3));
    const known = new Set(names);
    for (const name of filesIn(to, '.js')) if (!known.has(name.slice(0, -3))) rmSync(join(to, name));
    await Promise.all(
      names.map(async (name) => {
        const [source, target] = [join(from, `${name}.ts`), join(to, `${name}.js`)];
        if (timeOf(target) < Math.max(RECIPE, timeOf(source))) await compile(source, target);
      }),
    );
  }
}

/** The compiled file of a source; null for other files, and for the host's page, whose scripts import those of the report by paths. */
function compiledOf(file: string): string | null {
  if (file.startsWith(PAGE)) return null;
  for (const [from, to] of FOLDERS)
    if (file.startsWith(`${from}/`) && /\.[jt]s$/.test(file)) {
      const target = to + file.slice(from.length, -3);
      return existsSync(`${target}.js`) ? `${target}.js` : null;
    }
  return null;
}

/** Imports of files in test/ are left to `frozenInputs`, whose modules import the sources. */
export async function compiledSources(): Promise<Plugin> {
  await compileAll();
  return {
    name: 'compiled-sources',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer === undefined || !/^[./]/.test(source) || source.includes('?')) return null;
      if (importer.startsWith(`${ROOT}/test/`)) return null;
      const id = compiledOf(fileURLToPath(new URL(source, pathToFileURL(importer.replace(/\?.*/, '')))));
      return id === null ? null : { id, external: true };
    },
  };
}
