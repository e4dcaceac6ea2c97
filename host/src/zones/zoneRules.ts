/** Rules of a company's live stream, from the fields of its geozones and units and from its properties. */

import { type Kysely, sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import { type Hours, prepareHours, type YearHolidays, type ZoneHours } from 'wayzone/hours';
import type { SpeedingThresholds } from 'wayzone/tracks';
import { companyOf } from '../storage/companyOf.js';
import type { Tables } from '../storage/tables.js';

/** Limits of the lists. With them a year of hours takes the event loop some milliseconds; without, 20,000 ranges of each day took 6 s. */
const MOST = { weekly: 200, days: 7, holidayHours: 200, dates: 4000, hours: 200 } as const;

/** The fields of a geozone that rules read. */
export interface RuledZone {
  readonly id: string;
  readonly is_delete?: unknown;
  /** km/h, above 0; anything else: no limit. */
  readonly speed_limit?: unknown;
  /** The shape of `prepareHours`; anything else: always open. */
  readonly hours?: unknown;
}

export interface ZoneRules {
  /** The limit of a zone, km/h; null: none. */
  readonly limitOf: (zoneId: string) => number | null;
  /** The hours of a zone; null: always open. */
  readonly hoursOf: (zoneId: string) => ZoneHours | null;
  /** Whether any zone has a limit. */
  readonly hasLimits: boolean;
  /** A unit's own tolerance and shortest duration of speeding; null: the company's. */
  readonly thresholdsOf: (unitId: string) => SpeedingThresholds | null;
  /** Plain data from which another process makes the same rules. */
  readonly plain: PlainRules;
  /** Takes over the fields of a zone that was added, changed or deleted. */
  put(zone: RuledZone): void;
}

/** The zones with a limit or hours, the company's clock, and its thresholds of speeding. */
interface PlainRules {
  readonly zones: readonly RuledZone[];
  readonly clock: CompanyClock;
  readonly strictness: Strictness;
}

/** The property `speeding` of a company, and the fields `speeding` of its units by id. */
export interface Strictness {
  readonly company?: unknown;
  readonly units?: Readonly<Record<string, unknown>>;
}

interface CompanyClock {
  readonly timeZone: string;
  readonly holidays: readonly YearHolidays[];
}

/** Fields that writes refuse are ignored here: earlier versions stored every field as it came. */
export function zoneRules(
  zones: Iterable<RuledZone>,
  clock: CompanyClock,
  strictness: Strictness = {},
): ZoneRules {
  const limits = new Map<string, number>();
  const hours = new Map<string, ZoneHours>();
  const ruled = new Map<string, RuledZone>();
  const put = (zone: RuledZone): void => {
    limits.delete(zone.id);
    hours.delete(zone.id);
    ruled.delete(zone.id);
    if (zone.is_delete === true) return;
    if (isSpeedLimit(zone.speed_limit)) limits.set(zone.id, zone.speed_limit);
    const prepared = preparedHours(zone.hours, clock);
    if (prepared !== null) hours.set(zone.id, prepared);
    if (limits.has(zone.id) || prepared !== null)
      ruled.set(zone.id, { id: zone.id, speed_limit: zone.speed_limit, hours: zone.hours });
  };
  for (const zone of zones) put(zone);
  const ofCompany = thresholdsOf(strictness.company);
  const ofUnits = new Map(
    Object.entries(strictness.units ?? {}).map(([id, one]) => [id, { ...ofCompany, ...thresholdsOf(one) }]),
  );
  return {
    limitOf: (zoneId) => limits.get(zoneId) ?? null,
    hoursOf: (zoneId) => hours.get(zoneId) ?? null,
    thresholdsOf: (unitId) => ofUnits.get(unitId) ?? ofCompany,
    get hasLimits() {
      return limits.size > 0;
    },
    get plain() {
      const { timeZone, holidays } = clock;
      return { zones: [...ruled.values()], clock: { timeZone, holidays }, strictness };
    },
    put,
  };
}

/** Whether a value is a limit in km/h. */
export function isSpeedLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

/** Reads `{tolerance_kph, min_seconds}`; leaves out members that are not numbers from 0. */
export function thresholdsOf(value: unknown): SpeedingThresholds {
  const { tolerance_kph: toleranceKph, min_seconds: minSeconds } = Object(value) as {
    readonly tolerance_kph?: unknown;
    readonly min_seconds?: unknown;
  };
  return {
    ...(isThreshold(toleranceKph) && { toleranceKph }),
    ...(isThreshold(minSeconds) && { minSeconds }),
  };
}

/** Whether a value is a tolerance in km/h, or a duration in seconds. */
function isThreshold(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** Errors of a value that is set as `speeding`: `validation` of an object, or of its fields. */
export function thresholdErrors(value: unknown): { readonly field: string; readonly message: string }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ field: '', message: 'expected an object, received another value' }];
  return Object.entries(value).flatMap(([name, one]) => {
    if (name !== 'tolerance_kph' && name !== 'min_seconds')
      return [
        { field: `.${name}`, message: 'expected tolerance_kph or min_seconds, received another field' },
      ];
    return isThreshold(one)
      ? []
      : [{ field: `.${name}`, message: 'expected a number from 0, received another value' }];
  });
}

function preparedHours(hours: unknown, clock: CompanyClock): ZoneHours | null {
  if (hours === undefined || hours === null) return null;
  try {
    return prepareHours(hours as Hours, clock);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return null;
  }
}

/** The company's time zone, holidays and thresholds of speeding are the present ones. */
export async function readZoneRules(
  db: Kysely<Tables>,
  companyId: string,
  version: number,
): Promise<ZoneRules> {
  const { timeZone, properties, holidays } = await companyOf(db, companyId);
  const { rows } = await sql<RuledZone>`
    select id, is_delete, row->'speed_limit' as speed_limit, row->'hours' as hours from geozones
    where company_id = ${companyId} and version <= ${version} and (row ? 'speed_limit' or row ? 'hours')
    union all
    select id, row->'is_delete' = 'true'::jsonb, row->'speed_limit', row->'hours' from geozones_history
    where company_id = ${companyId} and version <= ${version} and until > ${version}
      and (row ? 'speed_limit' or row ? 'hours')`.execute(db);
  const units = await sql<{ readonly id: string; readonly speeding: unknown }>`
    select id, row->'speeding' as speeding from units where company_id = ${companyId} and row ? 'speeding'`.execute(
    db,
  );
  return zoneRules(
    rows,
    { timeZone, holidays },
    {
      company: properties['speeding'],
      units: Object.fromEntries(units.rows.map(({ id, speeding }) => [id, speeding])),
    },
  );
}

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
