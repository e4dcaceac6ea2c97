/** Lines of round degrees, with their values at the edge, since the map has no tiles. */

import { css, element } from './dom.js';
import type { SlicedCanvas } from './slicedCanvas.js';

const STEPS = [
  30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001,
];

/** Draws the lines now and after every move of the map. */
export function startGraticule(map: L.Map, renderer: SlicedCanvas): void {
  const grid = L.layerGroup().addTo(map);
  const line = (
    ends: [L.LatLngTuple, L.LatLngTuple],
    text: string,
    at: L.LatLngTuple,
    anchor: L.PointTuple,
  ): void => {
    L.polyline(ends, { renderer, color: css('--grid'), weight: 1, interactive: false }).addTo(grid);
    const html = element('span', { className: 'grid-label', textContent: text });
    const icon = L.divIcon({ className: '', html, iconSize: [0, 0], iconAnchor: anchor });
    L.marker(at, { icon, interactive: false, keyboard: false, pane: 'grid' }).addTo(grid);
  };
  const regrid = (): void => {
    grid.clearLayers();
    const view = map.getBounds();
    const size = map.getSize();
    const [south, north] = [Math.max(-85, view.getSouth()), Math.min(85, view.getNorth())];
    const [west, east] = [view.getWest(), view.getEast()];
    const wanted = ((east - west) * 110) / size.x;
    const step = STEPS.findLast((value) => value >= wanted) ?? STEPS[0]!;
    const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    const bottom = map.containerPointToLatLng([0, size.y - 18]).lat;
    const right = map.containerPointToLatLng([size.x - 62, 0]).lng;
    for (let k = Math.ceil(west / step); k * step <= east; k++) {
      const lon = k * step;
      const shown = ((((lon + 180) % 360) + 360) % 360) - 180;
      const text = `${Math.abs(shown).toFixed(digits)}°${shown < 0 ? 'W' : 'E'}`;
      line(
        [
          [south, lon],
          [north, lon],
        ],
        text,
        [bottom, lon],
        [-3, 0],
      );
    }
    for (let k = Math.ceil(south / step); k * step <= north; k++) {
      const lat = k * step;
      const text = `${Math.abs(lat).toFixed(digits)}°${lat < 0 ? 'S' : 'N'}`;
      line(
        [
          [lat, west],
          [lat, east],
        ],
        text,
        [lat, right],
        [0, 17],
      );
    }
  };
  map.on('moveend resize', regrid);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', regrid);
  regrid();
}
