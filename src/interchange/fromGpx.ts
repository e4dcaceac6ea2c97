/** GPX 1.0 and 1.1 (topografix.com/GPX/1/0, /1/1) as tracks, routes and point zones. */

import type { Fix, ForeignData } from '../core/fix.js';
import { readChoice } from '../core/gate.js';
import type { Position } from '../core/geometry.js';
import { isProblem } from './crs.js';
import { decodeChunks, decodeText } from './decodeText.js';
import { ForeignBuilder, type ForeignRoutePoint, type ReadOptions } from './foreignBuilder.js';
import { resolveCrs } from './loadCrs.js';
import { parseTime } from './parseTime.js';
import { plainNumber } from './plainNumber.js';
import { pointShape, toWirePairs } from './readShape.js';
import { attribute, type XmlElement, XmlFeed, type XmlHandler } from './readXml.js';

export interface GpxOptions extends ReadOptions {
  /** The unit of every track in the file. Default: the track's name, else `track-` and its number. */
  readonly unitId?: string;
  /**
   * `fixes` (default): tracks are fixes, routes are points. `lines`: each segment of a track and each route is a line zone without a
   * width, of id `track-1`, `route-1`…; points need no time then, and what they say beyond the position is not read.
   */
  readonly as?: 'fixes' | 'lines';
}

/**
 * Tracks (`trk`), routes (`rte`) and point zones (`wpt`) of a GPX file.
 *
 * - The segments of a track are joined in order. A point without a time, or with a wrong one, is no fix: `time-missing` counts them for
 *   each track, `time-invalid` names them. A time without a zone is UTC by the format's definition, with one `time-zone-missing` warning.
 * - `ele`, `sat`, `course`, and the speed (GPX 1.0 `speed`, Garmin's TrackPointExtension: both m/s) are read; `hdop` is
 *   no accuracy in metres and is not read.
 * - With `as: 'lines'` tracks and routes are line zones instead.
 * - What a waypoint or route point says beyond position and name (`ele`, `time`, `desc`, `sym`…) is text under `properties`.
 *
 * Issues: `encoding`, `xml-dtd-forbidden`, `xml-malformed`, `xml-truncated`, `xml-bad-char-ref`, `limit-depth`, `gpx-root`, `coord-type`, `lat-range`,
 * `lon-range`, `geometry-missing`, `time-invalid`, `number-invalid`, `time-missing`, `time-zone-missing`, `leap-second`; with field
 * (`trk[0].trkseg[1].trkpt[17]`) and line. Beyond `limits` the rest is not read (`limit-bytes`, `limit-vertices`, `limit-features`, `limit-text`).
 * Throws `input-type`, `option-value`, `crs-not-loaded`.
 *
 * @example
 * ```ts
 * import { fromGpx } from 'wayzone/interchange';
 * const file = '<gpx version="1.1"><wpt lat="55.7" lon="37.6"><name>Depot</name></wpt></gpx>';
 * fromGpx(file).value.zones[0].name; // 'Depot'
 * ```
 */
export function fromGpx(input: string | Uint8Array, options: GpxOptions = {}): ForeignData {
  const builder = new ForeignBuilder(options);
  const feed = new XmlFeed(builder.issues, new GpxReader(builder, options), builder.limits);
  const text = decodeText(input, builder.issues, builder.limits);
  if (text !== null) feed.write(text);
  feed.close(text === null);
  return builder.toForeignData();
}

/**
 * `fromGpx` of a file that comes in chunks and is never in memory as a whole; a limit of bytes or vertices ends the reading of the source.
 *
 * Rejects with what the source throws; `source-type`, `input-type` for what is no iterable of bytes; `crs-unsupported`.
 *
 * @example
 * ```ts
 * import { readGpx } from 'wayzone/interchange';
 * const file = '<gpx version="1.1"><wpt lat="55.7" lon="37.6"><name>Depot</name></wpt></gpx>';
 * const { value } = await readGpx([new TextEncoder().encode(file)]);
 * value.zones[0].name; // 'Depot'
 * ```
 */
export async function readGpx(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GpxOptions = {},
): Promise<ForeignData> {
  const builder = new ForeignBuilder({ ...options, crs: await resolveCrs(options.crs) });
  const feed = new XmlFeed(builder.issues, new GpxReader(builder, options), builder.limits);
  const isWhole = await decodeChunks(chunks, builder.issues, builder.limits, (text) => feed.write(text));
  feed.close(!isWhole);
  return builder.toForeignData();
}

type PointTag = 'trkpt' | 'rtept' | 'wpt';

interface PointDraft {
  readonly tag: PointTag;
  readonly field: string;
  readonly element: XmlElement;
  readonly values: Map<string, string>;
  speed: string | null;
}

interface TrackDraft {
  name: string;
  /** From 1. */
  readonly number: number;
  readonly fixes: Fix[];
  /** The positions of each segment, when tracks are read as lines. */
  readonly lines: Position[][];
  segments: number;
  segmentPoints: number;
  untimed: number;
}

interface RouteDraft {
  name: string;
  readonly points: ForeignRoutePoint[];
  readonly line: Position[];
  seen: number;
}

class GpxReader implements XmlHandler {
  readonly #builder: ForeignBuilder;
  readonly #options: GpxOptions;
  readonly #asLines: boolean;
  #track: TrackDraft | null = null;
  #route: RouteDraft | null = null;
  #point: PointDraft | null = null;
  #tracks = 0;
  #routes = 0;
  #waypoints = 0;
  #zoneless = 0;

  constructor(builder: ForeignBuilder, options: GpxOptions) {
    this.#builder = builder;
    this.#options = options;
    this.#asLines = readChoice(options.as, 'as', ['fixes', 'lines'], 'fixes') === 'lines';
  }

  open(element: XmlElement): void {
    const { name, parent } = element;
    if (parent === null && name !== 'gpx') {
      this.#builder.issues.error(
        'gpx-root',
        '',
        `expected the root element gpx, received ${name}`,
        element.line,
      );
    }
    if (name === 'trk' && parent?.name === 'gpx') {
      this.#track = {
        name: '',
        number: this.#tracks + 1,
        fixes: [],
        lines: [],
        segments: 0,
        segmentPoints: 0,
        untimed: 0,
      };
    } else if (name === 'rte' && parent?.name === 'gpx') {
      this.#route = { name: '', points: [], line: [], seen: 0 };
    } else if (name === 'trkseg' && this.#track !== null) {
      this.#track.segments++;
      this.#track.lines.push([]);
      this.#track.segmentPoints = 0;
    } else if (name === 'trkpt' && this.#track !== null) {
      const segment = this.#track.segments - 1;
      this.#begin(
        name,
        element,
        `trk[${this.#tracks}].trkseg[${segment}].trkpt[${this.#track.segmentPoints++}]`,
      );
    } else if (name === 'rtept' && this.#route !== null) {
      this.#begin(name, element, `rte[${this.#routes}].rtept[${this.#route.seen++}]`);
    } else if (name === 'wpt' && parent?.name === 'gpx') {
      this.#begin(name, element, `wpt[${this.#waypoints++}]`);
    }
  }

  #begin(tag: PointTag, element: XmlElement, field: string): void {
    this.#point = { tag, field, element, values: new Map(), speed: null };
  }

  close(element: XmlElement): void {
    const { name, parent } = element;
    const point = this.#point;
    if (point !== null) {
      if (element === point.element) {
        this.#point = null;
        this.#endPoint(point);
      } else if (parent === point.element) {
        if (name === 'link') point.values.set('link', attribute(element, 'href') ?? element.text.trim());
        else if (name !== 'extensions') point.values.set(name, element.text.trim());
        if (name === 'speed') point.speed = element.text;
      } else if (name === 'speed' && parent?.name === 'TrackPointExtension') point.speed = element.text;
      return;
    }
    if (name === 'name') {
      if (parent?.name === 'trk' && this.#track !== null) this.#track.name = element.text.trim();
      if (parent?.name === 'rte' && this.#route !== null) this.#route.name = element.text.trim();
    } else if (name === 'trk') this.#endTrack(element.line);
    else if (name === 'rte') this.#endRoute(element.line);
  }

  /** What the end of the file leaves open: a track or route that a truncated file began. */
  finish(): void {
    this.#endTrack();
    this.#endRoute();
    if (this.#zoneless > 0) {
      const message = `${this.#zoneless} times have no zone; read as UTC, which GPX prescribes`;
      this.#builder.issues.warning('time-zone-missing', '', message);
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

  #degrees(point: PointDraft, name: 'lon' | 'lat'): number | null {
    const text = attribute(point.element, name);
    const value = text === undefined ? null : plainNumber(text);
    if (value === null) {
      const message = `expected a number of degrees, received ${text === undefined ? 'none' : JSON.stringify(text)}`;
      this.#builder.issues.error('coord-type', `${point.field}.${name}`, message, point.element.line);
    }
    return value;
  }

  #addFix(point: PointDraft, lon: number, lat: number): void {
    const track = this.#track;
    if (track === null) return;
    if (this.#asLines) {
      track.lines.at(-1)?.push([lon, lat]);
      return;
    }
    const text = point.values.get('time');
    if (text === undefined || text === '') {
      track.untimed++;
      return;
    }
    const { issues } = this.#builder;
    const { line } = point.element;
    const parsed = parseTime(text, 0);
    if (parsed === null) {
      const message = `expected an ISO 8601 time, received ${JSON.stringify(text.slice(0, 60))}`;
      issues.error('time-invalid', `${point.field}.time`, message, line);
      return;
    }
    if (parsed.note === 'time-zone-missing') this.#zoneless++;
    else if (parsed.note === 'leap-second') {
      issues.warning(
        'leap-second',
        `${point.field}.time`,
        `${text} is read as the millisecond before it`,
        line,
      );
    }
    const fix: { -readonly [Field in keyof Fix]: Fix[Field] } = { time: parsed.time, lon, lat };
    const speed = this.#number(point, 'speed', point.speed);
    if (speed !== null) fix.speedKph = speed * 3.6;
    const course = this.#number(point, 'course', point.values.get('course'));
    if (course !== null) fix.courseDegrees = course;
    const altitude = this.#number(point, 'ele', point.values.get('ele'));
    if (altitude !== null) fix.altitudeMeters = altitude;
    const satellites = this.#number(point, 'sat', point.values.get('sat'));
    if (satellites !== null) fix.satellites = satellites;
    this.#builder.limits.countVertices(1);
    if (!this.#builder.takesFix(this.#unitOf(track), fix)) track.fixes.push(fix);
  }

  #number(point: PointDraft, name: string, text: string | null | undefined): number | null {
    if (text === null || text === undefined || text.trim() === '') return null;
    const value = plainNumber(text);
    if (value === null) {
      const message = `expected a number, received ${JSON.stringify(text.slice(0, 60))}; left out`;
      this.#builder.issues.warning('number-invalid', `${point.field}.${name}`, message, point.element.line);
    }
    return value;
  }

  #addNamedPoint(point: PointDraft, lon: number, lat: number): void {
    const name = point.values.get('name') ?? '';
    point.values.delete('name');
    const more = point.values.size === 0 ? {} : { properties: Object.fromEntries(point.values) };
    if (point.tag === 'wpt') {
      const id = `${this.#options.idPrefix ?? 'zone-'}${this.#waypoints}`;
      this.#builder.addShapes(
        id,
        name,
        [pointShape([lon, lat])],
        () => more,
        point.field,
        point.element.line,
      );
      return;
    }
    if (this.#asLines) {
      this.#route?.line.push([lon, lat]);
      return;
    }
    const geometry = toWirePairs([[lon, lat]], this.#builder.axisOrder);
    this.#route?.points.push({ name, type: { key: 'point' }, geometry, ...more });
  }

  #endTrack(line?: number): void {
    const track = this.#track;
    if (track === null) return;
    this.#track = null;
    const field = `trk[${this.#tracks++}]`;
    if (track.untimed > 0) {
      const message = `${track.untimed} points have no time; they are no fixes and are left out`;
      this.#builder.issues.warning('time-missing', field, message, line);
    }
    const name = track.name === '' ? `track-${this.#tracks}` : track.name;
    if (this.#asLines) {
      this.#addLines(`track-${this.#tracks}`, name, track.lines, field, line);
      return;
    }
    this.#builder.addTrack({ name, unitId: this.#unitOf(track), fixes: track.fixes });
  }

  #unitOf({ name, number }: TrackDraft): string {
    return this.#options.unitId ?? (name === '' ? `track-${number}` : name);
  }

  #endRoute(line?: number): void {
    const route = this.#route;
    if (route === null) return;
    this.#route = null;
    const field = `rte[${this.#routes++}]`;
    if (this.#asLines) {
      this.#addLines(`route-${this.#routes}`, route.name, [route.line], field, line);
      return;
    }
    const id = `${this.#options.idPrefix ?? 'route-'}${this.#routes}`;
    this.#builder.addRoute(id, { name: route.name, points: route.points }, field, line);
  }

  #addLines(id: string, name: string, lines: readonly Position[][], field: string, line?: number): void {
    const shapes = lines
      .filter((positions) => positions.length > 0)
      .map((geometry) => ({ key: 'line' as const, geometry, parts: null }));
    if (shapes.length === 0) {
      this.#builder.issues.warning(
        'geometry-missing',
        field,
        'expected points, received none; not read',
        line,
      );
      return;
    }
    this.#builder.addShapes(`${this.#options.idPrefix ?? ''}${id}`, name, shapes, () => ({}), field, line);
  }
}
