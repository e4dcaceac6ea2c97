/** Every import of src/: for the test of the layers and the map of the modules. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

export const SRC: string = resolve(import.meta.dirname, '../../src');

export interface SourceImport {
  /** Relative to src/. */
  readonly file: string;
  /** The folder of src/ that the file lies in, `.` for src/ itself. */
  readonly layer: string;
  readonly target: string;
  /** The layer of the target; null: a package or a module of Node. */
  readonly to: string | null;
}

export function layerOf(path: string): string {
  const parts = relative(SRC, path).split('/');
  return parts.length === 1 ? '.' : parts[0]!;
}

export const FILES: readonly string[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(SRC, name));

/** The package behind one of the package's own imports: `#name` names it by condition, `#lazy/name` loads it at the first call. */
function packageOf(target: string): string {
  const lazy = /^#(lazy\/\w+)$/.exec(target)?.[1];
  if (lazy === undefined) return target.replace(/^#/, '');
  const loaded = /require\('#?([^']+)'\)/.exec(readFileSync(join(SRC, `${lazy}.cts`), 'utf8'));
  return loaded![1]!;
}

/** Every import, re-export and later load of a file, as found by TypeScript. */
export const IMPORTS: readonly SourceImport[] = FILES.flatMap((file) =>
  ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.map(({ fileName }) => {
    const target = packageOf(fileName);
    return {
      file: relative(SRC, file),
      layer: layerOf(file),
      target,
      to: target.startsWith('.') ? layerOf(join(dirname(file), target)) : null,
    };
  }),
);
