/** The elements of a KML file, one by one: Placemarks, Folders and shared styles. */

import { WayzoneError } from '../core/errors.js';
import type { Route } from '../core/wire.js';
import type { ForeignBuilder, ForeignZone } from './foreignBuilder.js';
import type { KmlOptions } from './fromKml.js';
import { type FolderDraft, saysMore, takesData } from './kmlFolder.js';
import { type KmlCounts, KmlPlacemark } from './kmlPlacemark.js';
import { KmlStyleReader } from './kmlStyleReader.js';
import { mainColor } from './kmlStyles.js';
import { LeftOut } from './leftOut.js';
import type { LonLatShape } from './readShape.js';
import { attribute, type XmlElement, type XmlHandler } from './readXml.js';
import { foreignFields, own, wireZone } from './wireFields.js';

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

export class KmlReader implements XmlHandler {
  readonly #builder: ForeignBuilder;
  readonly #options: KmlOptions;
  readonly #counts: KmlCounts = { altitudes: 0, zonelessTimes: 0 };
  readonly #styles: KmlStyleReader;
  readonly #styled: { readonly index: number; readonly url: string }[] = [];
  readonly #folders: FolderDraft[] = [];
  #placemark: KmlPlacemark | null = null;
  /** The place of each zone in the list that `toKml` was given, where it wrote one. */
  readonly #ordinals: (number | null)[] = [];
  /** The zones of ours in Folders, by ordinal, else by id. */
  readonly #owns = new Map<string, number>();
  #placemarks = 0;
  #folderCount = 0;
  /** What Folders say and groups do not hold. */
  readonly #leftOut = new LeftOut();

  constructor(builder: ForeignBuilder, options: KmlOptions) {
    this.#builder = builder;
    this.#options = options;
    this.#styles = new KmlStyleReader(builder.issues);
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
    this.#styles.open(element);
  }

  close(element: XmlElement): void {
    const { name, parent } = element;
    const placemark = this.#placemark;
    const colors = this.#styles.close(element);
    if (colors !== null && placemark !== null && parent === placemark.element) {
      for (const [part, color] of colors) placemark.colors.set(part, color);
    }
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
      const data = attribute(parent, 'name') ?? 'Data';
      if (!takesData(folder, data, element.text, this.#builder.keepsZones)) this.#leftOut.add(data);
    } else if (name === 'SimpleData' && folder !== undefined) {
      this.#leftOut.add(attribute(element, 'name') ?? name);
    } else if (folder !== undefined && parent === folder.element && saysMore(element)) {
      this.#leftOut.add(name);
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
    const leftOut = this.#leftOut.toText();
    if (leftOut !== null) {
      issues.warning('kml-data', 'Folder', `expected a name, received also ${leftOut}; left out`);
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

  #endPlacemark(placemark: KmlPlacemark): void {
    const { issues, tracks } = this.#builder;
    const { field, fixes } = placemark;
    const { line } = placemark.element;
    if (fixes !== null) {
      const name = placemark.name === '' ? `track-${tracks.length + 1}` : placemark.name;
      this.#builder.limits.countVertices(fixes.length);
      // What a Placemark of several kinds says stays with its zones.
      const properties = placemark.hasShapes ? {} : placemark.data.asField();
      this.#builder.addTrack({ name, unitId: this.#options.unitId ?? name, fixes, ...properties });
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
        const message =
          'expected the fields of a zone that fit its type and geometry, received others; read by its geometry';
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
    const properties = Object.fromEntries([...placemark.data.entries(), ...placemark.wire]);
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

function ownKey(id: string, ordinal: number | null): string {
  return ordinal === null ? `id ${id}` : `ordinal ${ordinal} ${id}`;
}
