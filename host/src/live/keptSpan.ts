/** Limits the times of fixes that the host accepts. */

import { type Fix, WayzoneError } from 'wayzone';
import { DAY_MS } from '../durations.js';

/** The first and the last accepted time, epoch milliseconds. */
export interface KeptSpan {
  readonly from: number;
  readonly to: number;
}

/** How far a device's clock may be ahead: the default of `maxFutureSeconds` in the stream. */
const FUTURE_MS = 300_000;

/** The span from the start of the day (UTC) `days` days before `now`, to `FUTURE_MS` after `now`. */
export function keptSpan(days: number, now: number): KeptSpan {
  return { from: Math.floor((now - days * DAY_MS) / DAY_MS) * DAY_MS, to: now + FUTURE_MS };
}

/** Throws `time-range` for a fix outside the span, whose row the retention would delete. */
export function checkTime({ time }: Fix, { from, to }: KeptSpan): void {
  if (time >= from && time <= to) return;
  const [first, last] = [from, to].map((bound) => new Date(bound).toISOString());
  throw new WayzoneError('time-range', 'time', `expected ${first} to ${last}, received ${time}`);
}
