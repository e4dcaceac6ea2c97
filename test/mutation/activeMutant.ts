/**
 * The switch that the instrumented sources ask: which mutant is active, how often its place was reached, and in the
 * trial run how often each place was. It must be loaded before the first of them.
 */

interface Switch {
  activeMutant: string | undefined;
  hitCount: number;
  hitLimit: number;
  /** By the number of a mutant: how often its place was reached. */
  readonly counts: Float64Array;
}

/** Counts by the number of a mutant: while the modules loaded, and by the number of a test. */
export interface Coverage {
  readonly static: Readonly<Record<string, number>>;
  readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Under the name that Stryker's instrumenter writes into the sources. */
export const SWITCH: Switch = {
  activeMutant: process.env['WAYZONE_MUTANT'],
  hitCount: 0,
  hitLimit: 1e8,
  counts: new Float64Array(100_000),
};
(globalThis as { __stryker__?: Switch }).__stryker__ = SWITCH;
