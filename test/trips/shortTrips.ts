/** Writes trips, visits and reports as short texts. */

import type { Trip } from '../../src/core/trip.js';
import type { Visit } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions, type TripReport, type TripVisits } from '../../src/trips/index.js';
import { due, strictTrip } from './strictTrip.js';

export const DATE = '2026-03-02';
export const MIDNIGHT: number = Date.parse(DATE);
export const UTC: TripOptions = { timeZone: 'UTC' };

/** `HH:mm` or `HH:mm:ss` of the date. */
export const at = (time: string): number => Date.parse(`${DATE}T${time.length === 5 ? `${time}:00` : time}Z`);
export const clock = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString().slice(11, 19).replace(/:00$/, '');

/** Points by the letter of their zone: `A 08:00±5 08:30` is zone A with an arrival and a departure. */
export function trip(points: readonly string[], more: object = {}): Trip {
  return strictTrip(
    DATE,
    points.map((text) => {
      const [zone, arrival, departure] = text.split(' ') as [string, string?, string?];
      const geometry = [[13 + zone.charCodeAt(0) / 100, 52]];
      return {
        name: zone,
        type: { key: 'point' },
        geometry,
        arrival: due(arrival),
        departure: due(departure),
      };
    }),
    more,
  );
}

/** `1 08:00 08:10` is a visit to point 1, `1 08:00` one still open; words at the end set `seen` and `end`. */
export function visits(...lines: readonly string[]): Visit[] {
  return lines.map((line) => {
    const [zoneId, ...rest] = line.split(' ') as [string, ...string[]];
    const [enter, exit = null] = rest.filter((word) => word.includes(':')).map(at) as [number, number?];
    return {
      zoneId,
      seen: rest.includes('crossed') ? 'crossed' : 'inside',
      end: exit === null ? 'open' : rest.includes('gap') ? 'gap' : 'left',
      enter,
      exit,
      enterBounds: [enter, enter],
      exitBounds: exit === null ? null : [exit, rest.includes('gap') ? exit + 7_200_000 : exit],
      fixCount: 1,
    };
  });
}

export function evaluate(
  given: Trip,
  source: TripVisits | Visit[],
  options: Partial<TripOptions> = {},
  date: string = DATE,
): TripReport {
  return evaluateTrip(given, date, Array.isArray(source) ? { visits: source } : source, {
    ...UTC,
    ...options,
  });
}

/** Each point as `status arrival departure`. */
export const points = (report: TripReport): string[] =>
  report.points.map(({ status, arrival, departure }) => [status, clock(arrival), clock(departure)].join(' '));
export const violations = (report: TripReport): string[] =>
  report.violations.map(({ type, pointIndex, which, seconds }) =>
    [type, pointIndex, which, seconds].filter((part) => part !== null).join(' '),
  );
export const events = (report: TripReport): string[] =>
  report.events.map(({ type, time, pointIndex }) => [clock(time), type, pointIndex].join(' ').trim());
