/** One file of tests and instrumented sources, all mutants in it, each behind its switch (Stryker's instrumenter). */

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
  /** Why the source itself sets this mutant aside, where it does. */
  readonly ignored: string | null;
}

/** The files under some folders or single files of the repository, by their paths from its root. */
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

/** The switch of one mutant as Stryker writes it, without its record of places reached: that is for the trial run. */
const SHORT_HEADER = `const stryNS_9fa48 = globalThis.__stryker__;
function stryCov_9fa48() {}
function stryHit_9fa48() {
  if (++stryNS_9fa48.hitCount > stryNS_9fa48.hitLimit) throw new Error('hit limit');
  return true;
}
function stryMutAct_9fa48(id) { return stryNS_9fa48.activeMutant === id && stryHit_9fa48(); }
`;

/** The same with a record of how often each place is reached, in one array: Stryker's own, in objects, is many times slower. */
const RECORDING_HEADER = `const stryNS_9fa48 = globalThis.__stryker__;
function stryCov_9fa48() {
  const { counts } = stryNS_9fa48;
  for (let i = 0; i < arguments.length; i++) counts[arguments[i]]++;
}
function stryMutAct_9fa48() { return false; }
`;

export interface Instrumented {
  readonly mutants: readonly Mutant[];
  /** Sources by absolute path: with the record of places reached, and without. */
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

/** Where the functions that Stryker puts before a source end: after the closing brace of the last of them. */
function afterHeader(content: string): number {
  const last = content.indexOf('function stryMutAct_9fa48');
  return content.indexOf('\n}', last) + 2;
}

/** Writes the bundle; packages stay outside it, and a file's `import.meta` stays its own. */
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
    // package.json says that no module does anything when it loads; a test file does.
    ignoreAnnotations: true,
    plugins: [own],
    logLevel: 'error',
  });
}
