/** Makes a trip of the wire format along a route, with arrivals planned from driving and service times. */

import { CENTURY_SECONDS } from '../../core/durations.js';
import { inputError, isArray } from '../../core/errors.js';
import { guarded, readNumber } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN, readOptions } from '../../core/options.js';
import type { TripInput, TripPoint, TripPointTime } from '../../core/trip.js';
import type { Route, RoutePoint } from '../../core/wire.js';
import { dayText, readDay, readTimeOfDay } from './readDueTrip.js';

/** Times of a run, the same for all runs of the trip. */
export interface RouteTimes {
  /** Planned time at the first point, `HH:mm` in the company's time zone. */
  readonly start: string;
  /** Driving seconds from each point to the next, such as the `duration` of the rows of `buildRouting`. One number fewer than points. */
  readonly durationsSeconds: readonly number[];
  /** Seconds that the unit stays at each point: one number for all, or one for each. Default 0. */
  readonly serviceSeconds?: number | readonly number[] | undefined;
  /** Tolerance of every planned time in minutes. Default: the field is left out. */
  readonly deviationMinutes?: number | undefined;
}

/** Options of `tripFromRoute`: the dates of the trip, and its driving and service times. */
export interface TripFromRouteOptions {
  /** The days of the trip's runs, `yyyy-MM-dd`; at least one. */
  readonly dates: readonly string[];
  /** Default: points without planned times. */
  readonly times?: RouteTimes | undefined;
  /** Further fields of the trip. They replace the generated ones. */
  readonly trip?: Partial<Omit<TripInput, 'dates' | 'points'>> | undefined;
}

const OPTIONS: OptionTable<TripFromRouteOptions> = { dates: OWN, times: OWN, trip: OWN };

const TIMES_OPTIONS: OptionTable<RouteTimes, 'deviationMinutes'> = {
  start: OWN,
  durationsSeconds: OWN,
  serviceSeconds: OWN,
  deviationMinutes: OWN,
};

const DAY_SECONDS = 86_400;

/**
 * A `strict` trip through the points of a route. `name` and `company_id` come from the route. The unit's id is empty unless `trip` gives it.
 * Points keep their shape, name and width.
 *
 * Each arrival is the start plus all driving and service before it. A point with a service time also has a departure. Each time is rounded down
 * to whole minutes, and the rounding errors do not add up. After midnight `after_days` grows. Clock changes are ignored: after a clock change
 * the times of the same day are wrong by its amount.
 *
 * Errors: `route-points`, `dates-missing`, `date`, `time` (`options.times.start`), `option-type`, `option-value`
 * (`options.times.durationsSeconds[1]`), `input-unreadable`.
 *
 * @example
 * import { tripFromRoute } from 'wayzone/trips';
 * const at = (name, lon) => ({ name, type: { key: 'circle' }, width: 100, geometry: [[lon, 55.7]] });
 * const route = { id: 'r', name: 'Milk', points: [at('Depot', 37.6), at('Shop', 37.7)] };
 * const times = { start: '08:00', durationsSeconds: [930], serviceSeconds: [0, 600] };
 * const trip = tripFromRoute(route, { dates: ['2026-03-02'], times });
 * [trip.points[1].arrival, trip.points[1].departure]; // [{ time: '08:15' }, { time: '08:25' }]
 */
export function tripFromRoute(
  route: Pick<Route, 'points'> & Partial<Pick<Route, 'name' | 'company_id'>>,
  options: TripFromRouteOptions,
): TripInput {
  const given = readOptions(options, OPTIONS);
  const { points, name, company } = guarded('route', () => {
    const list: unknown = route.points;
    if (!isArray(list) || list.length === 0) {
      throw inputError('route-points', 'points', 'an array of at least one point', list);
    }
    return { points: list as readonly RoutePoint[], name: route.name, company: route.company_id };
  });
  const times = given.times === undefined ? null : readTimes(given.times, points.length);
  return {
    name: typeof name === 'string' ? name : '',
    ...(company === undefined ? {} : { company_id: company }),
    unit: { id: '' },
    passage_order_type: { key: 'strict' },
    ...readFields(given.trip),
    dates: readDates(given.dates),
    points: points.map((point, i) => tripPoint(point, i, times)),
  };
}

/** Planned times of a point in seconds after 00:00 of the date. */
interface Due {
  readonly arrival: number;
  readonly departure: number | null;
}

interface Timetable {
  readonly due: readonly Due[];
  readonly deviation: Pick<TripPointTime, 'deviation_minutes'>;
}

function tripPoint(point: RoutePoint, index: number, times: Timetable | null): TripPoint {
  const copy = guarded(`points[${index}]`, (): RoutePoint => {
    if (typeof point !== 'object' || point === null) {
      throw inputError('route-points', `points[${index}]`, 'a point of a route', point);
    }
    return { ...point };
  });
  if (times === null) return copy;
  const { arrival, departure } = times.due[index]!;
  const timeOf = (seconds: number): TripPointTime => ({ ...clockTime(seconds), ...times.deviation });
  return {
    ...copy,
    arrival: timeOf(arrival),
    ...(departure === null ? {} : { departure: timeOf(departure) }),
  };
}

function clockTime(seconds: number): Pick<TripPointTime, 'time' | 'after_days'> {
  const minutes = Math.floor((seconds % DAY_SECONDS) / 60);
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  const days = Math.floor(seconds / DAY_SECONDS);
  return days === 0 ? { time } : { time, after_days: days };
}

function readTimes(times: unknown, count: number): Timetable {
  if (typeof times !== 'object' || times === null) {
    throw inputError('option-value', 'options.times', 'an object of times', times);
  }
  checkOptions(times, TIMES_OPTIONS, 'options.times');
  const { start, durations, service, deviation } = guarded('options.times', () => {
    const row = times as Partial<RouteTimes>;
    return {
      start: row.start,
      durations: row.durationsSeconds,
      service: row.serviceSeconds ?? 0,
      deviation: row.deviationMinutes,
    };
  });
  let now = readTimeOfDay(start, 'options.times.start') * 60;
  const drives = readSeconds(durations, 'options.times.durationsSeconds', count - 1);
  const stays =
    typeof service === 'number'
      ? new Array<number>(count).fill(amount(service, 'options.times.serviceSeconds'))
      : readSeconds(service, 'options.times.serviceSeconds', count);
  const due: Due[] = [];
  for (const [i, stay] of stays.entries()) {
    if (i > 0) now += drives[i - 1]!;
    due.push({ arrival: now, departure: stay > 0 ? now + stay : null });
    now += stay;
  }
  if (now >= CENTURY_SECONDS) {
    throw inputError('option-value', 'options.times', 'a run of at most 36,525 days', now);
  }
  const minutes =
    deviation === undefined
      ? {}
      : {
          deviation_minutes: readNumber(
            deviation,
            'options.times.deviationMinutes',
            'option-value',
            0,
            CENTURY_SECONDS / 60,
          ),
        };
  return { due, deviation: minutes };
}

function readSeconds(list: unknown, field: string, count: number): number[] {
  return guarded(field, () => {
    if (!isArray(list) || list.length !== count) {
      const received = isArray(list) ? list.length : list;
      throw inputError('option-value', field, `${count} numbers of seconds`, received);
    }
    return Array.from(list, (value, i) => amount(value, `${field}[${i}]`));
  });
}

function amount(value: unknown, field: string): number {
  return readNumber(value, field, 'option-value', 0, CENTURY_SECONDS);
}

/** Further fields of the trip, copied. */
function readFields(fields: unknown): NonNullable<TripFromRouteOptions['trip']> {
  if (fields === undefined) return {};
  if (typeof fields !== 'object' || fields === null || isArray(fields)) {
    throw inputError('option-value', 'options.trip', 'an object of fields', fields);
  }
  return guarded('options.trip', () => ({ ...fields }));
}

function readDates(dates: unknown): string[] {
  return guarded('options.dates', () => {
    if (!isArray(dates) || dates.length === 0) {
      throw inputError('dates-missing', 'options.dates', 'a list of at least one date', dates);
    }
    return Array.from(dates, (date, i) => dayText(readDay(date, `options.dates[${i}]`)));
  });
}
