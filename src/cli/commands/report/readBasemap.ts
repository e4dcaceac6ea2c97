/** The base map of a report: an address, or the tiles of a PMTiles archive around the zones and tracks. */

import { type FileHandle, open } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { PMTiles, type RangeResponse, type Source, TileType } from 'pmtiles';
import { WayzoneError } from '../../../core/errors.js';
import type { ReportUnit, ReportZone } from '../../../report/index.js';
import type { ReportBasemap, TilesBasemap } from '../../../report/reportInput.js';
import type { BasemapFlags } from './reportFlags.js';

/** Largest number of tiles of the whole box that are all taken, so that at low zooms the map has no holes. */
const MOST_IN_BOX = 64;

/** Positions that the page shows. */
interface Seen {
  readonly zones: readonly Pick<ReportZone, 'lonLat'>[];
  readonly units: readonly { readonly track: Pick<ReportUnit['track'], 'lon' | 'lat' | 'length'> }[];
}

const IMAGES: Readonly<Partial<Record<TileType, string>>> = {
  [TileType.Png]: 'image/png',
  [TileType.Jpeg]: 'image/jpeg',
  [TileType.Webp]: 'image/webp',
  [TileType.Avif]: 'image/avif',
};
/** Largest zoom of tiles; the page enlarges them beyond it. */
const MAX_ZOOM = 16;

/** Null without a flag. `say` gets a line if not all zooms fit. Errors: `input-unreadable`, `basemap-type`, `limit-basemap`. */
export async function readBasemap(
  { tiles, basemap, attribution, basemapBytes }: BasemapFlags,
  seen: { readonly zones: readonly ReportZone[]; readonly units: readonly ReportUnit[] },
  say: (line: string) => void,
): Promise<ReportBasemap | null> {
  if (tiles !== undefined) {
    return {
      kind: 'address',
      url: tiles,
      attribution: attribution ?? new URL(tiles.replace(/[{}]/g, '')).host,
    };
  }
  if (basemap === undefined) return null;
  const file = await openFile(basemap);
  try {
    return await embedded(
      new PMTiles(new FileSource(file, basemap)),
      basemap,
      basemapBytes,
      attribution,
      seen,
      say,
    );
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    const message = `expected a file that can be read, received ${(error as Error).message}`;
    throw new WayzoneError('input-unreadable', '--basemap', message);
  }
}

/** The bytes of an archive on the disk. */
class FileSource implements Source {
  readonly #file: FileHandle;
  readonly #path: string;

  constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  getKey(): string {
    return this.#path;
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await this.#file.read(bytes, 0, length, offset);
    return { data: bytes.slice(0, bytesRead).buffer };
  }
}

async function embedded(
  archive: PMTiles,
  path: string,
  most: number,
  attribution: string | undefined,
  seen: Parameters<typeof tilesAround>[0],
  say: (line: string) => void,
): Promise<TilesBasemap> {
  const { tileType, minZoom, maxZoom, metadata } = await facts(archive, path);
  const image = IMAGES[tileType] ?? null;
  if (image === null && tileType !== TileType.Mvt) throw wrongType(path, `tiles of type ${tileType}`);
  const tiles: Record<string, string> = {};
  let bytes = 0;
  let reached = -1;
  for (let zoom = minZoom; zoom <= Math.min(maxZoom, MAX_ZOOM); zoom++) {
    const own: Record<string, string> = {};
    let size = 0;
    for (const [x, y] of tilesAround(seen, zoom)) {
      const tile = await archive.getZxy(zoom, x, y);
      if (tile === undefined) continue;
      const data = new Uint8Array(tile.data);
      const text = Buffer.from(image === null ? gzipSync(data, { level: 9 }) : data).toString('base64');
      own[`${zoom}/${x}/${y}`] = text;
      size += text.length;
      if (bytes + size > most) break;
    }
    if (bytes + size > most) {
      if (reached < 0) {
        const message = `expected at most ${most} bytes of tiles at zoom ${zoom}, received more; raise --basemap-bytes`;
        throw new WayzoneError('limit-basemap', '--basemap', message);
      }
      say(
        `Map below: zooms ${minZoom} to ${reached}; zoom ${zoom} exceeds ${most} bytes (--basemap-bytes)\n`,
      );
      break;
    }
    Object.assign(tiles, own);
    bytes += size;
    reached = zoom;
  }
  return {
    kind: 'tiles',
    image,
    minZoom,
    maxZoom: reached,
    attribution: attribution ?? plainText(metadata['attribution']),
    tiles,
  };
}

async function facts(
  archive: PMTiles,
  path: string,
): Promise<{ tileType: TileType; minZoom: number; maxZoom: number; metadata: Record<string, unknown> }> {
  try {
    const { tileType, minZoom, maxZoom } = await archive.getHeader();
    const metadata = (await archive.getMetadata()) as Record<string, unknown> | null;
    return { tileType, minZoom, maxZoom, metadata: metadata ?? {} };
  } catch (error) {
    throw wrongType(path, (error as Error).message);
  }
}

function wrongType(path: string, received: string): WayzoneError {
  const message = `expected a PMTiles archive with images or vector tiles, received ${path}: ${received}`;
  return new WayzoneError('basemap-type', '--basemap', message);
}

/** The text of an attribution without its markup. It may contain links. */
function plainText(html: unknown): string {
  if (typeof html !== 'string') return '';
  // After each `<` the text follows the next `>`: in `a href="…">© Survey` it is `© Survey`.
  const [first, ...parts] = html.split('<');
  const text = [first!, ...parts.map((part) => part.slice(part.indexOf('>') + 1))].join('');
  return text
    .replace(/&copy;|&#169;/g, '©')
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .trim();
}

/** Tiles `[x, y]` of a zoom, sorted. No tile is added along the line between two fixes or vertices. */
export function tilesAround({ zones, units }: Seen, zoom: number): [x: number, y: number][] {
  const side = 2 ** zoom;
  const places = new Set<number>();
  let [west, east, top, bottom] = [side, -1, side, -1];
  const add = (lon: number, lat: number): void => {
    const x = Math.floor((((((lon + 180) % 360) + 360) % 360) / 360) * side);
    const sin = Math.sin((Math.min(85, Math.max(-85, lat)) * Math.PI) / 180);
    const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * side);
    [west, east, top, bottom] = [Math.min(west, x), Math.max(east, x), Math.min(top, y), Math.max(bottom, y)];
    places.add(y * side + x);
  };
  for (const { lonLat } of zones) for (const [lon, lat] of lonLat) add(lon, lat);
  for (const { track } of units) for (let i = 0; i < track.length; i++) add(track.lon[i]!, track.lat[i]!);
  if (places.size === 0) return [];
  const wanted = new Set<number>();
  if ((east - west + 3) * (bottom - top + 3) <= MOST_IN_BOX) {
    for (let y = Math.max(0, top - 1); y <= Math.min(side - 1, bottom + 1); y++)
      for (let x = west - 1; x <= east + 1; x++) wanted.add(y * side + ((x + side) % side));
  } else {
    for (const place of places) {
      const [x, y] = [place % side, Math.floor(place / side)];
      for (let row = Math.max(0, y - 1); row <= Math.min(side - 1, y + 1); row++)
        for (const column of [x - 1, x, x + 1]) wanted.add(row * side + ((column + side) % side));
    }
  }
  return [...wanted].sort((a, b) => a - b).map((place) => [place % side, Math.floor(place / side)]);
}
