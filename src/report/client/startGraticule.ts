/** Lines of round degrees, labelled at the edge, for a map without tiles. */

import { css, element } from './dom.js';
import { type GraticuleWords, graticuleLines } from './graticuleLines.js';
import type { SlicedCanvas } from './slicedCanvas.js';

/** Wanted pixels between two lines. */
const LINE_SPACING = 110;

/** Draws the lines now and after every move of the map. */
export function startGraticule(map: L.Map, renderer: SlicedCanvas, words?: GraticuleWords): void {
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
