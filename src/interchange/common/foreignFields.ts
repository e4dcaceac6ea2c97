/** Finds wire fields among the properties of a foreign feature, and whole wire zones written by wayzone. */

import { isArray, WayzoneError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { isLonLat } from '../../core/input.js';
import { type DictionaryEntry, FlatPairs, type Geozone, type Pair } from '../../core/wire.js';
import { isZoneTypeKey, ZONE_TYPES, type ZoneTypeKey } from '../../core/zoneTypes.js';
import { type ForeignZoneFields, wireShape } from './foreignBuilder.js';
import { type LonLatShape, lineShape, polygonShape } from './lonLatShape.js';
import { plainNumber } from './parseTime.js';
import type { ForeignZone } from './readOptions.js';

type Ring = readonly Position[];

/** By word: converts the ring in the file to the stored ring. */
const FORMS: Readonly<Record<string, (ring: Ring) => Ring>> = {
  open,
  reversed: (ring) => {
    const turned = open(ring).reverse();
    return turned[0] === undefined ? turned : [...turned, turned[0]];
  },
  'open reversed': (ring) => open(ring).reverse(),
};

/**
 * Words for the form of a stored polygon's rings, as in a zone's field `geometry`. In a file, rings must be closed and outer ones counterclockwise;
 * the word restores the stored form without a second copy of the numbers.
 */
export const RING_FORMS: readonly string[] = Object.keys(FORMS);

export type PlainRecord = Readonly<Record<string, unknown>>;

const HEX_COLOR = /^#[0-9a-fA-F]{6}$/;

/** Whether the value is an object but not an array. Read its members with `own`. */
export function isRecord(value: unknown): value is PlainRecord {
  return typeof value === 'object' && value !== null && !isArray(value);
}

/** `record[key]` if it is an own property, else undefined. Safe for `__proto__` and `constructor`. */
export function own(record: PlainRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A copy of the record without some keys. Safe for every key, also for `__proto__`. */
export function without(record: PlainRecord, keys: readonly string[]): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(record)) {
    if (keys.includes(key)) continue;
    if (key === '__proto__') {
      const value = record[key];
      Object.defineProperty(rest, key, { value, enumerable: true, configurable: true, writable: true });
    } else rest[key] = record[key];
  }
  return rest;
}

/** Whether the properties are a wire zone written by wayzone: their `type` is a dictionary entry. */
export function isWireZone(properties: PlainRecord): boolean {
  const type = own(properties, 'type');
  return isRecord(type) && isZoneTypeKey(own(type, 'key'));
}

/**
 * A zone written by wayzone: its fields unchanged, with the shape from the file if the fields do not contain it.
 *
 * Null if fields and shape disagree (the shape was edited), or if width or name is invalid; the caller then reads the zone as foreign.
 */
export function wireZone(
  record: PlainRecord,
  shape: LonLatShape | null,
  axisOrder: 'lonlat' | 'latlon',
): Omit<ForeignZone, 'id'> | null {
  const type = own(record, 'type');
  const key = isRecord(type) ? own(type, 'key') : undefined;
  const name = own(record, 'name') ?? '';
  if (!isZoneTypeKey(key) || !isWidth(own(record, 'width')) || typeof name !== 'string') return null;
  const fields = without(record, ['id', 'geometry', 'parts', 'polygon_geometry']);
  const drawn = swapPairs(own(record, 'polygon_geometry'), axisOrder) as Geozone['polygon_geometry'];
  const outline = drawn === undefined ? {} : { polygon_geometry: drawn };
  const zone = { ...outline, ...fields, name };
  const entry = { type: type as unknown as DictionaryEntry<ZoneTypeKey> };
  const geometry = own(record, 'geometry');
  if (arePositions(geometry) && geometry.length > 0) {
    const parts = own(record, 'parts') as Geozone['parts'];
    if (!isStored(key, geometry, parts)) return null;
    const pairs = swapPairs(geometry, axisOrder) as readonly Pair[];
    return { ...zone, ...entry, geometry: pairs, ...(parts === undefined ? {} : { parts }) };
  }
  if (shape === null || shape.key !== key) return null;
  const stored = storedForm(shape, geometry) ?? shape;
  return { ...zone, ...wireShape(stored.key, stored, axisOrder), ...entry };
}

function isWidth(value: unknown): boolean {
  return value === undefined || value === null || Number.isFinite(value);
}

/** Whether wayzone can write a zone with this geometry. */
function isStored(key: ZoneTypeKey, geometry: readonly Pair[], parts: unknown): boolean {
  const { pairs } = ZONE_TYPES[key];
  if (pairs === 'one') return geometry.length === 1;
  if (pairs === null) return true;
  try {
    if (pairs === 'line') lineShape(geometry, 'geometry');
    else if (parts === undefined || parts === null) polygonShape([[geometry]], 'geometry');
    else if (areParts(parts)) polygonShape(parts, 'parts');
    else return false;
    return true;
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return false;
  }
}

function areParts(value: unknown): value is readonly (readonly (readonly Pair[])[])[] {
  const isList = (list: unknown): list is readonly unknown[] => isArray(list) && list.length > 0;
  return isList(value) && value.every((rings) => isList(rings) && rings.every(arePositions));
}

/** Whether every pair is a valid `[lon, lat]`. */
function arePositions(value: unknown): value is readonly Pair[] {
  return (
    isArray(value) && value.every((pair) => isArray(pair) && pair.length >= 2 && isLonLat(pair[0], pair[1]))
  );
}

/** Swaps pairs between the file's order (lon, lat) and the caller's. Other values are kept unchanged. */
export function swapPairs(value: unknown, axisOrder: 'lonlat' | 'latlon'): unknown {
  if (axisOrder === 'lonlat' || !isArray(value)) return value;
  return value.map((pair: unknown) =>
    isArray(pair) && pair.length >= 2 ? [pair[1], pair[0], ...pair.slice(2)] : pair,
  );
}

/**
 * The wire's fields among foreign properties, for a zone of this shape. All other properties are kept under `properties`.
 *
 * A property with the name of a wire field but another meaning (a `color` of "red") is kept there too. Without `keepsRest` there are no
 * `properties`. A point is a circle if its `type` is `circle` or it has a `radius` in metres.
 */
export function foreignFields(
  properties: PlainRecord,
  shape: LonLatShape,
  used: readonly string[],
  keepsRest: boolean = true,
): ForeignZoneFields {
  const taken = [...used];
  const fields: { -readonly [Field in keyof ForeignZoneFields]: ForeignZoneFields[Field] } = {};
  const take = (key: string, value: unknown, target: string = key): void => {
    taken.push(key);
    fields[target] = value;
  };
  const typeKey = dictionaryKey(own(properties, 'type'));
  const radius = positive(own(properties, 'radius'));
  const width = positive(own(properties, 'width'));
  if (shape.key === 'point' && (typeKey === 'circle' || (typeKey !== 'point' && radius !== null))) {
    fields['type'] = { key: 'circle' };
    if (typeKey === 'circle') taken.push('type');
    if (radius !== null) take('radius', radius, 'width');
    else if (width !== null) take('width', width);
  } else {
    if (typeKey === shape.key) taken.push('type');
    if (width !== null && shape.key !== 'polygon') take('width', width);
  }
  const color = dictionary(own(properties, 'color'));
  if (color !== null && HEX_COLOR.test(color.key)) take('color', color);
  else {
    const styled = simpleStyleColor(properties, shape);
    if (styled !== null) fields['color'] = { key: styled };
  }
  const icon = dictionary(own(properties, 'icon'));
  if (icon !== null) take('icon', icon);
  const shown = own(properties, 'is_show_on_map');
  if (typeof shown === 'boolean') take('is_show_on_map', shown);
  if (!keepsRest) return fields;
  const rest = without(properties, taken);
  if (Object.keys(rest).length > 0) fields['properties'] = rest;
  return fields;
}

/** The first property of simplestyle-spec 1.1 with a colour for this kind of shape. It is not removed. */
function simpleStyleColor(properties: PlainRecord, { key }: LonLatShape): string | null {
  for (const name of ZONE_TYPES[key].styleColors) {
    const text = own(properties, name);
    if (typeof text !== 'string') continue;
    const short = /^#?([0-9a-fA-F]{3})$/.exec(text)?.[1];
    const hex = short === undefined ? /^#?([0-9a-fA-F]{6})$/.exec(text)?.[1] : short.replace(/./g, '$&$&');
    if (hex !== undefined) return `#${hex.toUpperCase()}`;
  }
  return null;
}

function dictionaryKey(value: unknown): unknown {
  return isRecord(value) ? own(value, 'key') : value;
}

function dictionary(value: unknown): DictionaryEntry | null {
  const key = dictionaryKey(value);
  if (typeof key !== 'string' || key === '') return null;
  return isRecord(value) ? (value as unknown as DictionaryEntry) : { key };
}

function positive(value: unknown): number | null {
  const number = typeof value === 'string' ? plainNumber(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null;
}

/** The stored shape by its word. Null for an unknown word or a shape that is not a polygon. */
export function storedForm(shape: LonLatShape, form: unknown): LonLatShape | null {
  if (shape.key !== 'polygon' || typeof form !== 'string' || !Object.hasOwn(FORMS, form)) return null;
  const stored = FORMS[form]!;
  const { key, geometry, parts } = shape;
  return {
    key,
    geometry: stored(geometry instanceof FlatPairs ? geometry.toPairs() : geometry),
    parts: parts?.map((rings) => rings.map((ring) => stored(ring))) ?? null,
  };
}

/** The ring without its closing position. */
function open(ring: Ring): Position[] {
  const [first, last] = [ring[0], ring.at(-1)];
  const isClosed = ring.length > 1 && first![0] === last![0] && first![1] === last![1];
  return isClosed ? ring.slice(0, -1) : [...ring];
}
