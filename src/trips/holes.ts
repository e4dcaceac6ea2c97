/** Stretches of time in which a unit was not seen, and where it could have been in them. */

import type { Position } from '../core/geometry.js';

/** A stretch without a fix. Positions are those of the fixes at its ends; `null` where there is none, or none is known. */
export interface Hole {
  readonly from: number;
  readonly to: number;
  readonly start: Position | null;
  readonly end: Position | null;
  /** The unit was near the same place at both ends: it was not elsewhere, but when it came there is not known. */
  readonly isSleep: boolean;
}

/** A closed stretch of time. */
export type Span = readonly [from: number, to: number];

/** How far it is from a position to a zone; metres, 0 in it. */
export type MetersTo = (zone: number, position: Position) => number;

/** Answers about the holes of one run, in order of `from`. */
export class Holes {
  readonly all: readonly Hole[];
  readonly #metersTo: MetersTo;
  /** Metres per millisecond. */
  readonly #speed: number;
  /** Whether there are holes in which the unit may have been anywhere. */
  readonly isAny: boolean;

  constructor(all: readonly Hole[], reachSpeedKph: number, metersTo: MetersTo) {
    this.all = all;
    this.#metersTo = metersTo;
    this.#speed = reachSpeedKph / 3600;
    this.isAny = all.some(({ isSleep }) => !isSleep);
  }

  /** Whether a hole or a long sleep lies between two fixes, so that the unit was not seen. */
  isBetween(from: number, to: number): boolean {
    for (const hole of this.all) {
      if (hole.from >= to) break;
      if (hole.to > from) return true;
    }
    return false;
  }

  /** Whole milliseconds for the way to a zone from the fix at a time; 0 where that is not known. */
  wayFrom(zone: number, time: number): number {
    const hole = this.all.find(({ from, start }) => from === time && start !== null);
    return Math.round(this.#wayOf(zone, hole?.start ?? null));
  }

  /** The same for the way from a zone to the fix at a time. */
  wayTo(zone: number, time: number): number {
    const hole = this.all.find(({ to, end }) => to === time && end !== null);
    return Math.round(this.#wayOf(zone, hole?.end ?? null));
  }

  /** When the unit could have been in a zone during a hole; the end is before the beginning where it could not. */
  presence(hole: Hole, zone: number): Span {
    return [hole.from + this.#wayOf(zone, hole.start), hole.to - this.#wayOf(zone, hole.end)];
  }

  /** The first hole for which `isWanted` holds of the time in which the unit could have been in the zone, within `from` and `to`. */
  find(zone: number, from: number, to: number, isWanted: (span: Span, hole: Hole) => boolean): Hole | null {
    if (!this.isAny) return null;
    for (const hole of this.all) {
      if (hole.from > to) break;
      if (hole.isSleep || hole.to < from) continue;
      const [first, last] = this.presence(hole, zone);
      if (isWanted([Math.max(first, from), Math.min(last, to)], hole)) return hole;
    }
    return null;
  }

  #wayOf(zone: number, position: Position | null): number {
    if (position === null) return 0;
    const meters = this.#metersTo(zone, position);
    return meters === 0 ? 0 : meters / this.#speed;
  }
}
