/** One step of a unit, from fix to fix, through every zone of an index that it is in or meets. */

import { decidedDistance } from '../geodesy/inverse.js';
import type { Insides } from '../zones/index/insides.js';
import type { SafeRegion } from '../zones/index/segments/safeRegion.js';
import type { SegmentStays } from '../zones/index/segments/segmentStays.js';
import { insidesOf } from '../zones/zoneIndex.js';
import { isGapStep } from './isGapStep.js';
import {
  acrossGap,
  atStart,
  type Segment,
  type Stay,
  throughSegment,
  type VisitSink,
} from './visitMachine.js';
import type { VisitRules } from './visitRules.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';

/** The stays of one unit by zone; `null` is none, so that a unit which is nowhere costs no map. */
export type Stays = Map<string, Stay> | null;

export interface Place {
  readonly time: number;
  readonly lon: number;
  readonly lat: number;
}

const NONE: readonly number[] = [];
const ALL: readonly number[] = [0, 1];
/** Up to so many stays on a step are told apart without a map. */
const FEW = 32;

/** Drives the state machine; made once and told each step, so that a step which meets no zone allocates next to nothing. */
export class VisitStepper implements Segment {
  startTime: number = 0;
  endTime: number = 0;
  readonly #index: ZoneIndexLike;
  readonly #insides: Insides | null;
  readonly #segments: SegmentStays | undefined;
  readonly #rules: VisitRules;
  readonly #sink: VisitSink;
  #fromLon = 0;
  #fromLat = 0;
  #toLon = 0;
  #toLat = 0;
  #accuracyMeters = 0;
  #around: SafeRegion | null = null;

  constructor(index: ZoneIndexLike, rules: VisitRules, sink: VisitSink) {
    this.#index = index;
    this.#insides = insidesOf(index);
    this.#segments = this.#insides?.segments;
    this.#rules = rules;
    this.#sink = sink;
  }

  /** The stays at the first fix. */
  start(time: number, lon: number, lat: number): Stays {
    let stays: Stays = null;
    for (const id of this.#idsAt(lon, lat)) stays = kept(stays, id, atStart(id, time, this.#rules));
    return stays;
  }

  /** The zones at a position that is asked for once: what a tree finds is enough, and no cell is to be worked out for it. */
  #idsAt(lon: number, lat: number): readonly string[] {
    const segments = this.#segments;
    if (segments === undefined) return this.#index.at([lon, lat]);
    segments.segment.set([lon, lat, lon, lat]);
    const count = segments.find();
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      // Of a segment of no length every stay begins at 0; one zone may have two.
      const id = this.#insides!.idOf(segments.zones[i]!);
      if (segments.starts[i] === 0) ids.push(id);
    }
    return ids;
  }

  /** Says where the next step begins, and what is known of the unit's safe region. */
  from({ time, lon, lat }: Place, around: SafeRegion | null = null): void {
    this.startTime = time;
    this.#fromLon = lon;
    this.#fromLat = lat;
    this.#around = around;
  }

  /** A memory for the steps of one unit; null where the index has no use for one. */
  safeRegion(): SafeRegion | null {
    return this.#segments?.safeRegion() ?? null;
  }

  /** The stays after the step to a fix; an accuracy of 0 or less is unknown. Visits that end go to the sink. */
  to({ time, lon, lat, accuracyMeters }: Place & { readonly accuracyMeters: number }, stays: Stays): Stays {
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
    const zone = (this.#insides ?? this.#index).prepared?.(zoneId);
    return !zone || zone.signedDistanceMeters(this.#toLon, this.#toLat) > allowance;
  }

  #isGap(): boolean {
    const { maxGapMs, maxGapMeters } = this.#rules;
    if (isGapStep(this.endTime - this.startTime, this.#fromLon, this.#toLon, maxGapMs)) return true;
    return maxGapMeters < Number.POSITIVE_INFINITY && this.#stepMeters(maxGapMeters) > maxGapMeters;
  }

  #passSegment(before: Stays): Stays {
    if (this.#isStill()) {
      let stays = before;
      for (const stay of before?.values() ?? [])
        stays = this.#through(stays, stay.zoneId, stay.exit ? NONE : ALL);
      return stays;
    }
    const segments = this.#segments;
    return segments === undefined ? this.#passCrossings(before) : this.#passFound(segments, before);
  }

  /** A step that does not move, or meets no border, stays where the unit is, without asking the index. */
  #isStill(): boolean {
    if (this.#fromLon === this.#toLon && this.#fromLat === this.#toLat) return true;
    const segments = this.#segments;
    if (segments === undefined) return false;
    const { segment } = segments;
    segment[0] = this.#fromLon;
    segment[1] = this.#fromLat;
    segment[2] = this.#toLon;
    segment[3] = this.#toLat;
    // After an edit the step is looked at: a zone may have come under the unit.
    const around = this.#around;
    return around !== null && around.seenVersion === segments.version && segments.staysInSafeRegion(around);
  }

  #through(stays: Stays, id: string, fractions: readonly number[]): Stays {
    const stay = stays?.get(id) ?? null;
    const next = throughSegment(stay, id, this, fractions, this.#rules, this.#sink);
    return next === stay ? stays : kept(stays, id, next);
  }

  #passFound(segments: SegmentStays, before: Stays): Stays {
    const around = this.#around;
    const count = segments.find(around);
    if (around !== null) around.seenVersion = segments.version;
    if (count === 0 && before === null) return null;
    if (count > FEW) return this.#passEach(this.#fractionsOf(segments, count), before);
    let stays = before;
    const { zones, starts, stops } = segments;
    for (let i = 0; i < count; i++) {
      const zone = zones[i]!;
      let isFirst = true;
      for (let k = 0; k < i && isFirst; k++) isFirst = zones[k] !== zone;
      if (!isFirst) continue;
      const isWhole = starts[i] === 0 && stops[i] === 1;
      const fractions = isWhole ? ALL : [starts[i]!, stops[i]!];
      // A zone that holds the whole step has one stay.
      for (let k = i + 1; k < count && !isWhole; k++)
        if (zones[k] === zone) (fractions as number[]).push(starts[k]!, stops[k]!);
      stays = this.#through(stays, this.#insides!.idOf(zone), fractions);
    }
    if (before === null) return stays;
    // Then the zones that the step has left: what was found is in none of them.
    for (const id of before.keys()) if (!this.#isFound(id, count)) stays = this.#through(stays, id, NONE);
    return stays;
  }

  #isFound(id: string, count: number): boolean {
    const { zones } = this.#segments!;
    for (let i = 0; i < count; i++) if (this.#insides!.idOf(zones[i]!) === id) return true;
    return false;
  }

  /** What was found, by zone: where many zones are met, looking for each among all costs more than a map. */
  #fractionsOf({ zones, starts, stops }: SegmentStays, count: number): Map<string, number[]> {
    const fractions = new Map<string, number[]>();
    for (let i = 0; i < count; i++) {
      addStay(fractions, this.#insides!.idOf(zones[i]!), starts[i]!, stops[i]!);
    }
    return fractions;
  }

  #passCrossings(before: Stays): Stays {
    const fractions = new Map<string, number[]>();
    for (const { id, from, to } of this.#index.crossing(
      [this.#fromLon, this.#fromLat],
      [this.#toLon, this.#toLat],
    )) {
      addStay(fractions, id, from, to);
    }
    return this.#passEach(fractions, before);
  }

  /** Those that the step meets in the order in which it does, then those that it has left. */
  #passEach(fractions: Map<string, number[]>, before: Stays): Stays {
    for (const id of before?.keys() ?? []) if (!fractions.has(id)) fractions.set(id, []);
    let stays = before;
    for (const [id, list] of fractions) stays = this.#through(stays, id, list);
    return stays;
  }

  #passGap(before: Stays): Stays {
    const inside = new Set(this.#idsAt(this.#toLon, this.#toLat));
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

function addStay(fractions: Map<string, number[]>, id: string, from: number, to: number): void {
  const list = fractions.get(id);
  if (list) list.push(from, to);
  else fractions.set(id, [from, to]);
}

/** `stays` with one zone's stay set or taken out. */
export function kept(stays: Stays, id: string, stay: Stay | null): Stays {
  if (stay) return (stays ?? new Map<string, Stay>()).set(id, stay);
  if (stays?.delete(id) && stays.size === 0) return null;
  return stays;
}
