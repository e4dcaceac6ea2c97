/** The plan of a day: the map, the clock, the trip and its options. */

import { Temporal } from 'temporal-polyfill';
import type { Position } from '../../../src/core/geometry.js';
import type { Trip } from '../../../src/core/trip.js';
import type { SlowOptions } from '../oracle/slowModel.js';
import { strictTrip } from '../strictTrip.js';
import { readMap } from './readDays.js';

const [LON, LAT] = [37.6, 55.75];
const METERS_PER_DEGREE = 111_320;
const EAST = METERS_PER_DEGREE * Math.cos((LAT * Math.PI) / 180);

interface Place {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}
const MAP: ReadonlyMap<string, Place> = new Map(
  readMap().map((line) => {
    const [name, x, y, radius] = line.split(' ');
    return [name!, { x: Number(x), y: Number(y), radius: Number(radius) }];
  }),
);

/** `Alpha`, `Alpha-200`, `Alpha+0,300`: metres on the map. */
export function spotOf(text: string): Place {
  const found = /^([A-Z][a-z]+)([+-]\d+)?(?:,([+-]?\d+))?$/.exec(text);
  const place = MAP.get(found?.[1] ?? '');
  if (!found || !place) throw new Error(`no place ${text}`);
  return { ...place, x: place.x + Number(found[2] ?? 0), y: place.y + Number(found[3] ?? 0) };
}
export const positionOf = ({ x, y }: { x: number; y: number }): Position => [
  Number((LON + x / EAST).toFixed(7)),
  Number((LAT + y / METERS_PER_DEGREE).toFixed(7)),
];

/** A local time: `08:00`, `08:00:30`, `+1 00:30`, `01:30*` for the second of two. */
export type Clock = (text: string) => number;

export interface Plan {
  readonly trip: Trip;
  readonly date: string;
  readonly options: SlowOptions;
  readonly clock: Clock;
}

export function readPlan(lines: readonly string[]): Plan {
  const [head, ...rest] = lines;
  const words = head!.split(/[ ,]+/);
  const date = words.find((word) => /^\d{4}-/.test(word)) ?? '2026-03-02';
  const timeZone = words.find((word) => word.includes('/')) ?? 'UTC';
  const dates = words.includes('dates') ? words.slice(words.indexOf('dates') + 1) : [date];
  const optionLine = rest.find((line) => line.startsWith('options:'))?.slice('options:'.length) ?? '';
  const given = optionLine
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [name, value] = part.trim().split(' ');
      const number = Number(value);
      return [
        name,
        value === 'true' ? true : value === 'false' ? false : Number.isNaN(number) ? value : number,
      ];
    });
  const points = rest.filter((line) => !line.startsWith('options:')).map(readPoint);
  const activation = words.find((word) => word.endsWith('_first_point'));
  const trip = strictTrip(date, points, {
    dates,
    activation_type: activation ? { key: activation } : null,
    passage_order_type: { key: words[0] },
  });
  const options = { timeZone, ...Object.fromEntries(given) } as SlowOptions;
  return { trip, date, options, clock: clockOf(date, timeZone) };
}

function readPoint(line: string): object {
  const found = /^(\w+)(?: = (\w+))?(?: ([^/]+))?(?:\/ (.+))?$/.exec(line);
  if (!found) throw new Error(`no point: ${line}`);
  const [, name, place, arrival, departure] = found;
  const spot = spotOf(place ?? name!);
  return {
    name,
    type: { key: 'circle' },
    geometry: [positionOf(spot)],
    width: spot.radius,
    arrival: readTime(arrival?.trim()),
    departure: readTime(departure?.trim()),
  };
}

function readTime(text: string | undefined): object | null {
  if (text === undefined || text === '' || text === '-') return null;
  const found = /^(?:\+(\d) )?(\d\d:\d\d)(?:±(\d+))?$/.exec(text);
  if (!found) throw new Error(`no planned time: ${text}`);
  return {
    time: found[2],
    ...(found[1] ? { after_days: Number(found[1]) } : {}),
    ...(found[3] ? { deviation_minutes: Number(found[3]) } : {}),
  };
}

function clockOf(date: string, timeZone: string): Clock {
  return (text) => {
    const found = /^(?:\+(\d) ?)?(\d\d:\d\d(?::\d\d)?)(\*)?$/.exec(text);
    if (!found) throw new Error(`no time: ${text}`);
    return Temporal.PlainDate.from(date)
      .add({ days: Number(found[1] ?? 0) })
      .toPlainDateTime(Temporal.PlainTime.from(found[2]!))
      .toZonedDateTime(timeZone, { disambiguation: found[3] ? 'later' : 'earlier' }).epochMilliseconds;
  };
}
