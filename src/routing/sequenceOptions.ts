/** Reads the options of sequencing. */

import { inputError, isArray } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { checkOptions, type OptionTable, OWN, valuesOf } from '../core/options.js';
import type { TourEnds } from './heldKarp.js';
import type { Timetable } from './timedOrder.js';

/** The ends of an order, its time windows, and the limit of the search. */
export interface SequenceOptions {
  /** Index of the point to begin at. Default: any. */
  readonly start?: number | undefined;
  /** Index of the point to end at. Default: any. Not with `roundTrip`. */
  readonly end?: number | undefined;
  /** Whether the way back to the first point is part of the tour. Default false. */
  readonly roundTrip?: boolean | undefined;
  /** Greatest number of changes of the tour beyond 12 points, a whole number from 0. Default 10,000. */
  readonly maxMoves?: number | undefined;
  /**
   * For each point the window `[open, close]` in which its service may begin, in the matrix's unit after the start of the tour. null: any time.
   * Up to 12 points.
   */
  readonly windows?: readonly (readonly [open: number, close: number] | null)[] | undefined;
  /** Duration of each point's service, in the matrix's unit. Default 0. Up to 12 points. */
  readonly service?: readonly number[] | undefined;
}

export const SEQUENCE_OPTIONS: OptionTable<SequenceOptions, 'start' | 'end'> = {
  start: OWN,
  end: OWN,
  roundTrip: { default: false },
  maxMoves: { default: 10_000, isWhole: true },
  windows: OWN,
  service: OWN,
};

/** Greatest time of a window, and greatest service time, so that no sum overflows. */
const MAX_TIME = 1e300;

export interface SequenceSettings {
  readonly ends: TourEnds;
  readonly maxMoves: number;
  /** Null when neither windows nor service times are given. */
  readonly times: Timetable | null;
}

/** Reads the options for `size` points; `table` has the names of all options. An `end` equal to `start` means a round trip. */
export function readSequenceOptions(
  options: SequenceOptions,
  size: number,
  table: Parameters<typeof checkOptions>[1],
): SequenceSettings {
  checkOptions(options, table);
  const given = valuesOf(options, SEQUENCE_OPTIONS);
  const start = readIndex(given.start, 'options.start', size);
  const end = readIndex(given.end, 'options.end', size);
  if (given.roundTrip && end !== null) {
    throw inputError('option-value', 'options.end', 'no end with a round trip', end);
  }
  const back = end !== null && end === start;
  const ends = back ? { start, end: null, back } : { start, end, back: given.roundTrip };
  const timed = given.windows !== undefined || given.service !== undefined;
  const times = timed ? readTimes(given.windows, given.service, size) : null;
  return { ends, maxMoves: given.maxMoves, times };
}

function readIndex(index: unknown, field: string, size: number): number | null {
  if (index === undefined) return null;
  if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= size) {
    throw inputError('option-value', field, `the index of one of ${size} points`, index);
  }
  return index as number;
}

function readTimes(windows: unknown, service: unknown, size: number): Timetable {
  const times = {
    open: new Float64Array(size).fill(Number.NEGATIVE_INFINITY),
    close: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
    service: new Float64Array(size),
  };
  readEach(windows, 'options.windows', size, (window, field, i) => {
    if (window === null) return;
    const [open, close] = isArray(window) && window.length === 2 ? window : [];
    const isWindow = typeof open === 'number' && typeof close === 'number' && open <= close;
    if (!isWindow || !(open < MAX_TIME) || !(close > -MAX_TIME)) {
      throw inputError('window-invalid', field, 'null or [open, close], open ≤ close', window);
    }
    times.open[i] = open;
    times.close[i] = close;
  });
  readEach(service, 'options.service', size, (duration, field, i) => {
    if (typeof duration !== 'number' || !(duration >= 0 && duration <= MAX_TIME)) {
      throw inputError('option-value', field, `a duration from 0 to ${MAX_TIME}`, duration);
    }
    times.service[i] = duration;
  });
  return times;
}

function readEach(
  list: unknown,
  field: string,
  size: number,
  read: (item: unknown, field: string, i: number) => void,
): void {
  if (list === undefined) return;
  guarded(field, () => {
    if (!isArray(list) || list.length !== size) {
      const received = isArray(list) ? list.length : list;
      throw inputError('option-value', field, `an entry for each of ${size} points`, received);
    }
    for (let i = 0; i < size; i++) read(list[i], `${field}[${i}]`, i);
  });
}
