/** The selected item: drawn above all others, with a popup and a row. */

import type { MapView } from './mapView.js';
import { byId, textBlock } from './shared/dom.js';

/** Colour of the selection. No unit has a hue within 40° of it: see `unitColor`. */
const COLOR = '#d6006c';

export interface Marked {
  /** Layers drawn above the map. */
  readonly layers: readonly L.Layer[];
  /** The box to show; `null`: the map stays where it is. */
  readonly bounds: L.LatLngBounds | null;
  readonly maxZoom?: number;
  /** Position of the popup. */
  readonly at: L.LatLngExpression;
  readonly lines: readonly string[];
  /** Index of the selected unit; the others are dimmed. */
  readonly unit?: number;
  /** Keys of the page's address for the selected item. */
  readonly link?: Readonly<Record<string, string>>;
  /** Called when the selection changes or ends. */
  readonly onEnd?: () => void;
}

/**
 * Shows the box with the popup in its middle. With `at`, the clicked position on the map, the popup opens there and the map stays where it
 * is.
 */
export function placed(bounds: L.LatLngBounds, at: L.LatLng | undefined): Pick<Marked, 'bounds' | 'at'> {
  return at === undefined ? { bounds, at: bounds.getCenter() } : { bounds: null, at };
}

/** Parts of the page that a selection uses. */
export interface SelectionPage {
  readonly view: MapView;
  /** Label of the button that closes a popup. */
  readonly close: string;
  /** Called with the keys of the page's address for the selected item. */
  readonly onLink?: (link: Readonly<Record<string, string>>) => void;
  /** The text of a position, added to the popup. */
  readonly placeText?: (lat: number, lon: number) => string;
}

export interface Selection {
  /** Selects an item instead of the last one. */
  readonly mark: (marked: Marked) => void;
  /** Closes the popup and selects nothing. */
  readonly clear: () => void;
  /** Marks a row or a section of the tables, until the selection changes. */
  readonly markRow: (row: Element) => void;
  /** Options for drawing a path as selected. */
  readonly style: (options?: L.CircleMarkerOptions) => L.CircleMarkerOptions;
}

/** The selection ends when its popup closes: by its button, a click beside it, Escape, or the button that shows the whole map. */
export function createSelection({ view, close, onLink, placeText }: SelectionPage): Selection {
  const { map, canvas, home } = view;
  const found = L.layerGroup().addTo(map);
  let onEnd: (() => void) | undefined;
  const unmark = (): void => {
    found.clearLayers();
    map.getContainer().classList.remove('dimmed');
    onLink?.({});
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
    mark({ layers, bounds, maxZoom, at, lines, unit = -1, link = {}, ...marked }) {
      clear();
      map.getContainer().classList.toggle('dimmed', unit >= 0);
      onLink?.(link);
      onEnd = marked.onEnd;
      for (const layer of layers) layer.addTo(found);
      if (bounds?.isValid()) {
        const limit = maxZoom === undefined ? {} : { maxZoom };
        map.fitBounds(bounds, { padding: [40, 40], animate: false, ...limit });
      }
      L.popup({ maxWidth: 280, autoPanPadding: [20, 20] })
        .setLatLng(at)
        .setContent(textBlock(placeText === undefined ? lines : [...lines, placeText(...pairOf(at))]))
        .openOn(map);
      byClass(map, 'leaflet-popup-close-button')?.setAttribute('aria-label', close);
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

function pairOf(at: L.LatLngExpression): [lat: number, lon: number] {
  const { lat, lng } = L.latLng(at);
  return [lat, lng];
}

function byClass(map: L.Map, name: string): Element | null {
  return map.getContainer().querySelector(`.${name}`);
}
