/** The choice of one day of the report, or of its whole period. */

import { DAY_MS, HOUR_MS } from '../../core/durations.js';
import { element } from './dom.js';
import { fill } from './formats.js';
import type { Page } from './page.js';

/** Shortest period, milliseconds, that can be shown day by day. */
const ONE_DAY_MS = 26 * HOUR_MS;
const MAX_DAYS = 400;

export interface DayChoice {
  readonly select: HTMLSelectElement;
  /** Whether the report has days to choose from. */
  readonly isUseful: boolean;
  /** The chosen period, epoch milliseconds. */
  readonly period: () => [from: number, to: number];
  /** Chooses the day that contains `time`. */
  readonly choose: (time: number) => void;
}

export function dayChoice(page: Page): DayChoice {
  const { words, clock } = page;
  const { from, to } = page.data.summary.time;
  const [first, last] = from === null || to === null ? [0, 0] : [Date.parse(from), Date.parse(to)];
  const days = first === last || last - first <= ONE_DAY_MS ? [] : daysOf(page, first, last);
  const select = element(
    'select',
    {},
    element('option', { value: '', textContent: words.wholePeriod }),
    ...days.map((day, i) =>
      element('option', { value: String(i), textContent: clock.text(day).slice(0, 10) }),
    ),
  );
  select.setAttribute('aria-label', fill(words.dayIn, { zone: clock.name }));
  const isUseful = days.length > 1;
  return {
    select,
    isUseful,
    period() {
      const day = select.value === '' ? undefined : days[Number(select.value)];
      if (day === undefined)
        return [hourOf(clock, first, Math.floor), hourOf(clock, last + 60_000, Math.ceil)];
      return [day, clock.instant(clock.wall(day) + DAY_MS)];
    },
    choose(time) {
      const day = days.findLastIndex((start) => start <= time);
      if (isUseful && day >= 0) select.value = String(day);
    },
  };
}

/** The full hour of the wall clock before or after `time`. */
function hourOf(clock: Page['clock'], time: number, round: (hours: number) => number): number {
  return clock.instant(round(clock.wall(time) / HOUR_MS) * HOUR_MS);
}

/** Starts of the days on the wall clock. */
function daysOf({ clock }: Page, first: number, last: number): number[] {
  const days: number[] = [];
  const start = Math.floor(clock.wall(first) / DAY_MS) * DAY_MS;
  for (let wall = start; days.length < MAX_DAYS; wall += DAY_MS) {
    const day = clock.instant(wall);
    if (day > last) break;
    days.push(day);
  }
  return days;
}
