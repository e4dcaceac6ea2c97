/** Boxes and segments against one ring that cuts them many times. */

import { type Position, ZoneIndex, type ZoneShape } from '../../src/index.js';
import { type Cliff, doublings, once, type Side } from './cliff.js';

type Zone = ZoneShape & { readonly id: string };

const CENTRE: Position = [37.6, 55.7];

/** A ring of vertices in polar coordinates around the centre, in degrees. */
function ringOf(count: number, radiusOf: (i: number) => number): Zone {
  const geometry = Array.from({ length: count }, (_, i): Position => {
    const [turn, radius] = [(2 * Math.PI * i) / count, radiusOf(i)];
    return [CENTRE[0] + radius * Math.cos(turn), CENTRE[1] + radius * Math.sin(turn)];
  });
  return { id: 'ring', type: { key: 'polygon' }, geometry };
}

/** Spikes from 0.01° to 1°: a segment across the star meets nearly every second edge. */
const star = (count: number): Zone => ringOf(count, (i) => (i % 2 === 0 ? 1 : 0.01));
/** A ring without spikes: a segment meets two edges. */
const disc = (count: number): Zone => ringOf(count, () => 1);

type Query = (index: ZoneIndex) => number;

/** How a query may compare with building the index. The segment across the star has an interval for every fourth vertex. */
const QUERIES: readonly (readonly [name: string, query: Query, ofBuilding: number])[] = [
  [
    'intersecting, a box of 0.1° on a star',
    (index) => index.intersecting([38.2, 55.8, 38.3, 55.9]).length,
    1,
  ],
  [
    'intersecting, a box of 0.1° beside a star',
    (index) => index.intersecting([38.4, 56.4, 38.5, 56.5]).length,
    1,
  ],
  ['crossing, a segment of 0.1° on a star', (index) => index.crossing([38.2, 55.8], [38.21, 55.9]).length, 1],
  ['crossing, a segment across a star', (index) => index.crossing([37.55, 55.2], [37.75, 56.2]).length, 4],
];

/** The first query of a fresh index: slabs and cells are not made yet. */
function first(zone: () => Zone, query: Query): Side {
  return () => {
    const index = new ZoneIndex([zone()]);
    return () => query(index);
  };
}

const build =
  (zone: () => Zone): Side =>
  () =>
  () =>
    new ZoneIndex([zone()]);

export function cutCliffs(quick: boolean): Cliff[] {
  const sizes = quick ? [10_000, 20_000] : [100_000, 200_000, 400_000];
  return QUERIES.flatMap(([name, query, ofBuilding]) => [
    ...doublings(`${name}, first query`, 'vertices', sizes, (size) =>
      first(
        once(() => star(size)),
        query,
      ),
    ),
    ...sizes.map((size): Cliff => {
      const zone = once(() => star(size));
      return {
        name: `${name}, first query`,
        what: `the query / building the index, ${size.toLocaleString('en')} vertices`,
        plain: build(zone),
        unusual: first(zone, query),
        goal: ofBuilding,
      };
    }),
    ...sizes.map(
      (size): Cliff => ({
        name: `${name}, first query`,
        what: `a star / a disc of ${size.toLocaleString('en')} vertices`,
        plain: first(
          once(() => disc(size)),
          query,
        ),
        unusual: first(
          once(() => star(size)),
          query,
        ),
        goal: 20,
      }),
    ),
  ]);
}
