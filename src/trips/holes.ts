/** Holes: times in which a unit was not seen, and the zones that it could have visited in them. */

import type { Position } from '../core/geometry.js';

/** A span of time without a fix. The positions are those of the fixes at its ends; `null` if unknown. */
export interface Hole {
  readonly from: number;
  readonly to: number;
  readonly start: Position | null;
  readonly end: Position | null;
  /** Whether the unit was near one place at both ends. It stayed there, but its time of arrival is unknown. */
  readonly isSleep: boolean;
}

/** A closed interval of time, epoch milliseconds. */
export type Span = readonly [from: number, to: number];

/** Distance from a position to a zone in metres, 0 within it. */
export type MetersTo = (zone: number, position: Position) => number;

/** The holes of one run, in order of `from`. */
export class Holes {
  readonly all: readonly Hole[];
  readonly #metersTo: MetersTo;
  /** Metres per millisecond. */
  readonly #speed: number;
  /** Whether any hole is not a sleep. */
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

  /** Least whole milliseconds from the fix at a time to a zone; 0 if unknown. */
  wayFrom(zone: number, time: number): number {
    const hole = this.all.find(({ from, start }) => from === time && start !== null);
    return Math.round(this.#wayOf(zone, hole?.start ?? null));
  }

  /** Least whole milliseconds from a zone to the fix at a time; 0 if unknown. */
  wayTo(zone: number, time: number): number {
    const hole = this.all.find(({ to, end }) => to === time && end !== null);
    return Math.round(this.#wayOf(zone, hole?.end ?? null));
  }

  /** The time that the unit could have spent in a zone during a hole. The end precedes the start if the zone was out of reach. */
  presence(hole: Hole, zone: number): Span {
    return [hole.from + this.#wayOf(zone, hole.start), hole.to - this.#wayOf(zone, hole.end)];
  }

  /** The first hole whose possible time in the zone, within `from` and `to`, satisfies `isWanted`. */
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
