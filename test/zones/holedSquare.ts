import type { Pair } from '../../src/index.js';
import { wkt } from '../wkt.js';

/** A square of ten degrees from 0, 0. */
export const SHELL: readonly Pair[] = wkt('0 0, 10 0, 10 10, 0 10');
/** A square of two degrees in the middle of `SHELL`. */
export const HOLE: readonly Pair[] = wkt('4 4, 6 4, 6 6, 4 6');
/** A triangle beside `SHELL`. */
export const TRIANGLE: readonly Pair[] = wkt('20 0, 21 0, 21 1');
