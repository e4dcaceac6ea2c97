/** Checks hours that a row or a rule stores. */

import { WayzoneError } from 'wayzone';
import { type Hours, prepareHours } from 'wayzone/hours';

/** Limits of the lists. With them a year of hours takes the event loop some milliseconds; without, 20,000 ranges of each day took 6 s. */
const MOST = { weekly: 200, days: 7, holidayHours: 200, dates: 4000, hours: 200 } as const;

/** Throws `hours-invalid` with the path below `field` unless `prepareHours` reads the hours and their lists are not too long. */
export function checkHours(hours: unknown, field: string): void {
  checkLengths(hours, field);
  try {
    prepareHours(hours as Hours, { timeZone: 'UTC' });
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const path = error.field === 'hours' ? field : `${field}.${error.field}`;
    throw new WayzoneError(error.code, path, error.message);
  }
}

function checkLengths(fields: unknown, path: string): void {
  if (typeof fields !== 'object' || fields === null) return;
  for (const [name, list] of Object.entries(fields)) {
    const most = Object.hasOwn(MOST, name) ? MOST[name as keyof typeof MOST] : null;
    if (most === null || !Array.isArray(list)) continue;
    if (list.length > most)
      throw new WayzoneError(
        'hours-invalid',
        `${path}.${name}`,
        `expected at most ${most} entries, received ${list.length}`,
      );
    for (const [i, item] of list.entries()) checkLengths(item, `${path}.${name}[${i}]`);
  }
}
