/**
 * Reads the radius of a point in the unit given by `radiusUnits`. A small radius without a unit raises a question, because it can be
 * kilometres.
 */

import { describe } from '../../core/errors.js';
import { own, type PlainRecord } from '../common/foreignFields.js';
import { plainNumber } from '../common/plainNumber.js';
import { factorOf, unitIn } from '../table/unitWords.js';

/** Radius below which a value without a unit can be kilometres. */
const LEAST_METERS = 5;

export interface RadiusProblem {
  readonly code: 'radius-unit-unknown' | 'number-invalid';
  readonly message: string;
}

/** Names of the properties with the radius and its unit, as spelt in the file. */
export function radiusKeys(properties: PlainRecord): {
  readonly radiusKey: string | undefined;
  readonly unitKey: string | undefined;
} {
  const keys = Object.keys(properties);
  const named = (names: readonly string[]): string | undefined =>
    keys.find((key) => names.includes(key.toLowerCase().replace(/_/g, '')));
  return { radiusKey: named(['radius']), unitKey: named(['radiusunits', 'radiusunit']) };
}

/** Radius, metres; null if the properties have none, or one in metres that can stay unchanged. */
export function radiusMeters(
  properties: PlainRecord,
  unit: string | undefined,
): number | RadiusProblem | null {
  const { radiusKey, unitKey } = radiusKeys(properties);
  const given = radiusKey === undefined ? undefined : own(properties, radiusKey);
  if (given === undefined || given === null || given === '') return null;
  const value = typeof given === 'string' ? plainNumber(given) : typeof given === 'number' ? given : null;
  if (value === null || !(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    return {
      code: 'number-invalid',
      message: `expected a radius of at least 0, received ${describe(given)}; the zone is left out`,
    };
  }
  const unitText = unitKey === undefined ? undefined : own(properties, unitKey);
  if (typeof unitText === 'string' && unitText.trim() !== '') {
    const found = unitIn(unitText, 'length');
    if (found === null) {
      return {
        code: 'radius-unit-unknown',
        message: `expected a unit of length, received ${describe(unitText)}; the zone is left out`,
      };
    }
    return value * found.factor;
  }
  if (value === 0) return null;
  if (value >= LEAST_METERS) return radiusKey === 'radius' ? null : value;
  if (unit !== undefined) return value * (factorOf(unit, 'length') ?? 1);
  return {
    code: 'radius-unit-unknown',
    message: `expected a radius with radiusUnits, received ${value}, which can be metres or kilometres; the zone is left out; say it: --radius-unit km`,
  };
}
