/** Limits of time against hangs alone. No test depends on how fast a machine is. */

/** Limit of one test, milliseconds. */
export const HANG_MS = 600_000;
/** Limit of one wait inside a test, milliseconds. Shorter, so that the error names what did not come. */
export const PATIENCE_MS = 500_000;
