/** Tracks and zones on the map with their names as labels: tracks in the colours of the units or by speed, zones as outlines. */

import type { PageUnit, PageZone } from '../pageData.js';
import { ArrowLine, type ArrowLineOptions } from './arrowLine.js';
import { drawnOutlineOf, type Page, unpack } from './page.js';
import type { PathTarget } from './picking.js';
import { css } from './shared/dom.js';
import { wordOf } from './shared/formats.js';
import type { SlicedCanvas } from './slicedCanvas.js';
import type { MapLabel } from './startLabels.js';

export interface TrackLayer {
  /** Tracks in the units' own colours, one group per unit. */
  readonly tracks: readonly L.FeatureGroup[];
  /** Shows a unit's track in its own colour or by speed, or hides it. */
  readonly show: (unit: number, as: 'own' | 'speed' | 'hidden') => void;
  /** The names of units at the ends of their tracks. */
  readonly labels: (isShown: (unit: number) => boolean) => Iterable<MapLabel>;
}

/** Draws the tracks, with pauses. `open`: called on a click on a track. */
export function* startTracks(
  page: Page,
  open: (i: number, at: L.LatLng) => void,
): Generator<void, TrackLayer, void> {
  const { data, view } = page;
  const style = styleOf(data.units.length);
  const targets = data.units.map(
    (unit, i): PathTarget => ({ lines: () => [unit.id], open: (at) => open(i, at) }),
  );
  const tracks: L.FeatureGroup[] = [];
  for (const [i, { color, lines }] of data.units.entries()) {
    const options = { renderer: view.canvas.tracks, color, interactive: false, ...style };
    const paths = lines.map((line) => new ArrowLine(unpack(line), options));
    for (const path of paths) view.addTarget(path, targets[i]!);
    tracks.push(L.featureGroup(paths));
    yield;
  }
  /** Tracks coloured by speed, created on first use. */
  const graded = data.units.map((): L.FeatureGroup | null => null);
  const names = data.units.map(nameOf);
  return {
    tracks,
    show(unit, as) {
      if (as === 'own') tracks[unit]!.addTo(view.map);
      else tracks[unit]!.remove();
      if (as === 'speed') {
        graded[unit] ??= gradedTrack(page, unit, style.weight + 1, targets[unit]!);
        graded[unit].addTo(view.map);
      } else graded[unit]?.remove();
    },
    *labels(isShown) {
      if (data.units.length > MANY_UNITS) return;
      for (const [i, label] of names.entries()) if (label !== null && isShown(i)) yield label;
    },
  };
}

/** Style of tracks: thin and pale if there are many, so that tracks below show through. */
function styleOf(units: number): ArrowLineOptions & { readonly weight: number } {
  if (units <= MANY_UNITS) return { weight: 2, opacity: 0.75 };
  const opacity = Math.max(0.08, 12 / units);
  return { weight: 1, opacity, color: css('--soft'), arrowZoom: NEAR_ZOOM };
}

/** A track in the colours of its speeds, with arrows. */
function gradedTrack(
  { data, view: { canvas, addTarget } }: Page,
  unit: number,
  weight: number,
  target: PathTarget,
): L.FeatureGroup {
  const { grades, lines, color: own } = data.units[unit]!;
  const common = { renderer: canvas.tracks, interactive: false };
  const parts = grades.map(([grade, line]) => {
    const color = data.gradation[grade]?.color ?? own;
    const path = L.polyline(unpack(line), { ...common, color, weight, opacity: 0.9 });
    addTarget(path, target);
    return path;
  });
  const bare = { ...common, color: css('--ink'), weight: 0, isBare: true };
  return L.featureGroup([...parts, ...lines.map((line) => new ArrowLine(unpack(line), bare))]);
}

function nameOf({ id, lines }: PageUnit): MapLabel | null {
  const end = lines.length === 0 ? undefined : unpack(lines.at(-1)!).at(-1);
  return end === undefined ? null : { text: id, className: 'unit-label', at: end, below: -11 };
}

interface ZoneLayer {
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
  const names = bySize.map((i) => zoneName(data.zones[i]!, zones[i]!.getBounds()));
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

function zoneName({ name, line, shape }: PageZone, bounds: L.LatLngBounds): MapLabel {
  const middle = line === null ? [] : unpack(line);
  const at = middle[Math.floor((middle.length - 1) / 2)] ?? bounds.getCenter();
  const isDot = shape[0]?.[0]?.length === 2;
  return { text: name, className: 'zone-label', at, below: isDot ? 13 : 0 };
}

/**
 * Largest number of units whose tracks are drawn in colours. With more, tracks are thin lines of one colour, and a selected unit is drawn
 * above them.
 */
export const MANY_UNITS = 30;
/** Zoom from which speed limits are drawn and, with many units, arrowheads. */
export const NEAR_ZOOM = 14;
