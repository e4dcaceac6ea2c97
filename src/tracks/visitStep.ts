/** One step of a unit, from fix to fix, through every zone of an index that it is in or meets. */

import { lonStep } from '../core/angles.js';
import { decidedDistance } from '../geodesy/inverse.js';
import {
  acrossGap,
  atStart,
  type Segment,
  type Stay,
  throughSegment,
  type VisitSink,
} from './visitMachine.js';
import type { VisitRules } from './visitOptions.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';

/** The stays of one unit by zone; `null` is none, so that a unit which is nowhere costs no map. */
export type Stays = Map<string, Stay> | null;

/** Drives the state machine; made once and told each step, so that a step which meets no zone allocates next to nothing. */
export class VisitStepper implements Segment {
  startTime: number = 0;
  endTime: number = 0;
  readonly #index: ZoneIndexLike;
  readonly #rules: VisitRules;
  readonly #sink: VisitSink;
  #fromLon = 0;
  #fromLat = 0;
  #toLon = 0;
  #toLat = 0;
  #accuracyMeters = 0;

  constructor(index: ZoneIndexLike, rules: VisitRules, sink: VisitSink) {
    this.#index = index;
    this.#rules = rules;
    this.#sink = sink;
  }

  /** The stays at the first fix. */
  start(time: number, lon: number, lat: number): Stays {
    let stays: Stays = null;
    for (const id of this.#index.at([lon, lat])) stays = kept(stays, id, atStart(id, time, this.#rules));
    return stays;
  }

  /** Says where the next step begins. */
  from(time: number, lon: number, lat: number): void {
    this.startTime = time;
    this.#fromLon = lon;
    this.#fromLat = lat;
  }

  /** The stays after the step to a fix; an accuracy of 0 or less is unknown. Visits that end go to the sink. */
  to(time: number, lon: number, lat: number, accuracyMeters: number, stays: Stays): Stays {
    this.endTime = time;
    this.#toLon = lon;
    this.#toLat = lat;
    this.#accuracyMeters = accuracyMeters;
    return this.#isGap() ? this.#passGap(stays) : this.#passSegment(stays);
  }

  crossable(): boolean {
    const { maxCrossedMeters } = this.#rules;
    return this.#stepMeters(maxCrossedMeters) < maxCrossedMeters;
  }

  leftAtEnd(zoneId: string): boolean {
    const { exitBufferMeters, accuracyCapMeters } = this.#rules;
    const accuracy = this.#accuracyMeters > 0 ? Math.min(this.#accuracyMeters, accuracyCapMeters) : 0;
    const allowance = exitBufferMeters + accuracy;
    if (allowance === 0) return true;
    const zone = this.#index.prepared(zoneId);
    return !zone || zone.signedDistanceMeters(this.#toLon, this.#toLat) > allowance;
  }

  #isGap(): boolean {
    if (this.endTime - this.startTime > this.#rules.maxGapMs) return true;
    if (Math.abs(lonStep(this.#fromLon, this.#toLon)) === 180) return true;
    const { maxGapMeters } = this.#rules;
    return maxGapMeters < Number.POSITIVE_INFINITY && this.#stepMeters(maxGapMeters) > maxGapMeters;
  }

  #passSegment(before: Stays): Stays {
    const fractions = this.#fractionsByZone(before);
    if (fractions === null) return before;
    let stays = before;
    for (const [id, list] of fractions) {
      const stay = stays?.get(id) ?? null;
      stays = kept(stays, id, throughSegment(stay, id, this, list, this.#rules, this.#sink));
    }
    return stays;
  }

  /**
   * The fractions of the step in each zone that it meets or that the unit is in; `null` when there is none.
   * A step that does not move stays where the unit is, without asking the index.
   */
  #fractionsByZone(stays: Stays): Map<string, number[]> | null {
    let fractions: Map<string, number[]> | null = null;
    if (this.#fromLon === this.#toLon && this.#fromLat === this.#toLat) {
      if (stays === null) return null;
      fractions = new Map();
      for (const stay of stays.values()) fractions.set(stay.zoneId, stay.exit ? [] : [0, 1]);
      return fractions;
    }
    for (const { id, from, to } of this.#index.crossing(
      [this.#fromLon, this.#fromLat],
      [this.#toLon, this.#toLat],
    )) {
      fractions ??= new Map();
      const list = fractions.get(id);
      if (list) list.push(from, to);
      else fractions.set(id, [from, to]);
    }
    if (stays !== null) {
      fractions ??= new Map();
      for (const id of stays.keys()) if (!fractions.has(id)) fractions.set(id, []);
    }
    return fractions;
  }

  #passGap(before: Stays): Stays {
    const inside = new Set(this.#index.at([this.#toLon, this.#toLat]));
    const times = [this.startTime, this.endTime] as const;
    const { parkedMeters } = this.#rules;
    const isNear = inside.size > 0 && before !== null && this.#stepMeters(parkedMeters) <= parkedMeters;
    let stays = before;
    for (const id of new Set([...(before?.keys() ?? []), ...inside])) {
      const stay = stays?.get(id) ?? null;
      const wasInside = stay !== null && stay.exit === null;
      const next = !inside.has(id) ? 'outside' : isNear && wasInside ? 'parked' : 'inside';
      stays = kept(stays, id, acrossGap(stay, id, times, next, this.#rules, this.#sink));
    }
    return stays;
  }

  /** Metres of the step, for a comparison with `limit`. */
  #stepMeters(limit: number): number {
    return decidedDistance(this.#fromLon, this.#fromLat, this.#toLon, this.#toLat, limit);
  }
}

/** `stays` with one zone's stay set or taken out. */
export function kept(stays: Stays, id: string, stay: Stay | null): Stays {
  if (stay) return (stays ?? new Map<string, Stay>()).set(id, stay);
  if (stays?.delete(id) && stays.size === 0) return null;
  return stays;
}
