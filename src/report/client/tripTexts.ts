/** Times and statuses of a trip as texts. */

import { type Mood, POINT_STATUSES } from '../../core/pointStatus.js';
import type { PageTrip } from '../pageTrip.js';
import type { ReportWords } from '../reportWordsEnglish.js';
import { clockOf } from './clock.js';
import { element } from './dom.js';
import { fill } from './formats.js';
import { wordOf } from './page.js';

/** Moods of the statuses of runs, times and activations. */
const OTHER_MOODS: Readonly<Record<string, Mood>> = {
  cancelled: 'none',
  scheduled: 'wait',
  active: 'now',
  finished: 'ok',
  finished_with_violations: 'warn',
  aborted: 'bad',
  not_started: 'bad',
  on_time: 'ok',
  early: 'warn',
  late: 'bad',
  out_of_order: 'warn',
  uncertain: 'none',
  assumed: 'none',
};

/** The mood of a status of a point, a run, a time or an activation. */
export function moodOf(status: string): Mood {
  const rows: Readonly<Record<string, { readonly mood: Mood }>> = POINT_STATUSES;
  return rows[status]?.mood ?? OTHER_MOODS[status] ?? 'none';
}

export function chip(words: ReportWords, status: string, more = ''): HTMLElement {
  const text = wordOf(words, status);
  return colouredChip(moodOf(status), more === '' ? text : `${text} ${more}`);
}

export function colouredChip(mood: string, textContent: string): HTMLElement {
  return element('span', { className: `chip ${mood}`, textContent });
}

/** `HH:mm` on the wall clock of the trip's zone, with the day if it is not the trip's date. */
export function wallText(trip: Pick<PageTrip, 'timeZone' | 'date'>, time: number | null): string {
  const text = clockOf(trip.timeZone).text(time).slice(0, 16);
  return text.slice(0, 10) === trip.date ? text.slice(11) : text.slice(5);
}

/** An observed time, or its two bounds. */
export function seenText(
  words: ReportWords,
  trip: Pick<PageTrip, 'timeZone' | 'date'>,
  time: number,
  bounds: readonly [number, number] | null,
): string {
  if (bounds === null) return wallText(trip, time);
  return fill(words.notSeen, { from: wallText(trip, bounds[0]), to: wallText(trip, bounds[1]) });
}

/** The deviation from the plan with its sign, in suitable units. */
export function offPlan(words: ReportWords, seconds: number): string {
  const sign = seconds < 0 ? '−' : '+';
  return sign + amount(words, Math.abs(seconds));
}

/** A duration in seconds, minutes, or hours and minutes. */
export function amount(words: ReportWords, seconds: number): string {
  if (seconds < 60) return fill(words.inSeconds, { seconds: Math.round(seconds) });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return fill(words.inMinutes, { minutes });
  return fill(words.inHours, { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
