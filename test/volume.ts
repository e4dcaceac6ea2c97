/** Whether this is the long run (`npm run test:long`), in which property and fuzz tests run all cases instead of a seeded fraction. */
export const LONG: boolean = process.env['WAYZONE_LONG'] === '1';

/** The share of a fortieth of the cases that tests run for each of thousands of mutants. */
const SHARE = process.env['WAYZONE_VOLUME'];

/**
 * Number of cases: `full` in the long run; otherwise a 160th of it, at least `least` (12), and at most `full`. With `WAYZONE_VOLUME`: so much of a
 * fortieth of it, or of 25.
 */
export function volume(full: number, least: number = 12): number {
  if (LONG) return full;
  const count = SHARE === undefined ? Math.max(least, full / 160) : Math.max(25, full / 40) * Number(SHARE);
  return Math.min(full, Math.ceil(count));
}

export { seeded } from '../fixtures/seeded.mjs';
