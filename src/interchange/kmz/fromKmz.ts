/** Reads KMZ (OGC 07-147r2 annex C): a KML document in a ZIP file. */

import { inputError, WayzoneError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/options.js';
import { ChunkDecoder } from '../common/decodeText.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { KML_OPTIONS, type KmlOptions } from '../kml/kmlOptions.js';
import { KmlReader } from '../kml/kmlReader.js';
import { XmlFeed } from '../xml/xmlFeed.js';
import { crc32 } from './crc32.js';
import { inflatedPieces } from './inflatedPieces.js';
import { readZipDirectory, type ZipEntry } from './readZipDirectory.js';

/** Deflate expands one byte to at most 1032. */
const MOST_RATIO = 1032;
/** Compressed bytes per step. Steps get smaller near the limit, so that little is inflated beyond it. */
const LEAST_SLICE = 512;
const MOST_SLICE = 32_768;
/** A document may inflate to this many bytes at any ratio. */
const FREE_BYTES = 4_194_304;
/** Allowed ratio beyond `FREE_BYTES`. KML usually deflates 10 times, nearly equal Placemarks 30 times. */
const MOST_TIMES = 64;

/**
 * `fromKml` of the document in a KMZ file: `doc.kml`, else the first entry that ends in `.kml`. The document is read while it is inflated and is
 * never in memory as a whole. Pictures and further documents are not read. No file is written and no link followed.
 *
 * Issues: those of `fromKml`, and
 * - `kmz-no-kml`, `limit-entries`; `kmz-unsupported`: ZIP64, encryption, methods other than deflate;
 * - `kmz-corrupt`: the ZIP file contradicts itself. A wrong length or checksum is found at the end, and the zones read before it stay;
 * - `kmz-entry-name`: an entry whose path could leave the folder is left out;
 * - `limit-inflated`: the document is longer than `maxBytes`, or than 4 MiB plus 64 times its compressed bytes, by the directory or by counting;
 * - the warning `kmz-more-kml`: further documents.
 *
 * Throws `input-type`, `option-type`, `option-value`, `crs-not-loaded`.
 *
 * @example
 * ```ts
 * import { fromKmz } from 'wayzone/interchange';
 * fromKmz(new Uint8Array(0)).issues[0].code; // 'kmz-corrupt'
 * ```
 */
export function fromKmz(input: Uint8Array, options: KmlOptions = {}): ForeignData {
  checkOptions(options, KML_OPTIONS);
  const given: unknown = input;
  if (!(given instanceof Uint8Array)) {
    throw inputError('input-type', 'input', 'a Uint8Array', given);
  }
  const builder = new ForeignBuilder(options);
  const { issues, limits } = builder;
  try {
    limits.countBytes(input.length);
    const entry = documentOf(readZipDirectory(input, limits.maxEntries, issues), builder);
    readKmlEntry(input, entry, builder, options);
  } catch (error) {
    issues.caught(error);
  }
  return builder.toForeignData();
}

function documentOf(entries: readonly ZipEntry[], { issues }: ForeignBuilder): ZipEntry {
  // macOS adds resource forks: `__MACOSX/._doc.kml`.
  const documents = entries.filter(
    ({ name }) => /\.kml$/i.test(name) && !/^__MACOSX\/|(?:^|\/)\._/.test(name),
  );
  const entry = documents.find(({ name }) => name === 'doc.kml') ?? documents[0];
  if (entry === undefined) {
    throw new WayzoneError(
      'kmz-no-kml',
      '',
      `expected an entry that ends in .kml, received none in ${entries.length}`,
    );
  }
  for (const { name } of documents) {
    if (name === entry.name) continue;
    issues.warning(
      'kmz-more-kml',
      name,
      `expected one document, received also ${JSON.stringify(name)}; not read`,
    );
  }
  return entry;
}

function readKmlEntry(
  input: Uint8Array,
  entry: ZipEntry,
  builder: ForeignBuilder,
  options: KmlOptions,
): void {
  const { issues, limits } = builder;
  const feed = new XmlFeed(issues, new KmlReader(builder, options), limits);
  const decoder = new ChunkDecoder(issues);
  const most = Math.min(limits.maxBytes, FREE_BYTES + MOST_TIMES * entry.compressedSize);
  const tooLong = (): WayzoneError =>
    new WayzoneError('limit-inflated', entry.name, `expected at most ${most} bytes, received more`);
  let length = 0;
  let crc = 0;
  let wanted = true;
  const take = (chunk: Uint8Array): void => {
    length += chunk.length;
    if (length > most) throw tooLong();
    if (length > entry.size) throw mismatch(entry, `a length of ${entry.size}`);
    crc = crc32(chunk, crc);
    const text = decoder.push(chunk);
    if (text !== '' && wanted) wanted = feed.write(text);
  };
  let isWhole = false;
  try {
    // A declared length above the limit is either true or a contradiction, so it is rejected before inflating.
    if (entry.size > most) throw tooLong();
    const room = (): number => Math.floor((most - length) / MOST_RATIO);
    const slice = (): number => (wanted ? Math.min(MOST_SLICE, Math.max(LEAST_SLICE, room())) : 0);
    for (const piece of inflatedPieces(input, entry, 'kmz-corrupt', slice)) take(piece);
    isWhole = wanted;
    if (isWhole) {
      if (length !== entry.size) throw mismatch(entry, `a length of ${entry.size}`);
      if (crc !== entry.crc) throw mismatch(entry, 'the checksum');
    }
  } finally {
    const rest = decoder.end();
    if (rest !== '' && wanted) feed.write(rest);
    feed.close(!isWhole);
  }
}

function mismatch(entry: ZipEntry, what: string): WayzoneError {
  return new WayzoneError(
    'kmz-corrupt',
    entry.name,
    `expected ${what} as in the directory, received another`,
  );
}
