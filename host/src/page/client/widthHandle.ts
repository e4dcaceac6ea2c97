/** The round handle that changes the radius of a circle or the width of a corridor. */

import { type Map as GlMap, Marker } from 'maplibre-gl';
import { destination, distanceMeters } from 'wayzone';
import { element } from '../../../../src/report/client/dom.js';
import type { Draft, Position } from './draft.js';

export interface WidthHandle {
  /** Places the handle; a polygon, and a shape without positions, has none. */
  readonly place: (draft: Draft) => void;
  readonly end: () => void;
}

/** Metres of an arrow key, and with shift. */
const STEP = 1;
const LARGE_STEP = 10;
const EAST = 90;

/** `changed` is called with metres while the handle is dragged. */
export function createWidthHandle(map: GlMap, label: string, changed: (width: number) => void): WidthHandle {
  const node = element('button', { type: 'button', className: 'handle' });
  node.setAttribute('aria-label', label);
  const marker = new Marker({ element: node, draggable: true });
  let shown: Draft | null = null;
  let isAdded = false;
  marker.on('drag', () => {
    if (shown === null) return;
    const { lng, lat } = marker.getLngLat().wrap();
    const meters = distanceMeters(middleOf(shown.geometry), [lng, lat]);
    changed(Math.max(1, Math.round(shown.type === 'line' ? 2 * meters : meters)));
  });
  node.addEventListener('keydown', (event) => {
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (way === undefined || shown === null) return;
    event.preventDefault();
    event.stopPropagation();
    changed(Math.max(1, (shown.width ?? 0) + way * (event.shiftKey ? LARGE_STEP : STEP)));
  });
  const remove = (): void => {
    marker.remove();
    isAdded = false;
  };
  return {
    place(draft) {
      shown = draft;
      const { type, geometry, width } = draft;
      const isThere = type !== 'polygon' && geometry.length >= (type === 'line' ? 2 : 1) && width !== null;
      if (!isThere) return remove();
      const place =
        type === 'line'
          ? destination(middleOf(geometry), acrossOf(geometry), width / 2)
          : destination(geometry[0]!, EAST, width);
      marker.setLngLat([place[0], place[1]]);
      if (!isAdded) marker.addTo(map);
      isAdded = true;
    },
    end: remove,
  };
}

/** The middle of the middle segment; of a single position this position. */
function middleOf(geometry: readonly Position[]): [number, number] {
  const i = Math.max(0, Math.floor(geometry.length / 2) - 1);
  const [a, b] = [geometry[i]!, geometry[i + 1] ?? geometry[i]!];
  const way = b[0] - a[0] - 360 * Math.round((b[0] - a[0]) / 360);
  return [a[0] + way / 2, (a[1] + b[1]) / 2];
}

/** The azimuth to the right of the middle segment. */
function acrossOf(geometry: readonly Position[]): number {
  const i = Math.max(0, Math.floor(geometry.length / 2) - 1);
  const [a, b] = [geometry[i]!, geometry[i + 1]!];
  const way = b[0] - a[0] - 360 * Math.round((b[0] - a[0]) / 360);
  const cos = Math.cos((((a[1] + b[1]) / 2) * Math.PI) / 180);
  return (Math.atan2(way * cos, b[1] - a[1]) * 180) / Math.PI + EAST;
}
