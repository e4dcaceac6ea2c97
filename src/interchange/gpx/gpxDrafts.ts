/** Points, tracks and routes of a GPX file while they are read. */

import type { Fix } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import type { ForeignRoutePoint } from '../common/foreignZone.js';
import { TextProperties } from '../common/textProperties.js';
import { attribute, type XmlElement } from '../xml/xmlFeed.js';

export interface PointDraft {
  readonly tag: 'trkpt' | 'rtept' | 'wpt';
  readonly field: string;
  readonly element: XmlElement;
  readonly texts: TextProperties;
  /** Points of the road from a route point to the next one. */
  readonly road: Position[];
}

export interface TrackDraft {
  readonly element: XmlElement;
  name: string;
  /** Number of the track in the file, from 1. */
  readonly number: number;
  readonly texts: TextProperties;
  readonly fixes: Fix[];
  /** Positions of each segment, if tracks are read as lines. */
  readonly lines: Position[][];
  segments: number;
  segmentPoints: number;
  untimed: number;
}

export interface RouteDraft {
  readonly element: XmlElement;
  name: string;
  readonly texts: TextProperties;
  readonly points: ForeignRoutePoint[];
  readonly line: Position[];
  seen: number;
}

export function routePointOf(tag: PointDraft['tag'], element: XmlElement, field: string): PointDraft {
  return { tag, field, element, texts: new TextProperties(), road: [] };
}

/** Adds the text of an element of `holder` (a point, track or route). The text of a link is its address. */
export function addText(texts: TextProperties, element: XmlElement, holder: XmlElement): void {
  const { name, parent } = element;
  const href = name === 'link' && parent === holder ? attribute(element, 'href') : undefined;
  const text = href ?? element.text.trim();
  if (text !== '') texts.add(parent?.name === 'link' ? `link.${name}` : name, text);
}

export function trackOf(element: XmlElement, number: number): TrackDraft {
  return {
    element,
    name: '',
    number,
    texts: new TextProperties(),
    fixes: [],
    lines: [],
    segments: 0,
    segmentPoints: 0,
    untimed: 0,
  };
}

export function openSegment(track: TrackDraft): void {
  track.segments++;
  track.lines.push([]);
  track.segmentPoints = 0;
}

export function routeDraftOf(element: XmlElement): RouteDraft {
  return { element, name: '', texts: new TextProperties(), points: [], line: [], seen: 0 };
}
