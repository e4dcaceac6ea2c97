/** Amounts and times as texts: numbers, durations, the page's units, the wall clock of a time zone, and ticks of an axis. */

import { MEASURE_SYSTEMS, type MeasureSystem } from '../../measureSystem.js';
import type { ReportWords } from '../../reportWordsEnglish.js';

/** Milliseconds between two possible changes of an offset: offsets change only at whole quarters of an hour. */
const QUARTER = 900_000;
/** Steps of time axes, milliseconds. */
const MINUTE_STEPS: readonly number[] = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080].map(
  (minutes) => minutes * 60_000,
);

/** `hours:minutes:seconds`; empty for null. */
export function duration(ms: number | null): string {
  if (ms === null) return '';
  const seconds = Math.round(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Formats numbers in the page's language, with exactly `digits` decimals; empty for null. */
export function numberFormat(language: string): (value: number | null, digits: number) => string {
  const formats = new Map<number, Intl.NumberFormat>();
  return (value, digits) => {
    if (value === null) return '';
    let format = formats.get(digits);
    if (format === undefined) {
      format = new Intl.NumberFormat(language, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      formats.set(digits, format);
    }
    return format.format(value);
  };
}

/** Compares two values for sorting. Absent values come last in both directions. */
export function compare(a: Sortable, b: Sortable, isDown: boolean): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  const order = a < b ? -1 : a > b ? 1 : 0;
  return isDown ? -order : order;
}

export type Sortable = string | number | null;

/** `template` with each `{key}` replaced by its value. */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}

/** About `count` round steps between two values. */
export function ticks(from: number, to: number, count: number, steps: readonly number[]): number[] {
  const step = steps.find((value) => (to - from) / value <= count) ?? steps.at(-1)!;
  const list: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) list.push(at);
  return list;
}

export interface Clock {
  /** Time zone of the clock: UTC if the browser does not know the requested one. */
  readonly name: string;
  /** The time as `yyyy-MM-dd HH:mm:ss`; empty for null. */
  readonly text: (time: number | null) => string;
  /** The time on the wall clock, milliseconds as if it were UTC. */
  readonly wall: (time: number) => number;
  /** The epoch time, milliseconds, at which the wall clock shows `wall`. */
  readonly instant: (wall: number) => number;
}

const clocks = new Map<string, Clock>();

export function clockOf(timeZone: string): Clock {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const clock = timeZone === 'UTC' ? clockAt('UTC', () => 0) : zoneClock(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

function zoneClock(timeZone: string): Clock {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return clockOf('UTC');
  }
  const offsets = new Map<number, number>();
  return clockAt(timeZone, (time) => {
    const start = Math.floor(time / QUARTER) * QUARTER;
    let offset = offsets.get(start);
    if (offset === undefined) {
      const parts = new Map(format.formatToParts(start).map(({ type, value }) => [type, Number(value)]));
      const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
      offset =
        Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) -
        start;
      offsets.set(start, offset);
    }
    return offset;
  });
}

function clockAt(name: string, offsetAt: (time: number) => number): Clock {
  const wall = (time: number): number => time + offsetAt(time);
  return {
    name,
    wall,
    text: (time) => (time === null ? '' : new Date(wall(time)).toISOString().slice(0, 19).replace('T', ' ')),
    instant: (shown) => shown - offsetAt(shown - offsetAt(shown)),
  };
}

export const METER_STEPS: readonly number[] = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].flatMap((power) =>
  [1, 2, 5].map((value) => value * power),
);

/** Round clock times between `from` and `to`, at least `pixels` apart on an axis `width` pixels wide. There is always room for two. */
export function timeTicks(
  clock: Clock,
  [from, to]: readonly [number, number],
  width: number,
  pixels: number,
): number[] {
  const count = Math.max(2, Math.floor(width / pixels));
  return ticks(clock.wall(from), clock.wall(to), count, MINUTE_STEPS).map(clock.instant);
}

type Convert = <T extends number | null>(value: T) => T;

export interface Measures {
  readonly system: MeasureSystem;
  /** Metres to kilometres or miles. */
  readonly way: Convert;
  /** km/h to km/h or mph. */
  readonly speed: Convert;
  /** Metres to metres or feet. */
  readonly length: Convert;
  /** Square metres to square metres or square feet. */
  readonly area: Convert;
}

export function createMeasures(system: MeasureSystem): Measures {
  const { wayMeters, lengthMeters } = MEASURE_SYSTEMS[system];
  const by =
    (divisor: number): Convert =>
    (value) =>
      (value === null ? null : value / divisor) as typeof value;
  return {
    system,
    way: by(wayMeters),
    speed: by(wayMeters / 1000),
    length: by(lengthMeters),
    area: by(lengthMeters ** 2),
  };
}

/** The page's word for a status or kind. */
export function wordOf(words: ReportWords, status: string): string {
  return words.statuses[status] ?? status.replaceAll('_', ' ');
}
