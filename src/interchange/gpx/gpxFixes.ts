/** Reads a track point of GPX as a fix. */

import type { Fix } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import type { IssueList } from '../common/issueList.js';
import { parseTime, plainNumber } from '../common/parseTime.js';
import type { ForeignRoutePoint } from '../common/readOptions.js';
import { TextProperties } from '../common/textProperties.js';
import { LocalTimes } from '../table/localTimes.js';
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

type Draft = { -readonly [Field in keyof Fix]: Fix[Field] };

/** Elements of a track point that become fields of a fix. */
export const FIX_ELEMENTS: ReadonlySet<string> = new Set([
  'time',
  'ele',
  'speed',
  'course',
  'sat',
  'hdop',
  'fix',
]);
/** Elements of its extensions, by the names that programs use. */
export const EXTENSION_ELEMENTS: ReadonlyMap<string, string> = new Map([
  ['speed', 'speed'],
  ['course', 'course'],
  ['bearing', 'course'],
  ['sat', 'sat'],
  ['hdop', 'hdop'],
  ['accuracy', 'accuracy'],
]);

const KPH_PER_METER_PER_SECOND = 3.6;

/** Reads the fixes of one file. */
export class GpxFixes {
  /** Number of times without a time zone, which were not read. */
  zonelessTimes = 0;
  readonly #issues: IssueList;
  readonly #metersPerHdop: number;
  readonly #local: LocalTimes | null;

  /** Throws `tz-unknown`. */
  constructor(issues: IssueList, metersPerHdop: number, timeZone: string | undefined) {
    this.#issues = issues;
    this.#local = timeZone === undefined ? null : new LocalTimes(timeZone, false);
    this.#metersPerHdop = metersPerHdop;
  }

  /** Makes a fix from the texts of a track point. Null, with an issue, for an invalid time. An invalid number is left out, with a warning. */
  fix(texts: TextProperties, lon: number, lat: number, field: string, line: number): Fix | null {
    const time = this.#time(texts.get('time') ?? '', field, line);
    if (time === null) return null;
    const fix: Draft = { time, lon, lat };
    const number = (name: string, least: number): number | null =>
      this.#number(texts.get(name), `${field}.${name}`, least, line);
    const speed = number('speed', 0);
    if (speed !== null) fix.speedKph = speed * KPH_PER_METER_PER_SECOND;
    const course = number('course', Number.NEGATIVE_INFINITY);
    if (course !== null) fix.courseDegrees = course;
    const altitude = number('ele', Number.NEGATIVE_INFINITY);
    if (altitude !== null) fix.altitudeMeters = altitude;
    const satellites = number('sat', 0);
    if (satellites !== null) fix.satellites = satellites;
    const hdop = number('hdop', 0);
    const accuracy =
      number('accuracy', 0) ??
      (hdop === null || this.#metersPerHdop === 0 ? null : hdop * this.#metersPerHdop);
    if (accuracy !== null) fix.accuracyMeters = accuracy;
    if (texts.get('fix') === 'none') fix.valid = false;
    return fix;
  }

  #time(text: string, field: string, line: number): number | null {
    const parsed = parseTime(text, 0);
    if (parsed === null) {
      const message = `expected an ISO 8601 time, received ${JSON.stringify(text.slice(0, 60))}`;
      this.#issues.error('time-invalid', `${field}.time`, message, line);
      return null;
    }
    if (parsed.note === 'time-zone-missing') return this.#localTime(parsed.time, text, field, line);
    if (parsed.note === 'leap-second') {
      const message = `expected a second of 0 to 59, received ${text}; read as the millisecond before it`;
      this.#issues.warning('leap-second', `${field}.time`, message, line);
    }
    return parsed.time;
  }

  /** The instant of a local time. Null without a zone, and, with an issue, for a time skipped by the zone's clocks. */
  #localTime(wallTime: number, text: string, field: string, line: number): number | null {
    if (this.#local === null) {
      this.zonelessTimes++;
      return null;
    }
    const time = this.#local.resolve(wallTime, '');
    if (time === null) {
      const message = `expected a time that the clocks of the zone show, received ${JSON.stringify(text.slice(0, 60))}, which they skip`;
      this.#issues.error('time-skipped', `${field}.time`, message, line);
    }
    return time;
  }

  #number(text: string | undefined, field: string, least: number, line: number): number | null {
    if (text === undefined || text === '') return null;
    const value = plainNumber(text);
    if (value !== null && value >= least) return value;
    const what = least === 0 ? 'a number of at least 0' : 'a number';
    const message = `expected ${what}, received ${JSON.stringify(text.slice(0, 60))}; left out`;
    this.#issues.warning('number-invalid', field, message, line);
    return null;
  }
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
