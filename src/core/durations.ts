/** Common spans of time. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Number of days in a hundred years. Longer spans are taken for mistakes. */
export const CENTURY_DAYS = 36_525;
/** Number of seconds in a hundred years. */
export const CENTURY_SECONDS: number = CENTURY_DAYS * 86_400;
