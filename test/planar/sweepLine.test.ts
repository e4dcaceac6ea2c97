import { expect, test } from 'vitest';
import { SweepLine } from '../../src/planar/sweepLine.js';
import { seeded } from '../volume.js';

/** Level edges: 0 to count - 1 at the heights of `heightOf`, and count to 2 count - 1 at the same heights again. */
function level(count: number, isUp: boolean): Float64Array {
  return Float64Array.from({ length: 8 * count }, (_, i) =>
    i % 4 === 0 ? 0 : i % 4 === 2 ? 10 : heightOf(Math.floor(i / 4), count, isUp),
  );
}

function heightOf(edge: number, count: number, isUp: boolean): number {
  return (edge + (isUp ? 0 : count >> 1)) % count;
}

/** Compares all neighbours, and the results for points on and between edges, with a plain list of edges, lowest first. */
function expectAsListed(line: SweepLine, listed: readonly number[], count: number, isUp: boolean): void {
  expect(line.lowest()).toBe(listed[0] ?? -1);
  const has = Array.from({ length: 2 * count }, (_, edge) => line.has(edge));
  expect(has.flatMap((is, edge) => (is ? [edge] : []))).toEqual([...listed].sort((p, q) => p - q));
  for (const [i, edge] of listed.entries()) {
    const found = [line.below(edge), line.above(edge)];
    const wanted = [listed[i - 1] ?? -1, listed[i + 1] ?? -1];
    const height = heightOf(edge, count, isUp);
    line.find(5, height);
    found.push(line.foundOn);
    wanted.push(edge);
    line.find(5, height - 0.5);
    found.push(line.foundOn, line.foundBelow);
    wanted.push(-1, listed[i - 1] ?? -1);
    line.find(5, height + 0.5);
    found.push(line.foundOn, line.foundBelow);
    wanted.push(-1, edge);
    if (found.join() !== wanted.join()) expect({ i, edge, found }).toEqual({ i, edge, found: wanted });
  }
}

test.each([
  ['upwards', 400, true, (edges: readonly number[]) => edges],
  ['downwards', 400, true, (edges: readonly number[]) => edges.toReversed()],
  ['downwards, number 0 in the middle', 200, false, (edges: readonly number[]) => edges.toReversed()],
  ['at random', 500, false, (edges: readonly number[], random: () => number) => shuffled(edges, random)],
  ['few', 9, true, (edges: readonly number[], random: () => number) => shuffled(edges, random)],
] as const)(
  'edges that are inserted %s, replaced, removed and inserted again are in the order of a list',
  (_, count, isUp, order) => {
    const random = seeded(count);
    const line = new SweepLine(level(count, isUp));
    const listed: number[] = [];
    const check = (): void => expectAsListed(line, listed, count, isUp);
    const heightAt = (edge: number): number => heightOf(edge, count, isUp);
    const put = (edges: readonly number[]): void => {
      for (const [done, edge] of edges.entries()) {
        const place = listed.findIndex((other) => heightAt(other) > heightAt(edge));
        const at = place < 0 ? listed.length : place;
        line.insertAbove(listed[at - 1] ?? -1, edge);
        listed.splice(at, 0, edge);
        if (done % 50 === 0 || done < 3) check();
      }
      check();
    };
    check();
    const numbers = Array.from({ length: count }, (_, edge) => edge);
    put(order(numbers, random));
    for (const [at, edge] of listed.entries()) {
      if (edge % 3 !== 0) continue;
      line.replace(edge, edge + count);
      listed[at] = edge + count;
    }
    check();
    // First a whole stretch, so that blocks become empty; then edges in random order.
    const stretch = listed.slice(count / 4, count / 2);
    for (const [done, edge] of [...stretch, ...shuffled(numbers, random)].entries()) {
      const at = listed.findIndex((other) => other % count === edge % count);
      if (at < 0) continue;
      line.remove(listed[at]!);
      listed.splice(at, 1);
      if (done % 50 === 0 || listed.length < 3) check();
    }
    check();
    put(
      order(numbers, random)
        .filter((edge) => edge % 3 !== 0)
        .map((edge) => edge + count),
    );
  },
);

function shuffled(list: readonly number[], random: () => number): number[] {
  return list
    .map((value) => [random(), value] as const)
    .sort((p, q) => p[0] - q[0])
    .map(([, value]) => value);
}
