/** Opening hours of zones from a JSON file. */

import { WayzoneError } from '../../core/errors.js';
import type { HoursOf, ZoneHours } from '../../core/zoneHours.js';
import { fromOpeningHours, type Hours, prepareHours, type YearHolidays } from '../../hours/index.js';
import { HOURS_FIELDS } from '../../hours/readHours.js';
import { readJson } from './movementFlags.js';

export interface HoursFlags {
  readonly hours?: string;
  readonly timeZone?: string;
  readonly holidays?: string;
}

/**
 * The hours of zones; `undefined` without a file. The file contains one hours for all zones, or hours by zone id. Hours are an object for
 * `prepareHours` or the text of an `opening_hours` tag. Zones with `null`, and zones that the file does not name, are always open.
 *
 * Errors: `option-value` for flags that miss their partner, `hours-invalid` with the file and the zone, `tz-unknown`.
 */
export async function hoursOfZones({
  hours: file,
  timeZone,
  holidays,
}: HoursFlags): Promise<HoursOf | undefined> {
  if (file === undefined) {
    if (holidays === undefined) return undefined;
    throw new WayzoneError('option-value', '--holidays', 'expected --hours beside --holidays');
  }
  if (timeZone === undefined) {
    throw new WayzoneError('option-value', '--time-zone', 'expected --time-zone beside --hours');
  }
  const days = holidays === undefined ? [] : ((await readJson(holidays)) as readonly YearHolidays[]);
  const prepare = (value: unknown, place: string): ZoneHours => {
    try {
      return prepareHours(hoursFrom(value), { timeZone, holidays: days });
    } catch (error) {
      if (!(error instanceof WayzoneError) || error.code === 'tz-unknown') throw error;
      const at = error.field.startsWith('holidays') ? holidays : `${file}${place}`;
      throw new WayzoneError(error.code, `${at} ${error.field}`, error.message, { cause: error });
    }
  };
  const content = await readJson(file);
  const zones = zonesOf(content);
  if (zones === null) {
    const all = prepare(content, '');
    return () => all;
  }
  const byZone = new Map<string, ZoneHours>();
  for (const [zoneId, value] of zones) {
    if (value !== null) byZone.set(zoneId, prepare(value, ` zone ${JSON.stringify(zoneId)}`));
  }
  return (zoneId) => byZone.get(zoneId) ?? null;
}

/**
 * The entries of an object by zone id; `null` if the object is the hours of all zones: its fields are lists and texts, whereas hours by
 * zone id are objects or texts.
 */
function zonesOf(content: unknown): [string, unknown][] | null {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return null;
  const entries = Object.entries(content) as [string, unknown][];
  const isOfAll = entries.every(
    ([name, value]) => HOURS_FIELDS.includes(name) && (typeof value === 'string' || Array.isArray(value)),
  );
  return isOfAll ? null : entries;
}

function hoursFrom(value: unknown): Hours {
  if (typeof value !== 'string') return value as Hours;
  const { value: hours, issues } = fromOpeningHours(value);
  if (hours !== null) return hours;
  const { field, message } = issues[0]!;
  throw new WayzoneError('hours-invalid', field, message);
}
