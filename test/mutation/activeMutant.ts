/**
 * The switch that the instrumented sources ask: which mutant is active, how often its place was reached, and in the
 * trial run which test reached which place. It must be loaded before the first of them.
 */

interface Switch {
  activeMutant: string | undefined;
  hitCount: number;
  hitLimit: number;
  currentTestId: string | undefined;
  mutantCoverage: Coverage;
}

export interface Coverage {
  static: Record<string, number>;
  perTest: Record<string, Record<string, number>>;
}

/** Under the name that Stryker's instrumenter writes into the sources. */
export const SWITCH: Switch = {
  activeMutant: process.env['WAYZONE_MUTANT'],
  hitCount: 0,
  hitLimit: 1e8,
  currentTestId: undefined,
  mutantCoverage: { static: {}, perTest: {} },
};
(globalThis as { __stryker__?: Switch }).__stryker__ = SWITCH;
