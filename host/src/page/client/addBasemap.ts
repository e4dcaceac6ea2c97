/** The base map by the host's setting: images at an address, a style, or a PMTiles archive with images or vector tiles. */

import {
  addProtocol,
  type ExpressionSpecification,
  type Map as GlMap,
  type LayerSpecification,
  type StyleSpecification,
} from 'maplibre-gl';
import { PMTiles, Protocol, TileType } from 'pmtiles';
import {
  type BaseKind,
  baseKind,
  CASING,
  LINE_CLASSES,
  ROAD_GROWTH,
  ROAD_RANKS,
  ROAD_WIDTHS,
} from '../../../../src/report/client/shared/index.js';
import type { PageSettings } from '../pageSettings.js';
import { BASE_COLOURS, FONT } from './mapStyle.js';

/** The first zone layer, below which the base map is. */
const ABOVE = 'graticule';

/** From the bottom up. */
const ORDER: readonly BaseKind[] = ['land', 'green', 'water', 'building', 'border', 'road'];

type Row = readonly [layer: string, property: string, name: string];

/** Adds the base map below the zones. Returns the paints that follow the page's colours. */
export async function addBasemap(map: GlMap, basemap: NonNullable<PageSettings['basemap']>): Promise<Row[]> {
  if (basemap.kind === 'images') {
    map.addSource('base', { type: 'raster', tiles: [basemap.url], tileSize: 256, maxzoom: 19 });
    map.addLayer({ id: 'base', type: 'raster', source: 'base' }, ABOVE);
    return [];
  }
  if (basemap.kind === 'style') return addStyle(map, basemap.url);
  const archive = new PMTiles(new URL(basemap.url, location.origin).href);
  const protocol = new Protocol();
  protocol.add(archive);
  addProtocol('pmtiles', protocol.tile);
  const { tileType } = await archive.getHeader();
  const url = `pmtiles://${archive.source.getKey()}`;
  if (tileType !== TileType.Mvt) {
    map.addSource('base', { type: 'raster', url, tileSize: 256 });
    map.addLayer({ id: 'base', type: 'raster', source: 'base' }, ABOVE);
    return [];
  }
  map.addSource('base', { type: 'vector', url });
  const { vector_layers: layers = [] } = (await archive.getMetadata()) as {
    readonly vector_layers?: readonly { readonly id: string }[];
  };
  const kinds = layers.map(({ id }) => [ORDER.indexOf(baseKind(id)), id] as const);
  return kinds.sort(([a], [b]) => a - b).flatMap(([, id]) => addVectorLayer(map, id));
}

/** The sources and layers of a style, below the zones. Its texts have the page's font, and its sources' makers are named. */
async function addStyle(map: GlMap, address: string): Promise<Row[]> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const { sources, layers, sprite } = (await answer.json()) as StyleSpecification;
  const absolute = (url: string): string => decodeURI(new URL(url, address).href);
  if (typeof sprite === 'string') map.setSprite(absolute(sprite));
  for (const [name, source] of Object.entries(sources)) {
    const { url, tiles } = source as { readonly url?: string; readonly tiles?: readonly string[] };
    map.addSource(`base-${name}`, {
      ...source,
      ...(url === undefined ? {} : { url: absolute(url) }),
      ...(tiles === undefined ? {} : { tiles: tiles.map(absolute) }),
    } as typeof source);
  }
  for (const layer of layers) {
    const own = { ...layer, id: `base-${layer.id}` } as LayerSpecification & { source: string };
    if ('source' in layer) own.source = `base-${layer.source}`;
    if (own.type === 'symbol') own.layout = { ...own.layout, 'text-font': FONT };
    map.addLayer(own, ABOVE);
  }
  return [];
}

const RANK: ExpressionSpecification = [
  'match',
  ['coalesce', ...LINE_CLASSES.map((name): ExpressionSpecification => ['get', name]), ''],
  ...Object.entries(ROAD_RANKS).flat(),
  1,
] as unknown as ExpressionSpecification;

/** The width of roads by their rank at each zoom, with so many pixels more. */
function widths(more: number): ExpressionSpecification {
  const at = (zoom: number): ExpressionSpecification =>
    [
      'match',
      RANK,
      ...ROAD_WIDTHS.flatMap((width, rank) => [rank, width * ROAD_GROWTH ** (zoom - 12) + more]),
      1,
    ] as unknown as ExpressionSpecification;
  return ['interpolate', ['exponential', ROAD_GROWTH], ['zoom'], 6, at(6), 18, at(18)];
}

/** Layers with names of places have only points, which are not drawn. */
function addVectorLayer(map: GlMap, id: string): Row[] {
  const kind = baseKind(id);
  const of = { source: 'base', 'source-layer': id } as const;
  if (kind === 'road') return addRoads(map, id);
  const name = BASE_COLOURS[kind];
  const [area, line] = [`base-${id}-area`, `base-${id}-line`];
  if (kind !== 'border')
    map.addLayer({ ...of, id: area, type: 'fill', filter: ['==', ['geometry-type'], 'Polygon'] }, ABOVE);
  map.addLayer(
    {
      ...of,
      id: line,
      type: 'line',
      filter: IS_LINE,
      paint: { 'line-width': ['interpolate', ['linear'], ['zoom'], 6, 0.4, 16, 2] },
    },
    ABOVE,
  );
  return [
    [area, 'fill-color', name],
    [line, 'line-color', name],
  ];
}

const IS_LINE: ExpressionSpecification = ['==', ['geometry-type'], 'LineString'];

/** Borders of roads, roads, and their names. Railways and paths are drawn as borders alone. */
function addRoads(map: GlMap, id: string): Row[] {
  const of = { source: 'base', 'source-layer': id } as const;
  const [casing, line, text] = [`base-${id}-casing`, `base-${id}-line`, `base-${id}-text`];
  const layout = { 'line-join': 'round', 'line-cap': 'round' } as const;
  map.addLayer(
    { ...of, id: casing, type: 'line', filter: IS_LINE, layout, paint: { 'line-width': widths(2 * CASING) } },
    ABOVE,
  );
  map.addLayer(
    {
      ...of,
      id: line,
      type: 'line',
      filter: ['all', IS_LINE, ['>', RANK, 0]],
      layout: { ...layout, 'line-sort-key': RANK },
      paint: { 'line-width': widths(0) },
    },
    ABOVE,
  );
  map.addLayer(
    {
      ...of,
      id: text,
      type: 'symbol',
      minzoom: 12,
      filter: ['all', IS_LINE, ['>=', RANK, ['step', ['zoom'], 2, 13, 1]]],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 400,
        'text-field': ['coalesce', ['get', 'name'], ''],
        'text-size': 10.5,
        'text-font': FONT,
      },
      paint: { 'text-halo-width': 1.5 },
    },
    ABOVE,
  );
  return [
    [casing, 'line-color', '--map-casing'],
    [line, 'line-color', '--map-road'],
    [text, 'text-color', '--soft'],
    [text, 'text-halo-color', '--map-road'],
  ];
}
