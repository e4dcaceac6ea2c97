/** How wayzone's own fields travel in KML: one `Data` element a field, its value as JSON text. */

import { isArray } from '../../core/errors.js';
import type { GeozoneGroup, Route } from '../../core/wire.js';
import { isRecord, own } from '../common/foreignFields.js';
import { holdsNumbersOf } from '../json/numberTexts.js';
import { xmlAttribute, xmlText } from '../xml/xmlText.js';

/** Before the name of a wire field in `ExtendedData`. */
export const WIRE_PREFIX = 'wayzone.';

/** The `Data` name of the whole group on a Folder that stands for one. */
export const GROUP_DATA = 'wayzone-group';

/** The `Data` name of a route without its points on a Folder that stands for one. */
export const ROUTE_DATA = 'wayzone-route';

/** The `Data` name of what a Document says of itself. */
export const DOCUMENT_DATA = 'wayzone-document';

/** The `Data` name of a track without its fixes. */
export const TRACK_DATA = 'wayzone-track';

/** The `Data` name of a zone's place in the list, where Folders part it. */
export const ORDINAL_DATA = 'wayzone-ordinal';

/** What neither XML 1.0 nor a parser's line-end rule would give back as it was. */
const UNSAFE_IN_XML = /[\uFFFE\uFFFF\u007f-\u009f\u2028\u2029]/g;

/** The value as JSON text in which every character survives XML. */
export function wireJson(value: unknown): string {
  return safeJson(JSON.stringify(value));
}

/** The JSON text with the characters that XML would not give back written as `\uXXXX`. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE_IN_XML, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON text in which neither XML nor its line ends change anything. */
const PLAIN_JSON =
  /^[\u0020-\u0025\u0027-\u003b\u003d\u003f-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd]*$/;

/** JSON text as the content of an element, in which every character survives. */
export function jsonAsXml(json: string): string {
  return PLAIN_JSON.test(json) ? json : xmlText(safeJson(json));
}

/** The element of a name and its text. */
export function dataOf(name: string, text: string): string {
  return dataOpen(name) + xmlText(text) + DATA_END;
}

/** The element up to its text. */
export function dataOpen(name: string): string {
  return `<Data name="${xmlAttribute(name)}"><value>`;
}

export const DATA_END = '</value></Data>';

/** The `Data` name of a wire field. */
export function wireDataName(field: string): string {
  return WIRE_PREFIX + (PLAIN_NAME.test(field) ? field : wireJson(field).slice(1, -1));
}

const PLAIN_NAME = /^[A-Za-z0-9_]*$/;

/** The wire field that a `Data` element holds; null when it is not ours or not as we write it. */
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

/** The object that a text of ours holds; null when it holds none. */
export function readRecordData(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && holdsNumbersOf(text, value) ? value : null;
  } catch {
    return null;
  }
}

/** The route whose points lie in a Folder that `KmlWriter` wrote; null if the text is not a route. */
export function readRouteData(text: string): Omit<Route, 'points'> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof own(value, 'id') !== 'string' || typeof own(value, 'name') !== 'string')
      return null;
    if (!holdsNumbersOf(text, value)) return null;
    return value as unknown as Omit<Route, 'points'>;
  } catch {
    return null;
  }
}

/** The group of a Folder that `KmlWriter` wrote; null if the text is not a group. */
export function readGroupData(text: string): GeozoneGroup | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof own(value, 'id') !== 'string' || typeof own(value, 'name') !== 'string')
      return null;
    const zones = own(value, 'geozones');
    const sound =
      holdsNumbersOf(text, value) &&
      isArray(zones) &&
      zones.every((zone) => isRecord(zone) && typeof own(zone, 'id') === 'string');
    return sound ? (value as unknown as GeozoneGroup) : null;
  } catch {
    return null;
  }
}
