/** Checks an index that a caller passes. */

import { inputError, isArray, type WayzoneError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';

const METHODS = ['at', 'crossing', 'ordinalOf'] as const;

/** Throws `index-type` at `field` unless the value has the methods of an index. */
export function checkIndex(index: ZoneIndexLike, field: string = 'index'): void {
  const given: unknown = index;
  const isIndex = guarded(
    field,
    () =>
      typeof given === 'object' &&
      given !== null &&
      METHODS.every((name) => typeof (given as Record<string, unknown>)[name] === 'function'),
  );
  if (!isIndex) throw notAnIndex(given, field);
}

/** The error of a value where an index is needed, with what to pass. */
export function notAnIndex(
  given: unknown,
  field: string,
  code: 'index-type' | 'option-type' = 'index-type',
): WayzoneError {
  const what = isArray(given) ? 'new ZoneIndex(zones)' : 'new ZoneIndex([zone])';
  const isZone = isArray(given) || (typeof given === 'object' && given !== null && 'geometry' in given);
  return inputError(code, field, `a ZoneIndex${isZone ? ` (pass ${what})` : ''}`, given);
}
