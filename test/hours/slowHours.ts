/** Opening hours by Temporal alone, from every date of the span that is asked about. Written from FEATURES.md. */

import { Temporal } from 'temporal-polyfill';
import type { Hours, YearHolidays } from '../../src/hours/index.js';

function instant(date: Temporal.PlainDate, text: string, timeZone: string): number {
  const [hours, minutes] = text.split(':').map(Number) as [number, number];
  const days = Math.floor(hours / 24);
  const time = Temporal.PlainTime.from({ hour: hours % 24, minute: minutes });
  return date.add({ days }).toPlainDateTime(time).toZonedDateTime(timeZone, { disambiguation: 'compatible' })
    .epochMilliseconds;
}

function rangesOf(date: Temporal.PlainDate, hours: Hours, holidays: readonly YearHolidays[]) {
  const text = date.toString();
  if (hours.validFrom !== undefined && text < hours.validFrom) return [];
  if (hours.validTo !== undefined && text > hours.validTo) return [];
  const own = hours.dates?.find((entry) => entry.date === text);
  if (own !== undefined) return own.hours;
  const day = `${text.slice(5, 7)}.${text.slice(8)}`;
  const isHoliday = holidays.some(({ year, days }) => year === date.year && days.includes(day));
  if (isHoliday && hours.holidayHours !== undefined) return hours.holidayHours;
  if (hours.weekly === undefined) return [{ from: '00:00', to: '24:00' }];
  return hours.weekly.filter(({ days }) => days.includes(date.dayOfWeek));
}

/** The open spans between two instants. */
export function slowSpans(
  hours: Hours,
  timeZone: string,
  holidays: readonly YearHolidays[],
  from: number,
  to: number,
): [number, number][] {
  const dateOf = (time: number): Temporal.PlainDate =>
    Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).toPlainDate();
  const open: [number, number][] = [];
  const last = dateOf(to).add({ days: 3 });
  for (let date = dateOf(from).subtract({ days: 3 }); Temporal.PlainDate.compare(date, last) <= 0; ) {
    for (const range of rangesOf(date, hours, holidays)) {
      const nextDay = range.to <= range.from;
      const [h, m] = range.to.split(':');
      const end = nextDay ? `${Number(h) + 24}:${m}` : range.to;
      let until = instant(date, end, timeZone);
      if (hours.validTo !== undefined) {
        until = Math.min(until, instant(Temporal.PlainDate.from(hours.validTo), '24:00', timeZone));
      }
      const begin = instant(date, range.from, timeZone);
      if (begin < until) open.push([begin, until]);
    }
    date = date.add({ days: 1 });
  }
  // One instant at a time that matters: the union by counting.
  const cuts = [...new Set(open.flat())].sort((a, b) => a - b);
  const spans: [number, number][] = [];
  for (let i = 0; i + 1 < cuts.length; i++) {
    const [a, b] = [cuts[i]!, cuts[i + 1]!];
    if (!open.some(([begin, end]) => begin <= a && b <= end)) continue;
    const [start, end] = [Math.max(a, from), Math.min(b, to)];
    if (start >= end) continue;
    if (spans.at(-1)?.[1] === start) spans.at(-1)![1] = end;
    else spans.push([start, end]);
  }
  return spans;
}
