import { expect } from 'vitest';
import type { Measure } from '../../../src/tracks/index.js';

/** Compares all fields: absent ones exactly, numbers within `relative` of the greater, or 1e-6 of a unit. */
export function expectClose(actual: Measure, wanted: Measure, relative: number = 1e-9): void {
  for (const name of Object.keys(wanted) as (keyof Measure)[]) {
    const [a, b] = [actual[name], wanted[name]];
    if (a === null || b === null) expect(a, name).toBe(b);
    else {
      const isClose = Math.abs(a - b) <= Math.max(1e-6, relative * Math.max(Math.abs(a), Math.abs(b)));
      expect(isClose, `${name}: ${a} for ${b}`).toBe(true);
      expect(Object.is(a, -0), name).toBe(false);
    }
  }
}
