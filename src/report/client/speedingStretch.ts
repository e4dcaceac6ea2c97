/** A part of a track or of a route as it is marked on the map, and that of speeding. */

import { duration, fill } from './formats.js';
import type { Page } from './page.js';

export interface Stretch {
  /** -1: no unit. */
  readonly unit: number;
  /** Packed. */
  readonly line: readonly number[];
  /** The text of the popup. */
  readonly lines: readonly string[];
  /** It was clicked on the map, which then does not move. */
  readonly at?: L.LatLng;
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
