/** Trips, parkings, stops and unknown times of all units. */

import { MOVE_KINDS, type MoveKind } from '../moveKinds.js';
import type { PageData } from '../pageData.js';

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
