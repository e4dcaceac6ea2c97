/** What the fields `speed_limit` and `hours` of a company's geozones say to its live stream. */

import { WayzoneError } from 'wayzone';
import { type Hours, prepareHours, type YearHolidays, type ZoneHours } from 'wayzone/hours';

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
  /** What makes the same rules in another process. */
  readonly plain: PlainRules;
  /** Takes over the fields of a zone that was added, changed or deleted. */
  put(zone: RuledZone): void;
}

/** The zones with a limit or hours, and the company's clock. */
export interface PlainRules {
  readonly zones: readonly RuledZone[];
  readonly clock: CompanyClock;
}

export interface CompanyClock {
  readonly timeZone: string;
  readonly holidays: readonly YearHolidays[];
}

/** Fields that writes refuse are ignored here: earlier versions stored every field as it came. */
export function zoneRules(zones: Iterable<RuledZone>, clock: CompanyClock): ZoneRules {
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
  return {
    limitOf: (zoneId) => limits.get(zoneId) ?? null,
    hoursOf: (zoneId) => hours.get(zoneId) ?? null,
    get hasLimits() {
      return limits.size > 0;
    },
    get plain() {
      return { zones: [...ruled.values()], clock: { timeZone: clock.timeZone, holidays: clock.holidays } };
    },
    put,
  };
}

/** Whether a value is a limit in km/h. */
export function isSpeedLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
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
