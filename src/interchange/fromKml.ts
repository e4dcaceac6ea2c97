/** KML 2.2 (OGC 07-147r2) with Google's gx:Track as zones, groups and tracks. */

import { describe, WayzoneError } from '../core/errors.js';
import type { ForeignData } from '../core/fix.js';
import type { GeozoneGroup, Route } from '../core/wire.js';
import { decodeChunks, decodeText } from './decodeText.js';
import { ForeignBuilder, type ForeignZone, type ReadOptions } from './foreignBuilder.js';
import { type KmlCounts, KmlPlacemark } from './kmlPlacemark.js';
import { colorFromKml, isStylePart, mainColor, type StyleColors, StyleTable } from './kmlStyles.js';
import { GROUP_DATA, ROUTE_DATA, readGroupData, readRouteData } from './kmlWire.js';
import { resolveCrs } from './loadCrs.js';
import type { LonLatShape } from './readShape.js';
import { attribute, type XmlElement, XmlFeed, type XmlHandler } from './readXml.js';
import { foreignFields, own, wireZone } from './wireFields.js';

export interface KmlOptions extends ReadOptions {
  /** The unit of every track in the file. Default: the Placemark's name, else `track-` and its number. */
  readonly unitId?: string;
}

/** Folders may lie in each other this deep. */
const MAX_FOLDER_DEPTH = 64;

/** Features that hold no zone; said, never fetched or followed. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'NetworkLink',
  'GroundOverlay',
  'ScreenOverlay',
  'PhotoOverlay',
  'Tour',
]);

/**
 * The Placemarks of a KML file as zones, its Folders as groups, gx:Track and gx:MultiTrack as tracks.
 *
 * - Polygons of one Placemark are one zone (`parts` where there are holes or several); other MultiGeometry gives several zones
 *   and a group of the Placemark's name. LineString and LinearRing are lines; their width in metres is the data
 *   `width`. A Folder is a group of all zones in it and in the Folders within.
 * - The colour is that of the line (else fill, else icon) style, inline or by `styleUrl`, without its opacity.
 * - `description`, `address`, `Snippet`, times and ExtendedData are kept as text under `properties`. What `toKml` wrote comes back
 *   as it was.
 * - Altitudes of zones are left out with one `altitude-dropped` warning. Links are never followed.
 *
 * Issues: `encoding`, `xml-dtd-forbidden`, `xml-malformed`, `xml-truncated`, `xml-bad-char-ref`, `limit-depth`, `kml-root`,
 * `kml-coordinates` (with the tuple's index), `kml-polygon`, `kml-track-mismatch`, `kml-data`, `lat-range`, `lon-range`,
 * `ring-too-short`, `line-too-short`, `limit-vertices`, `limit-rings`, `time-invalid`, and as warnings `geometry-missing`,
 * `kml-unsupported`, `kml-color`, `altitude-dropped`, `time-zone-missing`, `leap-second`, `duplicate-id`, `type-mismatch`.
 * Beyond `limits` the rest is not read (`limit-bytes`, `limit-vertices`, `limit-features`, `limit-text`). Throws `input-type`, `option-value`,
 * `crs-not-loaded`.
 *
 * @example
 * ```ts
 * import { fromKml } from 'wayzone/interchange';
 * const file = '<kml><Placemark><name>Depot</name><Point><coordinates>37.6,55.7</coordinates></Point></Placemark></kml>';
 * fromKml(file).value.zones[0].geometry; // [[37.6, 55.7]]
 * ```
 */
export function fromKml(input: string | Uint8Array, options: KmlOptions = {}): ForeignData {
  const builder = new ForeignBuilder(options);
  const reader = new KmlReader(builder, options);
  const feed = new XmlFeed(builder.issues, reader, builder.limits);
  const text = decodeText(input, builder.issues, builder.limits);
  if (text !== null) feed.write(text);
  feed.close(text === null);
  return builder.toForeignData();
}

/**
 * `fromKml` of a file that comes in chunks and is never in memory as a whole; a limit of bytes or vertices ends the reading of the source.
 *
 * Rejects with what the source throws; `source-type`, `input-type` for what is no iterable of bytes; `crs-unsupported`.
 *
 * @example
 * ```ts
 * import { readKml } from 'wayzone/interchange';
 * const file = '<kml><Placemark><name>Depot</name><Point><coordinates>37.6,55.7</coordinates></Point></Placemark></kml>';
 * const { value } = await readKml([new TextEncoder().encode(file)]);
 * value.zones[0].name; // 'Depot'
 * ```
 */
export async function readKml(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: KmlOptions = {},
): Promise<ForeignData> {
  const builder = new ForeignBuilder({ ...options, crs: await resolveCrs(options.crs) });
  const reader = new KmlReader(builder, options);
  const feed = new XmlFeed(builder.issues, reader, builder.limits);
  const isWhole = await decodeChunks(chunks, builder.issues, builder.limits, (text) => feed.write(text));
  feed.close(!isWhole);
  return builder.toForeignData();
}

function ownKey(id: string, ordinal: number | null): string {
  return ordinal === null ? `id ${id}` : `ordinal ${ordinal} ${id}`;
}

interface FolderDraft {
  readonly element: XmlElement;
  readonly field: string;
  readonly id: string;
  name: string;
  readonly zoneIds: Set<string>;
  wire: GeozoneGroup | null;
  /** A route of ours, whose points lie in it; no longer once something else does. */
  route: Omit<Route, 'points'> | null;
}

export class KmlReader implements XmlHandler {
  readonly #builder: ForeignBuilder;
  readonly #options: KmlOptions;
  readonly #counts: KmlCounts = { altitudes: 0, zonelessTimes: 0 };
  readonly #styles = new StyleTable();
  readonly #styled: { readonly index: number; readonly url: string }[] = [];
  readonly #folders: FolderDraft[] = [];
  #placemark: KmlPlacemark | null = null;
  #style: { readonly element: XmlElement; readonly colors: StyleColors } | null = null;
  /** The place of each zone in the list that `toKml` was given, where it wrote one. */
  readonly #ordinals: (number | null)[] = [];
  /** The zones of ours in Folders, by ordinal, else by id. */
  readonly #owns = new Map<string, number>();
  #pairKey = '';
  #placemarks = 0;
  #folderCount = 0;

  constructor(builder: ForeignBuilder, options: KmlOptions) {
    this.#builder = builder;
    this.#options = options;
  }

  open(element: XmlElement): void {
    const { name, parent } = element;
    const { issues } = this.#builder;
    if (parent === null && name !== 'kml') {
      issues.warning('kml-root', '', `expected the root element kml, received ${name}`, element.line);
    }
    if (this.#placemark !== null) this.#placemark.open(element);
    else if (name === 'Placemark') {
      this.#placemark = new KmlPlacemark(
        element,
        `Placemark[${this.#placemarks++}]`,
        this.#builder,
        this.#counts,
      );
    } else if (name === 'Folder') {
      if (this.#folders.length >= MAX_FOLDER_DEPTH) {
        throw new WayzoneError(
          'limit-depth',
          'Folder',
          `expected at most ${MAX_FOLDER_DEPTH} Folders in each other, received more`,
        );
      }
      for (const outer of this.#folders) outer.route = null;
      const number = ++this.#folderCount;
      const id = attribute(element, 'id') ?? `group-${number}`;
      this.#folders.push({
        element,
        field: `Folder[${number - 1}]`,
        id,
        name: '',
        zoneIds: new Set(),
        wire: null,
        route: null,
      });
    }
    if (name === 'Style') this.#style = { element, colors: new Map() };
  }

  close(element: XmlElement): void {
    const { name, parent } = element;
    this.#closeStyle(element);
    const placemark = this.#placemark;
    if (placemark !== null) {
      if (element === placemark.element) {
        this.#placemark = null;
        this.#endPlacemark(placemark);
      } else placemark.close(element);
      return;
    }
    const folder = this.#folders.at(-1);
    if (folder !== undefined && element === folder.element) {
      this.#folders.pop();
      this.#endFolder(folder);
    } else if (name === 'name' && folder !== undefined && parent === folder.element) {
      folder.name = element.text.trim();
    } else if (name === 'value' && folder !== undefined && parent?.name === 'Data') {
      if (attribute(parent, 'name') === GROUP_DATA) folder.wire = readGroupData(element.text);
      if (attribute(parent, 'name') === ROUTE_DATA) folder.route = readRouteData(element.text);
    } else if (UNSUPPORTED.has(name)) {
      const message = `expected Placemarks, received a ${name}; not read and not followed`;
      this.#builder.issues.warning('kml-unsupported', name, message, element.line);
    }
  }

  finish(): void {
    for (const folder of this.#folders.splice(0).reverse()) this.#endFolder(folder);
    const { zones, issues } = this.#builder;
    for (const { index, url } of this.#styled) {
      const color = this.#styles.colorOf(url);
      const zone = zones[index];
      if (color !== null && zone !== undefined && zone.color === undefined)
        zones[index] = { ...zone, color: { key: color } };
    }
    this.#restoreOrder();
    if (this.#counts.altitudes > 0) {
      issues.warning(
        'altitude-dropped',
        '',
        `${this.#counts.altitudes} positions had an altitude; zones have none`,
      );
    }
    if (this.#counts.zonelessTimes > 0) {
      issues.warning(
        'time-zone-missing',
        '',
        `${this.#counts.zonelessTimes} times have no zone; read as UTC`,
      );
    }
  }

  /** Folders part the zones; a file that is wholly ours gives them in the order in which they were written. */
  #restoreOrder(): void {
    const { zones } = this.#builder;
    const ordinals = this.#ordinals;
    if (ordinals.length !== zones.length || ordinals.includes(null)) return;
    const sorted = zones
      .map((zone, i) => ({ zone, ordinal: ordinals[i] ?? 0 }))
      .sort((a, b) => a.ordinal - b.ordinal);
    zones.length = 0;
    for (const { zone } of sorted) zones.push(zone);
  }

  #closeStyle(element: XmlElement): void {
    const { name, parent } = element;
    if (name === 'color' && isStylePart(parent?.name)) {
      const color = colorFromKml(element.text);
      if (color !== null) this.#style?.colors.set(parent.name, color);
      else {
        this.#builder.issues.warning(
          'kml-color',
          'color',
          `expected aabbggrr, received ${describe(element.text)}`,
          element.line,
        );
      }
    } else if (name === 'Style' && this.#style?.element === element) {
      const { colors } = this.#style;
      this.#style = null;
      const id = attribute(element, 'id');
      if (id !== undefined) this.#styles.addStyle(id, colors);
      if (parent === this.#placemark?.element) {
        for (const [part, color] of colors) this.#placemark?.colors.set(part, color);
      }
    } else if (name === 'key' && parent?.name === 'Pair') this.#pairKey = element.text.trim();
    else if (name === 'styleUrl' && parent?.name === 'Pair' && this.#pairKey === 'normal') {
      const id = parent.parent === null ? undefined : attribute(parent.parent, 'id');
      if (id !== undefined) this.#styles.addMap(id, element.text);
    }
  }

  #endPlacemark(placemark: KmlPlacemark): void {
    const { issues, tracks } = this.#builder;
    const { field, fixes } = placemark;
    const { line } = placemark.element;
    if (fixes !== null) {
      const name = placemark.name === '' ? `track-${tracks.length + 1}` : placemark.name;
      this.#builder.limits.countVertices(fixes.length);
      this.#builder.addTrack({ name, unitId: this.#options.unitId ?? name, fixes });
    }
    const shapes = placemark.shapes();
    const before = this.#builder.zones.length;
    const record = Object.fromEntries(placemark.wire);
    const [only] = shapes;
    // A line of ours is drawn with its corridor beside it.
    const lines = shapes.filter((found) => found.key === 'line');
    const shape = (lines.length === 1 ? lines[0] : shapes.length === 1 ? only : null) ?? null;
    const zone = placemark.wire.has('type') ? wireZone(record, shape, this.#builder.axisOrder) : null;
    const givenId = own(record, 'id');
    const id =
      typeof givenId === 'string'
        ? givenId
        : (attribute(placemark.element, 'id') ?? `${this.#options.idPrefix ?? 'zone-'}${this.#placemarks}`);
    if (zone !== null) this.#addOwn(id, zone, placemark);
    else {
      if (placemark.wire.size > 0) {
        const message = 'expected a geometry that fits the type, received another; read by its geometry';
        issues.warning('type-mismatch', field, message, line);
      }
      if (shapes.length > 0) this.#addForeign(placemark, id, shapes);
      else if (fixes === null && !placemark.hasGeometry) {
        issues.warning('geometry-missing', field, 'expected a geometry, received none; not read', line);
      }
    }
    if (placemark.styleUrl !== null && zone === null) {
      for (let index = before; index < this.#builder.zones.length; index++) {
        this.#styled.push({ index, url: placemark.styleUrl });
      }
    }
  }

  /** A zone that lies in several Folders of ours is one zone. */
  #addOwn(id: string, zone: Omit<ForeignZone, 'id'>, { field, element, ordinal }: KmlPlacemark): void {
    const { zones } = this.#builder;
    const folder = this.#folders.at(-1);
    const earlier = folder?.route !== null ? undefined : this.#owns.get(ownKey(id, ordinal));
    if (folder !== undefined && earlier !== undefined && !folder.zoneIds.has(zones[earlier]?.id ?? '')) {
      const kept = zones[earlier];
      if (kept !== undefined && JSON.stringify({ ...zone, id: kept.id }) === JSON.stringify(kept)) {
        this.#addIds([kept.id]);
        return;
      }
    }
    if (folder !== undefined && folder.route === null) this.#owns.set(ownKey(id, ordinal), zones.length);
    this.#ordinals.push(ordinal);
    this.#addIds([this.#builder.addZone(id, zone, field, element.line)]);
  }

  #addForeign(placemark: KmlPlacemark, id: string, shapes: readonly LonLatShape[]): void {
    for (const folder of this.#folders) folder.route = null;
    const properties = Object.fromEntries([...placemark.data, ...placemark.wire]);
    const color = mainColor(placemark.colors);
    const ids = this.#builder.addShapes(
      id,
      placemark.name,
      shapes,
      (shape) => ({
        ...(color === null ? {} : { color: { key: color } }),
        ...(placemark.shown === false ? { is_show_on_map: false } : {}),
        ...foreignFields(properties, shape, new Set()),
      }),
      placemark.field,
      placemark.element.line,
    );
    this.#addIds(ids);
  }

  #addIds(ids: readonly string[]): void {
    for (const folder of this.#folders) {
      for (const id of ids) folder.zoneIds.add(id);
    }
  }

  /** A group of ours comes back as it was, with what was put into its Folder since; so does a route, while only its points are there. */
  #endFolder(folder: FolderDraft): void {
    const { wire, route } = folder;
    if (route !== null) {
      this.#endRoute(folder, route);
      return;
    }
    const known = new Set(wire?.geozones.map((zone) => zone.id));
    const added = [...folder.zoneIds].filter((id) => !known.has(id)).map((id) => ({ id }));
    const group = { name: folder.name, ...wire, geozones: [...(wire?.geozones ?? []), ...added] };
    this.#builder.addGroup(wire?.id ?? folder.id, group, folder.field, folder.element.line);
  }

  /** Its points were read as zones, the last ones so far. */
  #endRoute(folder: FolderDraft, route: Omit<Route, 'points'>): void {
    const { zones } = this.#builder;
    const first = zones.length - folder.zoneIds.size;
    const points = zones.splice(first).map(({ id, is_show_on_map: _shown, ...point }) => {
      for (const outer of this.#folders) outer.zoneIds.delete(id);
      return point;
    });
    this.#ordinals.length -= points.length;
    this.#builder.addRoute(route.id, { ...route, points }, folder.field, folder.element.line);
  }
}
