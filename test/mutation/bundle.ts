/** Bundles tests and instrumented sources into one file. It contains all mutants, each behind its switch (Stryker's instrumenter). */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { build, type Plugin } from 'esbuild';

export const ROOT: string = resolve(import.meta.dirname, '../..');

export interface Mutant {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly end: string;
  readonly mutator: string;
  readonly replacement: string;
  /** The reason if a comment in the source excludes this mutant, else `null`. */
  readonly ignored: string | null;
}

/** Paths, relative to the repository root, of the files with this ending in folders or given as single files. */
export function filesUnder(paths: readonly string[], ending: string): string[] {
  return paths
    .flatMap((path) =>
      statSync(join(ROOT, path)).isDirectory()
        ? readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
        : [path],
    )
    .filter((path) => path.endsWith(ending))
    .sort();
}

const SILENT = { debug: () => undefined, info: () => undefined, isDebugEnabled: () => false };

/** Stryker's switch of one mutant without its record of reached places, which only the trial run needs. */
const SHORT_HEADER = `const stryNS_9fa48 = globalThis.__stryker__;
function stryCov_9fa48() {}
function stryHit_9fa48() {
  if (++stryNS_9fa48.hitCount > stryNS_9fa48.hitLimit) throw new Error('hit limit');
  return true;
}
function stryMutAct_9fa48(id) { return stryNS_9fa48.activeMutant === id && stryHit_9fa48(); }
`;

/** Records in one array how often each place is reached. Stryker's own record, in objects, is many times slower. */
const RECORDING_HEADER = `const stryNS_9fa48 = globalThis.__stryker__;
function stryCov_9fa48() {
  const { counts } = stryNS_9fa48;
  for (let i = 0; i < arguments.length; i++) counts[arguments[i]]++;
}
function stryMutAct_9fa48() { return false; }
`;

export interface Instrumented {
  readonly mutants: readonly Mutant[];
  /** Sources by absolute path, with and without the record of reached places. */
  readonly recording: ReadonlyMap<string, string>;
  readonly plain: ReadonlyMap<string, string>;
}

export async function instrument(sources: readonly string[]): Promise<Instrumented> {
  const instrumenter = new Instrumenter(SILENT as never);
  const { files, mutants } = await instrumenter.instrument(
    sources.map((file) => ({
      name: join(ROOT, file),
      content: readFileSync(join(ROOT, file), 'utf8'),
      mutate: true,
    })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  const withHeader = (header: string, content: string): string =>
    content.includes('function stryMutAct_9fa48') ? header + content.slice(afterHeader(content)) : content;
  const recording = new Map(
    files.map(({ name, content }) => [
      name,
      withHeader(RECORDING_HEADER, content).replaceAll(
        /stryCov_9fa48\(("\d+"(?:, "\d+")*)\)/g,
        (_, ids: string) => `stryCov_9fa48(${ids.replaceAll('"', '')})`,
      ),
    ]),
  );
  const plain = new Map(files.map(({ name, content }) => [name, withHeader(SHORT_HEADER, content)]));
  return {
    recording,
    plain,
    mutants: mutants.map((mutant) => ({
      id: mutant.id,
      file: mutant.fileName.slice(ROOT.length + 1),
      line: mutant.location.start.line + 1,
      column: mutant.location.start.column + 1,
      end: `${mutant.location.end.line + 1}:${mutant.location.end.column + 1}`,
      mutator: mutant.mutatorName,
      replacement: mutant.replacement ?? '',
      ignored: mutant.status === 'Ignored' ? (mutant.statusReason ?? '') : null,
    })),
  };
}

/** The end of the functions that Stryker puts before a source: behind the closing brace of the last one. */
function afterHeader(content: string): number {
  const last = content.indexOf('function stryMutAct_9fa48');
  return content.indexOf('\n}', last) + 2;
}

/** Writes the bundle. Packages stay external, and each file keeps its own `import.meta`. */
export async function bundle(
  tests: readonly string[],
  sources: ReadonlyMap<string, string>,
  outfile: string,
): Promise<void> {
  const own: Plugin = {
    name: 'own',
    setup: (build) => {
      build.onResolve({ filter: /^vitest$/ }, () => ({ path: join(ROOT, 'test/mutation/testApi.ts') }));
      build.onLoad({ filter: /\/(src|test|fixtures|bench)\/.*\.ts$/ }, ({ path }) => ({
        loader: 'ts',
        contents: (sources.get(path) ?? readFileSync(path, 'utf8'))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      }));
    },
  };
  await build({
    stdin: {
      contents: ['test/mutation/activeMutant.ts', ...tests, 'test/mutation/child.ts']
        .map((file) => `import ${JSON.stringify(join(ROOT, file))};`)
        .join('\n'),
      resolveDir: ROOT,
    },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Modules of src/lazy load packages by `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    // package.json declares modules free of side effects, but test files register tests when they load.
    ignoreAnnotations: true,
    plugins: [own],
    logLevel: 'error',
  });
}
