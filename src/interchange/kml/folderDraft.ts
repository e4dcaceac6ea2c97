/** A Folder while it is read: a group, or a route that our own writer wrote; and the Document that holds all. */

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
  /** What it says beside its name. */
  readonly facts: TextProperties = new TextProperties();
  name = '';
  readonly zoneIds: Set<string> = new Set();
  wire: GeozoneGroup | null = null;
  /** A route of ours, whose points lie in it; no longer once something else does. */
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
  /** The properties that our own writer wrote. */
  wire: Readonly<Record<string, unknown>> | null = null;

  constructor(element: XmlElement) {
    this.element = element;
  }
}

/** Names of data that our own writer alone writes. */
const OWN_DATA: ReadonlySet<string> = new Set([GROUP_DATA, ROUTE_DATA, DOCUMENT_DATA]);

/**
 * Takes the data of a Folder or the Document: our own as what it was, all other as text. False for data of ours that cannot be taken: a route
 * needs its points, which `keepsZones` promises, when its Folder ends.
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
