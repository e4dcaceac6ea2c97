import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeEntries } from '../../bench/codeTables.js';
import { withCodes } from '../../bench/readme.js';
import { WayzoneError } from '../../src/core/errors.js';
import type { Issue, Track } from '../../src/core/fix.js';

/** Error codes have one list, and docs/errors.md is written from it. The compiler checks that each thrown code is in the list. */

const ROOT = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');
const LIST = 'src/core/errorCode.ts';
const ENTRIES = codeEntries(read(LIST));
const SOURCE = readdirSync(new URL('src/', ROOT), { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.ts') && name !== LIST)
  .map(read)
  .join('\n');

/** A one-word code may equal a field name, so it counts only in a call that reports it or as a returned value. */
function isUsed(code: string, source: string): boolean {
  if (code.includes('-')) return source.includes(`'${code}'`);
  const reported = String.raw`(?:WayzoneError|inputError|[eE]rrors\.add|ssues\.error|fail|countRejected)\(\s*(?:[^,'"()]+,\s*)?'${code}'`;
  const valued = String.raw`return '${code}'|circular \? '${code}'|_PATTERN\]: '${code}'|\d: \['${code}'|sink\.leaveOut\([^'";]*'${code}'`;
  return new RegExp(`${reported}|${valued}`).test(source);
}

test('docs/errors.md equals the output of `npm run readme`', () => {
  const page = read('docs/errors.md');
  expect(withCodes(page, read(LIST))).toBe(page);
});

test('every code is listed once', () => {
  const codes = ENTRIES.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(200);
  expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([]);
});

test('every listed code is used', () => {
  expect(ENTRIES.filter(({ code }) => !isUsed(code, SOURCE)).map(({ code }) => code)).toEqual([]);
});

test('an unused code is found, even if it equals a field name', () => {
  expect(isUsed('no-such-code', SOURCE)).toBe(false);
  for (const name of ['name', 'geometry', 'width']) expect(isUsed(name, SOURCE)).toBe(false);
  const without = SOURCE.replaceAll(/(?:WayzoneError|inputError|add)\([^;]*?'integer'/g, '');
  expect(isUsed('integer', without)).toBe(false);
});

test('comments are one or two sentences and an instruction', () => {
  for (const { code, when, what } of ENTRIES) {
    for (const text of [when, what]) expect(text, code).toMatch(/^[A-Z`-].*\.$/);
    expect(`${when} ${what}`.length, code).toBeLessThan(240);
  }
});

test('a code without a comment and a page without markers are errors', () => {
  expect(() => codeEntries("export type ErrorCode =\n  // Group\n  | 'a-b';\n")).toThrow(
    'above a-b in ErrorCode',
  );
  expect(() => withCodes('# Error codes\n', read(LIST))).toThrow('codes:begin');
});

test('the compiler refuses a code that is not in the list', () => {
  // @ts-expect-error: not an ErrorCode.
  expect(new WayzoneError('no-such-code', '', '').code).toBe('no-such-code');
  // @ts-expect-error: not an IssueCode.
  const code: Issue['code'] = 'no-such-code';
  // @ts-expect-error: not a RejectReason.
  const rejected: Track['rejected'] = { [code]: 1, 'no-such-code': 1 };
  expect(rejected).toEqual({ 'no-such-code': 1 });
});
