/** Lists of pairs: a fast copy of sound ones, the schema's reader for all others. */

import { expected, type FieldError, isArray } from '../core/errors.js';
import { MAX_VERTICES } from '../core/input.js';
import type { Pair } from '../core/wire.js';
import { ErrorList } from '../zones/errorList.js';
import { positionAt } from '../zones/positionAt.js';
import { type FieldErrors, MAX_FIELD_ERRORS } from './fieldErrors.js';
import { Pairs } from './parts.js';
import { type Reader, readerOf } from './reader.js';
import type { Context } from './validateOptions.js';

const readAny = readerOf<Context>(Pairs, { readers: {}, checks: {} });

/** A copy of the pairs, all of them positions. */
export const readPairs: Reader<Context> = (value, path, errors, context) => {
  const sound = soundPairs(value);
  if (sound !== null) return sound;
  const length = lengthOf(value);
  if (length === null) {
    errors.add(path, 'coord-type', expected('a list of pairs of degrees', value));
    return undefined;
  }
  if (length > MAX_VERTICES) {
    errors.add(path, 'limit-vertices', expected(`at most ${MAX_VERTICES} positions`, length));
    return undefined;
  }
  const from = errors.list.length;
  const copy = readAny(value, path, errors, context);
  preferShapeErrors(errors, from, positionProblems(copy, path, context));
  return copy;
};

/** The same for a point with `geometry` or `coordinates`; null counts as absent. */
export const readPointPairs: Reader<Context> = (value, path, errors, context) =>
  value === null ? null : readPairs(value, path, errors, context);

/** `polygon_geometry`: it may be empty, and no shape's check looks at it. */
export const readOutline: Reader<Context> = (value, path, errors, context) => {
  if (lengthOf(value) === 0) return [];
  const from = errors.list.length;
  const copy = readPairs(value, path, errors, context);
  preferShapeErrors(errors, from, positionProblems(copy, path, context));
  return copy;
};

/** Every number of a copy that makes a pair no position. */
export function positionProblems(list: unknown, path: string, context: Context): FieldError[] {
  const found = new ErrorList(MAX_FIELD_ERRORS + 1);
  if (!isArray(list)) return [];
  const { axisOrder = 'lonlat' } = context.zones;
  for (let i = 0; i < list.length && !found.isFull; i++) positionAt(list, i, path, axisOrder, found);
  return found.list();
}

/** The length of a list, NaN if it cannot be read; null for a non-list. */
function lengthOf(value: unknown): number | null {
  if (!isArray(value)) return null;
  try {
    return value.length;
  } catch {
    return Number.NaN;
  }
}

/** Copies of pairs that are two finite numbers each; null when one is not, or cannot be read. */
function soundPairs(value: unknown): Pair[] | null {
  try {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VERTICES) return null;
    const pairs: Pair[] = [];
    for (let i = 0; i < value.length; i++) {
      const pair = value[i] as unknown;
      if (!Array.isArray(pair) || pair.length !== 2) return null;
      const first = pair[0] as unknown;
      const second = pair[1] as unknown;
      // x - x is NaN for an infinity and for NaN.
      if (typeof first !== 'number' || typeof second !== 'number' || first - first + (second - second) !== 0)
        return null;
      pairs.push([first, second]);
    }
    return pairs;
  } catch {
    return null;
  }
}

const FINAL: ReadonlySet<string> = new Set(['required', 'input-unreadable', 'coord-type', 'limit-vertices']);

/**
 * Replaces the schema reader's errors of the same field since `from` by those of the shape's check, except where the field is absent,
 * unreadable or not a list.
 */
export function preferShapeErrors(errors: FieldErrors, from: number, found: readonly FieldError[]): void {
  if (found.length === 0) return;
  const earlier = errors.list.slice(from);
  const final = new Set(earlier.filter(({ reason }) => FINAL.has(reason)).map(({ field }) => field));
  const better = found.filter(({ field }) => !final.has(field));
  const replaced = new Set(better.map(({ field }) => field));
  errors.list.length = from;
  errors.addAll(earlier.filter(({ field }) => !replaced.has(field)));
  errors.addAll(better);
}
