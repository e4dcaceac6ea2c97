/** Writes the zones that can be written as a KML 2.2 document in memory. */

import type { RawTrack } from '../../core/fix.js';
import { MOST_UNIT_BYTES, utf8Encoder } from '../../core/utf8.js';
import type { Geozone } from '../../core/wire.js';
import type { OnZoneError } from '../common/eachOf.js';
import { atZone } from '../common/zoneGeometry.js';
import { KmlWriter } from './kmlWriter.js';
import { type KmlWriteOptions, kmlPieces, looksOf } from './toKml.js';
import { ordinalData, ZonePlacemarks } from './zonePlacemarks.js';

/** Least size of the first buffer, bytes. */
const LEAST_CAPACITY = 65_536;

/** Expected size of a Placemark's style and ordinal, bytes. */
const STYLE_BYTES = 100;

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
