/** The map of a page: its canvases from the bottom up, and the search for paths under the pointer. */

import { MEASURE_SYSTEMS, type MeasureSystem } from '../measureSystem.js';
import { type Picking, startPicking } from './picking.js';
import { type GraticuleWords, graticuleLines } from './shared/baseKind.js';
import { css, element } from './shared/dom.js';
import { onPrint } from './shared/inSlices.js';
import { SlicedCanvas } from './slicedCanvas.js';

/** Wanted pixels between two lines. */
const LINE_SPACING = 110;

const CANVASES = ['grid', 'ground', 'zones', 'tracks', 'visits', 'found', 'replay'] as const;
/** Distance in pixels within which the pointer hits a path, by canvas. */
const TOLERANCE = { grid: 0, ground: 0, zones: 2, tracks: 3, visits: 4, found: 2, replay: 4 };
/** Pixels added to it for a finger. */
const COARSE = 6;

/** Greatest width and height of the map on paper, pixels: 275 × 151 mm, a page with the counts below. */
const PAPER = [1040, 570] as const;

/** Texts of the map's controls. */
export interface MapWords {
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly scaleKm: string;
  readonly scaleMeters: string;
  readonly scaleMiles: string;
  readonly scaleFeet: string;
}

export type CanvasName = (typeof CANVASES)[number];

export interface MapView extends Picking {
  readonly map: L.Map;
  readonly canvas: Readonly<Record<CanvasName, SlicedCanvas>>;
  /** Shows the whole map again; works after `start`. */
  readonly home: () => void;
  /** Shows the box of these layers, now and by `home`. */
  readonly start: (
    layers: readonly { getBounds(): L.LatLngBounds }[],
    hasGraticule?: boolean,
    words?: GraticuleWords,
  ) => void;
}

/**
 * A canvas covers all canvases below it, so the map itself receives all events, and `startPicking` searches the canvases from the top down
 * for the path under the pointer.
 */
export function createMapView(words: MapWords, system: MeasureSystem = 'km'): MapView {
  const map = L.map('map', {
    preferCanvas: true,
    attributionControl: false,
    zoomControl: false,
    fadeAnimation: false,
    zoomSnap: 0.5,
    worldCopyJump: false,
  });
  L.control.zoom({ zoomInTitle: words.zoomIn, zoomOutTitle: words.zoomOut }).addTo(map);
  const { isMetric } = MEASURE_SYSTEMS[system];
  const scale = L.control.scale({
    metric: isMetric,
    imperial: !isMetric,
    maxWidth: 140,
    position: 'topright',
  });
  translateScale(scale, words);
  scale.addTo(map);
  const extra = matchMedia('(pointer: coarse)').matches ? COARSE : 0;
  const canvas = Object.fromEntries(
    CANVASES.map((name, i) => {
      addPane(map, name, 410 + i * 10);
      const tolerance = TOLERANCE[name] + extra;
      return [name, new SlicedCanvas({ pane: name, padding: 0.3, tolerance } as L.RendererOptions)];
    }),
  ) as unknown as Record<CanvasName, SlicedCanvas>;
  addPane(map, 'labels', 490);
  const all = L.latLngBounds([]);
  const home = (): void => {
    if (all.isValid()) map.fitBounds(all, { padding: [16, 16], maxZoom: 17, animate: false });
    else map.setView([0, 0], 2);
  };
  onPrint(() => {
    for (const own of Object.values(canvas)) own.finish();
    // The picture that is seen, as large as the paper allows: a base map could not be drawn anew in time.
    const { offsetWidth: width, offsetHeight: height, style } = map.getContainer();
    const zoom = String(Math.min(PAPER[0] / width, PAPER[1] / height));
    Object.assign(style, { width: `${width}px`, height: `${height}px`, zoom, margin: '0 auto' });
    const undo = (): void => void Object.assign(style, { width: '', height: '', zoom: '', margin: '' });
    addEventListener('afterprint', undo, { once: true });
  });
  return {
    map,
    canvas,
    ...startPicking(map, [canvas.replay, canvas.found, canvas.visits, canvas.tracks, canvas.zones]),
    home,
    start(layers, hasGraticule = true, words) {
      for (const layer of layers) {
        const bounds = layer.getBounds();
        if (bounds.isValid()) all.extend(bounds);
      }
      home();
      if (hasGraticule) startGraticule(map, canvas.grid, words);
    },
  };
}

function addPane(map: L.Map, name: string, zIndex: number): void {
  const pane = map.createPane(name);
  pane.style.zIndex = String(zIndex);
  pane.style.pointerEvents = 'none';
}

/** Members of Leaflet's scale that its types omit. */
interface ScaleMembers {
  _updateScale(scale: HTMLElement, text: string, ratio: number): void;
}

/** Replaces the unit words of Leaflet's scale, which writes only `50 km`, `300 m`, `2 mi` and `500 ft`. */
function translateScale(scale: L.Control.Scale, words: MapWords): void {
  const own = scale as unknown as ScaleMembers;
  const update = own._updateScale.bind(scale);
  const units: Readonly<Record<string, string>> = {
    km: words.scaleKm,
    m: words.scaleMeters,
    mi: words.scaleMiles,
    ft: words.scaleFeet,
  };
  own._updateScale = (node, text, ratio) => {
    const [value, unit = ''] = text.split(' ');
    update(node, `${value} ${units[unit] ?? unit}`, ratio);
  };
}

/** Draws the lines now and after every move of the map. */
function startGraticule(map: L.Map, renderer: SlicedCanvas, words?: GraticuleWords): void {
  const grid = L.layerGroup().addTo(map);
  const regrid = (): void => {
    grid.clearLayers();
    const view = map.getBounds();
    const size = map.getSize();
    const [south, north] = [Math.max(-85, view.getSouth()), Math.min(85, view.getNorth())];
    const [west, east] = [view.getWest(), view.getEast()];
    const bottom = map.containerPointToLatLng([0, size.y - 18]).lat;
    const right = map.containerPointToLatLng([size.x - ((words?.north.length ?? 1) > 1 ? 86 : 62), 0]).lng;
    const spacing = ((east - west) * LINE_SPACING) / size.x;
    for (const { isMeridian, value, text } of graticuleLines([west, south, east, north], spacing, words)) {
      const ends: [L.LatLngTuple, L.LatLngTuple] = isMeridian
        ? [
            [south, value],
            [north, value],
          ]
        : [
            [value, west],
            [value, east],
          ];
      L.polyline(ends, { renderer, color: css('--grid'), weight: 1, interactive: false }).addTo(grid);
      const html = element('span', { className: 'grid-label', textContent: text });
      const icon = L.divIcon({
        className: '',
        html,
        iconSize: [0, 0],
        iconAnchor: isMeridian ? [-3, 0] : [0, 17],
      });
      const at: L.LatLngTuple = isMeridian ? [bottom, value] : [value, right];
      L.marker(at, { icon, interactive: false, keyboard: false, pane: 'grid' }).addTo(grid);
    }
  };
  map.on('moveend resize', regrid);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', regrid);
  regrid();
}
