/** Prepared opening hours, which `wayzone/hours` makes and trackers ask. */

import { inputError } from './errors.js';
import { guarded } from './input.js';

/** A span `[from, to)` of whole epoch milliseconds. */
export interface Span {
  /** Epoch milliseconds. */
  readonly from: number;
  /** Epoch milliseconds. */
  readonly to: number;
}

/** Prepared opening hours. */
export interface ZoneHours {
  /** Whether the zone is open at an instant (epoch ms). */
  isOpen(time: number): boolean;
  /** The first instant after `time` at which `isOpen` changes; `null` if it never changes again. */
  nextChange(time: number): number | null;
  /** The open spans within `[from, to)`: ascending, disjoint, not touching. */
  spans(from: number, to: number): Span[];
}

/** The hours of a zone by its id. `null` or nothing: always open. */
export type HoursOf = (zoneId: string) => ZoneHours | null | undefined;

/** The answer of `hoursOf` for a zone; `hours-invalid` if it does not come from `prepareHours`. */
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

/** The instants after `after` and before `before` at which hours change. */
export function* changesBetween(hours: ZoneHours | null, after: number, before: number): Generator<number> {
  let change = hours === null ? null : hours.nextChange(after);
  while (change !== null && change < before) {
    yield change;
    change = hours!.nextChange(change);
  }
}
