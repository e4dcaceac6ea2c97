/** Prepared opening hours: made by `wayzone/hours`, used by the trackers. */

import { inputError } from './errors.js';
import { guarded } from './input.js';

/** A span `[from, to)` of whole epoch milliseconds. */
export interface Span {
  /** Start, epoch milliseconds. */
  readonly from: number;
  /** End, epoch milliseconds. */
  readonly to: number;
}

/** Prepared opening hours. */
export interface ZoneHours {
  /** Whether the zone is open at an instant (epoch ms). */
  isOpen(time: number): boolean;
  /** The first instant after `time` at which `isOpen` changes, epoch milliseconds; `null` if it never changes again. */
  nextChange(time: number): number | null;
  /** The open spans within `[from, to)`: ascending, disjoint, not touching. */
  spans(from: number, to: number): Span[];
}

/** Returns the hours of a zone by its id; `null` or `undefined`: always open. */
export type HoursOf = (zoneId: string) => ZoneHours | null | undefined;

/** The result of `hoursOf` for a zone. Error: `hours-invalid` if it was not made by `prepareHours`. */
export function askHours(hoursOf: HoursOf, zoneId: string): ZoneHours | null {
  const hours = hoursOf(zoneId);
  if (hours === null || hours === undefined) return null;
  const isPrepared = guarded(
    'hoursOf',
    () => typeof hours.isOpen === 'function' && typeof hours.nextChange === 'function',
  );
  if (!isPrepared) throw inputError('hours-invalid', 'hoursOf', 'hours of prepareHours, or null', hours);
  return hours;
}

/** The instants between `after` and `before`, both exclusive, at which hours change. */
export function* changesBetween(hours: ZoneHours | null, after: number, before: number): Generator<number> {
  let change = hours === null ? null : hours.nextChange(after);
  while (change !== null && change < before) {
    yield change;
    change = hours!.nextChange(change);
  }
}
