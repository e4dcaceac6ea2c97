/** The part of an index that visits need, and its check. `ZoneIndex` has more for them (`internalsOf`). */

import { inputError, isArray, type WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { guarded } from '../core/input.js';
import type { ZoneShape } from '../core/wire.js';

const METHODS = ['at', 'crossing', 'ordinalOf'] as const;

/** The methods of an index that trackers call. */
export interface ZoneIndexLike {
  /** Ids of the zones that contain the position, boundary included. */
  at(position: Position): string[];
  /**
   * The closed intervals of the straight segment a→b in each zone, as fractions, sorted within a zone. The zone contains a if and only if an
   * interval begins at 0, and b if and only if an interval ends at 1. A touch has `from === to`.
   */
  crossing(a: Position, b: Position): { readonly id: string; readonly from: number; readonly to: number }[];
  /** Distances of one zone, metres, negative inside. Without it the exit buffer is ignored. */
  prepared?(id: string): { signedDistanceMeters(lon: number, lat: number): number } | null;
  /** Index of the zone in the order of insertion. */
  ordinalOf(id: string): number | null;
  /** Number of edits. Without this field a `VisitTracker` checks a unit's zones at every fix. */
  readonly edits?: number | undefined;
  /** Returns the row of a zone. Without this function a `VisitTracker` notices removed zones but not changed shapes. */
  get?(id: string): ZoneShape | null;
}

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
