/** Draws and changes one shape on the map by Terra Draw: a position, a line or a ring. */

import { type Map as GlMap, Marker } from 'maplibre-gl';
import {
  type GeoJSONStoreFeatures,
  TerraDraw,
  TerraDrawLineStringMode,
  TerraDrawPointMode,
  TerraDrawPolygonMode,
  TerraDrawSelectMode,
} from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import { destination, distanceMeters, type ZoneTypeKey } from 'wayzone';
import { css, element } from '../../../../src/report/client/shared/index.js';
import type { Draft, Position } from './draft.js';

/** Metres of an arrow key, and with shift. */
const STEP = 1;
const LARGE_STEP = 10;
const EAST = 90;

export interface Drawing {
  /** Shows this shape. Returns whether it has few enough vertices to drag them. */
  readonly show: (type: ZoneTypeKey, geometry: readonly Position[]) => boolean;
  /** Lets the user draw a new shape. */
  readonly draw: (type: ZoneTypeKey) => void;
  readonly end: () => void;
}

type Mode = 'point' | 'linestring' | 'polygon';

const MODES: Readonly<Record<ZoneTypeKey, Mode>> = {
  point: 'point',
  circle: 'point',
  line: 'linestring',
  polygon: 'polygon',
};
/** Decimals of drawn positions: a hundredth of a millimetre. Vertices that are not moved keep all their digits. */
const DECIMALS = 9;
/** Terra Draw compares all edges with each other and draws each vertex: a shape with more of them is shown, but not changed on the map. */
export const MOST_VERTICES = 1000;
const VERTICES = { draggable: true, midpoints: true, deletable: true };

/** `changed` is called with the positions while the user draws or drags, `finished` when a new shape is complete. */
export function createDrawing(
  map: GlMap,
  changed: (geometry: readonly Position[]) => void,
  finished: () => void,
): Drawing {
  const color = css('--accent') as `#${string}`;
  const shape = { outlineColor: color, outlineWidth: 2, fillColor: color, fillOpacity: 0 };
  const draw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: DECIMALS }),
    modes: [
      new TerraDrawPointMode({ styles: { pointColor: color, pointWidth: 7 } }),
      new TerraDrawLineStringMode({ styles: { lineStringColor: color, lineStringWidth: 3 } }),
      new TerraDrawPolygonMode({ styles: shape }),
      new TerraDrawSelectMode({
        flags: {
          point: { feature: { draggable: true } },
          linestring: { feature: { draggable: true, coordinates: VERTICES } },
          polygon: { feature: { draggable: true, coordinates: VERTICES } },
        },
        styles: {
          selectedPolygonFillOpacity: 0,
          selectedPolygonOutlineColor: color,
          selectedLineStringColor: color,
          selectedPointColor: color,
          selectionPointColor: color,
          midPointColor: color,
        },
      }),
    ],
  });
  draw.start();
  // Crossings are shown above the shape.
  map.moveLayer('draft-wrong');
  let mode: Mode = 'polygon';
  /** The given positions by their rounded ones. */
  let exact = new Map<string, Position>();
  let isClosed = false;

  draw.on('change', (_, __, context) => {
    if ((context as { readonly origin?: string } | undefined)?.origin === 'api') return;
    const feature = draw.getSnapshot().find(isShape);
    if (feature !== undefined) changed(positionsOf(feature).map((pair) => exact.get(keyOf(pair)) ?? pair));
  });
  draw.on('finish', (id, { action }) => {
    if (action !== 'draw') return;
    // The mode may only be changed after Terra Draw has ended this one.
    queueMicrotask(() => {
      draw.setMode('select');
      draw.selectFeature(id);
      finished();
    });
  });

  const isShape = ({ properties }: GeoJSONStoreFeatures): boolean => properties['mode'] === mode;
  const positionsOf = ({ geometry }: GeoJSONStoreFeatures): Position[] => {
    if (geometry.type === 'Point') return [geometry.coordinates as unknown as Position];
    if (geometry.type === 'LineString') return geometry.coordinates as unknown as Position[];
    const ring = geometry.coordinates[0] as unknown as Position[];
    return isClosed ? ring : ring.slice(0, -1);
  };

  return {
    show(type, geometry) {
      mode = MODES[type];
      draw.setMode('select');
      draw.clear();
      isClosed = type === 'polygon' && geometry.length > 1 && keyOf(geometry[0]!) === keyOf(geometry.at(-1)!);
      exact = new Map(geometry.map((pair) => [keyOf(pair), pair]));
      if (geometry.length > MOST_VERTICES) return false;
      const rounded = geometry.map(([lon, lat]) => [
        Number(lon.toFixed(DECIMALS)),
        Number(lat.toFixed(DECIMALS)),
      ]);
      const [first] = rounded;
      if (first === undefined || (mode !== 'point' && rounded.length < (mode === 'polygon' ? 3 : 2)))
        return true;
      const ring = isClosed ? rounded : [...rounded, first];
      const drawn =
        mode === 'point'
          ? { type: 'Point', coordinates: first }
          : mode === 'linestring'
            ? { type: 'LineString', coordinates: rounded }
            : { type: 'Polygon', coordinates: [ring] };
      const [added] = draw.addFeatures([{ type: 'Feature', properties: { mode }, geometry: drawn as never }]);
      if (added?.valid === true) draw.selectFeature(added.id!);
      return true;
    },
    draw(type) {
      mode = MODES[type];
      exact = new Map();
      isClosed = false;
      draw.clear();
      draw.setMode(mode);
    },
    end: () => draw.stop(),
  };
}

function keyOf([lon, lat]: Position): string {
  return `${lon.toFixed(DECIMALS)} ${lat.toFixed(DECIMALS)}`;
}

interface WidthHandle {
  /** Places the handle; a polygon, and a shape without positions, has none. */
  readonly place: (draft: Draft) => void;
  readonly end: () => void;
}

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
