/** Writes zones as KMZ: a ZIP file (APPNOTE 6.3) of a KML document and its pictures. */

import fflate from '#lazy/fflate';
import { inputError } from '../../core/errors.js';
import type { RawTrack } from '../../core/fix.js';
import { checkOptions, type OptionTable, OWN } from '../../core/options.js';
import type { Geozone } from '../../core/wire.js';
import type { OnZoneError } from '../common/textSink.js';
import { zipTime } from '../common/zipTime.js';
import type { IconHref } from '../kml/kmlStyleBook.js';
import { KML_WRITE_OPTIONS, type KmlContent, type KmlWriteOptions, soundKml, toKml } from '../kml/toKml.js';

/** PNG, 32 × 32 pixels, grey with transparency: a cross. */
const HOSPITAL =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAQAAADZc7J/AAAAU0lEQVR42mNgoCZQ+E8cpEgzDkMggsQCDCNI047FCFK1w4ygQDuKETQzADnMRw0gyQBCSXjUAHoYMJoSqWoA/UokigtVKhTrFFcsVKjaqFC5kgsAWw5riBmK6PsAAAAASUVORK5CYII=';

/** PNG, 32 × 32 pixels, grey with transparency: a scholar's cap. */
const SCHOOL =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAQAAADZc7J/AAAAaklEQVR42mNgoCZQ+E8cpEgzDkMggsQCDCNI047FCFK1w4ygQDuKETQ0ABbiZBmAHm0kGYAr7okygFACwmsAsamQdgYQ5wUFSgNx1IAhYgChbDzQBlC/RKK4UKVCsU5xxUKFqo0KlSu5AAAqQE3q27L4tAAAAABJRU5ErkJggg==';

/** Options of `toKmz`: the options of `toKml`, and pictures. */
export interface KmzWriteOptions extends Omit<KmlWriteOptions, 'iconHref'> {
  /** PNG pictures by icon key. Pictures for `hospital` and `school` are built in, and can be replaced here. */
  readonly icons?: Readonly<Record<string, Uint8Array>> | undefined;
}

const { iconHref: _iconHref, ...DOCUMENT_OPTIONS } = KML_WRITE_OPTIONS;

const OPTIONS: OptionTable<KmzWriteOptions, 'defaultWidthMeters'> = { ...DOCUMENT_OPTIONS, icons: OWN };

/** Icon keys that are valid file names on every operating system. */
const FILE_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * `toKml` as a KMZ file: `doc.kml`, then a picture `icons/<key>.png` for each icon. The styles refer to the pictures. `fromKmz` reads the file
 * back without loss.
 *
 * Throws the errors of `toKml`, `option-type`, and `option-value` for a picture that is not a Uint8Array or whose key is not a valid file name.
 * Cost: O(vertices), all in memory.
 *
 * @example
 * ```ts
 * import { fromKmz, toKmz } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * fromKmz(toKmz([zone])).value.zones[0].name; // 'Depot'
 * ```
 */
export function toKmz(content: Iterable<Geozone> | KmlContent, options: KmzWriteOptions = {}): Uint8Array {
  checkOptions(options, OPTIONS);
  const { icons: _, ...rest } = options;
  return archiveOf(options, (iconHref) => new TextEncoder().encode(toKml(content, { ...rest, iconHref })));
}

/** `toKmz` without the zones that cannot be written. Builds each zone once. */
export function soundKmz(
  zones: readonly Geozone[],
  options: KmzWriteOptions,
  onError: OnZoneError,
  tracks: Iterable<RawTrack> = [],
): Uint8Array {
  return archiveOf(options, (iconHref) => soundKml(zones, { ...options, iconHref }, onError, tracks));
}

function archiveOf(options: KmzWriteOptions, documentWith: (iconHref: IconHref) => Uint8Array): Uint8Array {
  const pictures = knownPictures();
  for (const [key, bytes] of Object.entries(options.icons ?? {})) {
    const given: unknown = bytes;
    if (!FILE_KEY.test(key)) {
      throw inputError('option-value', 'icons', 'a key of letters, digits, _ and -', key);
    }
    if (!(given instanceof Uint8Array)) {
      throw inputError('option-value', `icons.${key}`, 'a Uint8Array', given);
    }
    pictures.set(key, bytes);
  }
  const iconHref = (key: string): string | null => (pictures.has(key) ? pictureName(key) : null);
  const files: Record<string, Uint8Array> = { 'doc.kml': documentWith(iconHref) };
  for (const [key, bytes] of pictures) files[pictureName(key)] = bytes;
  return fflate().zipSync(files, { mtime: zipTime() });
}

function pictureName(key: string): string {
  return `icons/${key}.png`;
}

/** PNG bytes by icon key. */
function knownPictures(): Map<string, Uint8Array> {
  return new Map([
    ['hospital', bytesOf(HOSPITAL)],
    ['school', bytesOf(SCHOOL)],
  ]);
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}
