/** Zones of a trip that an amendment changed: their geometry by time (T49b). */

import type { Position } from '../../core/geometry.js';

/** The geometry of a zone in a period, by the distance to it. */
export interface Era {
  readonly from: number;
  readonly to: number;
  /** Distance from a position in metres, 0 within it. */
  readonly metersTo: (position: Position) => number;
}

/** By zone: its geometries, where they are not one for all times. A zone without any is as the index has it. */
export type ZoneEras = ReadonlyMap<number, readonly Era[]>;

export const NO_ERAS: ZoneEras = new Map();

/** The geometries of a zone up to a time. */
export function erasUpTo(eras: readonly Era[], time: number): Era[] {
  return eras.flatMap((era) => (era.from >= time ? [] : [{ ...era, to: Math.min(era.to, time) }]));
}
