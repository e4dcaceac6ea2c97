/** Options of the KML readers, and the conversion of Placemarks to zones, tracks and the points of routes. */

import { type OptionTable, OWN } from '../../core/options.js';
import type { Route } from '../../core/wire.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { foreignFields, isRecord, own, wireZone } from '../common/foreignFields.js';
import type { LonLatShape } from '../common/lonLatShape.js';
import { plainNumber } from '../common/parseTime.js';
import { type ForeignZone, READ_OPTIONS, type ReadOptions } from '../common/readOptions.js';
import { TextProperties } from '../common/textProperties.js';
import { attribute } from '../xml/xmlFeed.js';
import type { FolderDraft } from './folderDraft.js';
import type { KmlPlacemark } from './kmlPlacemark.js';
import { emptyStyle, type KmlStyle, type KmlStyleReader, mainColor, styleFacts } from './kmlStyle.js';

interface Styled {
  readonly index: number;
  readonly url: string;
  readonly style: KmlStyle;
}

export class KmlZones {
  readonly #builder: ForeignBuilder;
  readonly #options: KmlOptions;
  readonly #styles: KmlStyleReader;
  /** Open Folders, outermost first. */
  readonly #folders: readonly FolderDraft[];
  /** Zones and tracks, by index, that refer to a shared style. Styles are known only at the end of the file. */
  readonly #styled: Styled[] = [];
  readonly #styledTracks: Styled[] = [];
  /** By zone, its index in the list that was passed to `toKml`; null if the file has none. */
  readonly #ordinals: (number | null)[] = [];
  /** Index of each zone that wayzone wrote into a Folder, by ordinal, else by id. */
  readonly #owns = new Map<string, number>();

  constructor(
    builder: ForeignBuilder,
    options: KmlOptions,
    styles: KmlStyleReader,
    folders: readonly FolderDraft[],
  ) {
    this.#builder = builder;
    this.#options = options;
    this.#styles = styles;
    this.#folders = folders;
  }

  /** Adds the zones and the track of a Placemark. `number`: its number in the file, from 1. */
  addPlacemark(placemark: KmlPlacemark, number: number): void {
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
      // If the Placemark also has zones, the zones get its properties.
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
    // wayzone writes a line together with its corridor; only the line is read as a zone.
    const lines = shapes.filter((found) => found.key === 'line');
    const shape = (lines.length === 1 ? lines[0] : shapes.length === 1 ? only : null) ?? null;
    const zone = placemark.wire.has('type') ? wireZone(record, shape, this.#builder.axisOrder) : null;
    const givenId = own(record, 'id');
    const id =
      typeof givenId === 'string'
        ? givenId
        : (attribute(placemark.element, 'id') ?? `${this.#options.idPrefix ?? 'zone-'}${number}`);
    if (zone !== null) this.#addOwn(id, zone, placemark);
    else {
      if (placemark.wire.size > 0) {
        const message =
          'expected fields of a zone that match its type and geometry, received others; fields ignored, geometry read';
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

  /** The zone with the colour and properties of the shared style. Its inline style takes precedence. */
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

  /** Adds a zone written by wayzone. A zone repeated in several Folders is added once. */
  #addOwn(id: string, own: Omit<ForeignZone, 'id'>, { field, element, ordinal, data }: KmlPlacemark): void {
    // Other data were added by another program. wayzone wrote the description from the zone.
    data.take('description');
    const zone = withData(own, data);
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
    // A shared style is known at the end of the file; `finish` then adds it together with the inline style.
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

  /** Adds the route of a Folder. Its points were read as zones, so the last zones are removed and become the points. */
  addRoute(folder: FolderDraft, route: Omit<Route, 'points'>): void {
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

  /** Adds the shared styles, and restores the order of zones if wayzone wrote the whole file. */
  finish(): void {
    const { zones, tracks } = this.#builder;
    for (const { index, url, style } of this.#styledTracks) {
      const track = tracks[index];
      if (track !== undefined) tracks[index] = this.#withFacts(track, null, url, style);
    }
    for (const { index, url, style } of this.#styled) {
      const zone = zones[index];
      if (zone !== undefined) zones[index] = this.#withStyle(zone, url, style);
    }
    this.#restoreOrder();
  }

  /** Sorts the zones by ordinal if each has one, because Folders change the order. */
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
}

/**
 * The zone with the texts of its Placemark. wayzone wrote its properties as elements and `Data` too: equal texts are dropped, an edited
 * text replaces the property, and others are added.
 */
function withData(zone: Omit<ForeignZone, 'id'>, data: TextProperties): Omit<ForeignZone, 'id'> {
  const known: unknown = zone.properties;
  if (!isRecord(known)) return data.addedTo(zone);
  const edited = new Map<string, unknown>(Object.entries(known));
  for (const [key, text] of data.entries()) {
    const value = edited.get(key);
    if (!['string', 'number', 'boolean'].includes(typeof value)) continue;
    const isSame = String(value).trim() === text.trim();
    // wayzone does not write the path of an element, so another program added the text.
    if (!isSame && key.includes('.')) continue;
    data.take(key);
    if (isSame) continue;
    edited.set(key, (typeof value === 'number' ? plainNumber(text) : null) ?? text);
  }
  return data.addedTo({ ...zone, properties: Object.fromEntries(edited) });
}

function ownKey(id: string, ordinal: number | null): string {
  return ordinal === null ? `id ${id}` : `ordinal ${ordinal} ${id}`;
}

export interface KmlOptions extends ReadOptions {
  /** Unit id of every track in the file. Default: the Placemark's name, else `track-` and its number. */
  readonly unitId?: string | undefined;
}

export const KML_OPTIONS: OptionTable<KmlOptions> = { ...READ_OPTIONS, unitId: OWN };
