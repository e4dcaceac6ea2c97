/** Writes the elements of a KML 2.2 document as pieces of text. */

import { expected, WayzoneError } from '../../core/errors.js';
import type { Fix, ForeignDocument, RawTrack } from '../../core/fix.js';
import { guarded, readPositions } from '../../core/input.js';
import { type OptionTable, OWN } from '../../core/options.js';
import type { Geozone, GeozoneGroup, Route, ZoneOptions } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import type { ZoneIssueOptions } from '../common/issueList.js';
import { fixTime, readDocument, readRawTrack } from '../common/readDocument.js';
import { atZone } from '../common/zoneGeometry.js';
import { type Crs, onlyWgs84 } from '../crs/crs.js';
import { xmlName } from '../xml/xmlText.js';
import { type IconHref, type KmlLook, KmlStyleBook, publicIconHref } from './kmlStyleBook.js';
import { GROUP_DATA, ROUTE_DATA, recordOf, TRACK_DATA, wireJson } from './kmlWire.js';
import { ordinalData, ZonePlacemarks } from './zonePlacemarks.js';

/** Fields of a fix that a gx:Track can contain. */
export const TRACK_FIELDS: ReadonlySet<string> = new Set([
  'time',
  'lon',
  'lat',
  'altitudeMeters',
  'courseDegrees',
]);

/** Options of all writers of KML. */
export interface KmlDocumentOptions extends ZoneOptions, ZoneIssueOptions {
  /** The document's name. Default: the name in `document`, else `Geozones`. */
  readonly name?: string | undefined;
  /** Name and properties of the document, as returned by `fromKml` in `value.document`. */
  readonly document?: ForeignDocument | undefined;
  /** The description of a zone, as plain text. Default: its field `description`, if it is text. */
  readonly description?: ((zone: Geozone) => string | null) | undefined;
  /**
   * Address of an icon's picture. Null: the viewer's pin. Default: Google's public pictures for `hospital` and `school`, null for others.
   */
  readonly iconHref?: IconHref | undefined;
  /** Coordinate system: only WGS84, as KML defines. Others throw `crs-unsupported`. */
  readonly crs?: string | Crs | undefined;
}

export const KML_DOCUMENT_OPTIONS: OptionTable<KmlDocumentOptions, 'defaultWidthMeters'> = {
  ...ZONE_OPTIONS,
  name: OWN,
  document: OWN,
  description: OWN,
  iconHref: OWN,
  crs: OWN,
  onIssue: OWN,
};

export class KmlWriter {
  readonly head: string;
  readonly tail: string;
  readonly #styles: KmlStyleBook;
  readonly #placemarks: ZonePlacemarks;

  /** `looks`: pairs of colour and icon that get a shared Style. Zones with other pairs get an inline Style. */
  constructor(looks: Iterable<KmlLook>, options: KmlDocumentOptions) {
    onlyWgs84(options.crs, 'KML');
    this.#placemarks = new ZonePlacemarks(options);
    this.#styles = new KmlStyleBook(looks, options.iconHref ?? publicIconHref);
    const { name, properties } = readDocument(options.document);
    const { head, tail } = this.#styles.frame(options.name ?? name ?? 'Geozones', properties);
    this.head = head;
    this.tail = tail;
  }

  openFolder(group: GeozoneGroup): string {
    return folderOf(group.name, recordOf(GROUP_DATA, wireJson(group)));
  }

  openRoute(route: Omit<Route, 'points'>): string {
    return folderOf(route.name, recordOf(ROUTE_DATA, wireJson(route)));
  }

  closeFolder(): string {
    return '</Folder>\n';
  }

  /** The Placemark of a zone. `index`: the zone's index, for the path of an error. `ordinal`: the index to write, or null. */
  placemark(zone: Geozone, index: number, ordinal: number | null): string {
    return atZone(index, () => {
      const { start, style, id, rest } = this.#placemarks.draft(zone);
      return start + (style ?? this.style(zone)) + id + ordinalData(ordinal) + rest;
    });
  }

  /** The style of a Placemark as text. */
  style(look: KmlLook): string {
    return this.#styles.reference(look);
  }

  /** A gx:Track with the times, positions, heights and courses of the fixes. */
  track(track: RawTrack, index: number): string {
    return trackPlacemark(track, `tracks[${index}]`);
  }
}

function folderOf(name: string, data: string): string {
  return `<Folder><name>${xmlName(name)}</name>${data}\n`;
}

/** The Placemark of a track with its gx:Track (Google's extension of KML 2.2). Throws `kml-fix` for a fix with other fields, `time-range`, `fixes-type`, errors of positions. */
function trackPlacemark(track: RawTrack, field: string): string {
  const { name, fixes, ...rest } = readRawTrack(track, field);
  return guarded(field, () => {
    const hasCourses = fixes.some(({ courseDegrees }) => Number.isFinite(courseDegrees));
    // The order of TrackType in kml22gx.xsd: all times, then all positions, then all angles.
    let [whens, coords, angles] = ['', '', ''];
    for (let i = 0; i < fixes.length; i++) {
      const { when, coord, angle } = fixTexts(fixes[i]!, `${field}.fixes[${i}]`);
      whens += when;
      coords += coord;
      if (hasCourses) angles += angle;
    }
    const text = whens + coords + angles;
    const data = recordOf(TRACK_DATA, wireJson({ name, ...rest }));
    return `<Placemark><name>${xmlName(name)}</name>${data}<gx:Track>${text}</gx:Track></Placemark>\n`;
  });
}

function fixTexts(fix: Fix, field: string): Readonly<Record<'when' | 'coord' | 'angle', string>> {
  const { time, lon, lat, altitudeMeters, courseDegrees } = fix;
  for (const [key, value] of Object.entries(fix)) {
    if (TRACK_FIELDS.has(key) || value === undefined) continue;
    const message = `${expected('only time, position, height and course of a fix in gx:Track', key)}; toGpx and toFixCsv write more fields`;
    throw new WayzoneError('kml-fix', `${field}.${key}`, message);
  }
  const [[x, y] = [0, 0]] = readPositions([[lon, lat]], field);
  const height = Number.isFinite(altitudeMeters) ? ` ${altitudeMeters}` : '';
  const course = Number.isFinite(courseDegrees) ? `${courseDegrees} 0 0` : '';
  return {
    when: `<when>${fixTime(time, `${field}.time`)}</when>`,
    coord: `<gx:coord>${x} ${y}${height}</gx:coord>`,
    angle: `<gx:angles>${course}</gx:angles>`,
  };
}
