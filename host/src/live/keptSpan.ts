/** Which times of fixes are taken. */

import { type Fix, WayzoneError } from 'wayzone';

/** Times (epoch milliseconds) that are taken. */
export interface KeptSpan {
  readonly from: number;
  readonly to: number;
}

/** A clock may go this far ahead, as in the stream (`maxFutureSeconds`). */
const FUTURE_MS = 300_000;
const DAY_MS = 86_400_000;

/** From the start of the day (UTC) `days` before `now`. */
export function keptSpan(days: number, now: number): KeptSpan {
  return { from: Math.floor((now - days * DAY_MS) / DAY_MS) * DAY_MS, to: now + FUTURE_MS };
}

/** Throws `time-range` for a fix outside of what is kept: it would be stored for nothing. */
export function checkTime({ time }: Fix, { from, to }: KeptSpan): void {
  if (time >= from && time <= to) return;
  const [first, last] = [from, to].map((bound) => new Date(bound).toISOString());
  throw new WayzoneError('time-range', 'time', `expected ${first} to ${last}, received ${time}`);
}
