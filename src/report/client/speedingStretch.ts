/** A part of a track, of a speeding or of the route as the map marks it. */

import { duration, fill } from './formats.js';
import { linkNames } from './links.js';
import type { Page } from './page.js';

export interface MapStretch {
  /** Index of the unit; -1: none. */
  readonly unit: number;
  /** Packed line (`packLine`). */
  readonly line: readonly number[];
  /** The text of the popup. */
  readonly lines: readonly string[];
  /** Clicked position on the map; the map then stays where it is. */
  readonly at?: L.LatLng;
  /** Keys of the page's address while the part is selected. */
  readonly link?: Readonly<Record<string, string>>;
}

/** A part of a speeding as the map marks it. */
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
