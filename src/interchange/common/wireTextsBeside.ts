/** Lists the wire fields that a file needs besides a zone's geometry, so that nothing is lost. */

import { isArray, WayzoneError } from '../../core/errors.js';
import type { Geozone, ZoneOptions } from '../../core/wire.js';
import { RING_FORMS, storedForm, swapPairs } from './foreignFields.js';
import { type LonLatShape, lineShape, pointShape, polygonShape } from './lonLatShape.js';
import { axisOrderOf, type PlainRing, type ZoneGeometry } from './zoneGeometry.js';

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

const ID_AND_SHAPE: ReadonlySet<string> = new Set(['id', 'geometry', 'parts', 'polygon_geometry']);

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
