/** Routes that come back to the same streets, so that a fix has many candidates, and drives along them. */

import type { Position } from '../../../src/index.js';
import type { Fix, PreparedRoute } from '../../../src/tracks/index.js';

const at = (x: number, y: number): Position => [13 + x / 68_500, 52 + y / 111_300];

/** A road of 60 m edges that winds. */
const road = (edges: number): Position[] =>
  Array.from({ length: edges + 1 }, (_, i) => at(55 * i, 90 * Math.sin(i / 2)));

/** Each of about `edges` edges; `times`: how often it comes by. */
export const DENSE_ROUTES: Readonly<Record<string, (edges: number, times: number) => Position[]>> = {
  'back and forth on one road': (edges, times) => {
    const there = road(Math.ceil(edges / times));
    const back = there.toReversed();
    return Array.from({ length: times }, (_, i) => (i % 2 === 0 ? there : back).slice(i > 0 ? 1 : 0)).flat();
  },
  'laps of a loop': (edges, times) => {
    const count = Math.max(3, Math.ceil(edges / times));
    const loop = Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * i) / count;
      return at(14 * count * Math.cos(angle), 9 * count * Math.sin(angle));
    });
    return [...Array.from({ length: times }, () => loop).flat(), loop[0]!];
  },
  eights: (edges, times) => {
    const count = Math.max(8, Math.ceil(edges / times));
    const eight = Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * i) / count;
      return at(18 * count * Math.sin(angle), 18 * count * Math.sin(angle) * Math.cos(angle));
    });
    return [...Array.from({ length: times }, () => eight).flat(), eight[0]!];
  },
  'a walk through a grid of streets': (edges, times) => {
    // A grid with so many streets that each is walked about `times` times.
    const side = Math.max(2, Math.round(Math.sqrt(edges / times / 2)));
    let [x, y, state] = [0, 0, 1];
    return Array.from({ length: edges + 1 }, () => {
      const here = at(500 * x, 500 * y);
      // A pseudo-random turn.
      state = (state * 48_271) % 2_147_483_647;
      const isEast = state % 2 === 0;
      const by = state % 1000 < 500 ? 1 : -1;
      if (isEast) x += x + by < 0 || x + by > side ? -by : by;
      else y += y + by < 0 || y + by > side ? -by : by;
      return here;
    });
  },
  'a snake over all streets of a grid': (edges) => {
    const side = Math.max(2, Math.round(Math.sqrt(edges / 2)));
    const cells = Array.from({ length: side }, (_, j) =>
      Array.from({ length: side }, (_, i) => [j % 2 === 0 ? i : side - 1 - i, j] as const),
    ).flat();
    return [...cells.map(([x, y]) => at(500 * x, 500 * y)), ...cells.map(([x, y]) => at(500 * y, 500 * x))];
  },
};

/** `count` fixes every `step` metres along a route from the share `from` of its length on, and back from its end; up to `aside` metres beside it. */
export function driveAlong(
  route: PreparedRoute,
  count: number,
  step: number,
  aside: number,
  from = 0,
): Fix[] {
  const length = route.lengthMeters;
  return Array.from({ length: count }, (_, i) => {
    const way = (from * length + i * step) % (2 * length);
    const [lon, lat] = route.positionAt(way <= length ? way : 2 * length - way).position;
    return {
      time: 1_772_438_400_000 + 10_000 * i,
      lon: lon + (aside * Math.sin(5 * i)) / 68_500,
      lat: lat + (aside * Math.cos(7 * i)) / 111_300,
    };
  });
}
