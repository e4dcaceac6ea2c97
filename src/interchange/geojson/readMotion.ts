/** Reads moving points of OGC Moving Features JSON (19-045r3): MovingPoint, sequences and collections of them, temporal properties. */

import { isArray } from '../../core/errors.js';
import type { FixNumberName } from '../../core/fix.js';
import { isRecord, own, type PlainRecord } from '../common/foreignFields.js';
import { plainWord } from '../table/headerFacts.js';
import { factorOf, unitIn } from '../table/unitWords.js';

/** A moving point as parallel lists. */
export interface Motion {
  readonly positions: readonly unknown[];
  readonly times: readonly unknown[];
  /** Lists of values by the field of a fix; `undefined` for a time without a value. */
  readonly fields: Readonly<Record<string, readonly unknown[]>>;
}

/** Fields of fixes by names of temporal properties. Units are codes of UN/CEFACT Recommendation 20, or words of tables. */
const FIELDS: ReadonlyMap<string, readonly [field: FixNumberName, measure: 'speed' | 'length' | null]> =
  new Map([
    ['speed', ['speedKph', 'speed']],
    ['velocity', ['speedKph', 'speed']],
    ['course', ['courseDegrees', null]],
    ['heading', ['courseDegrees', null]],
    ['bearing', ['courseDegrees', null]],
    ['accuracy', ['accuracyMeters', 'length']],
    ['satellites', ['satellites', null]],
    ['mileage', ['mileageMeters', 'length']],
    ['mileagedelta', ['mileageDeltaMeters', 'length']],
  ]);
export const UNIT_CODES: ReadonlyMap<string, string> = new Map([
  ['KMH', 'km/h'],
  ['MTS', 'm/s'],
  ['HM', 'mph'],
  ['KNT', 'knots'],
  ['MTR', 'm'],
  ['KMT', 'km'],
  ['FOT', 'ft'],
]);

/** The moving points of a feature, or of a bare temporal geometry; null for another kind of object. */
export function readMotion(feature: PlainRecord): readonly Motion[] | null {
  const geometry = own(feature, 'temporalGeometry') ?? (isMoving(feature) ? feature : null);
  if (!isRecord(geometry)) return null;
  const points = pointsOf(geometry);
  const groups = listOf(own(feature, 'temporalProperties')).filter(isRecord);
  return points.map(({ positions, times }) => ({ positions, times, fields: fieldsAt(groups, times) }));
}

/** Whether a root or member is a temporal geometry. */
export function isMoving(value: PlainRecord): boolean {
  const type = own(value, 'type');
  return type === 'MovingPoint' || type === 'MovingGeometryCollection';
}

function pointsOf(geometry: PlainRecord): { positions: readonly unknown[]; times: readonly unknown[] }[] {
  const members = [...listOf(own(geometry, 'sequences')), ...listOf(own(geometry, 'prisms'))].filter(
    isRecord,
  );
  if (members.length > 0) return members.flatMap(pointsOf);
  const positions = listOf(own(geometry, 'coordinates'));
  return positions.length === 0 ? [] : [{ positions, times: listOf(own(geometry, 'datetimes')) }];
}

/** Values of temporal properties at the times of the positions. */
function fieldsAt(groups: readonly PlainRecord[], times: readonly unknown[]): Record<string, unknown[]> {
  const fields: Record<string, unknown[]> = {};
  for (const group of groups) {
    const places = new Map(listOf(own(group, 'datetimes')).map((time, i) => [time, i]));
    for (const key of Object.keys(group)) {
      const known = FIELDS.get(plainWord(key));
      const values = own(group, key);
      if (known === undefined || !isRecord(values)) continue;
      const factor = factorIn(values, known[1]);
      const list = listOf(own(values, 'values'));
      if (factor === null) continue;
      fields[known[0]] = times.map((time) => {
        const value = list[places.get(time) ?? -1];
        return typeof value === 'number' ? value * factor : undefined;
      });
    }
  }
  return fields;
}

/** Factor to km/h or metres; null if the unit of a speed is unknown. */
function factorIn(values: PlainRecord, measure: 'speed' | 'length' | null): number | null {
  if (measure === null) return 1;
  const form = own(values, 'form') ?? own(values, 'uom');
  const text = typeof form === 'string' ? (UNIT_CODES.get(form) ?? form) : '';
  const unit = unitIn(text, measure);
  if (unit !== null) return factorOf(unit.unit, measure);
  return measure === 'length' ? 1 : null;
}

function listOf(value: unknown): readonly unknown[] {
  return isArray(value) ? value : [];
}
