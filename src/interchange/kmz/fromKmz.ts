/** Reads KMZ (OGC 07-147r2 annex C): KML documents in a ZIP file. */

import { describe, inputError, WayzoneError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/options.js';
import { ChunkDecoder } from '../common/decodeText.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { KmlReader } from '../kml/kmlReader.js';
import { KML_OPTIONS, type KmlOptions } from '../kml/kmlZones.js';
import { type XmlElement, XmlFeed } from '../xml/xmlFeed.js';
import { crc32, inflatedPieces, readZipDirectory, type ZipEntry } from './readZipDirectory.js';

/** Largest expansion of one byte by deflate. */
const MOST_RATIO = 1032;
/** Least and largest number of compressed bytes per step. Steps get smaller near the limit, so that little is inflated beyond it. */
const LEAST_SLICE = 512;
const MOST_SLICE = 32_768;
/** Number of bytes that the documents may inflate to at any ratio. */
const FREE_BYTES = 4_194_304;
/** Largest ratio beyond `FREE_BYTES`. KML usually deflates 10 times, nearly equal Placemarks 30 times. */
const MOST_TIMES = 64;
/** Largest depth of documents that link each other. */
const MAX_LINK_DEPTH = 64;

/**
 * Reads the document of a KMZ file as `fromKml` does: `doc.kml`, else the first entry that ends in `.kml`. Documents that its NetworkLinks
 * address within the archive are read once each, in place of the link. Rules: docs/rules/files.md.
 *
 * A document is read while it is inflated and is never in memory as a whole. No file is written, and no link out of the archive is followed.
 *
 * Issues: as `fromKml`; `kmz-no-kml`, `limit-entries`, `kmz-unsupported`, `kmz-corrupt`, `kmz-entry-name`, `limit-inflated`; the warnings
 * `kmz-link` and `kmz-more-kml`. Errors: `input-type`, `option-type`, `option-value`, `crs-not-loaded`.
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
    new KmzReader(input, readZipDirectory(input, limits.maxEntries, issues), builder, options).readAll();
  } catch (error) {
    issues.caught(error);
  }
  return builder.toForeignData();
}

/** Whether an entry is a document. Documents added by macOS are resource forks: `__MACOSX/._doc.kml`. */
const isDocument = ({ name }: ZipEntry): boolean =>
  /\.kml$/i.test(name) && !/^__MACOSX\/|(?:^|\/)\._/.test(name);

/** Reads the main document of an archive, and linked documents in place of their links. */
class KmzReader {
  readonly #input: Uint8Array;
  readonly #builder: ForeignBuilder;
  readonly #kml: KmlReader;
  /** Documents by name in lower case. No names in the directory differ by case only. */
  readonly #documents: ReadonlyMap<string, ZipEntry>;
  /** Documents that are open or were read. */
  readonly #begun = new Set<ZipEntry>();
  /** Open documents, outermost first. */
  readonly #open: ZipEntry[] = [];
  /** Inflated size of the documents, and the size that the limit of their ratio allows, bytes. */
  #inflated = 0;
  #allowed = FREE_BYTES;

  constructor(input: Uint8Array, entries: readonly ZipEntry[], builder: ForeignBuilder, options: KmlOptions) {
    this.#input = input;
    this.#builder = builder;
    this.#documents = new Map(
      entries.filter(isDocument).map((entry) => [entry.name.toLowerCase(), entry] as const),
    );
    this.#kml = new KmlReader(builder, options, (href, link) => this.#follow(href, link));
  }

  /** Reads `doc.kml`, else the first document, and reports documents that it does not link. */
  readAll(): void {
    const documents = [...this.#documents.values()];
    const entry = documents.find(({ name }) => name === 'doc.kml') ?? documents[0];
    if (entry === undefined) {
      const message = 'expected an entry that ends in .kml, received none';
      throw new WayzoneError('kmz-no-kml', '', message);
    }
    try {
      this.#read(entry, null);
    } finally {
      for (const other of documents) {
        if (this.#begun.has(other)) continue;
        const { name } = other;
        const message = `expected a document that ${JSON.stringify(entry.name)} links, received also ${JSON.stringify(name)}; not read`;
        this.#builder.issues.warning('kmz-more-kml', name, message);
      }
    }
  }

  /**
   * Reads the document at `href`, relative to the open one, or reports why it does not. Returns false for addresses outside the archive.
   */
  #follow(href: string, link: XmlElement): boolean {
    const { issues } = this.#builder;
    if (/^[A-Za-z][A-Za-z0-9+.-]*:|^[\\/]/.test(href)) return false;
    const name = nameWithin(this.#open.at(-1)!.name, href);
    const entry = name === null ? undefined : this.#documents.get(name.toLowerCase());
    const reason =
      name === null
        ? 'a path that leaves it'
        : entry === undefined
          ? 'another address'
          : this.#begun.has(entry)
            ? 'a document that is read already'
            : this.#open.length >= MAX_LINK_DEPTH
              ? `more than ${MAX_LINK_DEPTH} links in each other`
              : null;
    if (entry === undefined || reason !== null) {
      const message = `expected the link to a document of the archive, received ${reason}: ${describe(href)}; not read`;
      issues.warning('kmz-link', 'NetworkLink', message, link.line);
      return true;
    }
    const outer = issues.within;
    issues.within = entry.name;
    try {
      this.#read(entry, link);
    } catch (error) {
      issues.caught(error);
    } finally {
      issues.within = outer;
    }
    return true;
  }

  #read(entry: ZipEntry, link: XmlElement | null): void {
    const { issues, limits } = this.#builder;
    this.#begun.add(entry);
    this.#open.push(entry);
    const handler = link === null ? this.#kml : this.#kml.linked(link, entry.name);
    const feed = new XmlFeed(issues, handler, limits, link);
    const decoder = new ChunkDecoder(issues);
    this.#allowed += MOST_TIMES * entry.compressedSize;
    const most = Math.min(limits.maxBytes, this.#allowed) - this.#inflated;
    const tooLong = (): WayzoneError =>
      new WayzoneError('limit-inflated', entry.name, `expected at most ${most} bytes, received more`);
    let length = 0;
    let crc = 0;
    let wanted = true;
    const take = (chunk: Uint8Array): void => {
      length += chunk.length;
      this.#inflated += chunk.length;
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
      for (const piece of inflatedPieces(this.#input, entry, 'kmz-corrupt', slice)) take(piece);
      isWhole = wanted;
      if (isWhole) {
        if (length !== entry.size) throw mismatch(entry, `a length of ${entry.size}`);
        if (crc !== entry.crc) throw mismatch(entry, 'the checksum');
      }
    } finally {
      const rest = decoder.end();
      if (rest !== '' && wanted) feed.write(rest);
      feed.close(!isWhole);
      this.#open.pop();
    }
  }
}

/** Path in the archive of the address `href` in the document `from`. Null if it leaves the archive. */
function nameWithin(from: string, href: string): string | null {
  const parts = from.split('/').slice(0, -1);
  for (const part of decoded(href.replace(/[?#].*$/s, '')).split(/[\\/]/)) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function mismatch(entry: ZipEntry, what: string): WayzoneError {
  return new WayzoneError(
    'kmz-corrupt',
    entry.name,
    `expected ${what} as in the directory, received another`,
  );
}
