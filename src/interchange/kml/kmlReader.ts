/** Builds zones, groups, routes and tracks from the elements of a KML file. */

import { WayzoneError } from '../../core/errors.js';
import type { ForeignDocument } from '../../core/fix.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { LeftOut } from '../common/issueList.js';
import { addFact, GEOMETRIES } from '../common/textProperties.js';
import { attribute, type XmlElement, type XmlHandler } from '../xml/xmlFeed.js';
import { allowedParents, DocumentDraft, FolderDraft, takeData } from './folderDraft.js';
import { type KmlCounts, KmlPlacemark } from './kmlPlacemark.js';
import { KmlStyleReader } from './kmlStyle.js';
import { type KmlOptions, KmlZones } from './kmlZones.js';

/** Largest number of nested Folders. */
const MAX_FOLDER_DEPTH = 64;

/** Features without a zone. They are reported, and nothing is fetched; only links between the documents of an archive are followed. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'NetworkLink',
  'GroundOverlay',
  'ScreenOverlay',
  'PhotoOverlay',
  'Tour',
]);

/** Features that KML 2.2 allows as the root element instead of `kml`. */
const ROOT_FEATURES: ReadonlySet<string> = new Set(['Document', 'Folder', 'Placemark', ...UNSUPPORTED]);

/** Elements that are read in any parent. */
const CONTAINERS: ReadonlySet<string> = new Set(['kml', 'Document', 'Folder', 'Placemark']);

/** Names of elements that are read in any case, except `Link`, `Icon` and others that have namesakes in other namespaces. */
const NAMES: readonly string[] = [
  'kml',
  'Document',
  'Folder',
  'Placemark',
  'Point',
  'LineString',
  'LinearRing',
  'Polygon',
  'MultiGeometry',
  'outerBoundaryIs',
  'innerBoundaryIs',
  'coordinates',
  'name',
  'description',
  'ExtendedData',
  'SimpleData',
  'Track',
  'MultiTrack',
  'when',
  'coord',
];

/**
 * Reads the document at the address of a NetworkLink by `KmlReader.linked`, or reports why it does not. Returns false if the address is not
 * in the archive.
 */
export type FollowLink = (href: string, link: XmlElement) => boolean;

/** A document that is read in place of its NetworkLink. */
interface LinkedDocument {
  readonly link: XmlElement;
  /** Name of the link, used for a Document without a name. */
  readonly name: string;
  /** Number of Folders open before it, and the scope of styles before it. */
  readonly folders: number;
  readonly scope: string;
}

export class KmlReader implements XmlHandler {
  readonly names: readonly string[] = NAMES;
  readonly #builder: ForeignBuilder;
  readonly #zones: KmlZones;
  readonly #counts: KmlCounts = { altitudes: 0, zonelessTimes: 0 };
  readonly #styles: KmlStyleReader;
  readonly #folders: FolderDraft[] = [];
  #document: DocumentDraft | null = null;
  /** The open NetworkLink, overlay or Tour. Only Placemarks are read inside it. */
  #skipped: XmlElement | null = null;
  /** Address, and name, of the open NetworkLink. */
  #href = '';
  #linkName = '';
  /** Linked documents being read, outermost first. */
  readonly #linked: LinkedDocument[] = [];
  readonly #follow: FollowLink | null;
  /** Kinds of elements that the file declares by a Schema (KML 2.0 and 2.1), by name. */
  readonly #kinds = new Map<string, string>();
  #placemark: KmlPlacemark | null = null;
  #placemarks = 0;
  #folderCount = 0;
  /** Fields of Folders and of the Document that cannot be read. */
  readonly #leftOut = new LeftOut();
  readonly #misplaced = new Set<string>();

  constructor(builder: ForeignBuilder, options: KmlOptions, follow: FollowLink | null = null) {
    this.#builder = builder;
    this.#follow = follow;
    this.#styles = new KmlStyleReader(builder.issues);
    this.#zones = new KmlZones(builder, options, this.#styles, this.#folders);
  }

  open(element: XmlElement): void {
    const { name, parent } = element;
    const linked = this.#linked.at(-1);
    if (parent === (linked?.link ?? null)) {
      if (name !== 'kml') this.#reportRoot(element);
    } else if (parent !== null && this.#skipped === null) this.#checkPlace(element, parent);
    const kind = this.#kinds.get(name) ?? name;
    if (this.#placemark !== null) this.#placemark.open(element);
    else if (kind === 'Placemark') this.#openPlacemark(element);
    else if (kind === 'Document' && (parent === null || parent.parent === null)) {
      this.#document ??= new DocumentDraft(element);
    } else if (kind === 'Folder' || kind === 'Document') this.#openFolder(element, kind);
    else if (UNSUPPORTED.has(name)) this.#openSkipped(element);
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
      if (placemark.styleUrl !== null) placemark.styleUrl = this.#styles.scoped(placemark.styleUrl);
      this.#zones.addPlacemark(placemark, this.#placemarks);
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

  /** Reports, once for each kind, an element in a parent that KML does not allow. */
  #checkPlace({ name, line }: XmlElement, parent: XmlElement): void {
    const place = (this.#kinds.size > 0 && this.#kinds.get(parent.name)) || parent.name;
    const isInside = this.#placemark !== null;
    // The other cases are reported where they are read.
    if (isInside ? name === 'coordinates' : GEOMETRIES.has(name)) return;
    const wanted = allowedParents(name, place);
    if (wanted === null || this.#misplaced.has(`${name} ${place}`)) return;
    this.#misplaced.add(`${name} ${place}`);
    const message = `expected ${name} in ${wanted}, received it in ${place}`;
    const { issues } = this.#builder;
    if (isInside && name === 'Placemark')
      issues.warning('element-misplaced', name, `${message}; both are read as one`, line);
    else if (isInside ? GEOMETRIES.has(name) : CONTAINERS.has(name))
      issues.warning('element-misplaced', name, `${message}; read`, line);
    else issues.error('element-misplaced', name, `${message}; not read`, line);
  }

  /** Adds an element of a Folder or of the Document to its fields. */
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

  /** Reports an unexpected root element: a warning if it is a Feature, which is read, and an error otherwise. */
  #reportRoot({ name, line }: XmlElement): void {
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

  #openSkipped(element: XmlElement): void {
    if (this.#skipped !== null) return;
    this.#skipped = element;
    this.#href = '';
    this.#linkName = '';
  }

  #closeSkipped(element: XmlElement): void {
    const { name, line, parent } = element;
    if (name === 'href' && parent?.parent === this.#skipped) this.#href = element.text.trim();
    if (name === 'name' && parent === this.#skipped) this.#linkName = element.text.trim();
    if (element !== this.#skipped) return;
    this.#skipped = null;
    if (name === 'NetworkLink' && this.#href !== '' && this.#follow?.(this.#href, element) === true) return;
    const message = `expected Placemarks, received a ${name}; not read and not followed`;
    this.#builder.issues.warning('kml-unsupported', name, message, line);
  }

  /**
   * Handler of the document at the address of `link`: its elements are read as if they stood there. `scope`: name of the document, for its
   * styles.
   */
  linked(link: XmlElement, scope: string): XmlHandler {
    const folders = this.#folders.length;
    this.#linked.push({ link, name: this.#linkName, folders, scope: this.#styles.scope });
    this.#styles.enter(scope);
    return {
      names: NAMES,
      open: (element) => this.open(element),
      close: (element) => this.close(element),
      finish: () => this.#endLinked(),
    };
  }

  /** Ends a linked document, which may be truncated anywhere. */
  #endLinked(): void {
    const { folders, scope } = this.#linked.pop()!;
    for (const folder of this.#folders.splice(folders).reverse()) this.#endFolder(folder);
    this.#placemark = null;
    this.#skipped = null;
    this.#styles.enter(scope);
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
    const folder = new FolderDraft(element, `${kind}[${number - 1}]`, id);
    const linked = this.#linked.at(-1);
    if (linked !== undefined && element.parent?.parent === linked.link) folder.name = linked.name;
    this.#folders.push(folder);
  }

  finish(): void {
    for (const folder of this.#folders.splice(0).reverse()) this.#endFolder(folder);
    const { issues } = this.#builder;
    this.#zones.finish();
    this.#endDocument();
    this.#styles.finish();
    if (this.#counts.altitudes > 0) {
      issues.warning(
        'altitude-dropped',
        '',
        `expected positions without altitude, received ${this.#counts.altitudes} with one; altitudes left out`,
      );
    }
    const leftOut = this.#leftOut.toText();
    if (leftOut !== null) {
      issues.warning(
        'kml-data',
        'Folder',
        `expected the data of a group or route, received ${leftOut}; left out`,
      );
    }
    if (this.#counts.zonelessTimes > 0) {
      issues.warning(
        'time-zone-missing',
        '',
        `expected times with a time zone, received ${this.#counts.zonelessTimes} without; read as UTC`,
      );
    }
  }

  /** Adds the route or group of a Folder. A group written by wayzone is restored, together with zones added to the Folder since. */
  #endFolder(folder: FolderDraft): void {
    const { wire, route, facts } = folder;
    if (route !== null) {
      this.#zones.addRoute(folder, route);
      return;
    }
    const known = new Set(wire?.geozones.map((zone) => zone.id));
    const added = [...folder.zoneIds].filter((id) => !known.has(id)).map((id) => ({ id }));
    const group = { name: folder.name, ...wire, geozones: [...(wire?.geozones ?? []), ...added] };
    this.#builder.addGroup(wire?.id ?? folder.id, facts.addedTo(group), folder.field, folder.element.line);
  }

  #endDocument(): void {
    if (this.#document === null) return;
    const { name, wire, facts } = this.#document;
    // wayzone wrote the description from the properties.
    if (wire !== null) facts.take('description');
    const named = name === null || name === '' ? {} : { name };
    const document: ForeignDocument = facts.addedTo(wire === null ? named : { ...named, properties: wire });
    if (Object.keys(document).length > 0) this.#builder.document = document;
  }
}

/** The element that contains a Style, directly or through a StyleMap. */
function holderOfStyle({ parent }: XmlElement): XmlElement | null {
  return parent?.name === 'Pair' ? (parent.parent?.parent ?? null) : parent;
}
