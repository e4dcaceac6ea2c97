/** The facts for sentences about a trip, in any language. */

import { POINT_STATUSES, type PointStatus, type SpokenStatus } from '../../core/pointStatus.js';
import type { PointReport, TimeStatus, TripHole, TripReport } from '../terms/tripReport.js';

/** A time of a visit beside its plan, on the company's clock. */
export interface TimeFacts {
  /** One time if it was seen, else its two bounds. */
  readonly at: readonly [string] | readonly [string, string];
  readonly planned: string | null;
  readonly status: TimeStatus | null;
  readonly seconds: number | null;
  /** Whether the unit was not seen between the bounds. */
  readonly isUnseen: boolean;
}

/** A period in which the unit was not seen, on the company's clock. */
export interface HoleFacts {
  readonly from: string;
  readonly to: string;
  readonly reason: TripHole['reason'];
}

/** The facts for a sentence about a point. */
export interface PointFacts
  extends Pick<PointReport, 'name' | 'index' | 'status' | 'outOfOrder' | 'overdueSeconds'> {
  readonly planned: string | null;
  readonly arrival: TimeFacts | null;
  /** When the window opened, if the unit was there then. */
  readonly wasThereAt: string | null;
  /** How long before its planned arrival the unit that was there then had left, seconds. */
  readonly leftEarly: number | null;
  /** The planned departure, if the unit is still there after it and its tolerance. */
  readonly lateFor: string | null;
  readonly plannedArrival: string | null;
  /** Whether the trip was not started, so that no visit counts. */
  readonly isNotStarted: boolean;
  readonly departure: TimeFacts | null;
  readonly isThere: boolean;
  /** The other points that the unit served in the same stop. */
  readonly oneStopWith: readonly Pick<PointReport, 'name' | 'index'>[];
  /** Whether it was not left but handed over to another unit there. */
  readonly isHandedOver: boolean;
  readonly predicted: string | null;
  readonly isLateExpected: boolean;
  /** For a point without data: the holes in which it could have been visited. */
  readonly unseen: readonly HoleFacts[];
}

/** The facts for the sentence about the trip. */
export interface RunFacts extends Pick<TripReport, 'status' | 'activation' | 'totals'> {
  readonly planned: string | null;
  readonly activatedAt: string | null;
  readonly finishedAt: string | null;
  readonly windowEnd: string;
  /** For a run without data: its holes. */
  readonly unseen: readonly HoleFacts[];
  readonly points: number;
  readonly violations: number;
  readonly overdue: number;
  readonly lateExpected: number;
  readonly handOvers: readonly HandOverFacts[];
}

/** Another unit took over, on the company's clock. */
export interface HandOverFacts {
  readonly at: string;
  readonly from: string | null;
  readonly to: string;
}

/** Writes the sentences in one language. */
export interface Speaker {
  /** A day of another date than the run's; two digits each. */
  readonly day: (month: string, day: string) => string;
  point(facts: PointFacts): string;
  trip(facts: RunFacts): string;
}

/** The parts of the sentences in the rows of `POINT_STATUSES`. */
export type SentenceParts = Readonly<Record<'name' | 'planned' | 'turn', string>>;

/** The sentence of the status in its row, or the status if its row has none. */
export function rowSentence(
  status: PointStatus,
  language: 'en' | 'ru',
  parts: SentenceParts,
): { readonly text: string } | { readonly text: null; readonly status: SpokenStatus } {
  const { sentence } = POINT_STATUSES[status];
  if (sentence === null) return { text: null, status: status as SpokenStatus };
  const fill = (_: string, part: keyof SentenceParts): string => parts[part];
  return { text: sentence[language].replace(/\{(name|planned|turn)\}/g, fill) };
}

/** Seconds, minutes, or hours and minutes, rounded down. */
export function amountText(seconds: number, [s, min, h]: readonly [string, string, string]): string {
  const whole = Math.floor(Math.abs(seconds));
  if (whole < 60) return `${whole} ${s}`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} ${min}`;
  const hours = `${Math.floor(minutes / 60)} ${h}`;
  return minutes % 60 === 0 ? hours : `${hours} ${minutes % 60} ${min}`;
}

/** The first holes as a list, and how many more there are. */
export function holesText(
  holes: readonly HoleFacts[],
  one: (hole: HoleFacts) => string,
  more: (count: number) => string,
): string {
  const shown = holes.slice(0, MAX_HOLES).map(one);
  return [...shown, ...(holes.length > MAX_HOLES ? [more(holes.length - MAX_HOLES)] : [])].join(', ');
}

const MAX_HOLES = 3;
