/** Checks of a shape beyond its schema: positions, rings, one pair for a point and circle, widths. */

import { isArray } from '../core/errors.js';
import { isAbsent } from '../core/input.js';
import type { ZoneShape } from '../core/wire.js';
import { shapeProblems } from '../zones/shapeProblems.js';
import type { FieldErrors } from './fieldErrors.js';
import { positionProblems, preferShapeErrors } from './positions.js';
import type { ObjectCheck } from './reader.js';
import type { ValidationContext } from './validateOptions.js';

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
