/** Visits on the map: a dot at each entry. */

import { MANY_UNITS } from './manyUnits.js';
import type { Page } from './page.js';

export interface VisitLayer {
  /** Dots of visits, one group per unit. */
  readonly groups: readonly L.LayerGroup[];
  /** Shows only the given visits; `undefined`: all. */
  readonly filter: (visits: ReadonlySet<number> | undefined) => void;
}

/** Draws the dots, with pauses. `open`: called on a click on a dot. */
export function* startVisits(page: Page, open: (i: number) => void): Generator<void, VisitLayer, void> {
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
