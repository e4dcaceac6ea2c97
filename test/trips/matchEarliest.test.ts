import { expect, test } from 'vitest';
import { matchEarliest } from '../../src/trips/assign/matchEarliest.js';
import { seeded, volume } from '../volume.js';

type Costs = (readonly [number, number] | null)[][];

/** The best of all assignments: most rows with a column, then least cost, then first columns. */
function bruteForce(costs: Costs): number[] {
  const columns = costs[0]!.length;
  let best: { columns: number[]; score: number[] } | null = null;
  const attempt = (chosen: number[], first: number, second: number): void => {
    const row = chosen.length;
    if (row === costs.length) {
      const ranks = chosen.map((column) => (column < 0 ? columns : column));
      const score = [chosen.filter((column) => column < 0).length, first, second, ...ranks];
      const i = best === null ? 0 : score.findIndex((value, k) => value !== best!.score[k]);
      if (best === null || (i >= 0 && score[i]! < best.score[i]!)) best = { columns: chosen, score };
      return;
    }
    for (let column = 0; column < columns; column++) {
      const own = costs[row]![column] ?? null;
      if (own !== null && !chosen.includes(column))
        attempt([...chosen, column], first + own[0], second + own[1]);
    }
    attempt([...chosen, -1], first, second);
  };
  attempt([], 0, 0);
  return best!.columns;
}

test('equals the search of all assignments, with ties and impossible pairs', () => {
  for (let seed = 0; seed < volume(20_000); seed++) {
    const random = seeded(seed);
    const [rows, columns] = [1 + Math.floor(random() * 5), Math.floor(random() * 6)];
    const most = [1, 2, 4, 1000, 3e12][Math.floor(random() * 5)]!;
    const blocked = [0, 0.3, 0.7][Math.floor(random() * 3)]!;
    const costs: Costs = Array.from({ length: rows }, () =>
      Array.from({ length: columns }, () =>
        random() < blocked ? null : [Math.floor(random() * 3), Math.floor(random() * most)],
      ),
    );
    expect({ seed, match: matchEarliest(costs) }).toEqual({ seed, match: bruteForce(costs) });
  }
});

test('without columns no row gets one; with equal costs the first rows get the first columns', () => {
  expect(matchEarliest([[], []])).toEqual([-1, -1]);
  expect(matchEarliest([])).toEqual([]);
  expect(
    matchEarliest(Array.from({ length: 40 }, () => new Array<readonly [number, number]>(60).fill([0, 0]))),
  ).toEqual(Array.from({ length: 40 }, (_, i) => i));
});

test('among equal costs the first row gets its first column', () => {
  // 2 + 0 = 0 + 2: the first row takes its first column.
  expect(
    matchEarliest([
      [null, [0, 2], [0, 0]],
      [
        [0, 2],
        [0, 2],
        [0, 0],
      ],
    ]),
  ).toEqual([1, 2]);
});
