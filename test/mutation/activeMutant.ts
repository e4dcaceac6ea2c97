/**
 * State that the instrumented sources read: the active mutant, how often its place was reached, and in the trial run
 * how often each place was reached. Load this module before any instrumented source.
 */

interface Switch {
  activeMutant: string | undefined;
  hitCount: number;
  hitLimit: number;
  /** By mutant number: how often its place was reached. */
  readonly counts: Float64Array;
}

/** Counts by mutant number, while the modules loaded and per test number. */
export interface Coverage {
  readonly static: Readonly<Record<string, number>>;
  readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Stryker's instrumenter writes the name `__stryker__` into the sources. */
export const SWITCH: Switch = {
  activeMutant: process.env['WAYZONE_MUTANT'],
  hitCount: 0,
  hitLimit: 1e8,
  counts: new Float64Array(100_000),
};
(globalThis as { __stryker__?: Switch }).__stryker__ = SWITCH;
