/** An empty member of a geometry is left out with a warning that names it, in every form. */

import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import type { ForeignData } from '../../src/core/fix.js';
import { fromCsv, fromGeoJson, readParquet } from '../../src/interchange/index.js';
import { wkbOf } from './wkbOf.js';

const RING = [
  [1, 1],
  [2, 1],
  [2, 2],
  [1, 1],
];

const GEOMETRIES: readonly [
  path: string,
  json: { type: string; coordinates?: unknown; geometries?: never[] },
  text: string,
][] = [
  [
    'coordinates[1]',
    { type: 'MultiPolygon', coordinates: [[RING], []] },
    'MULTIPOLYGON (((1 1, 2 1, 2 2, 1 1)), EMPTY)',
  ],
  [
    'coordinates[0]',
    { type: 'MultiPolygon', coordinates: [[], [RING]] },
    'MULTIPOLYGON (EMPTY, ((1 1, 2 1, 2 2, 1 1)))',
  ],
  [
    'coordinates[0]',
    { type: 'MultiLineString', coordinates: [[], RING] },
    'MULTILINESTRING (EMPTY, (1 1, 2 1, 2 2, 1 1))',
  ],
  ['coordinates[1]', { type: 'MultiPoint', coordinates: [[1, 2], []] }, 'MULTIPOINT (1 2, EMPTY)'],
  [
    'geometries[0].coordinates',
    {
      type: 'GeometryCollection',
      geometries: [
        { type: 'LineString', coordinates: [] },
        { type: 'Point', coordinates: [1, 2] },
      ] as never[],
    },
    'GEOMETRYCOLLECTION (LINESTRING EMPTY, POINT (1 2))',
  ],
];

function check({ value, issues }: ForeignData, field: string): void {
  expect(value.zones).toHaveLength(1);
  expect(issues).toMatchObject([{ code: 'geometry-missing', severity: 'warning', field }]);
}

const parquet = (geometry: Uint8Array): Uint8Array =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'name', type: 'STRING', data: ['a'] },
        { name: 'geometry', type: 'BYTE_ARRAY', data: [geometry] },
      ],
    }),
  );

test.each(GEOMETRIES)('%s of %o', async (path, geometry, text) => {
  check(fromGeoJson(JSON.stringify({ type: 'Feature', properties: {}, geometry })), `geometry.${path}`);
  check(fromCsv(`name;wkt\na;"${text}"\n`, { delimiter: ';' }), `wkt.${path}`);
  const wkb = wkbOf(geometry);
  check(fromCsv(`name;wkt\na;${wkb.toString('hex')}\n`, { delimiter: ';' }), `wkt.${path}`);
  check(await readParquet(parquet(new Uint8Array(wkb))), `features[0].geometry.${path}`);
});

test('a hundred thousand of them are one warning', () => {
  const coordinates = [[RING], ...Array.from({ length: 100_000 }, () => [])];
  const { issues } = fromGeoJson({
    type: 'Feature',
    properties: {},
    geometry: { type: 'MultiPolygon', coordinates },
  });
  expect(issues).toMatchObject([
    { message: 'expected members with coordinates, received 100000 empty ones; not read' },
  ]);
});

test('nothing but empty members is no geometry', () => {
  const { value, issues } = fromGeoJson({
    type: 'Feature',
    properties: {},
    geometry: { type: 'MultiPolygon', coordinates: [[], []] },
  });
  expect(value.zones).toEqual([]);
  expect(issues).toMatchObject([{ code: 'geometry-missing', field: 'geometry' }]);
});
