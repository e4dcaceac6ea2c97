/** Zones as KMZ: a ZIP file (APPNOTE 6.3) of a KML document and its pictures. */

import { zipSync } from 'fflate';
import { inputError } from '../../core/errors.js';
import { checkOptions } from '../../core/input.js';
import type { Geozone } from '../../core/wire.js';
import { type KmlContent, type KmlWriteOptions, toKml } from '../kml/toKml.js';
import { knownPictures } from './knownPictures.js';

/** What stands in the archive beside the zones. */
export interface KmzWriteOptions extends Omit<KmlWriteOptions, 'iconHref'> {
  /** PNG pictures by icon key, beside and before those of `hospital` and `school`. */
  readonly icons?: Readonly<Record<string, Uint8Array>>;
}

/** What a picture's file may be called in every system. */
const FILE_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The earliest time that ZIP can hold, for every entry: the same zones give the same bytes. */
const ZIP_EPOCH_YEAR = 1980;

/**
 * `toKml` as a KMZ file: `doc.kml` first, then a picture `icons/<key>.png` for each known icon, which the styles point to. `fromKmz` reads
 * it back without loss.
 *
 * Throws as `toKml`; `option-type`, `option-value` for an icon that is no bytes or whose key cannot be a file's name. Cost: O(vertices), all in memory.
 *
 * @example
 * ```ts
 * import { fromKmz, toKmz } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * fromKmz(toKmz([zone])).value.zones[0].name; // 'Depot'
 * ```
 */
export function toKmz(content: Iterable<Geozone> | KmlContent, options: KmzWriteOptions = {}): Uint8Array {
  checkOptions(options);
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
  const files: Record<string, Uint8Array> = {
    'doc.kml': new TextEncoder().encode(toKml(content, { ...options, iconHref })),
  };
  for (const [key, bytes] of pictures) files[pictureName(key)] = bytes;
  return zipSync(files, { mtime: new Date(ZIP_EPOCH_YEAR, 0, 1) });
}

function pictureName(key: string): string {
  return `icons/${key}.png`;
}
