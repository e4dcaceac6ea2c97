/** Drafts of a Folder of KML (a group, or a route written by wayzone) and of the Document, while they are read. */

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
