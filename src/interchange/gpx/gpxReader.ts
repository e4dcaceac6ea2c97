/** Builds tracks, routes and zones from the elements of a GPX file. */

import type { Position } from '../../core/geometry.js';
import { readOption } from '../../core/options.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { LeftOut } from '../common/issueList.js';
import { pointShape, toWirePairs } from '../common/lonLatShape.js';
import { plainNumber } from '../common/parseTime.js';
import { nameOfFile } from '../common/readOptions.js';
import { pathBelow, TextProperties } from '../common/textProperties.js';
import { isProblem } from '../crs/crs.js';
import { attribute, type XmlElement, type XmlHandler } from '../xml/xmlFeed.js';
import {
  addText,
  EXTENSION_ELEMENTS,
  FIX_ELEMENTS,
  GpxFixes,
  openSegment,
  type PointDraft,
  type RouteDraft,
  routeDraftOf,
  routePointOf,
  type TrackDraft,
  trackOf,
} from './gpxFixes.js';
import { GPX_OPTIONS, type GpxOptions } from './gpxOptions.js';

/** Names of elements that are read in any case. */
const NAMES: readonly string[] = [
  'gpx',
  'trk',
  'trkseg',
  'trkpt',
  'rte',
  'rtept',
  'wpt',
  'name',
  'time',
  'ele',
  'speed',
  'course',
];
const POINTS: ReadonlySet<string> = new Set(['trkpt', 'rtept', 'wpt']);
/** Elements with positions, and the parents that GPX allows. */
const PARENTS: ReadonlyMap<string, string> = new Map([
  ['gpx', 'nothing'],
  ['trk', 'gpx'],
  ['rte', 'gpx'],
  ['wpt', 'gpx'],
  ['trkseg', 'trk'],
  ['trkpt', 'trkseg'],
  ['rtept', 'rte'],
]);

export class GpxReader implements XmlHandler {
  readonly names: readonly string[] = NAMES;
  readonly #builder: ForeignBuilder;
  readonly #options: GpxOptions;
  readonly #asLines: boolean;
  readonly #fixes: GpxFixes;
  #root: XmlElement | null = null;
  #name: string | null = null;
  /** Metadata of the file other than its name. */
  readonly #about = new TextProperties();
  #track: TrackDraft | null = null;
  #route: RouteDraft | null = null;
  #point: PointDraft | null = null;
  #tracks = 0;
  #routes = 0;
  #waypoints = 0;
  readonly #leftOut = new LeftOut();
  readonly #misplaced = new Set<string>();

  constructor(builder: ForeignBuilder, options: GpxOptions) {
    this.#builder = builder;
    this.#options = options;
    this.#asLines = readOption(GPX_OPTIONS.as, options.as, 'as') === 'lines';
    const meters = readOption(GPX_OPTIONS.metersPerHdop, options.metersPerHdop, 'metersPerHdop');
    this.#fixes = new GpxFixes(builder.issues, meters, options.timeZone);
  }

  open(element: XmlElement): void {
    const { name, parent, line } = element;
    if (parent === null) this.#root = element;
    if (parent === null && name !== 'gpx') {
      this.#builder.issues.error('gpx-root', '', `expected the root element gpx, received ${name}`, line);
    }
    if (name === 'trk' || name === 'rte') this.#endLoose(parent);
    this.#checkPlace(element);
    if (this.#point !== null) return;
    if (this.#track === null && this.#route === null) this.#openLine(element);
    if (name === 'trkseg' && this.#track !== null) openSegment(this.#track);
    if (POINTS.has(name)) this.#openPoint(element);
  }

  /** Ends the track or route made of points that stand directly in `parent`. */
  #endLoose(parent: XmlElement | null): void {
    if (this.#track !== null && this.#track.element === parent) this.#endTrack();
    if (this.#route !== null && this.#route.element === parent) this.#endRoute();
  }

  /** Opens the track or route that begins with an element; a segment or points outside any also begin one. */
  #openLine(element: XmlElement): void {
    const { name, parent } = element;
    if (name === 'trk' || name === 'trkseg') this.#track = trackOf(element, this.#tracks + 1);
    else if (name === 'rte') this.#route = routeDraftOf(element);
    else if (name === 'trkpt') this.#track = trackOf(parent ?? element, this.#tracks + 1);
    else if (name === 'rtept') this.#route = routeDraftOf(parent ?? element);
  }

  /** Opens a point: of the open track or route, else a waypoint. */
  #openPoint(element: XmlElement): void {
    const isWaypoint = element.name === 'wpt' && element.parent?.name === 'gpx';
    if (this.#track !== null && !isWaypoint) {
      // A point outside all segments opens a segment.
      if (this.#track.segments === 0) openSegment(this.#track);
      const place = `trkseg[${this.#track.segments - 1}].trkpt[${this.#track.segmentPoints++}]`;
      this.#point = routePointOf('trkpt', element, `trk[${this.#tracks}].${place}`);
    } else if (this.#route !== null && !isWaypoint) {
      const place = `rtept[${this.#route.seen++}]`;
      this.#point = routePointOf('rtept', element, `rte[${this.#routes}].${place}`);
    } else if (element.name === 'wpt') {
      this.#point = routePointOf('wpt', element, `wpt[${this.#waypoints++}]`);
    }
  }

  /** Reports, once for each kind, an element in a parent that GPX does not allow. */
  #checkPlace(element: XmlElement): void {
    const { name, line } = element;
    const wanted = PARENTS.get(name);
    const place = element.parent?.name ?? 'nothing';
    if (wanted === undefined || place === wanted || this.#misplaced.has(`${name} ${place}`)) return;
    this.#misplaced.add(`${name} ${place}`);
    const message = `expected ${name} in ${wanted}, received it in ${place}`;
    const { issues } = this.#builder;
    if (this.#point !== null) issues.error('element-misplaced', name, `${message}; not read`, line);
    else issues.warning('element-misplaced', name, `${message}; ${this.#howRead(name)}`, line);
  }

  /** Reads a misplaced element. */
  #howRead(name: string): string {
    const outer = this.#track !== null ? 'trk' : this.#route !== null ? 'rte' : null;
    if (outer === null) {
      if (name === 'trkseg' || name === 'trkpt') return 'read as a track';
      return name === 'rtept' ? 'read as a route' : 'read';
    }
    if (!POINTS.has(name)) return `read as part of the ${outer}`;
    return `read as a ${outer}pt`;
  }

  close(element: XmlElement): void {
    const point = this.#point;
    if (point !== null) {
      if (element === point.element) {
        this.#point = null;
        this.#endPoint(point);
      } else if (point.tag === 'trkpt') this.#addFixText(point, element);
      else {
        // Elements with a position are Garmin's points of the road to the next route point.
        if (attribute(element, 'lat') !== undefined) this.#addRoad(point, element);
        addText(point.texts, element, point.element);
      }
      return;
    }
    const draft = this.#track ?? this.#route;
    if (draft === null) {
      this.#addAbout(element);
      return;
    }
    if (element === this.#track?.element) this.#endTrack(element.line);
    else if (element === draft.element) this.#endRoute(element.line);
    else if (element.name === 'name' && element.parent === draft.element && draft.name === '') {
      draft.name = element.text.trim();
    } else addText(draft.texts, element, draft.element);
  }

  /** Ends a track or route left open by a truncated file, and adds the warnings of the whole file. */
  finish(): void {
    this.#endTrack();
    this.#endRoute();
    const about = { ...(this.#name === null ? {} : { name: this.#name }), ...this.#about.asField() };
    if (Object.keys(about).length > 0) this.#builder.document = about;
    const { issues } = this.#builder;
    if (this.#fixes.zonelessTimes > 0) {
      const message = `expected times with a time zone, received ${this.#fixes.zonelessTimes} without; not read; say the zone (UTC is what GPX prescribes): --time-zone UTC`;
      issues.error('time-zone-missing', '', message);
    }
    const leftOut = this.#leftOut.toText();
    if (leftOut !== null) {
      issues.warning(
        'gpx-fields',
        '',
        `expected fields of a fix or route point, received also ${leftOut}; left out`,
      );
    }
  }

  /** Adds text and attributes of an element of `metadata` (in GPX 1.0: of the root) by its path. */
  #addAbout(element: XmlElement): void {
    if (this.#root?.name !== 'gpx') return;
    const path = pathBelow(this.#root, element);
    if (path[0] === 'metadata') path.shift();
    if (path.length === 0) return;
    const text = element.text.trim();
    if (text !== '' && this.#name === null && path.join('.') === 'name') this.#name = text;
    else if (text !== '') this.#about.add(path.join('.'), text);
    for (const key of Object.keys(element.attributes)) {
      if (!/^xmlns|:/.test(key)) this.#about.add([...path, key].join('.'), attribute(element, key) ?? '');
    }
  }

  #addFixText({ element: point, texts }: PointDraft, element: XmlElement): void {
    if (this.#asLines) return;
    const { name, parent } = element;
    const text = element.text.trim();
    if (parent === point && FIX_ELEMENTS.has(name)) texts.set(name, text);
    else if (text !== '') {
      const known = parent === point ? undefined : EXTENSION_ELEMENTS.get(name);
      if (known === undefined) this.#leftOut.add(name);
      else if (!texts.has(known)) texts.set(known, text);
    }
  }

  #endPoint(point: PointDraft): void {
    const { field, element } = point;
    const x = this.#degrees(point, 'lon');
    const y = this.#degrees(point, 'lat');
    if (x === null || y === null) return;
    const place = this.#builder.place(x, y);
    if (isProblem(place)) {
      const name = place.code === 'lat-range' ? 'lat' : 'lon';
      this.#builder.issues.error(place.code, `${field}.${name}`, place.message, element.line);
      return;
    }
    const [lon, lat] = place;
    if (point.tag === 'trkpt') this.#addFix(point, lon, lat);
    else this.#addNamedPoint(point, lon, lat);
  }

  #degrees(point: Pick<PointDraft, 'field' | 'element'>, name: 'lon' | 'lat'): number | null {
    const text = attribute(point.element, name) ?? attribute(point.element, name.toUpperCase());
    const value = text === undefined ? null : plainNumber(text);
    if (value === null) {
      const message = `expected a number of degrees, received ${text === undefined ? 'none' : JSON.stringify(text)}`;
      this.#builder.issues.error('coord-type', `${point.field}.${name}`, message, point.element.line);
    }
    return value;
  }

  /** Adds a point of the road after a route point to the line of the route. A route of points has no line. */
  #addRoad({ field, road }: PointDraft, element: XmlElement): void {
    if (!this.#asLines) {
      this.#leftOut.add(element.name);
      return;
    }
    const at = { field: `${field}.${element.name}`, element };
    const [x, y] = [this.#degrees(at, 'lon'), this.#degrees(at, 'lat')];
    const place = x === null || y === null ? null : this.#builder.place(x, y);
    if (place === null) return;
    if (isProblem(place)) this.#builder.issues.error(place.code, at.field, place.message, element.line);
    else road.push(place);
  }

  #addFix({ texts, field, element }: PointDraft, lon: number, lat: number): void {
    const track = this.#track;
    if (track === null) return;
    if (this.#asLines) {
      // The builder counts these vertices when the zone is added.
      track.lines.at(-1)!.push([lon, lat]);
      return;
    }
    if ((texts.get('time') ?? '') === '') {
      track.untimed++;
      return;
    }
    const fix = this.#fixes.fix(texts, lon, lat, field, element.line);
    if (fix === null) return;
    this.#builder.limits.countVertices(1);
    if (!this.#builder.takesFix(this.#unitOf(track), fix)) track.fixes.push(fix);
  }

  #addNamedPoint({ tag, texts, field, element, road }: PointDraft, lon: number, lat: number): void {
    const name = texts.take('name');
    if (tag === 'wpt') {
      const id = `${this.#options.idPrefix ?? 'zone-'}${this.#waypoints}`;
      const fields = texts.asField();
      this.#builder.addShapes(id, name, [pointShape([lon, lat])], () => fields, field, element.line);
    } else if (this.#asLines) this.#route?.line.push([lon, lat], ...road);
    else {
      this.#builder.limits.countVertices(1);
      const geometry = toWirePairs([[lon, lat]], this.#builder.axisOrder);
      this.#route?.points.push({ name, type: { key: 'point' }, geometry, ...texts.asField() });
    }
  }

  #endTrack(line?: number): void {
    const track = this.#track;
    if (track === null) return;
    this.#track = null;
    const { texts, fixes, lines, untimed } = track;
    const field = `trk[${this.#tracks++}]`;
    if (untimed > 0) {
      const message = `expected a time for each point, received ${untimed} points without; left out`;
      this.#builder.issues.warning('time-missing', field, message, line);
    }
    const name = track.name === '' ? `track-${this.#tracks}` : track.name;
    const { unitId, fileName } = this.#options;
    if (track.name === '' && !this.#asLines && unitId === undefined && fileName !== undefined) {
      const message = `assumed: unit is ${JSON.stringify(this.#unitOf(track))}, the name of the file`;
      this.#builder.issues.warning('table-assumed', `${field}.name`, message);
    }
    if (this.#asLines) {
      this.#addLines(`track-${this.#tracks}`, name, lines, texts, field, line);
      return;
    }
    this.#builder.addTrack({ name, unitId: this.#unitOf(track), fixes, ...texts.asField() });
  }

  #unitOf({ name, number }: TrackDraft): string {
    const { unitId, fileName } = this.#options;
    if (unitId !== undefined) return unitId;
    if (name !== '') return name;
    const file = nameOfFile(fileName);
    return file === null ? `track-${number}` : number === 1 ? file : `${file}-${number}`;
  }

  #endRoute(line?: number): void {
    const route = this.#route;
    if (route === null) return;
    this.#route = null;
    const { name, texts, points } = route;
    const field = `rte[${this.#routes++}]`;
    if (this.#asLines) {
      this.#addLines(`route-${this.#routes}`, name, [route.line], texts, field, line);
      return;
    }
    const id = `${this.#options.idPrefix ?? 'route-'}${this.#routes}`;
    this.#builder.addRoute(id, { name, points, ...texts.asField() }, field, line);
  }

  #addLines(
    id: string,
    name: string,
    lines: readonly Position[][],
    texts: TextProperties,
    field: string,
    line?: number,
  ): void {
    const shapes = lines
      .filter((positions) => positions.length > 0)
      .map((geometry) => ({ key: 'line' as const, geometry, parts: null }));
    if (shapes.length === 0) {
      const message = 'expected points, received none; not read';
      this.#builder.issues.warning('geometry-missing', field, message, line);
      return;
    }
    const own = `${this.#options.idPrefix ?? ''}${id}`;
    const fields = texts.asField();
    this.#builder.addShapes(own, name, shapes, () => fields, field, line);
  }
}
