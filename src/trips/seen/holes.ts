/** Holes: times in which a unit was not seen, and the zones that it could have visited in them. */

import type { Position } from '../../core/geometry.js';
import { firstWhere } from '../../core/numbers.js';
import { NO_ERAS, type ZoneEras } from './zoneEras.js';

/** A span of time without a fix. The positions are those of the fixes at its ends; `null` if unknown. */
export interface Hole {
  readonly from: number;
  readonly to: number;
  readonly start: Position | null;
  readonly end: Position | null;
  /** Why the unit was not seen; `null` for a sleep: it was near one place at both ends, but its time of arrival is unknown. */
  readonly reason: HoleReason | null;
  /** The first and the last time in it at which another unit took over (T50). */
  readonly handed?: TimeRange;
}

/** Why a unit was not seen (T10): a gap between fixes, a blind step, no fix so far, or none since. */
export type HoleReason = 'gap' | 'jammed' | 'frozen' | 'not_started' | 'silent';

/** A closed interval of time, epoch milliseconds. */
export type TimeRange = readonly [from: number, to: number];

/** Distance from a position to a zone in metres, 0 within it. */
export type MetersTo = (zone: number, position: Position) => number;

/** The holes of one run, in order of `from`. */
export class Holes {
  readonly all: readonly Hole[];
  readonly #metersTo: MetersTo;
  readonly #eras: ZoneEras;
  /** Metres per millisecond. */
  readonly #speed: number;
  /** By hole: the latest end up to it. Given gaps may overlap. */
  readonly #latest: readonly number[];
  readonly #starting = new Map<number, Hole>();
  readonly #ending = new Map<number, Hole>();
  /** End of the last hole that is not a sleep; -Infinity without one. */
  readonly lastEnd: number;
  /** Whether any hole is not a sleep. */
  readonly isAny: boolean;

  constructor(all: readonly Hole[], reachSpeedKph: number, metersTo: MetersTo, eras: ZoneEras = NO_ERAS) {
    this.all = all;
    this.#eras = eras;
    this.#metersTo = metersTo;
    this.#speed = reachSpeedKph / 3600;
    let latest = Number.NEGATIVE_INFINITY;
    this.#latest = all.map(({ to }) => {
      latest = Math.max(latest, to);
      return latest;
    });
    for (const hole of all) {
      if (hole.start !== null && !this.#starting.has(hole.from)) this.#starting.set(hole.from, hole);
      if (hole.end !== null && !this.#ending.has(hole.to)) this.#ending.set(hole.to, hole);
    }
    this.lastEnd = all.reduce(
      (last, { to, reason }) => (reason === null ? last : Math.max(last, to)),
      Number.NEGATIVE_INFINITY,
    );
    this.isAny = this.lastEnd > Number.NEGATIVE_INFINITY;
  }

  /** Whether a hole or a long sleep lies between two fixes, so that the unit was not seen. */
  isBetween(from: number, to: number): boolean {
    const hole = this.all[this.#firstAfter(from)];
    return hole !== undefined && hole.from < to;
  }

  /** Index of the first hole that ends after a time. */
  #firstAfter(time: number): number {
    return firstWhere(0, this.all.length, (i) => this.#latest[i]! > time);
  }

  /** Whether the unit could have been in a zone for `ms` in one hole within a span, or in a long sleep that hides one of its ends. */
  couldStay(zone: number, [from, to]: TimeRange, ms: number, ends: readonly TimeRange[]): boolean {
    if (to - from < ms) return false;
    for (let i = this.#firstAfter(from); i < this.all.length; i++) {
      const hole = this.all[i]!;
      if (hole.from >= to) break;
      const isAtEnd = ([begin, end]: TimeRange): boolean => begin < end && hole.from < end && hole.to > begin;
      if (hole.reason === null && !ends.some(isAtEnd)) continue;
      const [first, last] = this.presence(hole, zone);
      if (Math.min(last, to) - Math.max(first, from) >= ms) return true;
    }
    return false;
  }

  /** Least whole milliseconds from the fix at a time to a zone; 0 if unknown. */
  wayFrom(zone: number, time: number): number {
    const hole = this.#starting.get(time);
    return this.#firstAt(zone, time, hole?.start ?? null) - time;
  }

  /** Least whole milliseconds from a zone to the fix at a time; 0 if unknown. */
  wayTo(zone: number, time: number): number {
    const hole = this.#ending.get(time);
    return time - this.#lastAt(zone, time, hole?.end ?? null);
  }

  /** The time that the unit could have spent in a zone during a hole. The end precedes the start if the zone was out of reach. */
  presence(hole: Hole, zone: number): TimeRange {
    const first = this.#firstAt(zone, hole.from, hole.start);
    const last = this.#lastAt(zone, hole.to, hole.end);
    const { handed } = hole;
    if (handed === undefined) return [first, last];
    // The unit that takes over may be anywhere then, and so may the one before it have been.
    return [
      Math.min(first, this.#firstAt(zone, handed[0], null)),
      Math.max(last, this.#lastAt(zone, handed[1], null)),
    ];
  }

  /** The holes that do not end before a time, in order. */
  since(time: number): readonly Hole[] {
    return this.all.slice(firstWhere(0, this.all.length, (i) => this.#latest[i]! >= time));
  }

  /** The first time at which the unit could be in a zone; Infinity if the zone is never where the unit could be. */
  #firstAt(zone: number, time: number, position: Position | null): number {
    const eras = this.#eras.get(zone);
    if (eras === undefined) return time + this.#wayOf(zone, position);
    let first = Number.POSITIVE_INFINITY;
    for (const { from, to, metersTo } of eras) {
      const there = Math.max(time + (position === null ? 0 : this.#timeOf(metersTo(position))), from);
      if (there < to) first = Math.min(first, there);
    }
    return first;
  }

  /** The last time at which the unit could have been in a zone. */
  #lastAt(zone: number, time: number, position: Position | null): number {
    const eras = this.#eras.get(zone);
    if (eras === undefined) return time - this.#wayOf(zone, position);
    let last = Number.NEGATIVE_INFINITY;
    for (const { from, to, metersTo } of eras) {
      const there = Math.min(time - (position === null ? 0 : this.#timeOf(metersTo(position))), to);
      if (there >= from) last = Math.max(last, there);
    }
    return last;
  }

  #wayOf(zone: number, position: Position | null): number {
    return position === null ? 0 : this.#timeOf(this.#metersTo(zone, position));
  }

  #timeOf(meters: number): number {
    return Math.round(meters / this.#speed);
  }
}
