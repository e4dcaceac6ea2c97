import { expect, test } from 'vitest';
import { fromCsv } from '../../src/interchange/index.js';

test.each([
  ['MULTIPOLYGON (EMPTY, ((0 0, 1 0, 1 1, 0 0)))', 'polygon'],
  ['MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), EMPTY)', 'polygon'],
  ['MULTILINESTRING (EMPTY, (0 0, 1 1))', 'line'],
  ['MULTIPOINT (EMPTY, (1 2))', 'point'],
  ['GEOMETRYCOLLECTION (POINT EMPTY, POINT (1 2))', 'point'],
  ['POINT Z (1 2 NaN)', 'point'],
  ['LINESTRING Z (0 0 nan, 1 1 nan)', 'line'],
])('%s is read without its empty members and unknown altitudes', (text, key) => {
  const { value, issues } = fromCsv(`id;wkt\na;"${text}"`, { delimiter: ';' });
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(value.zones.map(({ type }) => type.key)).toEqual([key]);
});

test('a number that is missing is an error', () => {
  const { issues } = fromCsv('id;wkt\na;"LINESTRING (0 NaN, 1 1)"', { delimiter: ';' });
  expect(issues).toMatchObject([{ code: 'wkt-syntax' }]);
});
