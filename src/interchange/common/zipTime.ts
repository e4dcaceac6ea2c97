/** The time of entries in archives. */

/** The first day of the earliest year of ZIP, in local time. All entries have it, so that equal content gives equal bytes. */
export function zipTime(): Date {
  return new Date(1980, 0, 1);
}
