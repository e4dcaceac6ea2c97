import { expect, test } from 'vitest';
import type { LineTree } from '../../src/geodesy/lineTree.js';
import { EdgeTrees } from '../../src/zones/shapes/slabs.js';

test('a tree is made at the fifth question, kept, and dropped as the oldest beyond 512 MB', () => {
  const trees = new EdgeTrees();
  const treeOf = (bytes: number): LineTree => ({ bytes }) as LineTree;
  const asked = (piece: number, bytes: number): (LineTree | null)[] =>
    Array.from({ length: 6 }, () => trees.of(piece, () => treeOf(bytes)));
  const [first, second] = [asked(1, 300e6), asked(2, 200e6)];
  for (const answers of [first, second]) {
    expect(answers.slice(0, 4)).toEqual([null, null, null, null]);
    expect(answers[4]).not.toBeNull();
    expect(answers[5]).toBe(answers[4]);
  }
  expect(trees.bytes).toBe(500e6);
  const third = asked(3, 100e6);
  expect(trees.bytes).toBe(300e6);
  // The first one is asked for anew; the others stay.
  const never = (): LineTree => {
    throw new Error('no tree is made');
  };
  expect(trees.of(1, never)).toBeNull();
  expect([trees.of(2, never), trees.of(3, never)]).toEqual([second[5], third[5]]);
  // A tree that is larger than the limit is kept alone.
  asked(4, 900e6);
  expect(trees.bytes).toBe(900e6);
});
