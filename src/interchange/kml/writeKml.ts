/** Writes zones as a KML 2.2 document (OGC 07-147r2), which is never in memory as a whole. */

import { inputError } from '../../core/errors.js';
import type { RawTrack } from '../../core/fix.js';
import { itemsOf } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../../core/options.js';
import type { Geozone, GeozoneGroup, Route } from '../../core/wire.js';
import { routePieces } from '../common/routeZones.js';
import {
  eachOf,
  type OnZoneError,
  TextCollector,
  type TextSink,
  throwZoneError,
} from '../common/textSink.js';
import type { KmlLook } from './kmlStyleBook.js';
import { KML_DOCUMENT_OPTIONS, type KmlDocumentOptions, KmlWriter } from './kmlWriter.js';

/** Zones of one Folder. If `group` is null, zones without a Folder. */
export interface KmlSection {
  /** The group, written as a Folder. */
  readonly group: GeozoneGroup | null;
  /** Zones of the section, written as Placemarks in order. */
  readonly zones: Iterable<Geozone> | AsyncIterable<Geozone>;
}

export interface KmlStreamOptions extends KmlDocumentOptions {
  /**
   * Pairs of colour and icon that get a shared Style. Zones with other pairs get an inline Style. Default: none, so that no Style is
   * unused.
   */
  readonly looks?: Iterable<KmlLook> | undefined;
  /** Routes; each becomes a Folder with its points, after the zones. */
  readonly routes?: Iterable<Route> | undefined;
  /** Tracks; each becomes a gx:Track, at the end. */
  readonly tracks?: Iterable<RawTrack> | undefined;
}

const OPTIONS: OptionTable<KmlStreamOptions, 'defaultWidthMeters'> = {
  ...KML_DOCUMENT_OPTIONS,
  looks: OWN,
  routes: OWN,
  tracks: OWN,
};

/**
 * Writes zones, and sections of zones as Folders, in the order of the source: the same Placemarks as `toKml`, in pieces of at most 65,536
 * characters. Waits for `sink` after each piece.
 *
 * A zone of several sections is written in each of their Folders, and is read back as one zone. The Folder of a group contains the zones of
 * its section; the group's `geozones` are ignored. Memory: one zone and one piece.
 *
 * Rejects with the errors of `toKml` and of `sink`, and with `source-type` for an item that is neither a zone nor a section.
 *
 * @example
 * ```ts
 * import { writeKml } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * const chunks = [];
 * await writeKml([zone], (chunk) => { chunks.push(chunk); });
 * chunks.length; // 1
 * ```
 */
export async function writeKml(
  source: Iterable<Geozone | KmlSection> | AsyncIterable<Geozone | KmlSection>,
  sink: TextSink,
  options: KmlStreamOptions = {},
): Promise<void> {
  checkOptions(options, OPTIONS);
  await writeSoundKml(source, sink, options, throwZoneError);
}

/** `writeKml`, without the zones that cannot be written. */
export async function writeSoundKml(
  source: Iterable<Geozone | KmlSection> | AsyncIterable<Geozone | KmlSection>,
  sink: TextSink,
  options: KmlStreamOptions,
  onError: OnZoneError,
): Promise<void> {
  const writer = new KmlWriter(options.looks ?? [], options);
  const out = new TextCollector(sink);
  out.add(writer.head);
  let index = 0;
  const textOf = (zone: Geozone): string => {
    try {
      return writer.placemark(zone, index++, null);
    } catch (error) {
      onError(zone, error);
      return '';
    }
  };
  for await (const item of eachOf(source)) {
    if (!isSection(item)) {
      if (out.add(textOf(item))) await out.flush();
      continue;
    }
    const { group, zones } = item;
    if (group !== null) out.add(writer.openFolder(group));
    for await (const zone of eachOf(zones)) {
      if (out.add(textOf(zone))) await out.flush();
    }
    if (group !== null) out.add(writer.closeFolder());
  }
  for (const piece of routePieces(options.routes ?? [], writer)) if (out.add(piece)) await out.flush();
  let track = 0;
  for (const row of itemsOf(options.tracks ?? [], 'tracks'))
    if (out.add(writer.track(row, track++))) await out.flush();
  out.add(writer.tail);
  await out.end();
}

function isSection(item: Geozone | KmlSection): item is KmlSection {
  if (typeof item !== 'object' || item === null) {
    throw inputError('source-type', 'source', 'a zone or a section of zones', item);
  }
  return 'group' in item && 'zones' in item;
}
