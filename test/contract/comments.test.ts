/** Comments that have lost what they describe: a docstring over nothing, and the name of a file that does not exist. */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const namesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules'))
    .map((name) => join(folder, name));

const SOURCES = ['src', 'host/src'].flatMap(namesIn).filter((name) => name.endsWith('.ts'));
const FILES = new Set(
  ['src', 'host/src', 'test', 'host/test', 'bench', 'fixtures', 'docs', 'examples', 'adapters', '.']
    .flatMap((folder) => (folder === '.' ? readdirSync(ROOT) : namesIn(folder)))
    .map((name) => basename(name)),
);

/** Lines of docstrings that no declaration follows. The first comment of a file describes the file. */
function danglingIn(text: string): number[] {
  const lines: number[] = [];
  for (const match of text.matchAll(/^[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=[ \t]*(?:\/\*\*|\n|\}))/gm)) {
    const before = text.slice(0, match.index);
    if (/^(#![^\n]*)?\s*$/.test(before)) continue;
    lines.push(before.split('\n').length);
  }
  return lines;
}

/** Names of files in comments that no folder of the repository has. A path of another project is written with its address. */
function unknownFilesIn(text: string): string[] {
  const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)].map(([comment]) => comment);
  return comments
    .filter((comment) => !comment.includes('github.com/'))
    .flatMap((comment) => comment.match(/\b[A-Za-z][\w./-]*\.(?:ts|mjs|md|sql)\b/g) ?? [])
    .filter((name) => !FILES.has(basename(name)));
}

test('the checks find a docstring over nothing and a file that does not exist', () => {
  expect(danglingIn('/** File. */\n\n/** Lost. */\n\n/** A constant. */\nconst A = 1;\n')).toEqual([3]);
  expect(unknownFilesIn('// See nowhere.ts and layers.test.ts.')).toEqual(['nowhere.ts']);
});

test('every docstring stands over a declaration', () => {
  const found = SOURCES.flatMap((file) =>
    danglingIn(readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});

test('every file that a comment names exists', () => {
  const found = SOURCES.flatMap((file) =>
    unknownFilesIn(readFileSync(join(ROOT, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});
