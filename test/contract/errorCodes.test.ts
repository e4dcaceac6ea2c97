import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeEntries } from '../../bench/codeTables.js';
import { withCodes } from '../../bench/readme.js';
import { WayzoneError } from '../../src/core/errors.js';
import type { Issue, Track } from '../../src/core/fix.js';

/** Error codes have one list, from which docs/errors.md is written. That each thrown code is in the list is the compiler's part. */

const ROOT = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');
const LIST = 'src/core/errorCode.ts';
const ENTRIES = codeEntries(read(LIST));
const SOURCE = readdirSync(new URL('src/', ROOT), { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.ts') && name !== LIST)
  .map(read)
  .join('\n');

/** One word may also name a field, so it counts only where a code stands: in a call that reports, or as a value that is one. */
function isUsed(code: string, source: string): boolean {
  if (code.includes('-')) return source.includes(`'${code}'`);
  const reported = String.raw`(?:WayzoneError|inputError|[eE]rrors\.add|ssues\.error|fail|countRejected)\(\s*(?:[^,'"()]+,\s*)?'${code}'`;
  const valued = String.raw`return '${code}'|circular \? '${code}'|_PATTERN\]: '${code}'|\d: \['${code}'`;
  return new RegExp(`${reported}|${valued}`).test(source);
}

test('docs/errors.md is what `npm run readme` writes', () => {
  const page = read('docs/errors.md');
  expect(withCodes(page, read(LIST))).toBe(page);
});

test('every code stands in the list once', () => {
  const codes = ENTRIES.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(200);
  expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([]);
});

test('every code of the list is used', () => {
  expect(ENTRIES.filter(({ code }) => !isUsed(code, SOURCE)).map(({ code }) => code)).toEqual([]);
});

test('a code that nothing reports is found, be it a word that is also a field', () => {
  expect(isUsed('no-such-code', SOURCE)).toBe(false);
  for (const name of ['name', 'geometry', 'width']) expect(isUsed(name, SOURCE)).toBe(false);
  const without = SOURCE.replaceAll(/(?:WayzoneError|inputError|add)\([^;]*?'integer'/g, '');
  expect(isUsed('integer', without)).toBe(false);
});

test('comments are one or two sentences and what to do', () => {
  for (const { code, when, what } of ENTRIES) {
    for (const text of [when, what]) expect(text, code).toMatch(/^[A-Z`-].*\.$/);
    expect(`${when} ${what}`.length, code).toBeLessThan(240);
  }
});

test('a code without its comment, and a page without its place, are errors', () => {
  expect(() => codeEntries("export type ErrorCode =\n  // Group\n  | 'a-b';\n")).toThrow(
    'above a-b in ErrorCode',
  );
  expect(() => withCodes('# Error codes\n', read(LIST))).toThrow('codes:begin');
});

test('the compiler refuses a code that is not in the list', () => {
  // @ts-expect-error: no ErrorCode.
  expect(new WayzoneError('no-such-code', '', '').code).toBe('no-such-code');
  // @ts-expect-error: no IssueCode.
  const code: Issue['code'] = 'no-such-code';
  // @ts-expect-error: no RejectReason.
  const rejected: Track['rejected'] = { [code]: 1, 'no-such-code': 1 };
  expect(rejected).toEqual({ 'no-such-code': 1 });
});
