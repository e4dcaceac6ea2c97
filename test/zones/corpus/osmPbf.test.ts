import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { dataPath } from '../../interchange/realData.js';
import { needs, sharedData } from '../../needs.js';
import { readOsm } from './osmPbf.js';

const folder = mkdtempSync(join(tmpdir(), 'osm-pbf-'));
afterAll(() => rmSync(folder, { recursive: true }));

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
const zigzag = (value: number): number[] => varint(value < 0 ? -2 * value - 1 : 2 * value);
const bytes = (field: number, content: readonly number[]): number[] => [
  ...varint(8 * field + 2),
  ...varint(content.length),
  ...content,
];
const text = (field: number, value: string): number[] => bytes(field, [...Buffer.from(value)]);

/** A blob with its header, as in a file. */
function blob(type: string, content: readonly number[], isDeflated: boolean): number[] {
  const data = isDeflated
    ? [...varint(8 * 2), ...varint(content.length), ...bytes(3, [...deflateSync(Uint8Array.from(content))])]
    : bytes(1, content);
  const header = [...text(1, type), ...varint(8 * 3), ...varint(data.length)];
  return [0, 0, 0, header.length, ...header, ...data];
}

test.each([false, true])('a file of one block is read; deflated: %s', (isDeflated) => {
  const strings = ['', 'highway', 'Улица'].flatMap((value) => text(1, value));
  const dense = [
    ...bytes(1, [zigzag(10_000_000_000), zigzag(1), zigzag(-3)].flat()),
    ...bytes(8, [zigzag(471_000_000), zigzag(-1), zigzag(2)].flat()),
    ...bytes(9, [zigzag(-95_000_000), zigzag(5), zigzag(-10)].flat()),
  ];
  const way = [
    ...varint(8),
    ...varint(7),
    ...bytes(2, [1]),
    ...bytes(3, [2]),
    ...bytes(8, [zigzag(10_000_000_001), zigzag(-1), zigzag(-2)].flat()),
  ];
  const block = [...bytes(1, strings), ...bytes(2, bytes(2, dense)), ...bytes(2, bytes(3, way))];
  const path = join(folder, 'one.osm.pbf');
  writeFileSync(
    path,
    Uint8Array.from([
      ...blob('OSMHeader', text(4, 'DenseNodes'), isDeflated),
      ...blob('OSMData', block, isDeflated),
    ]),
  );
  expect(readOsm(path)).toEqual({
    nodes: new Map([
      [10_000_000_000, [-9.5, 47.1]],
      [10_000_000_001, [-9.4999995, 47.0999999]],
      [9_999_999_998, [-9.5000005, 47.1000001]],
    ]),
    ways: [{ tags: { highway: 'Улица' }, refs: [10_000_000_001, 10_000_000_000, 9_999_999_998] }],
  });
});

const LIECHTENSTEIN = 'osm/vh-liechtenstein-latest.osm.pbf';

needs(sharedData(LIECHTENSTEIN)).test(
  `ways of Liechtenstein have all their nodes, which needs ${LIECHTENSTEIN}`,
  () => {
    const { nodes, ways } = readOsm(dataPath(LIECHTENSTEIN));
    expect(ways.every(({ refs }) => refs.length > 0 && refs.every((ref) => nodes.has(ref)))).toBe(true);
    const roundabouts = ways.filter(({ tags }) => tags['junction'] === 'roundabout');
    expect(roundabouts.length).toBeGreaterThan(10);
    for (const ref of roundabouts.flatMap(({ refs }) => refs)) {
      const [lon, lat] = nodes.get(ref)!;
      expect(lon > 9.4 && lon < 9.7 && lat > 47 && lat < 47.3).toBe(true);
    }
  },
);
