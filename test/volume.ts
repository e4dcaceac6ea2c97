/** Whether this is the long run (`npm run test:long`), in which property and fuzz tests run all cases instead of a seeded fraction. */
export const LONG: boolean = process.env['WAYZONE_LONG'] === '1';

/** The share of the cases of the ordinary run; less than 1 if the tests run for thousands of mutants. */
const SHARE = Number(process.env['WAYZONE_VOLUME'] ?? 1);

/** Number of cases: `full` in the long run; otherwise a fortieth of it, at least 25, times the share, and at most `full`. */
export function volume(full: number): number {
  return LONG ? full : Math.min(full, Math.ceil(Math.max(25, full / 40) * SHARE));
}

export { seeded } from '../fixtures/seeded.mjs';
