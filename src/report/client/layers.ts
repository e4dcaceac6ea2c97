/** Zones, tracks and visits on the map, with the choice of the shown ones. */

import { ArrowLine } from './arrowLine.js';
import { byId } from './dom.js';
import type { Filtered } from './filtered.js';
import { inSlices } from './inSlices.js';
import { NEAR_ZOOM } from './manyUnits.js';
import type { Page } from './page.js';
import { startSpeeding } from './speedingLayer.js';
import { type MapLabel, startLabels } from './startLabels.js';
import { startTracks } from './trackLayer.js';
import { unpack } from './unpack.js';
import { startVisits } from './visitLayer.js';
import { startZones } from './zoneLayer.js';

/** Callbacks for a click on the map, by the kind of the clicked item. */
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
  /** Shows only the filtered items; an absent kind is shown whole. */
  readonly filter: (filtered: Filtered) => void;
  /** Sets the labels that are placed before all others. */
  readonly labelFirst: (labels: readonly MapLabel[]) => void;
}

const LAYERS = ['zones', 'tracks', 'visits', 'labels', 'speeding', 'speed'] as const;

type LayerName = (typeof LAYERS)[number];

/** Creates the layers, with pauses. */
export function* createLayers(
  page: Page,
  opened: Opened,
  onShown: (unit: number, on: boolean) => void,
): Generator<void, Layers, void> {
  const { data, view } = page;
  const { map } = view;
  const zones = yield* startZones(page, opened.zone);
  const tracks = yield* startTracks(page, opened.unit);
  const visits = yield* startVisits(page, opened.visit);
  const fast = yield* startSpeeding(page, opened.speeding);
  const isOn: Partial<Record<LayerName, boolean>> = {};
  const shown = data.units.map(() => true);
  let filtered: Filtered = {};
  const isUnitShown = (i: number): boolean => shown[i]! && (filtered.units?.has(i) ?? true);
  const isZoneShown = (i: number): boolean => filtered.zones?.has(i) ?? true;
  const redraw = (): void => {
    byId('gradation').hidden = !isOn.speed;
    toggle(map, zones.group, isOn.zones);
    redrawLabels();
    inSlices(shown, data.units.length, (i) => {
      const isShown = isUnitShown(i);
      tracks.show(i, !isShown || !isOn.tracks ? 'hidden' : isOn.speed ? 'speed' : 'own');
      toggle(map, visits.groups[i]!, isShown && isOn.visits);
      toggle(map, fast.groups[i]!, isShown && isOn.speeding);
    });
  };

  let firstLabels: readonly MapLabel[] = [];
  const redrawLabels = startLabels(view, function* () {
    yield* firstLabels;
    if (isOn.speeding && map.getZoom() >= NEAR_ZOOM) yield* fast.labels(isUnitShown);
    if (!isOn.labels) return;
    if (isOn.tracks) yield* tracks.labels(isUnitShown);
    if (isOn.zones) yield* zones.labels(isZoneShown);
  });

  for (const name of LAYERS) {
    const box = document.querySelector<HTMLInputElement>(`[data-show=${name}]`);
    // The checkbox for speeding is absent in a report without limits.
    if (box === null) continue;
    isOn[name] = box.checked;
    box.addEventListener('change', () => {
      isOn[name] = box.checked;
      redraw();
    });
  }
  redraw();
  return {
    zones: zones.zones,
    tracks: tracks.tracks,
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
      const changes = (name: keyof Filtered): boolean =>
        next[name] !== undefined || filtered[name] !== undefined;
      const [zonesChange, visitsChange] = [changes('zones'), changes('visits')];
      if (!zonesChange && !visitsChange && !changes('units')) return;
      filtered = next;
      if (zonesChange) zones.filter(isZoneShown);
      if (visitsChange) visits.filter(filtered.visits);
      redraw();
    },
    labelFirst(labels) {
      firstLabels = labels;
      redrawLabels();
    },
  };
}

function toggle(map: L.Map, layer: L.Layer, on: boolean | undefined): void {
  if (on) layer.addTo(map);
  else layer.remove();
}
