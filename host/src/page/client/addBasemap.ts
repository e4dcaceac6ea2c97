/** The base map by the host's setting: images at an address, or a PMTiles archive with images or vector tiles. */

import { addProtocol, type Map as GlMap } from 'maplibre-gl';
import { PMTiles, Protocol, TileType } from 'pmtiles';
import { baseKind } from '../../../../src/report/client/baseKind.js';
import type { PageSettings } from '../pageSettings.js';
import { BASE_COLOURS } from './followColours.js';

/** The first zone layer, below which the base map is. */
const ABOVE = 'graticule';

type Row = readonly [layer: string, property: string, name: string];

/** Adds the base map below the zones. Returns the paints that follow the page's colours. */
export async function addBasemap(map: GlMap, basemap: PageSettings['basemap']): Promise<Row[]> {
  if (basemap === null) return [];
  if (basemap.kind === 'images') {
    map.addSource('base', { type: 'raster', tiles: [basemap.url], tileSize: 256, maxzoom: 19 });
    map.addLayer({ id: 'base', type: 'raster', source: 'base' }, ABOVE);
    return [];
  }
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
  return layers.flatMap(({ id }) => addVectorLayer(map, id));
}

/** Layers with names of places have only points, which are not drawn. */
function addVectorLayer(map: GlMap, id: string): Row[] {
  const kind = baseKind(id);
  const name = BASE_COLOURS[kind];
  const [area, line] = [`base-${id}-area`, `base-${id}-line`];
  const of = { source: 'base', 'source-layer': id } as const;
  if (kind !== 'road' && kind !== 'border')
    map.addLayer({ ...of, id: area, type: 'fill', filter: ['==', ['geometry-type'], 'Polygon'] }, ABOVE);
  map.addLayer(
    {
      ...of,
      id: line,
      type: 'line',
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: {
        'line-width': ['interpolate', ['exponential', 1.5], ['zoom'], 6, 0.4, 16, kind === 'road' ? 7 : 2],
      },
    },
    ABOVE,
  );
  return [
    [area, 'fill-color', name],
    [line, 'line-color', name],
  ];
}
