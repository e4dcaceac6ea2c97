/** A Folder while it is read: a group, or a route that our own writer wrote. */

import type { GeozoneGroup, Route } from '../core/wire.js';
import { KEPT_TEXTS } from './kmlPlacemark.js';
import { GROUP_DATA, ROUTE_DATA, readGroupData, readRouteData } from './kmlWire.js';
import type { XmlElement } from './readXml.js';

export interface FolderDraft {
  readonly element: XmlElement;
  readonly field: string;
  readonly id: string;
  name: string;
  readonly zoneIds: Set<string>;
  wire: GeozoneGroup | null;
  /** A route of ours, whose points lie in it; no longer once something else does. */
  route: Omit<Route, 'points'> | null;
}

/** Takes the data that our own writer wrote; false for any other. A route needs its points, which `keepsZones` promises, when its Folder ends. */
export function takesData(folder: FolderDraft, name: string, text: string, keepsZones: boolean): boolean {
  if (name === GROUP_DATA) {
    folder.wire = readGroupData(text);
    return folder.wire !== null;
  }
  if (name !== ROUTE_DATA || !keepsZones) return false;
  folder.route = readRouteData(text);
  return folder.route !== null;
}

/** Whether a child of a Folder is a text of its own, or hides all that is in it. */
export function saysMore({ name, text }: XmlElement): boolean {
  if (name === 'visibility') return /^\s*(?:0|false)\s*$/.test(text);
  return KEPT_TEXTS.has(name) && text.trim() !== '';
}
