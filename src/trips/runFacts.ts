/** What sentences about a trip are made of, whatever their language. */

import type { PointReport, TimeStatus, TripReport } from './tripReport.js';

/** A time of a visit beside its plan, on the company's clock. */
export interface TimeFacts {
  /** One time where it was seen, else the two between which it was. */
  readonly at: readonly [string] | readonly [string, string];
  readonly planned: string | null;
  readonly status: TimeStatus | null;
  readonly seconds: number | null;
}

/** What a sentence about a point is made of. */
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
  /** Of a point without data: between what was seen before and after it. */
  readonly unseenBetween: readonly [string, string] | null;
}

/** What the sentence about the trip is made of. */
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

/** A language. */
export interface Speaker {
  point(facts: PointFacts): string;
  trip(facts: RunFacts): string;
}

/** Seconds, minutes, or hours and minutes, cut off. */
export function amountText(seconds: number, [s, min, h]: readonly [string, string, string]): string {
  const whole = Math.floor(Math.abs(seconds));
  if (whole < 60) return `${whole} ${s}`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} ${min}`;
  return `${Math.floor(minutes / 60)} ${h} ${minutes % 60} ${min}`;
}
