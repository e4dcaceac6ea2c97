/** Common spans of time, and days of the proleptic Gregorian calendar (ISO 8601). */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** Number of days in a hundred years. Longer spans are taken for mistakes. */
export const CENTURY_DAYS = 36_525;
/** Number of seconds in a hundred years. */
export const CENTURY_SECONDS: number = CENTURY_DAYS * 86_400;

/** Days of the proleptic Gregorian calendar (ISO 8601); `month` from 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
