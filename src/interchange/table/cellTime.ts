/** Reads time and position from the cells of a row, in the forms found for the table. */

import { DAY_MS } from '../../core/durations.js';
import {
  hemisphere,
  letterOrder,
  type PositionForm,
  pairTexts,
  positionDegrees,
  wktPoint,
} from './positionForm.js';
import type { TableRole } from './tableDescription.js';
import { tableNumber } from './tableNumber.js';
import { dotNetTime, type NumberTime, numberTime } from './timeJudge.js';
import { clockParts, dayOf, dayParts, timeParts } from './timeParts.js';
import type { MonthNames } from './unitWords.js';

/** Column numbers from 0, by role. */
export type RoleColumns = Readonly<Partial<Record<TableRole, number>>>;

export interface TimeForm {
  readonly order: 'dmy' | 'mdy' | 'ymd' | null;
  /** Form of times that are numbers; null if numbers are not times. */
  readonly numbers: NumberTime | null;
  readonly months: MonthNames;
  /** Origin of numbers of seconds, epoch milliseconds. Default 0. */
  readonly zero?: number;
  /** Day of times without a date, epoch milliseconds; null if unknown. */
  readonly day: number | null;
}

/** Time of a row: an instant, or a wall time in the zone of the table. */
export interface CellTime {
  readonly time: number;
  readonly isLocal: boolean;
}

const SERIAL_ZERO = Date.UTC(1899, 11, 30);
const FACTORS: Readonly<Record<Exclude<NumberTime, 'days'>, number>> = {
  seconds: 1000,
  milliseconds: 1,
  microseconds: 0.001,
  nanoseconds: 0.000_001,
};

const YEAR_1 = Date.parse('0001-01-01T00:00:00Z');
const YEAR_10000 = Date.parse('9999-12-31T24:00:00Z');

/** The time of a row; null if its cells are not a time of the years 1 to 9999. */
export function cellTime(
  cells: readonly string[],
  at: RoleColumns,
  form: TimeForm,
  decimal: '.' | ',',
): CellTime | null {
  const found = anyTime(cells, at, form, decimal);
  return found !== null && found.time >= YEAR_1 && found.time < YEAR_10000 ? found : null;
}

function anyTime(
  cells: readonly string[],
  at: RoleColumns,
  form: TimeForm,
  decimal: '.' | ',',
): CellTime | null {
  if (at.time !== undefined) return stampOf(cells[at.time] ?? '', form, decimal);
  if (at.clock === undefined) return null;
  const clock = clockOf(cells[at.clock] ?? '', form, decimal);
  if (clock === null) return null;
  const day = at.date === undefined ? form.day : dateOf(cells[at.date] ?? '', form, decimal);
  if (day === null) return null;
  const wall = day + clock.ms;
  return clock.offset === null
    ? { time: wall, isLocal: true }
    : { time: wall - clock.offset * 60_000, isLocal: false };
}

function stampOf(text: string, form: TimeForm, decimal: '.' | ','): CellTime | null {
  if (form.numbers !== null) {
    const value = tableNumber(dotNetTime(text) ?? text, decimal);
    if (value !== null && !/^\d{8}$/.test(text.trim())) {
      // A number for other years is an error of the tracker, unless the caller named the form.
      if (numberTime(value) !== form.numbers) return null;
      if (form.numbers === 'days') return { time: SERIAL_ZERO + serialMs(value, text), isLocal: true };
      return { time: Math.floor(value * FACTORS[form.numbers]) + (form.zero ?? 0), isLocal: false };
    }
  }
  const parts = timeParts(text, form.months);
  if (parts === null) return null;
  const { date, clock, offset } = parts;
  const day = date === null ? form.day : dayOf(date, form.order);
  if (day === null || clock === null) return null;
  const wall = day + clock;
  return offset === null ? { time: wall, isLocal: true } : { time: wall - offset * 60_000, isLocal: false };
}

/**
 * Milliseconds of a serial day number. Days of up to seven decimals are within 5 ms, so a time next to a whole second is that second, which
 * matters at clock changes.
 */
function serialMs(value: number, text: string): number {
  const ms = Math.round(value * DAY_MS);
  const decimals = /[.,](\d+)\s*$/.exec(text)?.[1]?.length ?? 0;
  const second = Math.round(ms / 1000) * 1000;
  return decimals <= 7 && Math.abs(ms - second) <= 5 ? second : ms;
}

function clockOf(
  text: string,
  form: TimeForm,
  decimal: '.' | ',',
): { readonly ms: number; readonly offset: number | null } | null {
  const parts = clockParts(text, form.months);
  if (parts !== null && parts.clock !== null) return { ms: parts.clock, offset: parts.offset };
  const value = tableNumber(text, decimal);
  return value !== null && value >= 0 && value < 1 ? { ms: Math.round(value * DAY_MS), offset: null } : null;
}

function dateOf(text: string, form: TimeForm, decimal: '.' | ','): number | null {
  const day = dayParts(text, form.months);
  if (day !== null) return dayOf(day, form.order);
  const value = tableNumber(text, decimal);
  return value !== null && Number.isInteger(value) && numberTime(value) === 'days'
    ? SERIAL_ZERO + value * DAY_MS
    : null;
}

export interface PlaceForm {
  readonly form: PositionForm | 'wkt';
  /** Order of pairs in one cell. */
  readonly axisOrder: 'latlon' | 'lonlat';
}

/** Position `[x, y]` of a row; null if its cells do not contain one. */
export function cellPlace(
  cells: readonly string[],
  at: RoleColumns,
  { form, axisOrder }: PlaceForm,
  decimal: '.' | ',',
): readonly [number, number] | null {
  const own = at.position ?? (form === 'wkt' ? at.wkt : undefined);
  if (own !== undefined) {
    const text = cells[own] ?? '';
    if (form === 'wkt') {
      const point = wktPoint(text);
      return point === null || axisOrder === 'lonlat' ? point : [point[1], point[0]];
    }
    const halves = pairTexts(text);
    if (halves === null) return null;
    const [a, b] = halves.map((half) => positionDegrees(half, form, decimal));
    if (a === null || b === null || a === undefined || b === undefined) return null;
    const order = letterOrder(...halves) ?? axisOrder;
    if (order === 'neither') return null;
    return order === 'latlon' ? [b, a] : [a, b];
  }
  const lat = degrees(cells, at.lat, at.latHemisphere, form, decimal);
  const lon = degrees(cells, at.lon, at.lonHemisphere, form, decimal);
  if (
    form === 'dms' &&
    !['latlon', null].includes(letterOrder(cells[at.lat ?? -1] ?? '', cells[at.lon ?? -1] ?? ''))
  )
    return null;
  return lat === null || lon === null ? null : [lon, lat];
}

function degrees(
  cells: readonly string[],
  column: number | undefined,
  side: number | undefined,
  form: PositionForm | 'wkt',
  decimal: '.' | ',',
): number | null {
  if (column === undefined || form === 'wkt') return null;
  const value = positionDegrees(cells[column] ?? '', form, decimal);
  if (value === null || side === undefined) return value;
  const sign = hemisphere(cells[side] ?? '');
  if (sign === null || (sign < 0 && value < 0)) return null;
  return sign * value;
}
