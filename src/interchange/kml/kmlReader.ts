/** The elements of a KML file, one by one: Placemarks, Folders and shared styles. */

import { WayzoneError } from '../../core/errors.js';
import type { ForeignDocument } from '../../core/fix.js';
import type { Route } from '../../core/wire.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { foreignFields, own, wireZone } from '../common/foreignFields.js';
import type { ForeignZone } from '../common/foreignZone.js';
import { LeftOut } from '../common/leftOut.js';
import type { LonLatShape } from '../common/lonLatShape.js';
import { TextProperties } from '../common/textProperties.js';
import { attribute, type XmlElement, type XmlHandler } from '../xml/xmlFeed.js';
import { addFact, GEOMETRIES } from './addFact.js';
import { DocumentDraft, FolderDraft, takeData } from './folderDraft.js';
import type { KmlOptions } from './kmlOptions.js';
import { type KmlCounts, KmlPlacemark } from './kmlPlacemark.js';
import { emptyStyle, type KmlStyle, mainColor, styleFacts } from './kmlStyle.js';
import { KmlStyleReader } from './kmlStyleReader.js';

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

/** Features that KML 2.2 lets stand at the root without an element kml around them. */
const ROOT_FEATURES: ReadonlySet<string> = new Set(['Document', 'Folder', 'Placemark', ...UNSUPPORTED]);

interface Styled {
  readonly index: number;
  readonly url: string;
  readonly style: KmlStyle;
}

export class KmlReader implements XmlHandler {
  readonly #builder: ForeignBuilder;
  readonly #options: KmlOptions;
  readonly #counts: KmlCounts = { altitudes: 0, zonelessTimes: 0 };
  readonly #styles: KmlStyleReader;
  /** Zones and tracks, by their places, whose style is known at the end alone. */
  readonly #styled: Styled[] = [];
  readonly #styledTracks: Styled[] = [];
  readonly #folders: FolderDraft[] = [];
  #document: DocumentDraft | null = null;
  /** The NetworkLink, overlay or Tour that is open; nothing in it is read but Placemarks. */
  #skipped: XmlElement | null = null;
  /** What an element of a name of the file's own is, by its Schema (KML 2.0 and 2.1). */
  readonly #kinds = new Map<string, string>();
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
    if (parent === null && name !== 'kml') this.#sayRoot(element);
    const kind = this.#kinds.get(name) ?? name;
    if (this.#placemark !== null) this.#placemark.open(element);
    else if (kind === 'Placemark') this.#openPlacemark(element);
    else if (kind === 'Document' && (parent === null || parent.parent === null)) {
      this.#document ??= new DocumentDraft(element);
    } else if (kind === 'Folder' || kind === 'Document') this.#openFolder(element, kind);
    else if (UNSUPPORTED.has(name)) this.#skipped ??= element;
    else if (GEOMETRIES.has(name) && this.#skipped === null) {
      const message = `expected a geometry in a Placemark, received a ${name} in ${parent?.name ?? 'nothing'}; read without a name`;
      this.#builder.issues.warning('kml-unsupported', name, message, element.line);
      this.#openPlacemark(element).open(element);
    }
    this.#styles.open(element);
  }

  close(element: XmlElement): void {
    const { name, parent } = element;
    const placemark = this.#placemark;
    const style = this.#styles.close(element);
    if (placemark !== null) {
      if (style !== null && holderOfStyle(element) === placemark.element) placemark.addStyle(style);
      const inMap = name === 'styleUrl' && this.#styles.isNormal(parent);
      if (inMap && parent?.parent?.parent === placemark.element) placemark.styleUrl ??= element.text.trim();
      if (element !== placemark.element || GEOMETRIES.has(name)) placemark.close(element);
      if (element !== placemark.element) return;
      this.#placemark = null;
      this.#endPlacemark(placemark);
      return;
    }
    const folder = this.#folders.at(-1);
    if (folder !== undefined && element === folder.element) {
      this.#folders.pop();
      this.#endFolder(folder);
    } else if (name === 'Schema') this.#addSchema(element);
    else if (this.#skipped !== null) this.#closeSkipped(element);
    else this.#addTo(folder ?? this.#document, element);
  }

  /** What a Folder or the Document says of itself. */
  #addTo(holder: FolderDraft | DocumentDraft | null, element: XmlElement): void {
    if (holder === null) return;
    const { name, parent } = element;
    const isValue = name === 'value' && parent?.name === 'Data';
    const dataName = isValue ? (attribute(parent, 'name') ?? 'Data') : undefined;
    if (name === 'name' && parent === holder.element) holder.name = element.text.trim();
    else if (dataName !== undefined || name === 'SimpleData') {
      const named = dataName ?? attribute(element, 'name') ?? name;
      if (!takeData(holder, named, element.text, this.#builder.keepsZones)) this.#leftOut.add(named);
    } else addFact(holder.facts, holder.element, element);
  }

  /** A page of another kind under the name of a KML file has nothing to read; a Feature without its root element has. */
  #sayRoot({ name, line }: XmlElement): void {
    const { issues } = this.#builder;
    const message = `expected the root element kml, received ${name}`;
    if (ROOT_FEATURES.has(name)) issues.warning('kml-root', '', message, line);
    else issues.error('kml-root', '', message, line);
  }

  #addSchema(element: XmlElement): void {
    const [name, parent] = [attribute(element, 'name'), attribute(element, 'parent')];
    if (name === undefined || parent === undefined) return;
    const kind = this.#kinds.get(parent) ?? parent;
    if (kind === 'Placemark' || kind === 'Folder' || kind === 'Document') this.#kinds.set(name, kind);
  }

  #closeSkipped(element: XmlElement): void {
    if (element !== this.#skipped) return;
    this.#skipped = null;
    const { name, line } = element;
    const message = `expected Placemarks, received a ${name}; not read and not followed`;
    this.#builder.issues.warning('kml-unsupported', name, message, line);
  }

  #openPlacemark(element: XmlElement): KmlPlacemark {
    const field = `Placemark[${this.#placemarks++}]`;
    this.#placemark = new KmlPlacemark(element, field, this.#builder, this.#counts);
    return this.#placemark;
  }

  #openFolder(element: XmlElement, kind: string): void {
    if (this.#folders.length >= MAX_FOLDER_DEPTH) {
      throw new WayzoneError(
        'limit-depth',
        kind,
        `expected at most ${MAX_FOLDER_DEPTH} Folders in each other, received more`,
      );
    }
    for (const outer of this.#folders) outer.route = null;
    const number = ++this.#folderCount;
    const id = attribute(element, 'id') ?? `group-${number}`;
    this.#folders.push(new FolderDraft(element, `${kind}[${number - 1}]`, id));
  }

  finish(): void {
    for (const folder of this.#folders.splice(0).reverse()) this.#endFolder(folder);
    const { zones, tracks, issues } = this.#builder;
    for (const { index, url, style } of this.#styledTracks) {
      const track = tracks[index];
      if (track !== undefined) tracks[index] = this.#withFacts(track, null, url, style);
    }
    for (const { index, url, style } of this.#styled) {
      const zone = zones[index];
      if (zone !== undefined) zones[index] = this.#withStyle(zone, url, style);
    }
    this.#restoreOrder();
    this.#endDocument();
    this.#styles.finish();
    if (this.#counts.altitudes > 0) {
      issues.warning(
        'altitude-dropped',
        '',
        `${this.#counts.altitudes} positions had an altitude; zones have none`,
      );
    }
    const leftOut = this.#leftOut.toText();
    if (leftOut !== null) {
      issues.warning('kml-data', 'Folder', `expected data that fit, received ${leftOut}; left out`);
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
      const wire = placemark.trackWire ?? {};
      const wireName = own(wire, 'name');
      const wireUnit = own(wire, 'unitId');
      const given = typeof wireName === 'string' ? wireName : placemark.name;
      const name = given === '' && wireName !== '' ? `track-${tracks.length + 1}` : given;
      const ownUnit = typeof wireUnit === 'string' ? wireUnit : name;
      this.#builder.limits.countVertices(fixes.length);
      const track = { ...wire, name, unitId: this.#options.unitId ?? ownUnit, fixes };
      // What a Placemark of several kinds says stays with its zones.
      if (placemark.hasShapes) this.#builder.addTrack(track);
      else {
        const { styleUrl: url, style } = placemark;
        if (url !== null) this.#styledTracks.push({ index: tracks.length, url, style });
        else for (const [path, text] of styleFacts(null, style)) placemark.data.add(path, text);
        this.#builder.addTrack(placemark.data.addedTo(track));
      }
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
        this.#styled.push({ index, url: placemark.styleUrl, style: placemark.style });
      }
    }
  }

  /** The zone with the colour and all else that the shared style says, and its own style does not. */
  #withStyle(zone: ForeignZone, url: string, style: KmlStyle): ForeignZone {
    const color = mainColor(style) ?? mainColor(this.#styles.styleOf(url) ?? emptyStyle());
    const colored = color === null || zone.color !== undefined ? zone : { ...zone, color: { key: color } };
    return this.#withFacts(colored, color, url, style);
  }

  #withFacts<Row extends object>(row: Row, color: string | null, url: string, style: KmlStyle): Row {
    const facts = new TextProperties();
    const shared = this.#styles.styleOf(url) ?? emptyStyle();
    for (const [path, text] of styleFacts(color, shared, style)) facts.add(path, text);
    return facts.addedTo(row);
  }

  /** A zone that lies in several Folders of ours is one zone. */
  #addOwn(id: string, own: Omit<ForeignZone, 'id'>, { field, element, ordinal, data }: KmlPlacemark): void {
    // What another program put beside our data; the description is made of them.
    data.take('description');
    const zone = data.addedTo(own);
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
    // A shared style is known at the end alone: what it says with the Placemark's own is added then.
    const isShared = placemark.styleUrl !== null && this.#builder.keepsZones;
    const color = mainColor(placemark.style);
    const style = isShared ? [] : styleFacts(color, placemark.style);
    const properties = Object.fromEntries([...placemark.data.entries(), ...placemark.wire, ...style]);
    const ids = this.#builder.addShapes(
      id,
      placemark.name,
      shapes,
      (shape) => ({
        ...(color === null ? {} : { color: { key: color } }),
        ...(placemark.shown === false ? { is_show_on_map: false } : {}),
        ...foreignFields(properties, shape, []),
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
    const { wire, route, facts } = folder;
    if (route !== null) {
      this.#endRoute(folder, route);
      return;
    }
    const known = new Set(wire?.geozones.map((zone) => zone.id));
    const added = [...folder.zoneIds].filter((id) => !known.has(id)).map((id) => ({ id }));
    const group = { name: folder.name, ...wire, geozones: [...(wire?.geozones ?? []), ...added] };
    this.#builder.addGroup(wire?.id ?? folder.id, facts.addedTo(group), folder.field, folder.element.line);
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
    const whole = folder.facts.addedTo({ ...route, points });
    this.#builder.addRoute(route.id, whole, folder.field, folder.element.line);
  }

  #endDocument(): void {
    if (this.#document === null) return;
    const { name, wire, facts } = this.#document;
    // Ours is made of the properties.
    if (wire !== null) facts.take('description');
    const named = name === null || name === '' ? {} : { name };
    const document: ForeignDocument = facts.addedTo(wire === null ? named : { ...named, properties: wire });
    if (Object.keys(document).length > 0) this.#builder.document = document;
  }
}

/** The Placemark that a Style, by itself or in a StyleMap, would be of. */
function holderOfStyle({ parent }: XmlElement): XmlElement | null {
  return parent?.name === 'Pair' ? (parent.parent?.parent ?? null) : parent;
}

function ownKey(id: string, ordinal: number | null): string {
  return ordinal === null ? `id ${id}` : `ordinal ${ordinal} ${id}`;
}
