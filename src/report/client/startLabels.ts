/** Labels on the map: as many as there is room for, the most important first. */

import type { MapView } from './mapView.js';
import { element } from './shared/dom.js';
import { onPrint } from './shared/inSlices.js';

export interface MapLabel {
  readonly text: string;
  readonly className: string;
  readonly at: L.LatLngExpression;
  /** Distance from the position down to the middle of the text, pixels. */
  readonly below: number;
}

/** Largest number of labels, so that they do not hide the map, and largest number of letters of a label. */
const MAX_SHOWN = 90;
const MAX_LETTERS = 28;
const LINE = 15;

interface Box {
  readonly west: number;
  readonly east: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * `labels` yields the candidates, the most important first. Returns a function that draws the labels again, in a frame without canvas work,
 * so that no frame takes longer.
 */
export function startLabels({ map, isBusy }: MapView, labels: () => Iterable<MapLabel>): () => void {
  const pane = map.getPane('labels')!;
  const context = document.createElement('canvas').getContext('2d')!;
  context.font = '600 11.5px system-ui, sans-serif';
  const widths = new Map<string, number>();
  const widthOf = (text: string): number => {
    let width = widths.get(text);
    if (width === undefined) {
      width = context.measureText(text).width + 6;
      widths.set(text, width);
    }
    return width;
  };
  let frame = 0;
  const draw = (): void => {
    if (isBusy()) {
      frame = requestAnimationFrame(draw);
      return;
    }
    frame = 0;
    const size = map.getSize();
    const boxes: Box[] = [];
    const nodes: Node[] = [];
    for (const { text, className, at, below } of labels()) {
      if (nodes.length >= MAX_SHOWN) break;
      const { x, y } = map.latLngToContainerPoint(at);
      if (x < 0 || y < 0 || x > size.x || y > size.y) continue;
      const shown = text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS - 1)}…` : text;
      const half = widthOf(shown) / 2;
      const middle = y + below;
      const box = { west: x - half, east: x + half, top: middle - LINE / 2, bottom: middle + LINE / 2 };
      if (boxes.some((other) => meet(box, other))) continue;
      boxes.push(box);
      const node = element('span', { className: `map-label ${className}`, textContent: shown });
      const place = map.latLngToLayerPoint(at);
      L.DomUtil.setPosition(
        node,
        L.point(Math.round(place.x - half), Math.round(place.y + below - LINE / 2)),
      );
      nodes.push(node);
    }
    pane.replaceChildren(...nodes);
    pane.hidden = false;
  };
  const redraw = (): void => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  onPrint(() => {
    if (frame === 0) return;
    cancelAnimationFrame(frame);
    draw();
  });
  map.on('zoomstart', () => {
    pane.hidden = true;
  });
  map.on('moveend zoomend resize viewreset', redraw);
  return redraw;
}

function meet(a: Box, b: Box): boolean {
  return a.west < b.east && b.west < a.east && a.top < b.bottom && b.top < a.bottom;
}
