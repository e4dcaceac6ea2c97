/** Checks of a shape beyond its schema: positions, rings, one pair for a point and circle, widths. Valid lists of pairs are copied fast. */

import { expected, type FieldError, isArray } from '../core/errors.js';
import { isAbsent, MAX_VERTICES } from '../core/input.js';
import type { Pair, ZoneShape } from '../core/wire.js';
import { ErrorList, positionAt } from '../zones/errorList.js';
import { shapeProblems } from '../zones/shapeProblems.js';
import { type FieldErrors, MAX_FIELD_ERRORS } from './fieldErrors.js';
import { type ObjectCheck, type Reader, readerOf } from './reader.js';
import type { ValidationContext } from './validateOptions.js';
import { Pairs } from './wireSchema.js';

/** Checks the shape of a geozone. The copy has no `coordinates`. */
export const checkShape: ObjectCheck<ValidationContext> = (copy, path, errors, context) => {
  checkCoordinates(copy, path, errors);
  check(copy, 'geometry', path, errors, context);
  delete copy['coordinates'];
};

/** Checks a point of a route or trip. In the copy, `coordinates` become `geometry`. */
export const checkPointShape: ObjectCheck<ValidationContext> = (copy, path, errors, context) => {
  const { geometry, coordinates } = copy;
  const source = isAbsent(geometry) && !isAbsent(coordinates) ? 'coordinates' : 'geometry';
  if (isAbsent(geometry) && isAbsent(coordinates) && !reported(errors, path)) {
    const message = 'expected geometry or coordinates, received neither';
    errors.add(`${path}.geometry`, 'required', message);
  }
  checkCoordinates(copy, path, errors);
  check(copy, source, path, errors, context);
  if (source === 'coordinates') copy['geometry'] = coordinates;
  delete copy['coordinates'];
};

/** A shape may name its pairs twice, in `geometry` and `coordinates`, but not two shapes. */
function checkCoordinates(
  { geometry, coordinates }: Record<string, unknown>,
  path: string,
  errors: FieldErrors,
): void {
  if (isAbsent(geometry) || isAbsent(coordinates) || samePairs(geometry, coordinates)) return;
  const message = 'expected the same pairs in geometry and coordinates, received different ones';
  errors.add(path === '' ? 'coordinates' : `${path}.coordinates`, 'geometry-conflict', message);
}

function check(
  copy: Record<string, unknown>,
  source: 'geometry' | 'coordinates',
  path: string,
  errors: FieldErrors,
  context: ValidationContext,
): void {
  const prefix = path === '' ? '' : `${path}.`;
  if (errors.list.some(({ field }) => field === `${prefix}type` || field.startsWith(`${prefix}type.`))) {
    // Without a type only the pairs can be checked.
    const field = `${prefix}${source}`;
    preferShapeErrors(errors, firstOf(errors, prefix), positionProblems(copy[source], field, context));
    return;
  }
  const shape = { ...copy, geometry: copy[source] };
  const found = shapeProblems(shape as unknown as ZoneShape, context.zones, prefix);
  if (found.length === 0) return;
  const sent = `${prefix}geometry`;
  const asSent = found.map((error) =>
    source === 'coordinates' && error.field.startsWith(sent)
      ? { ...error, field: `${prefix}coordinates${error.field.slice(sent.length)}` }
      : error,
  );
  preferShapeErrors(errors, firstOf(errors, prefix), asSent);
}

/** Index of the first error of this object. Its errors are at the end of the list. */
function firstOf(errors: FieldErrors, prefix: string): number {
  let from = errors.list.length;
  while (from > 0 && errors.list[from - 1]!.field.startsWith(prefix)) from--;
  return from;
}

function reported(errors: FieldErrors, path: string): boolean {
  return errors.list.some(({ field }) => field === `${path}.geometry` || field === `${path}.coordinates`);
}

function samePairs(a: unknown, b: unknown): boolean {
  if (!isArray(a) || !isArray(b)) return a === b;
  return a.length === b.length && a.every((item, i) => samePairs(item, b[i]));
}

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
function positionProblems(list: unknown, path: string, context: ValidationContext): FieldError[] {
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
function preferShapeErrors(errors: FieldErrors, from: number, found: readonly FieldError[]): void {
  if (found.length === 0) return;
  const earlier = errors.list.slice(from);
  const final = new Set(earlier.filter(({ reason }) => FINAL.has(reason)).map(({ field }) => field));
  const better = found.filter(({ field }) => !final.has(field));
  const replaced = new Set(better.map(({ field }) => field));
  errors.list.length = from;
  errors.addAll(earlier.filter(({ field }) => !replaced.has(field)));
  errors.addAll(better);
}
