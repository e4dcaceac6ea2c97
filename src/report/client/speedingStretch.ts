/** A part of a track or of a route as it is marked on the map, and that of speeding. */

import { duration, fill } from './formats.js';
import { linkNames } from './links.js';
import type { Page } from './page.js';

export interface MapStretch {
  /** -1: no unit. */
  readonly unit: number;
  /** Packed. */
  readonly line: readonly number[];
  /** The text of the popup. */
  readonly lines: readonly string[];
  /** It was clicked on the map, which then does not move. */
  readonly at?: L.LatLng;
  /** What the page's address says while it is selected. */
  readonly link?: Readonly<Record<string, string>>;
}

/** A part of an event as it is marked on the map. */
export function speedingStretch({ data, words, clock, number, measures }: Page, i: number): MapStretch {
  const [unit, , from, to, , limit, zone, max, , , line] = data.conduct.speeding![i]!;
  const kph = (value: number): string => {
    const shown = measures.speed(value);
    return number(shown, Number.isInteger(shown) ? 0 : 1);
  };
  const by = zone === -1 ? words.ofUnit : data.zones[zone]!.name;
  return {
    unit,
    line,
    link: { speeding: linkNames(data).speeding(i) },
    lines: [
      data.units[unit]!.id,
      `${fill(words.limitIs, { kph: kph(limit) })} (${by})`,
      fill(words.atMostKph, { kph: kph(max) }),
      `${clock.text(from)} – ${clock.text(to).slice(11)}, ${duration(to - from)}`,
    ],
  };
}
