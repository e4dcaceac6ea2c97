/**
 * `wayzone tiles`: writes the tiles of the zones of files as one PMTiles file, version 3 (github.com/protomaps/PMTiles, spec/v3/spec.md): a
 * header, a root directory, metadata, leaf directories and the tiles in the order of their Hilbert ids.
 */

import { gzipSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import type { Bbox } from '../../../core/geometry.js';
import type { TileId } from '../../../tiles/tileFrame.js';
import { boundsOf, layersWith } from '../../../tiles/tileJson.js';
import { checkedInternals, readTileOptions, type TileLayer } from '../../../tiles/tileOptions.js';
import { tilePyramid } from '../../../tiles/tilesTouched.js';
import { readingOptions, type ZoneFlags, zoneOptions } from '../../flags/options.js';
import { type Io, refuse, reportIssues } from '../../io/io.js';
import { printable } from '../../io/terminal.js';
import { refuseInputs, writeAside } from '../../io/writeAside.js';
import { collect, lacksZones } from '../../shared/collect.js';
import { indexOfZones } from '../../shared/indexOfZones.js';

const HEADER_BYTES = 127;
/** Largest size of the header and root directory together, bytes, so that one request reads both. */
const MOST_FIRST_BYTES = 16_384;
/** Number of entries of a leaf directory; doubled while the root directory is too large. */
const LEAF_ENTRIES = 4096;
const GZIP = 2;
const MVT = 1;

export interface TilesFlags extends ZoneFlags {
  readonly minZoom?: number;
  readonly maxZoom?: number;
  readonly layers?: readonly TileLayer[];
  readonly properties?: readonly string[];
  readonly maxBytes?: number;
}

const DEFAULT_MAX_ZOOM = 12;

export async function writeTiles(
  files: readonly string[],
  out: string,
  flags: TilesFlags,
  io: Io,
): Promise<boolean> {
  await refuseInputs(files, [out], 'name another file to write');
  const collected = await collect({ zones: files, tracks: [] }, readingOptions(flags), io.stderr);
  if (lacksZones(collected))
    return refuse(collected.issues, io, 'a file of zones could not be read, so no tiles are written');
  const index = indexOfZones(collected, zoneOptions(flags));
  const { layers, properties, maxBytes } = flags;
  const rules = readTileOptions({ layers, properties, maxBytes });
  const minZoom = flags.minZoom ?? 0;
  const maxZoom = flags.maxZoom ?? Math.max(minZoom, DEFAULT_MAX_ZOOM);
  const archive = new PmtilesArchive();
  for (const tile of tilePyramid(index, minZoom, maxZoom, rules, hilbertId)) archive.add(tile, tile.bytes);
  const pieces = archive.pieces({
    minZoom,
    maxZoom,
    bounds: boundsOf(checkedInternals(index)),
    metadata: { name: 'zones', type: 'overlay', vector_layers: layersWith(rules.layers, rules.properties) },
  });
  const bytes = await writeAside(out, async (sink) => {
    for (const piece of pieces) await sink(piece);
  });
  const { tiles, contents } = archive.counts;
  io.stdout.write(
    `${index.size} zones, ${tiles} tiles (${contents} different), zooms ${minZoom} to ${maxZoom}; ${bytes} bytes written to ${printable(out)}\n`,
  );
  return reportIssues(collected.issues, io.stderr);
}

/** The id of a tile: the number of tiles in all lower zooms plus its position on the Hilbert curve of its zoom. */
export function hilbertId({ z, x, y }: TileId): number {
  let place = 0;
  let [column, row] = [x, y];
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = column >= side ? 1 : 0;
    const down = row >= side ? 1 : 0;
    place += side * side * ((3 * right) ^ down);
    column -= right * side;
    row -= down * side;
    if (down === 0) {
      if (right === 1) {
        column = side - 1 - column;
        row = side - 1 - row;
      }
      [column, row] = [row, column];
    }
  }
  return (4 ** z - 1) / 3 + place;
}

interface Entry {
  readonly id: number;
  readonly offset: number;
  readonly length: number;
  run: number;
}

/** Facts for the header and the metadata. */
interface ArchiveFacts {
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: Bbox;
  readonly metadata: object;
}

/** Collects tiles in ascending order of their ids. Equal tiles are stored once. */
export class PmtilesArchive {
  readonly #entries: Entry[] = [];
  readonly #pieces: Uint8Array[] = [];
  readonly #known = new Map<string, { readonly offset: number; readonly length: number }>();
  #length = 0;
  #tiles = 0;

  /** Number of tiles, and of different contents. */
  get counts(): { readonly tiles: number; readonly contents: number } {
    return { tiles: this.#tiles, contents: this.#pieces.length };
  }

  add(tile: TileId, bytes: Uint8Array): void {
    const id = hilbertId(tile);
    const content = this.#contentOf(bytes);
    this.#tiles++;
    const last = this.#entries.at(-1);
    if (last !== undefined && last.offset === content.offset && last.id + last.run === id) last.run++;
    else this.#entries.push({ id, ...content, run: 1 });
  }

  #contentOf(bytes: Uint8Array): { readonly offset: number; readonly length: number } {
    const packed = gzipSync(bytes);
    const key = packed.toString('latin1');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const content = { offset: this.#length, length: packed.length };
    this.#known.set(key, content);
    this.#pieces.push(packed);
    this.#length += packed.length;
    return content;
  }

  /** The pieces of the file, in order. */
  pieces(facts: ArchiveFacts): Uint8Array[] {
    const { root, leaves } = directories(this.#entries);
    const metadata = gzipSync(JSON.stringify(facts.metadata));
    const sections = [root, metadata, leaves, { length: this.#length }];
    let offset = HEADER_BYTES;
    const places = sections.map(({ length }) => {
      const place = { offset, length };
      offset += length;
      return place;
    });
    const header = headerOf(places, facts, [this.#tiles, this.#entries.length, this.#pieces.length]);
    return [header, root, metadata, leaves, ...this.#pieces];
  }
}

/** The root directory, and the leaf directories joined. If all entries fit into the root, there is no leaf. */
function directories(entries: readonly Entry[]): { root: Uint8Array; leaves: Uint8Array } {
  const whole = directory(entries);
  if (whole.length <= MOST_FIRST_BYTES - HEADER_BYTES) return { root: whole, leaves: new Uint8Array(0) };
  for (let size = LEAF_ENTRIES; ; size *= 2) {
    const pointers: Entry[] = [];
    const leaves: Uint8Array[] = [];
    let offset = 0;
    for (let from = 0; from < entries.length; from += size) {
      const leaf = directory(entries.slice(from, from + size));
      // A run of 0 marks a pointer to a leaf.
      pointers.push({ id: entries[from]!.id, offset, length: leaf.length, run: 0 });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const root = directory(pointers);
    if (root.length <= MOST_FIRST_BYTES - HEADER_BYTES) return { root, leaves: Buffer.concat(leaves) };
  }
}

/** A directory as columns of varints: differences of ids, runs, lengths, and offsets + 1, or 0 for an entry that follows the one before. */
function directory(entries: readonly Entry[]): Uint8Array {
  const pbf = new PbfWriter();
  pbf.writeVarint(entries.length);
  let last = 0;
  for (const { id } of entries) {
    pbf.writeVarint(id - last);
    last = id;
  }
  for (const { run } of entries) pbf.writeVarint(run);
  for (const { length } of entries) pbf.writeVarint(length);
  let end = -1;
  for (const { offset, length } of entries) {
    pbf.writeVarint(offset === end ? 0 : offset + 1);
    end = offset + length;
  }
  return gzipSync(pbf.finish());
}

function headerOf(
  places: readonly { readonly offset: number; readonly length: number }[],
  { minZoom, maxZoom, bounds }: ArchiveFacts,
  counts: readonly number[],
): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 0, 'latin1');
  header[7] = 3;
  let at = 8;
  for (const { offset, length } of places) {
    header.writeBigUInt64LE(BigInt(offset), at);
    header.writeBigUInt64LE(BigInt(length), at + 8);
    at += 16;
  }
  for (const count of counts) {
    header.writeBigUInt64LE(BigInt(count), at);
    at += 8;
  }
  // The first 1: clustered, the tiles are in the order of their ids.
  header.set([1, GZIP, GZIP, MVT, minZoom, maxZoom], at);
  at += 6;
  const put = (degrees: number): void => {
    header.writeInt32LE(Math.round(degrees * 1e7), at);
    at += 4;
  };
  const [west, south, east, north] = bounds;
  for (const degrees of bounds) put(degrees);
  header[at++] = minZoom;
  put((west + east) / 2);
  put((south + north) / 2);
  return header;
}
