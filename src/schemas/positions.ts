/** Reads lists of pairs: copies valid lists fast, and leaves all others to the schema's reader. */

import { expected, type FieldError, isArray } from '../core/errors.js';
import { MAX_VERTICES } from '../core/input.js';
import type { Pair } from '../core/wire.js';
import { ErrorList, positionAt } from '../zones/errorList.js';
import { type FieldErrors, MAX_FIELD_ERRORS } from './fieldErrors.js';
import { Pairs } from './parts.js';
import { type Reader, readerOf } from './reader.js';
import type { ValidationContext } from './validateOptions.js';

const readAny = readerOf<ValidationContext>(Pairs);

/** A copy of the pairs. Reports every pair that is not a position. */
export const readPairs: Reader<ValidationContext> = (value, path, errors, context) => {
  const pairs = copyOfPairs(value);
  if (pairs !== null) return pairs;
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

/** `readPairs` for a point with `geometry` or `coordinates`. Null counts as absent. */
export const readPointPairs: Reader<ValidationContext> = (value, path, errors, context) =>
  value === null ? null : readPairs(value, path, errors, context);

/** `readPairs` for `polygon_geometry`, which may be empty. `checkShape` does not check it. */
export const readOutline: Reader<ValidationContext> = (value, path, errors, context) => {
  if (lengthOf(value) === 0) return [];
  const from = errors.list.length;
  const copy = readPairs(value, path, errors, context);
  preferShapeErrors(errors, from, positionProblems(copy, path, context));
  return copy;
};

/** Reports every number of a copy that is out of range. */
export function positionProblems(list: unknown, path: string, context: ValidationContext): FieldError[] {
  const found = new ErrorList(MAX_FIELD_ERRORS + 1);
  if (!isArray(list)) return [];
  const { axisOrder = 'lonlat' } = context.zones;
  for (let i = 0; i < list.length && !found.isFull; i++) positionAt(list, i, path, axisOrder, found);
  return found.list();
}

/** The length of a list. NaN if it cannot be read, null if the value is not a list. */
function lengthOf(value: unknown): number | null {
  if (!isArray(value)) return null;
  try {
    return value.length;
  } catch {
    return Number.NaN;
  }
}

/** Copies of the pairs. Null if a pair is not two finite numbers or cannot be read. */
function copyOfPairs(value: unknown): Pair[] | null {
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

const FINAL: ReadonlySet<string> = new Set([
  'required',
  'input-unreadable',
  'coord-type',
  'limit-vertices',
  'limit-rings',
]);

/**
 * Replaces the schema reader's errors for this field (from index `from` on) by `found`, those of `checkShape`. Keeps them if the field is
 * absent, unreadable or not a list.
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
