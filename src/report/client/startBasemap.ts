/** The map below the zones: images at an address, tiles within the page, or the roads that tracks share. */

import { VectorTile, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { TilesBasemap } from '../reportBasemap.js';
import { type BaseKind, baseKind } from './baseKind.js';
import { byId, css } from './dom.js';
import type { Page } from './page.js';
import { unpack } from './unpack.js';

const TILE = 256;
/** Pixels of a canvas at most: a tile far beyond its zoom is drawn coarser. */
const MOST_PIXELS = 2048;
/** From the bottom up. Names of places are points, which are not drawn. */
const ORDER: readonly BaseKind[] = ['land', 'green', 'water', 'building', 'border', 'road'];

/** Leaflet's attribution takes markup. */
function asText(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

export function startBasemap({ data, view }: Page): void {
  const { map, canvas } = view;
  const { basemap } = data;
  if (basemap === null) {
    for (const [isWide, line] of data.roads) {
      const style = { renderer: canvas.ground, interactive: false, color: css('--road') };
      L.polyline(unpack(line), { ...style, weight: isWide ? 5 : 3, smoothFactor: 1 }).addTo(map);
    }
    return;
  }
  L.control.attribution({ prefix: false }).addTo(map);
  const attribution = asText(basemap.attribution);
  if (basemap.kind === 'address') {
    L.tileLayer(basemap.url, { attribution, maxZoom: 20, maxNativeZoom: 19 }).addTo(map);
    return;
  }
  const tiles = JSON.parse(byId('tiles').textContent ?? '{}') as TilesBasemap['tiles'];
  const { minZoom, maxZoom, image } = basemap;
  const options = { attribution, minNativeZoom: minZoom, maxNativeZoom: maxZoom, tileSize: TILE };
  if (image === null) new VectorTiles(tiles, options).addTo(map);
  else new ImageTiles(tiles, image, options).addTo(map);
}

const EMPTY = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Images of the page. */
class ImageTiles extends L.TileLayer {
  readonly #tiles: TilesBasemap['tiles'];
  readonly #image: string;

  constructor(tiles: TilesBasemap['tiles'], image: string, options: L.TileLayerOptions) {
    super('', options);
    this.#tiles = tiles;
    this.#image = image;
  }

  override getTileUrl(coords: L.Coords): string {
    const text = this.#tiles[keyOf(coords)];
    return text === undefined ? EMPTY : `data:${this.#image};base64,${text}`;
  }
}

/** Vector tiles of the page, drawn plainly: areas and lines in the colours of what they are. */
class VectorTiles extends L.GridLayer {
  readonly #tiles: TilesBasemap['tiles'];

  constructor(tiles: TilesBasemap['tiles'], options: L.GridLayerOptions) {
    super(options);
    this.#tiles = tiles;
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redraw());
  }

  override createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
    const tile = document.createElement('canvas');
    const size = this.getTileSize();
    const pixels = Math.min(MOST_PIXELS, size.x * (devicePixelRatio || 1));
    [tile.width, tile.height] = [pixels, pixels];
    const text = this.#tiles[keyOf(coords)];
    if (text === undefined) setTimeout(() => done(undefined, tile), 0);
    else
      void inflated(text).then(
        (bytes) => {
          draw(tile, bytes, size.x / pixels);
          done(undefined, tile);
        },
        (error: unknown) => done(error as Error, tile),
      );
    return tile;
  }
}

/** The world repeats eastwards. */
function keyOf({ z, x, y }: L.Coords): string {
  const side = 2 ** z;
  return `${z}/${((x % side) + side) % side}/${y}`;
}

async function inflated(text: string): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(text), (mark) => mark.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** `scale`: CSS pixels of a pixel. */
function draw(tile: HTMLCanvasElement, bytes: Uint8Array, scale: number): void {
  const context = tile.getContext('2d')!;
  const { layers } = new VectorTile(new PbfReader(bytes));
  for (const kind of ORDER)
    for (const [name, layer] of Object.entries(layers))
      if (baseKind(name) === kind) drawLayer(context, layer, kind, scale);
}

function drawLayer(
  context: CanvasRenderingContext2D,
  layer: VectorTileLayer,
  kind: BaseKind,
  scale: number,
): void {
  const size = context.canvas.width / layer.extent;
  const [areas, lines] = [new Path2D(), new Path2D()];
  for (let i = 0; i < layer.length; i++) {
    const feature = layer.feature(i);
    if (feature.type === 1) continue;
    const path = feature.type === 3 ? areas : lines;
    for (const line of feature.loadGeometry()) {
      line.forEach(({ x, y }, k) => {
        if (k === 0) path.moveTo(x * size, y * size);
        else path.lineTo(x * size, y * size);
      });
      if (feature.type === 3) path.closePath();
    }
  }
  const color = css(`--base-${kind}`);
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineWidth = (kind === 'road' ? 2 : 1) / scale;
  context.lineJoin = 'round';
  if (kind !== 'road' && kind !== 'border') context.fill(areas, 'evenodd');
  context.stroke(lines);
}
