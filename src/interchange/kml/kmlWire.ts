/**
 * Writes and reads wayzone's fields in KML: one element `record` at the end of `ExtendedData`, with a `Data` element for each field. It
 * declares its namespace on itself, without a prefix: viewers keep such elements and do not show them (OGC 07-147r2 §9.2), while readers
 * that search by name, such as togeojson, find `wayzone.*`. Earlier files have plain `Data` elements of the same names.
 */

import { isArray } from '../../core/errors.js';
import type { GeozoneGroup, Route } from '../../core/wire.js';
import { isRecord, own } from '../common/foreignFields.js';
import { holdsNumbersOf } from '../json/numberTexts.js';
import { xmlAttribute, xmlText } from '../xml/xmlText.js';

/** Prefix of the name of a wire field in `ExtendedData`. */
export const WIRE_PREFIX = 'wayzone.';

export const RECORD = '<record xmlns="urn:wayzone:kml">';
export const RECORD_END = '</record>';

/** `Data` name of a group, in its Folder. */
export const GROUP_DATA = 'wayzone-group';

/** `Data` name of a route without its points, in its Folder. */
export const ROUTE_DATA = 'wayzone-route';

/** `Data` name of the properties of the Document. */
export const DOCUMENT_DATA = 'wayzone-document';

/** `Data` name of a track without its fixes. */
export const TRACK_DATA = 'wayzone-track';

/** `Data` name of a zone's index in the list; written if Folders change the order. */
export const ORDINAL_DATA = 'wayzone-ordinal';

/** Characters that XML 1.0 forbids or that a parser may change as line ends. */
const UNSAFE_IN_XML = /[\uFFFE\uFFFF\u007f-\u009f\u2028\u2029]/g;

/** The value as JSON text whose characters all survive XML. */
export function wireJson(value: unknown): string {
  return safeJson(JSON.stringify(value));
}

/** The JSON text with characters that do not survive XML written as `\uXXXX`. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE_IN_XML, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON text that needs no escaping in XML. */
const PLAIN_JSON =
  /^[\u0020-\u0025\u0027-\u003b\u003d\u003f-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd]*$/;

/** JSON text escaped for the content of an element; every character survives. */
export function jsonAsXml(json: string): string {
  return PLAIN_JSON.test(json) ? json : xmlText(safeJson(json));
}

/** `ExtendedData` with one of wayzone's own fields. */
export function recordOf(name: string, text: string): string {
  return `<ExtendedData>${RECORD}${dataElement(name, text)}${RECORD_END}</ExtendedData>`;
}

/** A `Data` element with a text. */
export function dataElement(name: string, text: string): string {
  return dataOpen(name) + xmlText(text) + DATA_END;
}

/** The `Data` element up to its text. */
export function dataOpen(name: string): string {
  return `<Data name="${xmlAttribute(name)}"><value>`;
}

export const DATA_END = '</value></Data>';

/** `Data` name of a wire field. */
export function wireDataName(field: string): string {
  return WIRE_PREFIX + (PLAIN_NAME.test(field) ? field : wireJson(field).slice(1, -1));
}

const PLAIN_NAME = /^[A-Za-z0-9_]*$/;

/** The wire field of a `Data` element. Null if its text is not exactly as wayzone writes it. */
export function readWireData(name: string, text: string): { field: string; value: unknown } | null {
  if (!name.startsWith(WIRE_PREFIX)) return null;
  try {
    const written = name.slice(WIRE_PREFIX.length);
    const field: unknown = PLAIN_NAME.test(written) ? written : JSON.parse(`"${written}"`);
    const value: unknown = JSON.parse(text);
    return typeof field === 'string' && holdsNumbersOf(text, value) ? { field, value } : null;
  } catch {
    return null;
  }
}

/** The object in a JSON text written by wayzone. Null if the text is not such an object. */
export function readRecordData(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && holdsNumbersOf(text, value) ? value : null;
  } catch {
    return null;
  }
}

/** The route, without its points, of a Folder written by `KmlWriter`. Null if the text is not a route. */
export function readRouteData(text: string): Omit<Route, 'points'> | null {
  const value = readRecordData(text);
  const isNamed =
    value !== null && typeof own(value, 'id') === 'string' && typeof own(value, 'name') === 'string';
  return isNamed ? (value as unknown as Omit<Route, 'points'>) : null;
}

/** The group of a Folder written by `KmlWriter`. Null if the text is not a group. */
export function readGroupData(text: string): GeozoneGroup | null {
  const value: unknown = readRouteData(text);
  const zones = isRecord(value) ? own(value, 'geozones') : undefined;
  const isGroup =
    isArray(zones) && zones.every((zone) => isRecord(zone) && typeof own(zone, 'id') === 'string');
  return isGroup ? (value as GeozoneGroup) : null;
}
