/** Trips, parkings and stops of all units. */

import type { PageData } from '../pageData.js';

const KINDS = ['trip', 'parking', 'stop'] as const;

export interface MapMove {
  readonly unit: number;
  readonly kind: (typeof KINDS)[number];
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
        kind: KINDS[kind],
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
