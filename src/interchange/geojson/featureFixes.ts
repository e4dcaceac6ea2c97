/**
 * Reads features with times as fixes: Points with a time (phones, loggers, QGIS), lines with a time for each position (`coordTimes` and
 * `coordinateProperties.times` of togeojson, `datetimes` of MF-JSON, a fourth number as in kepler.gl).
 */

import { isArray } from '../../core/errors.js';
import type { Fix } from '../../core/fix.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { isRecord, isWireZone, own, type PlainRecord, without } from '../common/foreignFields.js';
import { nameOfFile } from '../common/readOptions.js';
import { reservedFields } from '../common/reservedFields.js';
import { headerFacts } from '../table/headerFacts.js';
import { tableOfRecords } from '../table/openTable.js';
import { readOpenTable } from '../table/readTable.js';
import type { TableRole } from '../table/tableDescription.js';
import { numberTime } from '../table/timeJudge.js';
import { timeParts } from '../table/timeParts.js';
import type { GeoJsonOptions } from './geoJsonOptions.js';
import { readMotion, TimedLists } from './timedLists.js';

/** Quantities that fixes have and zones do not. */
const OF_FIXES: readonly TableRole[] = ['unit', 'speed', 'course', 'satellites', 'ignition', 'mileage'];
/** Greatest rank of words for the time of a fix. Words of later ranks mean times of a server. */
const MOST_RANK = 2;
/** Names of properties with a time for each position. */
const TIME_LISTS: readonly string[] = ['coordTimes', 'times', 'datetimes', 'timestamps'];

export class FeatureFixes {
  readonly #builder: ForeignBuilder;
  readonly #options: GeoJsonOptions;
  readonly #lists: TimedLists;
  readonly #roles = new Map<string, TableRole | null>();
  /** Points with times: the properties of each, with its position. */
  #records: PlainRecord[] = [];
  #tracks = 0;

  constructor(builder: ForeignBuilder, options: GeoJsonOptions) {
    this.#builder = builder;
    this.#options = options;
    this.#lists = new TimedLists(builder, options.table?.timeZone ?? null);
  }

  /** Whether a Point or line with these properties may have times; if so, the whole feature is needed. */
  mayTake(properties: PlainRecord): boolean {
    return this.#isFix(properties) || lineTimes(properties) !== null;
  }

  /** Takes a feature with times. Returns false for any other feature, which is not read. `field`: its path. */
  takes(feature: PlainRecord, properties: PlainRecord, field: string): boolean {
    const motion = readMotion(feature);
    if (motion !== null) {
      for (const { positions, times, fields } of motion)
        this.#addTrack(feature, properties, this.#lists.fixes(positions, times, fields, field));
      return true;
    }
    const geometry = own(feature, 'geometry');
    if (!isRecord(geometry) || isZone(properties)) return false;
    const type = own(geometry, 'type');
    const coordinates = own(geometry, 'coordinates');
    if (!isArray(coordinates)) return false;
    if (type === 'Point') return this.#takesPoint(coordinates, properties);
    if (type !== 'LineString' && type !== 'MultiLineString') return false;
    return this.#takesLine(feature, type === 'LineString' ? [coordinates] : coordinates, properties, field);
  }

  /** Reads the collected points, and adds the issues of the whole file. */
  finish(): void {
    this.#lists.finish();
    const records = this.#records;
    if (records.length === 0) return;
    const { table, fileName, idPrefix = 'zone-' } = this.#options;
    const hints = { ...(fileName === undefined ? {} : { fileName }), ...table, kind: 'fixes' as const };
    readOpenTable(tableOfRecords(records), hints, this.#builder, idPrefix);
  }

  clear(): void {
    this.#records = [];
    this.#tracks = 0;
  }

  #takesPoint(position: readonly unknown[], properties: PlainRecord): boolean {
    if (!this.#isFix(properties)) return false;
    const keys = Object.keys(properties);
    const isPlace = (role: TableRole | null): boolean =>
      role === 'lat' || role === 'lon' || role === 'position' || role === 'wkt';
    const rest = without(
      properties,
      keys.filter((key) => isPlace(this.#roleOf(key))),
    );
    const [lon, lat, altitude] = position;
    const hasAltitude = keys.some((key) => this.#roleOf(key) === 'altitude');
    const height = hasAltitude || typeof altitude !== 'number' ? {} : { altitude_m: altitude };
    this.#records.push({ ...rest, ...height, longitude: lon, latitude: lat });
    return true;
  }

  #isFix(properties: PlainRecord): boolean {
    const { as } = this.#options;
    const keys = Object.keys(properties);
    const time = keys.find((key) => this.#roleOf(key) === 'time');
    if (time === undefined) return false;
    // A point without a time, among points with times, is a fix that cannot be read.
    const value = own(properties, time);
    if (!isTime(value) && !(this.#records.length > 0 && (value === null || value === ''))) return false;
    if (as === 'fixes') return true;
    const filled = new Set(
      keys.filter((key) => isFilled(own(properties, key))).map((key) => this.#roleOf(key)),
    );
    if (filled.has('radius') || filled.has('width')) return false;
    return OF_FIXES.some((role) => filled.has(role)) || !filled.has('name');
  }

  /** Quantity of a property, by its name. Names such as `@timestamp` concern the feature, not the place. */
  #roleOf(key: string): TableRole | null {
    let role = this.#roles.get(key);
    if (role === undefined) {
      const [fact] = key.startsWith('@') ? [] : headerFacts(key);
      role = fact === undefined || (fact.role === 'time' && fact.rank > MOST_RANK) ? null : fact.role;
      this.#roles.set(key, role);
    }
    return role;
  }

  #takesLine(
    feature: PlainRecord,
    lines: readonly unknown[],
    properties: PlainRecord,
    field: string,
  ): boolean {
    const found = lineTimes(properties);
    const fourth = found === null ? fourthNumbers(lines) : null;
    if (found === null && fourth === null) return false;
    const known = own(properties, 'coordinateProperties');
    const fields = isRecord(known) ? known : {};
    const fixes = lines.flatMap((line, i) => {
      if (!isArray(line)) return [];
      const own = (list: unknown): readonly unknown[] => listOfPart(list, i, lines.length);
      const parts = Object.fromEntries(Object.keys(fields).map((key) => [key, own(fields[key])]));
      return this.#lists.fixes(line, fourth?.[i] ?? own(found), parts, field);
    });
    this.#addTrack(feature, without(properties, [...TIME_LISTS, 'coordinateProperties']), fixes);
    return true;
  }

  #addTrack(feature: PlainRecord, properties: PlainRecord, fixes: readonly Fix[]): void {
    const number = ++this.#tracks;
    const unitKey = Object.keys(properties).find(
      (key) => this.#roleOf(key) === 'unit' && textOf(own(properties, key)) !== null,
    );
    const name = textOf(own(properties, this.#options.nameProperty ?? 'name'));
    const file = nameOfFile(this.#options.fileName);
    const unitId =
      this.#options.table?.unitId ??
      (unitKey === undefined ? null : textOf(own(properties, unitKey))) ??
      name ??
      textOf(own(feature, 'id')) ??
      (file === null ? `track-${number}` : number === 1 ? file : `${file}-${number}`);
    const rest = without(properties, ['name', ...(unitKey === undefined ? [] : [unitKey])]);
    const own_ = Object.keys(rest).length === 0 ? {} : { properties: rest };
    this.#builder.addTrack({ name: name ?? unitId, unitId, fixes, ...own_ });
  }
}

/** Whether the properties are those of a zone written by wayzone. */
function isZone(properties: PlainRecord): boolean {
  return isWireZone(properties) || reservedFields(properties) !== null;
}

function isTime(value: unknown): boolean {
  if (typeof value === 'number') return numberTime(value) !== null;
  return typeof value === 'string' && value.length <= 60 && timeParts(value, NO_MONTHS) !== null;
}

const NO_MONTHS: ReadonlyMap<string, number> = new Map();

function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

function textOf(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? value : null;
}

/** List of times in a line's properties; null for none. */
function lineTimes(properties: PlainRecord): readonly unknown[] | null {
  const known = own(properties, 'coordinateProperties');
  const lists = [
    ...TIME_LISTS.map((key) => own(properties, key)),
    isRecord(known) ? own(known, 'times') : null,
  ];
  return lists.find((list): list is readonly unknown[] => isArray(list) && list.flat().some(isTime)) ?? null;
}

/** The values of line `part` of `parts` lines. Nested lists have one list per line. */
function listOfPart(list: unknown, part: number, parts: number): readonly unknown[] {
  if (!isArray(list)) return [];
  const own = list[part];
  return isArray(own) ? own : parts === 1 ? list : [];
}

/** Fourth numbers of all positions, if they are times that never decrease; else null. */
function fourthNumbers(lines: readonly unknown[]): readonly (readonly unknown[])[] | null {
  let last = Number.NEGATIVE_INFINITY;
  const all: unknown[][] = [];
  for (const line of lines) {
    if (!isArray(line) || line.length === 0) return null;
    const times: unknown[] = [];
    for (const position of line) {
      const time: unknown = isArray(position) ? position[3] : undefined;
      if (typeof time !== 'number' || numberTime(time) === null || time < last) return null;
      last = time;
      times.push(time);
    }
    all.push(times);
  }
  return all;
}
