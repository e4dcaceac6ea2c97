/** How many cases a property or fuzz test runs: all of them in `npm run test:long`, a seeded fraction in `npm test`. */
export const LONG: boolean = process.env['WAYZONE_LONG'] === '1';

/** The share of the ordinary run's cases that this run takes: less than 1 where each test runs for thousands of mutants. */
const SHARE = Number(process.env['WAYZONE_VOLUME'] ?? 1);

/** `full` in the long run, else `full / 20`, at least 50 (or `full`, if less); of both the share that is asked for. */
export function volume(full: number): number {
  return LONG ? full : Math.min(full, Math.ceil(Math.max(50, full / 20) * SHARE));
}

/** A seeded generator of numbers in [0, 1): mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
