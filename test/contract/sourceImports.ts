/** Every import in src/, for the layer test and the module map. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

export const SRC: string = resolve(import.meta.dirname, '../../src');

export interface SourceImport {
  /** Relative to src/. */
  readonly file: string;
  /** The folder in src/ that contains the file; `.` is src/ itself. */
  readonly layer: string;
  readonly target: string;
  /** The layer of the target; `null` for a package or a Node module. */
  readonly to: string | null;
}

export function layerOf(path: string): string {
  const parts = relative(SRC, path).split('/');
  return parts.length === 1 ? '.' : parts[0]!;
}

export const FILES: readonly string[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(SRC, name));

/** The package behind an internal import: `#name` names it, `#lazy/name` loads it at the first call. */
function packageOf(target: string): string {
  const lazy = /^#(lazy\/\w+)$/.exec(target)?.[1];
  if (lazy === undefined) return target.replace(/^#/, '');
  const loaded = /require\('#?([^']+)'\)/.exec(readFileSync(join(SRC, `${lazy}.cts`), 'utf8'));
  return loaded![1]!;
}

/** Every import, re-export and dynamic import of a file, as TypeScript finds them. */
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
