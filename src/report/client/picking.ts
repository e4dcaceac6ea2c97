/** Tooltips and clicks for the paths on the canvases. */

import { textBlock } from './dom.js';
import type { DrawnPath, SlicedCanvas } from './slicedCanvas.js';

/** The tooltip and the click of a path. */
export interface Thing {
  /** Text of the tooltip. */
  readonly lines: () => readonly string[];
  readonly open: (at: L.LatLng) => void;
}

export type AddThing = (path: L.Path, thing: Thing) => void;

export interface Picking {
  /** Gives a path a tooltip and a click. */
  readonly addThing: AddThing;
  /** Whether a canvas is waiting to be drawn. */
  readonly isBusy: () => boolean;
}

/** Milliseconds. A mouse event this soon after a tap at the same place belongs to the tap. */
const TAP_ECHO_MS = 800;

/** Markers, popups and controls take their events themselves. */
const OWN_EVENTS = '.leaflet-popup, .leaflet-control, .leaflet-marker-icon';

/**
 * Listens on the map and searches the canvases, given from the top down, for a path: the first canvas with a hit wins, and on it the path
 * that was drawn last. While a canvas is being drawn its paths are not in place: a click waits until then, a hover is ignored.
 */
export function startPicking(map: L.Map, canvases: readonly SlicedCanvas[]): Picking {
  const things = new WeakMap<object, Thing>();
  const tooltip = L.tooltip({ direction: 'auto', offset: [8, 0] });
  const container = map.getContainer();
  const dragging = map.dragging as L.Handler & { moving(): boolean };
  const isThing = (path: DrawnPath): boolean => things.has(path);
  const onMap = (): readonly SlicedCanvas[] => canvases.filter((canvas) => map.hasLayer(canvas));
  const isBusy = (): boolean => onMap().some((canvas) => canvas.isBusy());

  const thingAt = (at: L.LatLng): Thing | null => {
    const point = map.latLngToLayerPoint(at);
    for (const canvas of onMap()) {
      const path = canvas.hit(point, isThing);
      if (path !== null) return things.get(path) ?? null;
    }
    return null;
  };

  let hovered: Thing | null = null;
  let pointer: L.LatLng | null = null;
  let frame = 0;
  let lastTouch = Number.NEGATIVE_INFINITY;
  const leave = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    pointer = null;
    hovered = null;
    container.classList.remove('over-thing');
    map.closeTooltip(tooltip);
  };
  const hover = (): void => {
    frame = 0;
    if (pointer === null) return;
    // Searched again when the canvases are drawn, if the pointer has not moved.
    if (isBusy()) {
      frame = requestAnimationFrame(hover);
      return;
    }
    const thing = thingAt(pointer);
    if (thing === null) {
      leave();
      return;
    }
    tooltip.setLatLng(pointer);
    if (thing !== hovered) {
      tooltip.setContent(textBlock(thing.lines()));
      hovered = thing;
      container.classList.add('over-thing');
      map.openTooltip(tooltip);
    }
  };
  const open = (at: L.LatLng): void => {
    if (isBusy()) requestAnimationFrame(() => open(at));
    else thingAt(at)?.open(at);
  };
  /** The path under a click, found before the click closes a popup and its selection; `undefined`: not searched. */
  let clicked: Thing | null | undefined;
  const isOwn = ({ originalEvent: { target } }: L.LeafletMouseEvent): boolean =>
    target instanceof Element && target.closest(OWN_EVENTS) !== null;

  container.addEventListener('touchstart', () => (lastTouch = performance.now()), { passive: true });
  map.on('mousemove', (event) => {
    if (isOwn(event) || dragging.moving()) return leave();
    if (performance.now() - lastTouch < TAP_ECHO_MS) return;
    pointer = event.latlng;
    if (frame === 0) frame = requestAnimationFrame(hover);
  });
  map.on('mouseout movestart zoomstart', leave);
  map.on('preclick', (event) => {
    clicked = isBusy() ? undefined : thingAt(event.latlng);
  });
  map.on('click', (event) => {
    if (isOwn(event)) return;
    leave();
    if (clicked === undefined) open(event.latlng);
    else clicked?.open(event.latlng);
  });
  return { addThing: (path, thing) => void things.set(path, thing), isBusy };
}
