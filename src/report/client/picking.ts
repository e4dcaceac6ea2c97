/** Tooltips and clicks for the paths on the canvases. */

import { textBlock } from './shared/dom.js';
import type { DrawnPath, SlicedCanvas } from './slicedCanvas.js';

/** The tooltip and the click of a path. */
export interface PathTarget {
  /** Text of the tooltip. */
  readonly lines: () => readonly string[];
  readonly open: (at: L.LatLng) => void;
}

export type AddTarget = (path: L.Path, target: PathTarget) => void;

export interface Picking {
  /** Adds a tooltip and a click to a path. */
  readonly addTarget: AddTarget;
  /** Whether the page is loading, or a canvas is waiting to be drawn. */
  readonly isBusy: () => boolean;
  /** Sets whether the page is loading. Until it has loaded, clicks wait. */
  readonly setLoading: (isLoading: boolean) => void;
}

/** Milliseconds after a tap in which a mouse event at the same place belongs to the tap. */
const TAP_ECHO_MS = 800;

/** Elements that handle their own events: markers, popups and controls. */
const OWN_EVENTS = '.leaflet-popup, .leaflet-control, .leaflet-marker-icon';

/**
 * Listens on the map and searches the canvases, given from the top down. The first canvas with a hit wins, and on it the path drawn last.
 * While a canvas is being drawn, its paths are out of place: a click waits for it, a hover is ignored.
 */
export function startPicking(map: L.Map, canvases: readonly SlicedCanvas[]): Picking {
  const targets = new WeakMap<object, PathTarget>();
  const container = map.getContainer();
  const dragging = map.dragging as L.Handler & { moving(): boolean };
  const isTarget = (path: DrawnPath): boolean => targets.has(path);
  const onMap = (): readonly SlicedCanvas[] => canvases.filter((canvas) => map.hasLayer(canvas));
  let isLoading = false;
  const isBusy = (): boolean => isLoading || onMap().some((canvas) => canvas.isBusy());

  const targetAt = (at: L.LatLng): PathTarget | null => {
    const point = map.latLngToLayerPoint(at);
    for (const canvas of onMap()) {
      const path = canvas.hit(point, isTarget);
      if (path !== null) return targets.get(path) ?? null;
    }
    return null;
  };

  const { hover, leave } = startTooltip(map, targetAt, isBusy);
  const open = (at: L.LatLng): void => {
    if (isBusy()) requestAnimationFrame(() => open(at));
    else targetAt(at)?.open(at);
  };
  let lastTouch = Number.NEGATIVE_INFINITY;
  /** The path under a click, searched before the click closes a popup and its selection; `undefined`: not searched yet. */
  let clicked: PathTarget | null | undefined;
  const isOwn = ({ originalEvent: { target } }: L.LeafletMouseEvent): boolean =>
    target instanceof Element && target.closest(OWN_EVENTS) !== null;

  container.addEventListener('touchstart', () => (lastTouch = performance.now()), { passive: true });
  map.on('mousemove', (event) => {
    if (isOwn(event) || dragging.moving()) return leave();
    if (performance.now() - lastTouch < TAP_ECHO_MS) return;
    hover(event.latlng);
  });
  map.on('mouseout movestart zoomstart', leave);
  map.on('preclick', (event) => {
    clicked = isBusy() ? undefined : targetAt(event.latlng);
  });
  map.on('click', (event) => {
    if (isOwn(event)) return;
    leave();
    if (clicked === undefined) open(event.latlng);
    else clicked?.open(event.latlng);
  });
  return {
    addTarget: (path, target) => void targets.set(path, target),
    isBusy,
    setLoading(is) {
      isLoading = is;
    },
  };
}

interface Tooltip {
  /** Shows the tooltip of the path under the pointer, in the next frame. */
  readonly hover: (pointer: L.LatLng) => void;
  readonly leave: () => void;
}

function startTooltip(
  map: L.Map,
  targetAt: (at: L.LatLng) => PathTarget | null,
  isBusy: () => boolean,
): Tooltip {
  const tooltip = L.tooltip({ direction: 'auto', offset: [8, 0] });
  const { classList } = map.getContainer();
  let hovered: PathTarget | null = null;
  let pointer: L.LatLng | null = null;
  let frame = 0;
  const leave = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    pointer = null;
    hovered = null;
    classList.remove('over-target');
    map.closeTooltip(tooltip);
  };
  const show = (): void => {
    frame = 0;
    if (pointer === null) return;
    // The search is repeated after the canvases are drawn, if the pointer has not moved.
    if (isBusy()) {
      frame = requestAnimationFrame(show);
      return;
    }
    const target = targetAt(pointer);
    if (target === null) {
      leave();
      return;
    }
    tooltip.setLatLng(pointer);
    if (target !== hovered) {
      tooltip.setContent(textBlock(target.lines()));
      hovered = target;
      classList.add('over-target');
      map.openTooltip(tooltip);
    }
  };
  return {
    hover(at) {
      pointer = at;
      if (frame === 0) frame = requestAnimationFrame(show);
    },
    leave,
  };
}
