/** The elements around Placemarks: allowed parents (KML 2.3, OGC 12-007r2), and drafts of Folders and the Document while they are read. */

import type { GeozoneGroup, Route } from '../../core/wire.js';
import { TextProperties } from '../common/textProperties.js';
import type { XmlElement } from '../xml/xmlFeed.js';
import {
  DOCUMENT_DATA,
  GROUP_DATA,
  ROUTE_DATA,
  readGroupData,
  readRecordData,
  readRouteData,
} from './kmlWire.js';

const CONTAINERS = ['kml', 'Document', 'Folder'];
const GEOMETRY = ['Placemark', 'MultiGeometry'];
const RING = ['outerBoundaryIs', 'innerBoundaryIs'];
/** Fields of a Document, Folder or Placemark, and the elements in which they are lost. */
const FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'styleUrl', 'TimeStamp', 'TimeSpan']);
const PARENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['kml', []],
  ['Document', CONTAINERS],
  ['Folder', CONTAINERS],
  ['Placemark', CONTAINERS],
  ['Point', GEOMETRY],
  ['LineString', GEOMETRY],
  ['LinearRing', [...GEOMETRY, ...RING]],
  ['Polygon', GEOMETRY],
  ['MultiGeometry', GEOMETRY],
  ['MultiTrack', GEOMETRY],
  ['Track', [...GEOMETRY, 'MultiTrack']],
  ['outerBoundaryIs', ['Polygon']],
  ['innerBoundaryIs', ['Polygon']],
  ['coordinates', ['Point', 'LineString', 'LinearRing', ...RING]],
  // Custom elements in ExtendedData may have these names.
  ['when', ['Track', 'TimeStamp', 'ExtendedData']],
  ['coord', ['Track', 'ExtendedData']],
  ['angles', ['Track', 'ExtendedData']],
]);
const WITHOUT_FIELDS: ReadonlySet<string> = new Set([
  ...[...PARENTS.keys()].filter((name) => !['Document', 'Folder', 'Placemark'].includes(name)),
  'name',
  'Data',
  'Style',
]);

export class FolderDraft {
  readonly element: XmlElement;
  readonly field: string;
  readonly id: string;
  /** Fields other than the name. */
  readonly facts: TextProperties = new TextProperties();
  name = '';
  readonly zoneIds: Set<string> = new Set();
  /** The group, if wayzone wrote it. */
  wire: GeozoneGroup | null = null;
  /** The route, if wayzone wrote it and the Folder contains only the route's points. */
  route: Omit<Route, 'points'> | null = null;

  constructor(element: XmlElement, field: string, id: string) {
    this.element = element;
    this.field = field;
    this.id = id;
  }
}

/** The root's Document while it is read. */
export class DocumentDraft {
  readonly element: XmlElement;
  readonly facts: TextProperties = new TextProperties();
  name: string | null = null;
  /** Properties of the document, if wayzone wrote them. */
  wire: Readonly<Record<string, unknown>> | null = null;

  constructor(element: XmlElement) {
    this.element = element;
  }
}

/** Names of `Data` that only wayzone writes. */
const OWN_DATA: ReadonlySet<string> = new Set([GROUP_DATA, ROUTE_DATA, DOCUMENT_DATA]);

/**
 * Takes a `Data` value of a Folder or the Document: parsed if wayzone wrote it, else as text. Returns false if the value cannot be parsed, or if it is
 * a route and the reader does not keep zones (`keepsZones`), from which the route's points are taken.
 */
export function takeData(
  holder: FolderDraft | DocumentDraft,
  name: string,
  text: string,
  keepsZones: boolean,
): boolean {
  if (!OWN_DATA.has(name)) {
    holder.facts.add(name, text);
    return true;
  }
  if (holder instanceof DocumentDraft) {
    holder.wire = name === DOCUMENT_DATA ? readRecordData(text) : null;
    return holder.wire !== null;
  }
  if (name === GROUP_DATA) {
    holder.wire = readGroupData(text);
    return holder.wire !== null;
  }
  if (name !== ROUTE_DATA || !keepsZones) return false;
  holder.route = readRouteData(text);
  return holder.route !== null;
}

/** The parents that KML allows for an element, if `parent` is not one of them; else null. */
export function allowedParents(name: string, parent: string): string | null {
  if (FIELDS.has(name) || (name === 'ExtendedData' && parent === 'kml'))
    return WITHOUT_FIELDS.has(parent) ? 'Document, Folder, Placemark' : null;
  const allowed = PARENTS.get(name);
  if (allowed === undefined || allowed.includes(parent)) return null;
  return allowed.length === 0 ? 'nothing' : allowed.join(', ');
}
