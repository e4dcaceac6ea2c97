/** Cuts spans at local midnights. */

import { DAY_MS } from '../../core/durations.js';
import type { LocalClock } from '../../core/localClock.js';

export interface PeriodPart {
  /** `yyyy-MM-dd` or `yyyy-MM`; null for all time. */
  readonly period: string | null;
  readonly from: number;
  readonly to: number;
}

/** The parts of a span by local day or month, in order. A span without a duration has one part. */
export function periodsOf(
  from: number,
  to: number,
  by: 'all' | 'day' | 'month',
  clock: LocalClock,
): PeriodPart[] {
  if (by === 'all') return [{ period: null, from, to }];
  const parts: PeriodPart[] = [];
  let start = from;
  do {
    const { wall, next } = periodAt(start, by, clock);
    const end = Math.min(to, next);
    parts.push({ period: nameOf(wall, by), from: start, to: end });
    start = end;
  } while (start < to);
  return parts;
}

/** A wall time of the period at an instant, and when the next period begins. */
function periodAt(time: number, by: 'day' | 'month', clock: LocalClock): { wall: number; next: number } {
  const wall = clock.wallTimeOf(time);
  const border = followingBorder(wall, by);
  const next = clock.epochOf(border);
  if (next > time) return { wall, next };
  // Clocks that are set back over midnight show the day before again. That time belongs to the day that has begun.
  return { wall: border, next: clock.epochOf(followingBorder(border, by)) };
}

/** The wall time at which the period after that of `wall` begins. */
function followingBorder(wall: number, by: 'day' | 'month'): number {
  if (by === 'day') return Math.floor(wall / DAY_MS) * DAY_MS + DAY_MS;
  const date = new Date(wall);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

function nameOf(wall: number, by: 'day' | 'month'): string {
  const date = new Date(wall);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const month = String(date.getUTCMonth() + 1).padStart(2, '0');
  if (by === 'month') return `${year}-${month}`;
  return `${year}-${month}-${String(date.getUTCDate()).padStart(2, '0')}`;
}
