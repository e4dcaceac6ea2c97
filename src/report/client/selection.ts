/** The selected item: drawn above all others, with a popup and a row. */

import { byId, textBlock } from './dom.js';
import type { MapView } from './mapView.js';

/** No unit has a hue within 40° of this one: see `unitColor`. */
const COLOR = '#d6006c';

export interface Marked {
  /** Layers drawn above the map. */
  readonly layers: readonly L.Layer[];
  /** The box to show; `null`: the map does not move. */
  readonly bounds: L.LatLngBounds | null;
  readonly maxZoom?: number;
  /** Content of the popup. */
  readonly at: L.LatLngExpression;
  readonly lines: readonly string[];
  /** Called when the selection changes or ends. */
  readonly onEnd?: () => void;
}

export interface Selection {
  /** Selects an item instead of the last one. */
  readonly mark: (marked: Marked) => void;
  /** Closes the popup and selects nothing. */
  readonly clear: () => void;
  /** Marks a row or a section of the tables, until the selection changes. */
  readonly markRow: (row: Element) => void;
  /** Options of a path of the selection. */
  readonly style: (options?: L.CircleMarkerOptions) => L.CircleMarkerOptions;
}

/** The selection ends when its popup closes: by its button, a click beside it, Escape, or the button that shows the whole map. */
export function createSelection({ map, canvas, home }: MapView): Selection {
  const found = L.layerGroup().addTo(map);
  let onEnd: (() => void) | undefined;
  const unmark = (): void => {
    found.clearLayers();
    onEnd?.();
    onEnd = undefined;
    for (const row of document.querySelectorAll('.hit')) row.classList.remove('hit');
  };
  map.on('popupclose', unmark);
  const clear = (): void => {
    map.closePopup();
    unmark();
  };
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') clear();
  });
  byId('home').addEventListener('click', () => {
    clear();
    home();
  });
  return {
    mark({ layers, bounds, maxZoom, at, lines, ...marked }) {
      clear();
      onEnd = marked.onEnd;
      for (const layer of layers) layer.addTo(found);
      if (bounds?.isValid()) {
        const limit = maxZoom === undefined ? {} : { maxZoom };
        map.fitBounds(bounds, { padding: [40, 40], animate: false, ...limit });
      }
      L.popup({ maxWidth: 280, autoPanPadding: [20, 20] })
        .setLatLng(at)
        .setContent(textBlock(lines))
        .openOn(map);
    },
    clear,
    markRow(row) {
      row.classList.add('hit');
    },
    style: (options) => ({
      renderer: canvas.found,
      interactive: false,
      color: COLOR,
      weight: 3,
      fillOpacity: 0.08,
      ...options,
    }),
  };
}
