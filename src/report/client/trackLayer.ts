/** Tracks on the map, in the colours of the units or by speed, and the names of the units as labels. */

import type { PageUnit } from '../pageData.js';
import { ArrowLine, type ArrowLineOptions } from './arrowLine.js';
import { css } from './dom.js';
import { MANY_UNITS, NEAR_ZOOM } from './manyUnits.js';
import type { Page } from './page.js';
import type { PathTarget } from './picking.js';
import type { MapLabel } from './startLabels.js';
import { unpack } from './unpack.js';

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
