/**
 * Collects the fields of a Placemark, Folder or Document of KML other than its name, as texts by the path of the element: `LookAt.range`.
 */

import type { TextProperties } from '../common/textProperties.js';
import { attribute, type XmlElement } from '../xml/xmlFeed.js';

/** Elements with positions (OGC 07-147r2 §10; gx:Track, gx:MultiTrack). */
export const GEOMETRIES: ReadonlySet<string> = new Set([
  'Point',
  'LineString',
  'LinearRing',
  'Polygon',
  'MultiGeometry',
  'Track',
  'MultiTrack',
  'Model',
]);

/** Fields of a geometry other than positions. `tessellate` is left out: it only controls how a viewer draws edges. */
const GEOMETRY_FACTS: ReadonlySet<string> = new Set(['altitudeMode', 'extrude', 'drawOrder', 'interpolate']);

/** Default texts of elements, which are left out. */
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['altitudeMode', 'clampToGround'],
  ['extrude', '0'],
  ['interpolate', '0'],
  ['visibility', '1'],
]);

/** Children that are not collected here: those read elsewhere, and the state of a viewer's list (`open`). */
const READ_ELSEWHERE: ReadonlySet<string> = new Set([
  'name',
  'styleUrl',
  'Style',
  'StyleMap',
  'Schema',
  'open',
  'tessellate',
  'coordinates',
  'when',
  'coord',
  'angles',
]);

/** Adds the text of `element`, a descendant of `holder`. The caller reads `Data` and `SimpleData`. */
export function addFact(facts: TextProperties, holder: XmlElement, element: XmlElement): void {
  const { name } = element;
  const isLink = name === 'link' && element.parent === holder;
  const text = (isLink ? attribute(element, 'href') : undefined) ?? element.text.trim();
  if (text === '') return;
  const path = pathBelow(holder, element);
  const [top] = path;
  if (top === undefined || READ_ELSEWHERE.has(top)) return;
  if (GEOMETRIES.has(top)) {
    if (!GEOMETRY_FACTS.has(name) || path.includes('Model')) return;
    // Several geometries of a Placemark may repeat the same text.
    if (text !== DEFAULTS.get(name) && facts.get(name) !== text) facts.add(name, text);
  } else if (top === 'ExtendedData') {
    if (!path.includes('Data') && !path.includes('SchemaData')) facts.add(name, text);
    else if (name === 'displayName') {
      facts.add(`${attribute(element.parent ?? element, 'name') ?? 'Data'}.displayName`, text);
    }
  } else if (top === 'TimeStamp' || top === 'TimeSpan') facts.add(name, text);
  else if (path.length > 1 || text !== DEFAULTS.get(name)) facts.add(path.join('.'), text);
}

/** Names of the elements from the child of `holder` down to `element`. Empty if `element` is not in `holder`. */
export function pathBelow(holder: XmlElement, element: XmlElement): string[] {
  const names: string[] = [];
  let at: XmlElement | null = element;
  for (; at !== null && at !== holder; at = at.parent) names.push(at.name);
  return at === null ? [] : names.reverse();
}
