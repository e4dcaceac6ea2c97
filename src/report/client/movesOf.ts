/** Stretches of tracks that the page shows: trips, parkings, stops and unknown times of all units, and marked parts. */

import { MOVE_KINDS, type MoveKind } from '../moveKinds.js';
import type { PageData } from '../pageData.js';
import { linkNames } from './links.js';
import type { Page } from './page.js';
import { duration, fill } from './shared/formats.js';

export interface MapMove {
  readonly unit: number;
  readonly kind: MoveKind;
  readonly from: number;
  readonly to: number;
  readonly meters: number;
  readonly kph: number | null;
  /** Position `[lat, lon]` at the start. */
  readonly start: readonly [number, number];
  readonly end: readonly [number, number];
}

/** All moves, by unit, then by time. */
export function movesOf({ units }: PageData): MapMove[] {
  return units.flatMap(({ moves }, unit) =>
    moves.map(
      ([kind, from, to, meters, kph, startLat, startLon, endLat, endLon]): MapMove => ({
        unit,
        kind: MOVE_KINDS[kind]!,
        from,
        to,
        meters,
        kph,
        start: [startLat, startLon],
        end: [endLat, endLon],
      }),
    ),
  );
}

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
