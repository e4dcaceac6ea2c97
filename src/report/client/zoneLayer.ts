/** Zones on the map: their outlines, and their names as labels. */

import type { PageZone } from '../pageData.js';
import { type Page, wordOf } from './page.js';
import type { PathTarget } from './picking.js';
import type { SlicedCanvas } from './slicedCanvas.js';
import type { MapLabel } from './startLabels.js';
import { drawnOutlineOf, unpack } from './unpack.js';

export interface ZoneLayer {
  readonly group: L.FeatureGroup;
  /** Drawn zones, one group per zone. */
  readonly zones: readonly L.FeatureGroup[];
  /** Shows only the zones for which `isShown` is true. */
  readonly filter: (isShown: (zone: number) => boolean) => void;
  /** The names of zones, the largest first. */
  readonly labels: (isShown: (zone: number) => boolean) => Iterable<MapLabel>;
}

/** Draws the outlines, with pauses. `open`: called on a click on a zone. */
export function* startZones(
  { data, words, view }: Page,
  open: (i: number, at: L.LatLng) => void,
): Generator<void, ZoneLayer, void> {
  const group = L.featureGroup();
  const zones: L.FeatureGroup[] = new Array(data.zones.length);
  // Larger zones are drawn first, so that a zone inside another one is above it and can be clicked.
  const bySize = data.zones.map((_, i) => i).sort((a, b) => sizeOf(data.zones[b]!) - sizeOf(data.zones[a]!));
  for (const i of bySize) {
    const zone = data.zones[i]!;
    zones[i] = drawnZone(zone, view.canvas.zones);
    const target: PathTarget = {
      lines: () => [zone.name, wordOf(words, zone.type)],
      open: (at) => open(i, at),
    };
    group.addLayer(zones[i]);
    zones[i].eachLayer((path) => view.addTarget(path as L.Path, target));
    yield;
  }
  const names = bySize.map((i) => nameOf(data.zones[i]!, zones[i]!.getBounds()));
  return {
    group,
    zones,
    filter(isShown) {
      // Added again by size, so that the smallest are on top.
      group.clearLayers();
      for (const i of bySize) if (isShown(i)) group.addLayer(zones[i]!);
    },
    *labels(isShown) {
      for (const [place, label] of names.entries()) if (isShown(bySize[place]!)) yield label;
    },
  };
}

function sizeOf({ area }: PageZone): number {
  return area ?? 0;
}

/** The outline, and the centre line of a corridor. */
function drawnZone({ shape, line, color }: PageZone, renderer: SlicedCanvas): L.FeatureGroup {
  const style = { renderer, color, weight: 1.5, smoothFactor: 0.3, interactive: false };
  const outline = drawnOutlineOf(shape, { ...style, fillOpacity: 0.16 });
  if (line === null) return L.featureGroup([outline]);
  return L.featureGroup([outline, L.polyline(unpack(line), { ...style, dashArray: '6 4' })]);
}

function nameOf({ name, line, shape }: PageZone, bounds: L.LatLngBounds): MapLabel {
  const middle = line === null ? [] : unpack(line);
  const at = middle[Math.floor((middle.length - 1) / 2)] ?? bounds.getCenter();
  const isDot = shape[0]?.[0]?.length === 2;
  return { text: name, className: 'zone-label', at, below: isDot ? 13 : 0 };
}
