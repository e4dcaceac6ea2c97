import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EQUIVALENT } from './equivalent/all.js';
import { isTie } from './equivalent/reasons.js';

const ROOT = join(import.meta.dirname, '../..');

/** The lines of a source; empty if the file does not exist. */
function linesOf(file: string): string[] {
  const path = join(ROOT, file);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
}

test('every line listed with equivalent mutants exists in its source', () => {
  const gone = EQUIVALENT.flatMap(([, list]) => list).filter(
    ({ file, line }) => !linesOf(file).some((text) => text.trim().startsWith(line)),
  );
  expect(gone.map(({ file, line }) => `${file}: ${line}`)).toEqual([]);
});

test.each([
  ['a < b', 'a <= b', true],
  ['a.b! >= c', 'a.b! > c', true],
  ['a <\n  b', 'a <= b', true],
  ['a < b', 'a >= b', false],
  ['a <= b', 'a > b', false],
  ['a < b', 'true', false],
  ['(a) => a < b', '(a) => a < b', false],
  ['a === b', 'a !== b', false],
])('a tie: %s and %s', (source, replacement, wanted) => {
  expect(isTie(source, replacement)).toBe(wanted);
});
