/** Writes zones as a KML 2.2 document (OGC 07-147r2) in memory: all of them, or those that can be written. */

import { MOST_UNIT_BYTES, utf8Encoder } from '../../core/ascii.js';
import type { ForeignDocument, RawTrack } from '../../core/fix.js';
import { guarded, itemsOf } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../../core/options.js';
import { pushTo } from '../../core/pushTo.js';
import type { Geozone, GeozoneGroup, Route } from '../../core/wire.js';
import { routePieces } from '../common/routeZones.js';
import { type OnZoneError, textOfPieces } from '../common/textSink.js';
import { atZone } from '../common/zoneGeometry.js';
import { kmlFacts } from './kmlFacts.js';
import type { KmlLook } from './kmlStyleBook.js';
import { KML_DOCUMENT_OPTIONS, type KmlDocumentOptions, KmlWriter } from './kmlWriter.js';
import { ordinalData, ZonePlacemarks } from './zonePlacemarks.js';

/** Least size of the first buffer, bytes. */
const LEAST_CAPACITY = 65_536;
/** Expected size of a Placemark's style and ordinal, bytes. */
const STYLE_BYTES = 100;

interface KmlRows {
  readonly zones: readonly Geozone[];
  readonly groups: readonly GeozoneGroup[];
  readonly routes: Iterable<Route>;
  readonly tracks: Iterable<RawTrack>;
}

/** Pieces of the Placemark of the zone at an index of the list. `ordinal`: the index to write, or null. */
type PlacemarkPieces<Piece> = (index: number, ordinal: number | null) => Iterable<Piece>;

export interface KmlWriteOptions extends KmlDocumentOptions {
  /** Groups; each becomes a Folder with its zones. */
  readonly groups?: Iterable<GeozoneGroup> | undefined;
  /** Routes; each becomes a Folder with its points, after the zones. */
  readonly routes?: Iterable<Route> | undefined;
}

export const KML_WRITE_OPTIONS: OptionTable<KmlWriteOptions, 'defaultWidthMeters'> = {
  ...KML_DOCUMENT_OPTIONS,
  groups: OWN,
  routes: OWN,
};

/** The rows of a document. The `value` of `fromKml` and of the other readers has this type. */
export interface KmlContent {
  /** Zones; each becomes a Placemark. */
  readonly zones: Iterable<Geozone>;
  /** Groups; each becomes a Folder with its zones. */
  readonly groups?: Iterable<GeozoneGroup> | undefined;
  /** Routes; each becomes a Folder with its points, after the zones. */
  readonly routes?: Iterable<Route> | undefined;
  /** Tracks; each becomes a gx:Track, at the end. */
  readonly tracks?: Iterable<RawTrack> | undefined;
  /** Name and properties of the document. */
  readonly document?: ForeignDocument | undefined;
}

/**
 * All zones as one document, valid by the OGC schema. `fromKml` reads the document back without loss, coordinates bit for bit. The value of a
 * reader can be written directly: `toKml(fromKml(file).value)`. Options of the same name take precedence. For documents larger than memory use
 * `writeKml`. Rules (shapes, styles, folders, tracks, data): docs/rules/files.md.
 *
 * Throws the shape's error with the field `zones[i]…` or `routes[i].points[j]…`, `cycle`, `json-value`, `limit-depth`, `input-unreadable`,
 * `source-type`, `option-type`, `option-value`, `kml-fix`, `fixes-type`, `time-range`. Cost: O(vertices).
 *
 * @example
 * ```ts
 * import { toKml } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * toKml([zone]).includes('<name>Depot</name>'); // true
 * ```
 */
export function toKml(content: Iterable<Geozone> | KmlContent, options: KmlWriteOptions = {}): string {
  checkOptions(options, KML_WRITE_OPTIONS);
  const given: Partial<KmlContent> = isContent(content) ? content : {};
  const list = [...itemsOf(isContent(content) ? content.zones : content, 'zones')];
  const groups = [...itemsOf(options.groups ?? given.groups ?? [], 'groups')];
  const document = options.document ?? given.document;
  const whole = document === undefined ? options : { ...options, document };
  const writer = new KmlWriter(looksOf(list), whole);
  const routes = options.routes ?? given.routes ?? [];
  const rows = { zones: list, groups, routes, tracks: given.tracks ?? [] };
  return textOfPieces(kmlPieces(rows, writer, (i, ordinal) => [writer.placemark(list[i]!, i, ordinal)]));
}

function isContent(content: Iterable<Geozone> | KmlContent): content is KmlContent {
  const given: unknown = content;
  return typeof given === 'object' && given !== null && !(Symbol.iterator in given) && 'zones' in given;
}

/** Yields all pieces. A zone of several groups is yielded in each of their Folders. */
function* kmlPieces<Piece>(
  { zones, groups, routes, tracks }: KmlRows,
  writer: KmlWriter,
  placemark: PlacemarkPieces<Piece>,
): Generator<string | Piece> {
  const ordinal = (i: number): number | null => (groups.length > 0 ? i : null);
  const indexesById = groups.length === 0 ? new Map<string, number[]>() : indexesOf(zones);
  const placed = new Set<number>();
  yield writer.head;
  for (const [n, group] of groups.entries()) {
    const members = guarded(
      `groups[${n}]`,
      () => new Set(group.geozones.flatMap(({ id }) => indexesById.get(id) ?? [])),
    );
    yield writer.openFolder(group);
    for (const i of members) {
      placed.add(i);
      yield* placemark(i, ordinal(i));
    }
    yield writer.closeFolder();
  }
  for (const i of zones.keys()) if (!placed.has(i)) yield* placemark(i, ordinal(i));
  yield* routePieces(routes, writer);
  let index = 0;
  for (const track of itemsOf(tracks, 'tracks')) yield writer.track(track, index++);
  yield writer.tail;
}

/** Colour, icon and type of each zone without a Style of its own. Throws if a zone cannot be read. */
function looksOf(zones: readonly Geozone[]): KmlLook[] {
  return zones.flatMap((zone, i) =>
    atZone(i, () =>
      kmlFacts(zone).style === null
        ? [{ color: zone.color ?? null, icon: zone.icon ?? null, type: zone.type }]
        : [],
    ),
  );
}

/** Indices of the zones by id. A list may contain an id twice. */
function indexesOf(zones: readonly Geozone[]): Map<string, number[]> {
  const indexesById = new Map<string, number[]>();
  for (const [i, { id }] of zones.entries()) pushTo(indexesById, id, i);
  return indexesById;
}

/**
 * `toKml` as UTF-8, without the zones that cannot be written. Builds each zone once, also a zone of several groups. Styles and ordinals
 * depend on which zones are left out, so they are added after all zones are built.
 */
export function soundKml(
  zones: readonly Geozone[],
  options: KmlWriteOptions,
  onError: OnZoneError,
  tracks: Iterable<RawTrack> = [],
): Uint8Array {
  const placemarks = new ZonePlacemarks(options);
  const sound: Geozone[] = [];
  const drafts = new Utf8Bytes();
  const styles: (string | null)[] = [];
  /** For each sound zone, indices in `drafts`: of its style, of its ordinal, and of its end. */
  const bounds: number[] = [];
  for (const zone of zones) {
    try {
      const { start, style, id, rest } = atZone(sound.length, () => placemarks.draft(zone));
      styles.push(style);
      for (const piece of [start, id, rest]) {
        drafts.add(piece);
        bounds.push(drafts.length);
      }
      sound.push(zone);
    } catch (error) {
      onError(zone, error);
    }
  }
  const writer = new KmlWriter(looksOf(sound.filter((_, i) => styles[i] === null)), options);
  const placemark = (i: number, ordinal: number | null): (string | Uint8Array)[] => {
    const from = i === 0 ? 0 : bounds[3 * i - 1]!;
    const [styleAt, ordinalAt, to] = [bounds[3 * i]!, bounds[3 * i + 1]!, bounds[3 * i + 2]!];
    return [
      drafts.view(from, styleAt),
      styles[i] ?? writer.style(sound[i]!),
      drafts.view(styleAt, ordinalAt),
      ordinalData(ordinal),
      drafts.view(ordinalAt, to),
    ];
  };
  const { groups = [], routes = [] } = options;
  const rows = { zones: sound, groups: [...groups], routes, tracks };
  const document = new Utf8Bytes(drafts.length + STYLE_BYTES * sound.length);
  for (const piece of kmlPieces(rows, writer, placemark)) document.add(piece);
  return document.view(0, document.length);
}

/** Collects text as UTF-8 bytes, which take half or less of the memory of the text. */
class Utf8Bytes {
  #bytes: Uint8Array;
  #length = 0;

  /** `capacity`: expected number of bytes. */
  constructor(capacity: number = 0) {
    this.#bytes = new Uint8Array(Math.max(LEAST_CAPACITY, capacity));
  }

  /** Number of bytes collected. */
  get length(): number {
    return this.#length;
  }

  /** Adds text, or bytes of UTF-8. A text must not end within a surrogate pair. */
  add(piece: string | Uint8Array): void {
    if (typeof piece === 'string') {
      this.#reserve(MOST_UNIT_BYTES * piece.length);
      this.#length += utf8Encoder.encodeInto(piece, this.#bytes.subarray(this.#length)).written;
    } else {
      this.#reserve(piece.length);
      this.#bytes.set(piece, this.#length);
      this.#length += piece.length;
    }
  }

  /** A view of bytes [from, to), valid until the next `add`. */
  view(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(from, to);
  }

  #reserve(count: number): void {
    const least = this.#length + count;
    if (least <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(least, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
