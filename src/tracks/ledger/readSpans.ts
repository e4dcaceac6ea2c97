/** Reads the visits and spans that a caller passes, and its meter. */

import { inputError, isArray, type WayzoneError } from '../../core/errors.js';
import { guarded, MAX_TIME, unreadable } from '../../core/input.js';
import type { TrackMeter } from '../meter/trackMeter.js';
import type { Visit } from '../visit.js';

/** A span and its zone. */
export interface ZoneSpan {
  /** Id of the zone; null outside all zones. */
  readonly zoneId: string | null;
  /** Epoch milliseconds. */
  readonly from: number;
  /** Epoch milliseconds; the span is `[from, to)`. */
  readonly to: number;
}

/** The fields of a visit that a measurement needs. `exit` is null while the visit is open. */
export type StayLike = Pick<Visit, 'zoneId' | 'enter' | 'exit'>;

/** Visits whose ids and times are checked. Errors: `visits-type`, `visit-invalid`, `input-unreadable`. */
export function readStays<Stay extends StayLike>(visits: readonly Stay[]): Stay[] {
  return readList<Stay>(visits, 'visits', 'visits-type', (given, i) => {
    const visit = given as Stay;
    if (
      !isObject(visit) ||
      typeof visit.zoneId !== 'string' ||
      !isSpan(visit.enter, visit.exit ?? visit.enter)
    ) {
      throw notAVisit(given, i);
    }
    return visit;
  });
}

export function notAVisit(given: unknown, i: number): WayzoneError {
  return inputError('visit-invalid', `visits[${i}]`, 'a visit as findVisits gives it', given);
}

/** Visits, runs and other spans as spans; an open visit ends at `openUntil`. Errors: `spans-type`, `span-invalid`, `input-unreadable`. */
export function readSpans(items: readonly (ZoneSpan | StayLike)[], openUntil: number | null): ZoneSpan[] {
  return readList<ZoneSpan>(items, 'items', 'spans-type', (given, i) => {
    if (!isObject(given)) throw invalid(given, i);
    const { zoneId } = given;
    if (zoneId !== null && typeof zoneId !== 'string') throw invalid(given, i);
    const from = 'enter' in given ? given['enter'] : given['from'];
    const end = 'enter' in given ? given['exit'] : given['to'];
    const to = 'enter' in given && end === null ? Math.max(Number(from), openUntil ?? Number(from)) : end;
    if (!isSpan(from, to)) throw invalid(given, i);
    return { zoneId, from: from as number, to: to as number };
  });
}

function invalid(given: unknown, i: number): WayzoneError {
  return inputError(
    'span-invalid',
    `items[${i}]`,
    'a visit, or {zoneId, from, to} in epoch milliseconds',
    given,
  );
}

/** Throws `meter-invalid` unless the value is a meter. */
export function checkMeter(meter: TrackMeter): void {
  const given: unknown = meter;
  const isMeter = guarded('meter', () => isObject(given) && typeof given['between'] === 'function');
  if (!isMeter) throw inputError('meter-invalid', 'meter', 'a meter of meterTrack', meter);
}

function readList<Item>(
  given: unknown,
  name: string,
  code: 'visits-type' | 'spans-type',
  read: (item: unknown, i: number) => Item,
): Item[] {
  const items: Item[] = [];
  try {
    if (!isArray(given)) throw inputError(code, name, 'a list', given);
    for (const item of given as readonly unknown[]) items.push(read(item, items.length));
  } catch (error) {
    throw unreadable(error, `${name}[${items.length}]`);
  }
  return items;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isSpan(from: unknown, to: unknown): boolean {
  return isTime(from) && isTime(to) && (from as number) <= (to as number);
}

function isTime(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= MAX_TIME;
}
