/**
 * Wayzone's own fields beside a zone's geometry and the attributes for other programs: which a file needs, written into one reserved member,
 * and read back.
 */

import { isArray, WayzoneError } from '../../core/errors.js';
import type { Geozone, ZoneOptions } from '../../core/wire.js';
import { readWireData, WIRE_PREFIX } from '../kml/kmlWire.js';
import {
  isRecord,
  isWireZone,
  own,
  type PlainRecord,
  RING_FORMS,
  storedForm,
  swapPairs,
  without,
} from './foreignFields.js';
import { type LonLatShape, lineShape, pointShape, polygonShape } from './lonLatShape.js';
import { axisOrderOf, type PlainRing, type ZoneGeometry } from './zoneGeometry.js';

/** Name of the member with the fields of a zone. */
export const RESERVED = 'wayzone';
/** Members that KML readers such as `@tmcw/togeojson` derive from a Placemark written by wayzone. */
const DERIVED: readonly string[] = [
  'name',
  'description',
  'visibility',
  'styleUrl',
  'styleHash',
  'styleMapHash',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'fill',
  'fill-opacity',
  'icon',
  'icon-color',
  'icon-opacity',
  'icon-scale',
  'icon-offset',
  'icon-offset-units',
  'icon-heading',
  'label-color',
  'label-opacity',
  'label-scale',
  'timespan',
  'timestamp',
];
const ID_AND_SHAPE: ReadonlySet<string> = new Set(['id', 'geometry', 'parts', 'polygon_geometry']);

/**
 * The members of a row: its name, each foreign attribute (a member of `properties`) as a member of its own, and all other fields in the
 * member `wayzone`. An attribute whose name is taken or reserved stays there too.
 */
export function liftedMembers(
  fields: readonly (readonly [field: string, value: unknown])[],
  isFree: (key: string, value: unknown) => boolean = () => true,
): Map<string, unknown> {
  const record = new Map(fields);
  const members = new Map<string, unknown>();
  const name = record.get('name');
  if (typeof name === 'string') {
    members.set('name', name);
    record.delete('name');
  }
  const foreign = record.get('properties');
  if (isRecord(foreign)) {
    const kept: [string, unknown][] = [];
    for (const [key, value] of Object.entries(foreign)) {
      const isTaken = key === 'name' || key === RESERVED || key.startsWith(WIRE_PREFIX);
      if (isTaken || !isFree(key, value)) kept.push([key, value]);
      else members.set(key, value);
    }
    if (kept.length > 0 || members.size === Number(members.has('name')))
      record.set('properties', Object.fromEntries(kept));
    else record.delete('properties');
  }
  members.set(RESERVED, Object.fromEntries(record));
  return members;
}

/** The fields of a zone in the members of a row written by wayzone, also after `@tmcw/togeojson` has read our KML. Null for other rows. */
export function reservedFields(members: PlainRecord): PlainRecord | null {
  const record = own(members, RESERVED);
  if (isRecord(record) && isWireZone(record))
    return joinedFields(record, without(members, [RESERVED, 'name']), members);
  if (typeof own(members, `${WIRE_PREFIX}type`) !== 'string') return null;
  const fields: [string, unknown][] = [];
  for (const [key, text] of Object.entries(members)) {
    const found = typeof text === 'string' ? readWireData(key, text) : null;
    if (found !== null) fields.push([found.field, found.value]);
  }
  const wire = Object.fromEntries(fields);
  if (!isWireZone(wire)) return null;
  const others = Object.keys(members).filter((key) => key.startsWith(WIRE_PREFIX));
  return joinedFields(wire, without(members, [...others, ...DERIVED]), wire);
}

function joinedFields(record: PlainRecord, rest: PlainRecord, named: PlainRecord): PlainRecord {
  // The writer's option `address` sets both a member and a field.
  const foreign = own(rest, 'address') === own(record, 'address') ? without(rest, ['address']) : rest;
  const kept = own(record, 'properties');
  const name = own(named, 'name');
  const fields = {
    ...without(record, ['properties']),
    name: typeof name === 'string' ? name : (own(record, 'name') ?? ''),
  };
  if (Object.keys(foreign).length === 0) return kept === undefined ? fields : { ...fields, properties: kept };
  const entries = [
    ...Object.entries(foreign),
    ...(isRecord(kept) ? Object.entries(kept) : kept === undefined ? [] : [['properties', kept] as const]),
  ];
  return { ...fields, properties: Object.fromEntries(entries) };
}

/**
 * Every field of the zone except `id`, with its JSON text and pairs in lon, lat. `geometry` and `parts` are listed only if a reader cannot
 * restore them from the file's geometry. If the stored rings differ only by being open or reversed, `geometry` is a word of `RING_FORMS`.
 *
 * Throws `cycle` for an object that contains itself, `json-value` for a value that JSON cannot represent, `limit-depth`.
 */
export function wireTextsBeside(
  zone: Geozone,
  geometry: ZoneGeometry,
  options: ZoneOptions,
): [field: string, json: string][] {
  const axisOrder = axisOrderOf(options);
  const texts = textsBesideShape(zone, axisOrder);
  const add = (field: string, value: unknown): void => addText(texts, field, value);
  const { geometry: pairs, parts } = zone;
  const lonLat = swapPairs(pairs, axisOrder);
  const shape = shapeRead(geometry);
  const isStored = (read: LonLatShape | null): boolean =>
    read !== null &&
    read.key === zone.type.key &&
    isEqual(read.geometry, lonLat) &&
    (parts === undefined ? read.parts === null : isEqual(read.parts, parts));
  if (isStored(shape)) return texts;
  const form = shape && RING_FORMS.find((word) => isStored(storedForm(shape, word)));
  if (form !== null && form !== undefined) add('geometry', form);
  else {
    add('geometry', lonLat);
    if (parts !== undefined) add('parts', parts);
  }
  return texts;
}

/** `wireTextsBeside` for a polygon of one plain ring, which is closed and counterclockwise in the file. */
export function wireTextsBesideRing(
  zone: Geozone,
  { isClosed, isReversed }: PlainRing,
  options: ZoneOptions,
): [field: string, json: string][] {
  const texts = textsBesideShape(zone, axisOrderOf(options));
  if (isReversed) texts.push(['geometry', isClosed ? '"reversed"' : '"open reversed"']);
  else if (!isClosed) texts.push(['geometry', '"open"']);
  return texts;
}

/** The fields except the id, `geometry` and `parts`. */
function textsBesideShape(zone: Geozone, axisOrder: 'lonlat' | 'latlon'): [field: string, json: string][] {
  const texts: [string, string][] = [];
  for (const field of Object.keys(zone)) {
    if (ID_AND_SHAPE.has(field)) continue;
    addText(texts, field, (zone as unknown as Readonly<Record<string, unknown>>)[field]);
  }
  const { polygon_geometry: drawn } = zone;
  if (drawn !== undefined) addText(texts, 'polygon_geometry', swapPairs(drawn, axisOrder));
  return texts;
}

function addText(texts: [string, string][], field: string, value: unknown): void {
  const text = jsonText(value, field);
  if (text !== undefined) texts.push([field, text]);
}

/** The shape that `fromGeoJson` and `fromKml` read from the geometry. */
function shapeRead(geometry: ZoneGeometry): LonLatShape | null {
  switch (geometry.type) {
    case 'Point':
      return pointShape(geometry.coordinates);
    case 'LineString':
      return lineShape(geometry.coordinates, 'geometry');
    case 'MultiLineString':
      return null;
    case 'Polygon':
      return polygonShape([geometry.coordinates], 'geometry');
    case 'MultiPolygon':
      return polygonShape(geometry.coordinates, 'geometry');
  }
}

/** Whether two nested arrays contain the same numbers. -0 equals 0, as in JSON. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isArray(a) || !isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!isEqual(a[i], b[i])) return false;
  return true;
}

/** The JSON text of a value. `undefined` for a value that JSON omits from objects: undefined, a function, a symbol. */
export function jsonText(value: unknown, field: string): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch (cause) {
    const circular = /circular/i.test(String(cause));
    const code = cause instanceof RangeError ? 'limit-depth' : circular ? 'cycle' : 'json-value';
    throw new WayzoneError(
      code,
      field,
      `expected a zone that JSON can represent, received one that it cannot (${code})`,
      { cause },
    );
  }
}
