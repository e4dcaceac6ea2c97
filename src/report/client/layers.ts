/** Zones, tracks and visits on the map, and which of them are shown. */

import type { PageTripShape, PageZone } from '../pageData.js';
import { ArrowLine, type ArrowLineOptions } from './arrowLine.js';
import { byId, css } from './dom.js';
import type { Filtered } from './filtered.js';
import { inSlices } from './inSlices.js';
import { MANY_UNITS, NEAR_ZOOM } from './manyUnits.js';
import type { Page } from './page.js';
import { wordOf } from './page.js';
import type { PathTarget } from './picking.js';
import type { SlicedCanvas } from './slicedCanvas.js';
import { startSpeeding } from './speedingLayer.js';
import { type MapLabel, startLabels } from './startLabels.js';
import { unpack } from './unpack.js';

/** What a click on the map selects. */
export interface Opened {
  readonly zone: (i: number, at: L.LatLng) => void;
  readonly unit: (i: number, at: L.LatLng) => void;
  readonly visit: (i: number) => void;
  readonly speeding: (i: number, at: L.LatLng) => void;
}

export interface Layers {
  readonly zones: readonly L.FeatureGroup[];
  /** The tracks, one group per unit. */
  readonly tracks: readonly L.FeatureGroup[];
  /** Copies of a unit's track. */
  readonly trackCopies: (unit: number, style: L.PolylineOptions) => L.Polyline[];
  readonly isShown: (unit: number) => boolean;
  readonly showUnits: (units: readonly number[], on: boolean) => void;
  /** Shows only these; what is absent is shown whole. */
  readonly filter: (filtered: Filtered) => void;
  /** Replaces the labels that are placed first. */
  readonly labelFirst: (labels: readonly MapLabel[]) => void;
}

const LAYERS = ['zones', 'tracks', 'visits', 'labels', 'speeding', 'speed'] as const;

/** Creates the layers, with pauses. */
export function* createLayers(
  page: Page,
  opened: Opened,
  onShown: (unit: number, on: boolean) => void,
): Generator<void, Layers, void> {
  const { data, words, view } = page;
  const { map, canvas, addTarget } = view;
  const zonesGroup = L.featureGroup();
  const tracksGroup = L.layerGroup().addTo(map);
  const visitsGroup = L.layerGroup().addTo(map);
  // Larger zones are drawn first, so that a zone inside another one is above it and can be clicked.
  const bySize = data.zones.map((_, i) => i).sort((a, b) => sizeOf(data.zones[b]!) - sizeOf(data.zones[a]!));
  const zones: L.FeatureGroup[] = new Array(data.zones.length);
  for (const i of bySize) {
    const zone = data.zones[i]!;
    zones[i] = zoneLayer(zone, canvas.zones);
    const target: PathTarget = {
      lines: () => [zone.name, wordOf(words, zone.type)],
      open: (at) => opened.zone(i, at),
    };
    zonesGroup.addLayer(zones[i]);
    zones[i].eachLayer((path) => addTarget(path as L.Path, target));
    yield;
  }

  const trackStyle =
    data.units.length > MANY_UNITS
      ? {
          weight: 1,
          opacity: Math.max(0.08, 12 / data.units.length),
          color: css('--soft'),
          arrowZoom: NEAR_ZOOM,
        }
      : { weight: 2, opacity: 0.75 };
  const unitThings = data.units.map(
    (unit, i): PathTarget => ({ lines: () => [unit.id], open: (at) => opened.unit(i, at) }),
  );
  const unitLine = (i: number, line: readonly number[], options: ArrowLineOptions): ArrowLine => {
    const path = new ArrowLine(unpack(line), {
      renderer: canvas.tracks,
      color: data.units[i]!.color,
      interactive: false,
      ...trackStyle,
      ...options,
    });
    addTarget(path, unitThings[i]!);
    return path;
  };
  const tracks: L.FeatureGroup[] = [];
  for (const [i, unit] of data.units.entries()) {
    tracks.push(L.featureGroup(unit.lines.map((line) => unitLine(i, line, {}))));
    yield;
  }
  /** The same tracks coloured by speed, created on first use. */
  const grades = data.units.map((): L.FeatureGroup | null => null);
  const gradesOf = (i: number): L.FeatureGroup => {
    const unit = data.units[i]!;
    grades[i] ??= L.featureGroup([
      ...unit.grades.map(([style, line]) => {
        const color = data.gradation[style]?.color ?? unit.color;
        const path = L.polyline(unpack(line), {
          renderer: canvas.tracks,
          interactive: false,
          color,
          weight: trackStyle.weight + 1,
          opacity: 0.9,
        });
        addTarget(path, unitThings[i]!);
        return path;
      }),
      ...unit.lines.map((line) => new ArrowLine(unpack(line), { ...arrowsOnly(canvas.tracks) })),
    ]);
    return grades[i]!;
  };

  const visits = data.units.map(() => L.layerGroup());
  const markers = data.units.map((): [visit: number, marker: L.CircleMarker][] => []);
  for (const [i, [unit, zone, enter, exit, , , , place]] of data.visits.entries()) {
    const marker = L.circleMarker([place[0], place[1]], {
      renderer: canvas.visits,
      interactive: false,
      radius: data.units.length > MANY_UNITS ? 2.5 : 4,
      weight: data.units.length > MANY_UNITS ? 0.4 : 1.2,
      color: '#ffffff',
      fillColor: data.units[unit]!.color,
      fillOpacity: 0.95,
    });
    addTarget(marker, {
      lines: () => [
        data.zones[zone]!.name,
        data.units[unit]!.id,
        `${page.clock.text(enter)} – ${exit === null ? words.open : page.clock.text(exit).slice(11)}`,
      ],
      open: () => opened.visit(i),
    });
    marker.addTo(visits[unit]!);
    markers[unit]!.push([i, marker]);
    yield;
  }

  const fast = yield* startSpeeding(page, opened.speeding);
  const isOn: Record<string, boolean> = {};
  const shown = data.units.map(() => true);
  let filtered: Filtered = {};
  const isUnitShown = (i: number): boolean => shown[i]! && (filtered.units?.has(i) ?? true);
  const isZoneShown = (i: number): boolean => filtered.zones?.has(i) ?? true;
  const redraw = (): void => {
    byId('gradation').hidden = !isOn['speed'];
    if (isOn['zones']) zonesGroup.addTo(map);
    else zonesGroup.remove();
    redrawLabels();
    inSlices(shown, data.units.length, (i) => {
      const isShown = isUnitShown(i);
      const hasTrack = isShown && isOn['tracks']!;
      toggle(tracksGroup, tracks[i]!, hasTrack && !isOn['speed']);
      if (hasTrack && isOn['speed']) tracksGroup.addLayer(gradesOf(i));
      else if (grades[i]) tracksGroup.removeLayer(grades[i]!);
      toggle(visitsGroup, visits[i]!, isShown && isOn['visits']!);
      toggle(tracksGroup, fast.groups[i]!, isShown && isOn['speeding'] === true);
    });
  };

  let firstLabels: readonly MapLabel[] = [];
  const zoneLabels = bySize.map((i) => zoneLabel(data.zones[i]!, zones[i]!.getBounds()));
  const unitLabels = data.units.map(({ id, lines }) => {
    const end = lines.length === 0 ? undefined : unpack(lines.at(-1)!).at(-1);
    return end === undefined ? null : { text: id, className: 'unit-label', at: end, below: -11 };
  });
  const redrawLabels = startLabels(view, function* () {
    yield* firstLabels;
    if (isOn['speeding'] && map.getZoom() >= NEAR_ZOOM) yield* fast.labels(isUnitShown);
    if (!isOn['labels']) return;
    if (isOn['tracks'] && data.units.length <= MANY_UNITS) {
      for (const [i, label] of unitLabels.entries()) if (label !== null && isUnitShown(i)) yield label;
    }
    if (!isOn['zones']) return;
    for (const [place, label] of zoneLabels.entries()) if (isZoneShown(bySize[place]!)) yield label;
  });

  for (const name of LAYERS) {
    const box = document.querySelector<HTMLInputElement>(`[data-show=${name}]`);
    // A report without limits has no box for speeding.
    if (box === null) continue;
    isOn[name] = box.checked;
    box.addEventListener('change', () => {
      isOn[name] = box.checked;
      redraw();
    });
  }
  redraw();
  return {
    zones,
    tracks,
    trackCopies: (unit, style) => data.units[unit]!.lines.map((line) => new ArrowLine(unpack(line), style)),
    isShown: isUnitShown,
    showUnits(units, on) {
      const changed = units.filter((unit) => shown[unit] !== on);
      for (const unit of changed) {
        shown[unit] = on;
        onShown(unit, on);
      }
      if (changed.length > 0) redraw();
    },
    filter(next) {
      const [zonesChange, visitsChange] = [
        next.zones !== undefined || filtered.zones !== undefined,
        next.visits !== undefined || filtered.visits !== undefined,
      ];
      const unitsChange = next.units !== undefined || filtered.units !== undefined;
      if (!zonesChange && !visitsChange && !unitsChange) return;
      filtered = next;
      // Added anew in the order of their size: the smallest are on top.
      if (zonesChange) {
        zonesGroup.clearLayers();
        for (const i of bySize) if (isZoneShown(i)) zonesGroup.addLayer(zones[i]!);
      }
      if (visitsChange)
        for (const [unit, own] of markers.entries())
          for (const [visit, marker] of own)
            toggle(visits[unit]!, marker, filtered.visits?.has(visit) ?? true);
      redraw();
    },
    labelFirst(labels) {
      firstLabels = labels;
      redrawLabels();
    },
  };
}

function toggle(group: L.LayerGroup, layer: L.Layer, on: boolean): void {
  if (on) group.addLayer(layer);
  else group.removeLayer(layer);
}

function arrowsOnly(renderer: SlicedCanvas): L.PolylineOptions & { readonly isBare: true } {
  return { renderer, interactive: false, color: css('--ink'), weight: 0, isBare: true };
}

/** The outline of a zone or point; for a position without a zone a dot. */
export function drawnOutlineOf(
  shape: PageTripShape,
  options: L.CircleMarkerOptions,
): L.Polygon | L.CircleMarker {
  const rings = shape.map((polygon) => polygon.map(unpack));
  const first = rings[0]?.[0] ?? [];
  if (first.length === 1) return L.circleMarker(first[0]!, { ...options, radius: 5, fillOpacity: 0.7 });
  return L.polygon(rings, options);
}

/** The line in the middle of a corridor. */
function zoneLayer({ shape, line, color }: PageZone, renderer: SlicedCanvas): L.FeatureGroup {
  const style = { renderer, color, weight: 1.5, smoothFactor: 0.3, interactive: false };
  const outline = drawnOutlineOf(shape, { ...style, fillOpacity: 0.16 });
  if (line === null) return L.featureGroup([outline]);
  return L.featureGroup([outline, L.polyline(unpack(line), { ...style, dashArray: '6 4' })]);
}

function sizeOf({ area }: PageZone): number {
  return area ?? 0;
}

function zoneLabel({ name, line, shape }: PageZone, bounds: L.LatLngBounds): MapLabel {
  const middle = line === null ? [] : unpack(line);
  const at = middle[Math.floor((middle.length - 1) / 2)] ?? bounds.getCenter();
  const isDot = shape[0]?.[0]?.length === 2;
  return { text: name, className: 'zone-label', at, below: isDot ? 13 : 0 };
}
