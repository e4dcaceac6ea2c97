/** Speeding on the map: the parts of events in red, each with its limit. */

import { css } from './dom.js';
import { MANY_UNITS } from './manyUnits.js';
import type { Page } from './page.js';
import { speedingStretch } from './speedingStretch.js';
import type { MapLabel } from './startLabels.js';
import { unpack } from './unpack.js';

export interface SpeedingLayer {
  /** Parts of events, one group per unit. */
  readonly groups: readonly L.FeatureGroup[];
  /** Labels with the speed limits, for the shown units. */
  labels(isShown: (unit: number) => boolean): Iterable<MapLabel>;
}

/** Draws the parts, with pauses. `open`: called on a click on a part. */
export function* startSpeeding(
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
