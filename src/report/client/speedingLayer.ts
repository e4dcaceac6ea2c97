/** Speeding on the map: the parts of events in red, each with its limit. */

import { css } from './dom.js';
import type { Stretch } from './finders.js';
import { duration, fill } from './formats.js';
import type { Opened } from './layers.js';
import type { Page } from './page.js';
import type { Label } from './startLabels.js';
import { unpack } from './unpack.js';

export interface SpeedingLayer {
  /** The parts of each unit. */
  readonly groups: readonly L.FeatureGroup[];
  /** The limits of the units that are shown. */
  labels(isShown: (unit: number) => boolean): Iterable<Label>;
}

export function startSpeeding(page: Page, opened: Opened): SpeedingLayer {
  const { data, view } = page;
  const parts = data.conduct.speeding ?? [];
  const groups = data.units.map(() => L.featureGroup());
  for (const [i, [unit, , , , , , , , , , line]] of parts.entries()) {
    const path = L.polyline(unpack(line), {
      renderer: view.canvas.tracks,
      interactive: false,
      color: css('--fast'),
      weight: 5,
      opacity: 0.85,
    });
    view.addTarget(path, {
      lines: () => [...speedingStretch(page, i).lines],
      open: (at) => opened.speeding(i, at),
    });
    groups[unit]!.addLayer(path);
  }
  // The gravest first, since labels without room are left out.
  const order = [...parts].sort((a, b) => b[7] - b[5] - (a[7] - a[5]));
  return {
    groups,
    *labels(isShown) {
      for (const [unit, , , , , limit, , , , , , place] of order) {
        if (!isShown(unit)) continue;
        yield { text: String(limit), className: 'limit-label', at: [...place], below: -14 };
      }
    },
  };
}

/** A part of an event as it is marked on the map. */
export function speedingStretch({ data, words, clock, number }: Page, i: number): Stretch {
  const [unit, , from, to, , limit, zone, max, , , line] = data.conduct.speeding![i]!;
  const kph = (value: number): string => number(value, Number.isInteger(value) ? 0 : 1);
  const by = zone === -1 ? words.ofUnit : data.zones[zone]!.name;
  return {
    unit,
    line,
    lines: [
      data.units[unit]!.id,
      `${fill(words.limitIs, { kph: kph(limit) })} (${by})`,
      fill(words.atMostKph, { kph: kph(max) }),
      `${clock.text(from)} – ${clock.text(to).slice(11)}, ${duration(to - from)}`,
    ],
  };
}
