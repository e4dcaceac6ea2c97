/** The map of a page: its canvases from the bottom up, and the picking of paths under the pointer. */

import { type Picking, startPicking } from './picking.js';
import { SlicedCanvas } from './slicedCanvas.js';
import { startGraticule } from './startGraticule.js';

const CANVASES = ['grid', 'zones', 'tracks', 'visits', 'found'] as const;
/** Distance in pixels within which a path is hit. */
const TOLERANCE = { grid: 0, zones: 2, tracks: 3, visits: 4, found: 2 };
/** The same distance for a finger. */
const COARSE = 6;

export type CanvasName = (typeof CANVASES)[number];

export interface MapView extends Picking {
  readonly map: L.Map;
  readonly canvas: Readonly<Record<CanvasName, SlicedCanvas>>;
  /** Shows the whole map again; works after `start`. */
  readonly home: () => void;
  /** Shows all of these layers, now and by `home`. */
  readonly start: (layers: readonly { getBounds(): L.LatLngBounds }[]) => void;
}

/**
 * A canvas covers all those below it, so the map receives all events, and `startPicking` searches the canvases from the top down for the
 * path under the pointer.
 */
export function createMapView(): MapView {
  const map = L.map('map', {
    preferCanvas: true,
    attributionControl: false,
    fadeAnimation: false,
    zoomSnap: 0.5,
    worldCopyJump: false,
  });
  L.control.scale({ imperial: false, maxWidth: 140, position: 'topright' }).addTo(map);
  const extra = matchMedia('(pointer: coarse)').matches ? COARSE : 0;
  const canvas = Object.fromEntries(
    CANVASES.map((name, i) => {
      addPane(map, name, 410 + i * 10);
      const tolerance = TOLERANCE[name] + extra;
      return [name, new SlicedCanvas({ pane: name, padding: 0.3, tolerance } as L.RendererOptions)];
    }),
  ) as unknown as Record<CanvasName, SlicedCanvas>;
  addPane(map, 'labels', 470);
  const all = L.latLngBounds([]);
  const home = (): void => {
    if (all.isValid()) map.fitBounds(all, { padding: [16, 16], maxZoom: 17, animate: false });
    else map.setView([0, 0], 2);
  };
  return {
    map,
    canvas,
    ...startPicking(map, [canvas.found, canvas.visits, canvas.tracks, canvas.zones]),
    home,
    start(layers) {
      for (const layer of layers) {
        const bounds = layer.getBounds();
        if (bounds.isValid()) all.extend(bounds);
      }
      home();
      startGraticule(map, canvas.grid);
    },
  };
}

function addPane(map: L.Map, name: string, zIndex: number): void {
  const pane = map.createPane(name);
  pane.style.zIndex = String(zIndex);
  pane.style.pointerEvents = 'none';
}
