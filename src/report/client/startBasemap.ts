/** The map below the zones: images at an address, tiles inside the page, or the roads that tracks share. */

import { VectorTile, type VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { TilesBasemap } from '../reportInput.js';
import { type Page, unpack } from './page.js';
import { type BaseKind, baseKind, CASING, roadRank, roadWidth } from './shared/baseKind.js';
import { byId, css } from './shared/dom.js';

const TILE = 256;
/** Largest side of a canvas, pixels: a tile far beyond its zoom is drawn coarser. */
const MOST_PIXELS = 2048;
/** Kinds of areas, drawn in this order. Names of places are points, which are not drawn. */
const AREAS: readonly BaseKind[] = ['land', 'green', 'water', 'building'];
/** Geometry types of the Mapbox vector tile format. */
const [LINE, AREA] = [2, 3];

/** Escapes a text, because Leaflet's attribution is HTML. */
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

/** Image tiles inside the page. */
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

/** Vector tiles inside the page: areas and lines in the colour of their kind. */
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
          const zoom = coords.z + Math.log2(size.x / TILE);
          draw({ context: tile.getContext('2d')!, density: pixels / size.x, zoom }, bytes);
          done(undefined, tile);
        },
        (error: unknown) => done(error as Error, tile),
      );
    return tile;
  }
}

/** The key of a tile. Columns repeat around the world. */
function keyOf({ z, x, y }: L.Coords): string {
  const side = 2 ** z;
  return `${z}/${((x % side) + side) % side}/${y}`;
}

async function inflated(text: string): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(text), (mark) => mark.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A tile to draw: its canvas context, the number of pixels in a CSS pixel, and the zoom at which it is shown. */
interface Drawn {
  readonly context: CanvasRenderingContext2D;
  readonly density: number;
  readonly zoom: number;
}

function draw(drawn: Drawn, bytes: Uint8Array): void {
  const { layers } = new VectorTile(new PbfReader(bytes));
  const of = (kind: BaseKind): VectorTileLayer[] =>
    Object.entries(layers).flatMap(([name, layer]) => (baseKind(name) === kind ? [layer] : []));
  for (const kind of AREAS) for (const layer of of(kind)) drawAreas(drawn, layer, kind);
  for (const layer of of('border')) drawBorders(drawn, layer);
  for (const layer of of('road')) drawRoads(drawn, layer);
}

function featuresOf(layer: VectorTileLayer): VectorTileFeature[] {
  return Array.from({ length: layer.length }, (_, i) => layer.feature(i));
}

/** Adds the lines of a feature to a path, in pixels. */
function trace(path: Path2D, feature: VectorTileFeature, size: number): void {
  for (const line of feature.loadGeometry()) {
    line.forEach(({ x, y }, k) => {
      if (k === 0) path.moveTo(x * size, y * size);
      else path.lineTo(x * size, y * size);
    });
    if (feature.type === AREA) path.closePath();
  }
}

function pathOf({ context }: Drawn, layer: VectorTileLayer, type: number): Path2D {
  const path = new Path2D();
  for (const feature of featuresOf(layer))
    if (feature.type === type) trace(path, feature, context.canvas.width / layer.extent);
  return path;
}

function drawAreas(drawn: Drawn, layer: VectorTileLayer, kind: BaseKind): void {
  const { context, density } = drawn;
  context.fillStyle = css(`--base-${kind}`);
  context.fill(pathOf(drawn, layer, AREA), 'evenodd');
  context.strokeStyle = context.fillStyle;
  context.lineWidth = density;
  context.stroke(pathOf(drawn, layer, LINE));
}

function drawBorders(drawn: Drawn, layer: VectorTileLayer): void {
  drawn.context.strokeStyle = css('--base-border');
  drawn.context.lineWidth = drawn.density;
  drawn.context.stroke(pathOf(drawn, layer, LINE));
}

/** Draws roads by rank: first all borders, so that crossings stay open. */
function drawRoads({ context, density, zoom }: Drawn, layer: VectorTileLayer): void {
  const size = context.canvas.width / layer.extent;
  const lines = featuresOf(layer).filter(({ type }) => type === LINE);
  const paths = [0, 1, 2, 3].map((rank) => {
    const path = new Path2D();
    for (const line of lines) if (roadRank(line.properties) === rank) trace(path, line, size);
    return path;
  });
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const [edge, name] of [
    [CASING, '--base-casing'],
    [0, '--base-road'],
  ] as const)
    paths.forEach((path, rank) => {
      // Railways and paths have no border; they are drawn in its colour.
      if (rank === 0 && edge > 0) return;
      context.strokeStyle = css(rank === 0 ? '--base-casing' : name);
      context.lineWidth = density * (roadWidth(rank, zoom) + 2 * edge);
      context.stroke(path);
    });
  for (const line of lines) nameRoad({ context, density, zoom }, line, size);
}

/** Lowest zoom at which a road's name is drawn, by rank. */
const NAMED_FROM: readonly number[] = [99, 16, 15, 14];

/** Writes a road's name along its longest straight stretch within the tile, if there is room. */
function nameRoad({ context, density, zoom }: Drawn, line: VectorTileFeature, size: number): void {
  const { name } = line.properties;
  if (typeof name !== 'string' || zoom < NAMED_FROM[roadRank(line.properties)]!) return;
  const side = context.canvas.width;
  const inTile = ({ x, y }: { readonly x: number; readonly y: number }): boolean =>
    x >= 0 && y >= 0 && x * size <= side && y * size <= side;
  let longest = 0;
  let at: readonly [x: number, y: number, angle: number] | null = null;
  for (const points of line.loadGeometry())
    for (const [i, point] of points.entries()) {
      const before = points[i - 1];
      if (before === undefined || !inTile(before) || !inTile(point)) continue;
      const [dx, dy] = [(point.x - before.x) * size, (point.y - before.y) * size];
      const length = Math.hypot(dx, dy);
      if (length <= longest) continue;
      longest = length;
      // The text runs from left to right.
      const angle = Math.atan2(dy, dx) + (dx < 0 ? Math.PI : 0);
      at = [((point.x + before.x) * size) / 2, ((point.y + before.y) * size) / 2, angle];
    }
  context.font = `${10.5 * density}px system-ui, sans-serif`;
  if (at === null || context.measureText(name).width > 0.9 * longest) return;
  const [x, y, angle] = at;
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 3 * density;
  context.strokeStyle = css('--base-road');
  context.strokeText(name, 0, 0);
  context.fillStyle = css('--soft');
  context.fillText(name, 0, 0);
  context.restore();
}
