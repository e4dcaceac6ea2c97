import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGES, withFigures } from '../../bench/readme.js';
import { readResults } from '../../bench/results.js';

/** The figures in docs/ are cells of bench/RESULTS.md, copied by `npm run readme`. */

const ROOT = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');
const RESULTS = read('bench/RESULTS.md');
const SPEED = read('docs/performance.md');

test.each(Object.keys(PAGES) as (keyof typeof PAGES)[])('%s has the figures of the results', (page) => {
  expect(withFigures(page, read(page), RESULTS)).toBe(read(page));
});

test('a changed figure in the results changes the page', () => {
  const row = /^(\| wayzone distanceMeters \| )\d+/m;
  expect(RESULTS).toMatch(row);
  expect(withFigures('docs/performance.md', SPEED, RESULTS.replace(row, '$1987'))).not.toBe(SPEED);
});

test('a missing row and a missing marker are errors', () => {
  const without = RESULTS.replace('| wayzone distanceMeters |', '| another |');
  expect(() => withFigures('docs/performance.md', SPEED, without)).toThrow('expected one of');
  const unmarked = SPEED.replace('<!-- speed:end -->', '');
  expect(() => withFigures('docs/performance.md', unmarked, RESULTS)).toThrow('speed:begin');
});

test('a cell is found by a unique beginning of its names', () => {
  const results = readResults(
    '## a\n\n### T: one\n\n| | ns | ms |\n|---|---|---|\n| x 1 | 1,234 | 5 |\n| x 2 | – | 6 |\n',
  );
  expect(results.number('a', 'T', 'x 1', 'ns')).toBe(1234);
  expect(() => results.number('a', 'T', 'x', 'ns')).toThrow('(2 found)');
  expect(() => results.number('a', 'T', 'x 2', 'ns')).toThrow('expected a number');
  expect(() => results.section('b')).toThrow('expected a section');
});
