import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withFigures } from '../../bench/readme.js';
import { readResults } from '../../bench/results.js';

/** The README's figures are cells of bench/RESULTS.md: `npm run readme` copies them. */

const ROOT = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');
const [README, RESULTS] = [read('README.md'), read('bench/RESULTS.md')];

test('the README has the figures of the results', () => {
  expect(withFigures(README, RESULTS)).toBe(README);
});

test('another figure in the results would be another README', () => {
  const row = /^(\| wayzone distanceMeters \| )\d+/m;
  expect(RESULTS).toMatch(row);
  expect(withFigures(README, RESULTS.replace(row, '$1987'))).not.toBe(README);
});

test('a figure whose row is gone, and a block whose marks are gone, are errors', () => {
  expect(() => withFigures(README, RESULTS.replace('| wayzone distanceMeters |', '| another |'))).toThrow(
    'expected one of',
  );
  expect(() => withFigures(README.replace('<!-- speed:end -->', ''), RESULTS)).toThrow('speed:begin');
});

test('a cell is found by how its names begin, if that is said of one alone', () => {
  const results = readResults(
    '## a\n\n### T: one\n\n| | ns | ms |\n|---|---|---|\n| x 1 | 1,234 | 5 |\n| x 2 | – | 6 |\n',
  );
  expect(results.number('a', 'T', 'x 1', 'ns')).toBe(1234);
  expect(() => results.number('a', 'T', 'x', 'ns')).toThrow('(2 found)');
  expect(() => results.number('a', 'T', 'x 2', 'ns')).toThrow('expected a number');
  expect(() => results.section('b')).toThrow('expected a section');
});
