/** The facts for sentences about a trip, in any language. */

import type { PointReport, TimeStatus, TripReport } from './tripReport.js';

/** A time of a visit beside its plan, on the company's clock. */
export interface TimeFacts {
  /** One time if it was seen, else its two bounds. */
  readonly at: readonly [string] | readonly [string, string];
  readonly planned: string | null;
  readonly status: TimeStatus | null;
  readonly seconds: number | null;
}

/** The facts for a sentence about a point. */
export interface PointFacts
  extends Pick<PointReport, 'name' | 'index' | 'status' | 'outOfOrder' | 'overdueSeconds'> {
  readonly planned: string | null;
  readonly arrival: TimeFacts | null;
  /** When the window opened, if the unit was there then. */
  readonly wasThereAt: string | null;
  readonly departure: TimeFacts | null;
  readonly isThere: boolean;
  readonly predicted: string | null;
  readonly isLateExpected: boolean;
  /** For a point without data: the departure from the served point before it and the arrival at the one after it. */
  readonly unseenBetween: readonly [string, string] | null;
}

/** The facts for the sentence about the trip. */
export interface RunFacts extends Pick<TripReport, 'status' | 'activation' | 'totals'> {
  readonly planned: string | null;
  readonly activatedAt: string | null;
  readonly finishedAt: string | null;
  readonly windowEnd: string;
  readonly points: number;
  readonly violations: number;
  readonly overdue: number;
  readonly lateExpected: number;
}

/** Writes the sentences in one language. */
export interface Speaker {
  point(facts: PointFacts): string;
  trip(facts: RunFacts): string;
}

/** Seconds, minutes, or hours and minutes, rounded down. */
export function amountText(seconds: number, [s, min, h]: readonly [string, string, string]): string {
  const whole = Math.floor(Math.abs(seconds));
  if (whole < 60) return `${whole} ${s}`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} ${min}`;
  return `${Math.floor(minutes / 60)} ${h} ${minutes % 60} ${min}`;
}
