/** Zones, tracks and visits on the map, with the choice of the shown ones. */

import { ArrowLine } from './arrowLine.js';
import { speedingStretch } from './movesOf.js';
import { type Page, unpack } from './page.js';
import { byId, css } from './shared/dom.js';
import { inSlices } from './shared/inSlices.js';
import { type MapLabel, startLabels } from './startLabels.js';
import { MANY_UNITS, NEAR_ZOOM, startTracks, startZones } from './trackLayer.js';

/** Visits on the map: a dot at each entry. */
interface VisitLayer {
  /** Dots of visits, one group per unit. */
  readonly groups: readonly L.LayerGroup[];
  /** Shows only the given visits; `undefined`: all. */
  readonly filter: (visits: ReadonlySet<number> | undefined) => void;
}

/** Speeding on the map: the parts of events in red, each with its limit. */
interface SpeedingLayer {
  /** Parts of events, one group per unit. */
  readonly groups: readonly L.FeatureGroup[];
  /** Labels with the speed limits, for the shown units. */
  labels(isShown: (unit: number) => boolean): Iterable<MapLabel>;
}

/** Zones, units and visits shown on the map, by index; an absent field shows all. */
export interface Filtered {
  readonly units?: ReadonlySet<number>;
  readonly zones?: ReadonlySet<number>;
  readonly visits?: ReadonlySet<number>;
}

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

/** Draws the parts, with pauses. `open`: called on a click on a part. */
function* startSpeeding(
  page: Page,
  open: (i: number, at: L.LatLng) => void,
): Generator<void, SpeedingLayer, void> {
  const { data, view } = page;
  const parts = data.conduct.speeding ?? [];
  const isMany = data.units.length > MANY_UNITS;
  const groups = data.units.map(() => L.featureGroup());
  for (const [i, [unit, , , , , , , , , , line]] of parts.entries()) {
    const path = L.polyline(unpack(line), {
      renderer: view.canvas.tracks,
      interactive: false,
      color: css('--fast'),
      weight: isMany ? 2 : 5,
      opacity: 0.85,
    });
    view.addTarget(path, {
      lines: () => [...speedingStretch(page, i).lines],
      open: (at) => open(i, at),
    });
    groups[unit]!.addLayer(path);
    yield;
  }
  // The greatest excess first, because labels without room are left out.
  const order = [...parts].sort((a, b) => b[7] - b[5] - (a[7] - a[5]));
  return {
    groups,
    *labels(isShown) {
      for (const [unit, , , , , limit, , , , , , place] of order) {
        if (!isShown(unit)) continue;
        yield {
          text: page.number(page.measures.speed(limit), 0),
          className: 'limit-label',
          at: [...place],
          below: -14,
        };
      }
    },
  };
}

/** Draws the dots, with pauses. `open`: called on a click on a dot. */
function* startVisits(page: Page, open: (i: number) => void): Generator<void, VisitLayer, void> {
  const { data, words, clock, view } = page;
  const isMany = data.units.length > MANY_UNITS;
  const groups = data.units.map(() => L.layerGroup());
  const markers = data.units.map((): [visit: number, marker: L.CircleMarker][] => []);
  for (const [i, [unit, zone, enter, exit, , , , place]] of data.visits.entries()) {
    const marker = L.circleMarker([place[0], place[1]], {
      renderer: view.canvas.visits,
      interactive: false,
      radius: isMany ? 2.5 : 4,
      weight: isMany ? 0.4 : 1.2,
      color: '#ffffff',
      fillColor: data.units[unit]!.color,
      fillOpacity: 0.95,
    });
    view.addTarget(marker, {
      lines: () => [
        data.zones[zone]!.name,
        data.units[unit]!.id,
        `${clock.text(enter)} – ${exit === null ? words.open : clock.text(exit).slice(11)}`,
      ],
      open: () => open(i),
    });
    marker.addTo(groups[unit]!);
    markers[unit]!.push([i, marker]);
    yield;
  }
  return {
    groups,
    filter(visits) {
      for (const [unit, own] of markers.entries()) {
        for (const [visit, marker] of own) {
          if (visits?.has(visit) ?? true) groups[unit]!.addLayer(marker);
          else groups[unit]!.removeLayer(marker);
        }
      }
    },
  };
}
