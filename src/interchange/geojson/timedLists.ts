/** Reads lists of positions with times as fixes: parallel lists of quantities, and moving points of OGC Moving Features JSON (19-045r3). */

import { describe, isArray } from '../../core/errors.js';
import type { Fix, FixNumberName } from '../../core/fix.js';
import { FIX_FLAGS, FIX_NUMBERS } from '../common/fixBatches.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { isRecord, own, type PlainRecord } from '../common/foreignFields.js';
import { isProblem } from '../crs/crs.js';
import { cellTime } from '../table/cellTime.js';
import { plainWord } from '../table/headerFacts.js';
import { LocalTimes } from '../table/localTimes.js';
import { numberTime } from '../table/timeJudge.js';
import { factorOf, monthNames, unitIn } from '../table/unitWords.js';

type FixDraft = { -readonly [Field in keyof Fix]: Fix[Field] };

export class TimedLists {
  readonly #builder: ForeignBuilder;
  readonly #local: LocalTimes | null;
  readonly #months = monthNames();
  #zoneless = 0;

  /** Throws `tz-unknown`. */
  constructor(builder: ForeignBuilder, timeZone: string | null) {
    this.#builder = builder;
    this.#local = timeZone === null ? null : new LocalTimes(timeZone, false);
  }

  /**
   * Fixes of the positions that have a time at the same index. `fields`: lists of other values, by the field of a fix. Positions and times
   * without a partner are left out, with a warning.
   */
  fixes(positions: readonly unknown[], times: readonly unknown[], fields: PlainRecord, field: string): Fix[] {
    const { issues, limits } = this.#builder;
    let untimed = Math.abs(positions.length - times.length);
    const fixes: Fix[] = [];
    for (let i = 0; i < Math.min(positions.length, times.length); i++) {
      if (times[i] === null || times[i] === '') {
        untimed++;
        continue;
      }
      const at = `${field}[${i}]`;
      const time = this.#time(times[i], at);
      const fix = time === null ? null : this.#fix(positions[i], time, at);
      if (fix === null) continue;
      limits.countVertices(1);
      setFields(fix, fields, i);
      fixes.push(fix);
    }
    if (untimed > 0) {
      const message = `expected a time for each position, received ${positions.length} positions and ${times.length} times; ${untimed} without the other are left out`;
      issues.warning('time-missing', field, message);
    }
    return fixes;
  }

  /** Adds the issue about the whole file. */
  finish(): void {
    if (this.#zoneless === 0) return;
    const message = `expected times with a time zone, received ${this.#zoneless} without; not read; say the zone: --time-zone UTC`;
    this.#builder.issues.error('time-zone-missing', '', message);
    this.#zoneless = 0;
  }

  #time(value: unknown, field: string): number | null {
    const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
    const numbers = typeof value === 'number' ? numberTime(value) : null;
    const form = { order: null, numbers, months: this.#months, day: null };
    const found = numbers === 'days' ? null : cellTime([text], { time: 0 }, form, '.');
    if (found === null)
      this.#builder.issues.error(
        'time-invalid',
        field,
        `expected an ISO 8601 time, received ${describe(value)}`,
      );
    else if (found.isLocal && this.#local === null) this.#zoneless++;
    else return found.isLocal ? (this.#local?.resolve(found.time, '') ?? null) : found.time;
    return null;
  }

  #fix(position: unknown, time: number, field: string): FixDraft | null {
    const { issues } = this.#builder;
    const [x, y, z]: readonly unknown[] = isArray(position) ? position : [];
    if (typeof x !== 'number' || typeof y !== 'number') {
      issues.error('coord-type', field, `expected a position, received ${describe(position)}; left out`);
      return null;
    }
    const place = this.#builder.place(x, y);
    if (isProblem(place)) {
      issues.error(place.code, field, place.message);
      return null;
    }
    const fix: FixDraft = { time, lon: place[0], lat: place[1] };
    if (typeof z === 'number') fix.altitudeMeters = z;
    return fix;
  }
}

/** Sets the fields of a fix that have a value at the index. */
function setFields(fix: FixDraft, fields: PlainRecord, i: number): void {
  const at = (name: string): unknown => {
    const list = own(fields, name);
    return isArray(list) ? list[i] : undefined;
  };
  for (const { name, least } of FIX_NUMBERS) {
    const value = at(name);
    if (typeof value === 'number' && value >= least) fix[name] = value;
  }
  for (const name of FIX_FLAGS) {
    const value = at(name);
    if (typeof value === 'boolean') fix[name] = value;
  }
}

/** A moving point as parallel lists. */
interface Motion {
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
const UNIT_CODES: ReadonlyMap<string, string> = new Map([
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
