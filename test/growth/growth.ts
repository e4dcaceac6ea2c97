/** Twice the size takes at most `MOST_GROWTH` times the steps. */

import { expect, test } from 'vitest';
import { stepsOf } from './steps.js'; // before any module of src/

/** Two, and room for a logarithm and for what happens once per call. */
const MOST_GROWTH = 2.6;

/** Makes the work for a size: everything that it prepares is not counted. */
export type Sized = (size: number) => () => unknown;

export interface Growth {
  readonly name: string;
  readonly work: Sized;
  readonly size: number;
  /** The largest ratio, if the docstring states a higher cost. */
  readonly most?: number;
}

/** A test for each case. The steps of an unused first call, which fills caches, are not counted. */
export function testGrowth(cases: readonly Growth[]): void {
  test.each([...cases])('$name', async ({ work, size, most = MOST_GROWTH }) => {
    await work(size)();
    const once = await stepsOf(work(size));
    const twice = await stepsOf(work(2 * size));
    expect(once).toBeGreaterThan(0);
    expect(twice / once).toBeLessThanOrEqual(most);
  });
}
