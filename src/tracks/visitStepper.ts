/** Applies one step of a unit, from fix to fix, to every zone that the unit is in or that the step meets. */

import type { TimedPosition } from '../core/fix.js';
import { decidedDistance } from '../geodesy/inverse.js';
import { type Insides, insidesOf, type SegmentIntervals } from '../zones/index/index.js';
import { FROZEN, SEEN } from './blindStep.js';
import { isGapStep } from './isGapStep.js';
import {
  acrossGap,
  atStart,
  type Dwell,
  type Segment,
  throughSegment,
  type VisitSink,
} from './visitMachine.js';
import type { VisitRules } from './visitRules.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';

/** The dwells of one unit by zone. `null` means no dwell, so that a unit outside all zones needs no map. */
export type Dwells = Map<string, Dwell> | null;

const NONE: readonly number[] = [];
const ALL: readonly number[] = [0, 1];
/** Up to this many intervals of a step are grouped by zone without a map. */
const FEW = 32;

/** Drives the state machine of visits. One object serves all steps, so that a step that meets no zone allocates almost nothing. */
export class VisitStepper implements Segment {
  startTime: number = 0;
  endTime: number = 0;
  readonly #index: ZoneIndexLike;
  readonly #insides: Insides | null;
  readonly #segments: SegmentIntervals | undefined;
  readonly #rules: VisitRules;
  readonly #sink: VisitSink;
  #fromLon = 0;
  #fromLat = 0;
  #toLon = 0;
  #toLat = 0;
  #accuracyMeters = 0;
  #blind: number = SEEN;

  constructor(index: ZoneIndexLike, rules: VisitRules, sink: VisitSink) {
    this.#index = index;
    this.#insides = insidesOf(index);
    this.#segments = this.#insides?.segments;
    this.#rules = rules;
    this.#sink = sink;
  }

  /** The dwells at the first fix. */
  start(time: number, lon: number, lat: number): Dwells {
    let dwells: Dwells = null;
    for (const id of this.#idsAt(lon, lat)) dwells = kept(dwells, id, atStart(id, time, this.#rules));
    return dwells;
  }

  /** Ids of the zones at a position that is asked for once. The lists of boxes answer; no cell is made for the position. */
  #idsAt(lon: number, lat: number): readonly string[] {
    const segments = this.#segments;
    if (segments === undefined) return this.#index.at([lon, lat]);
    segments.segment.set([lon, lat, lon, lat]);
    const count = segments.find();
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      // Every interval of a segment of length 0 begins at 0; one zone may have two intervals.
      const id = this.#insides!.idOf(segments.zones[i]!);
      if (segments.starts[i] === 0) ids.push(id);
    }
    return ids;
  }

  /** Sets where the next step begins. */
  from({ time, lon, lat }: TimedPosition): void {
    this.startTime = time;
    this.#fromLon = lon;
    this.#fromLat = lat;
  }

  /**
   * The dwells after the step to a fix. Visits that end go to the sink. An accuracy of 0 or less is unknown. `blind` is the step's entry of
   * `Track.blind`.
   */
  to(
    { time, lon, lat, accuracyMeters }: TimedPosition & { readonly accuracyMeters: number },
    dwells: Dwells,
    blind: number,
  ): Dwells {
    this.endTime = time;
    this.#blind = blind;
    this.#toLon = lon;
    this.#toLat = lat;
    this.#accuracyMeters = accuracyMeters;
    return this.#isGap() ? this.#passGap(dwells) : this.#passSegment(dwells);
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
    if (isGapStep(this.endTime - this.startTime, this.#fromLon, this.#toLon, maxGapMs, this.#blind))
      return true;
    return maxGapMeters < Number.POSITIVE_INFINITY && this.#stepMeters(maxGapMeters) > maxGapMeters;
  }

  #passSegment(before: Dwells): Dwells {
    // A step of length 0 crosses no border.
    if (this.#fromLon === this.#toLon && this.#fromLat === this.#toLat) {
      let dwells = before;
      for (const dwell of before?.values() ?? [])
        dwells = this.#through(dwells, dwell.zoneId, dwell.exit ? NONE : ALL);
      return dwells;
    }
    const segments = this.#segments;
    return segments === undefined ? this.#passCrossings(before) : this.#passFound(segments, before);
  }

  #through(dwells: Dwells, id: string, fractions: readonly number[]): Dwells {
    const dwell = dwells?.get(id) ?? null;
    const next = throughSegment(dwell, id, this, fractions, this.#rules, this.#sink);
    return next === dwell ? dwells : kept(dwells, id, next);
  }

  #passFound(segments: SegmentIntervals, before: Dwells): Dwells {
    const count = segments.from(this.#fromLon, this.#fromLat, this.#toLon, this.#toLat).find();
    if (count === 0 && before === null) return null;
    if (count > FEW) return this.#passEach(this.#fractionsOf(segments, count), before);
    let dwells = before;
    const { zones, starts, stops } = segments;
    for (let i = 0; i < count; i++) {
      const zone = zones[i]!;
      let isFirst = true;
      for (let k = 0; k < i && isFirst; k++) isFirst = zones[k] !== zone;
      if (!isFirst) continue;
      const isWhole = starts[i] === 0 && stops[i] === 1;
      const fractions = isWhole ? ALL : [starts[i]!, stops[i]!];
      // A zone that contains the whole step has one interval.
      for (let k = i + 1; k < count && !isWhole; k++)
        if (zones[k] === zone) (fractions as number[]).push(starts[k]!, stops[k]!);
      dwells = this.#through(dwells, this.#insides!.idOf(zone), fractions);
    }
    if (before === null) return dwells;
    // Then the zones of `before` in which the step has no interval.
    for (const id of before.keys()) if (!this.#isFound(id, count)) dwells = this.#through(dwells, id, NONE);
    return dwells;
  }

  #isFound(id: string, count: number): boolean {
    const { zones } = this.#segments!;
    for (let i = 0; i < count; i++) if (this.#insides!.idOf(zones[i]!) === id) return true;
    return false;
  }

  /** The intervals by zone. With many zones a map costs less than the search for equal zones. */
  #fractionsOf({ zones, starts, stops }: SegmentIntervals, count: number): Map<string, number[]> {
    const fractions = new Map<string, number[]>();
    for (let i = 0; i < count; i++) {
      addInterval(fractions, this.#insides!.idOf(zones[i]!), starts[i]!, stops[i]!);
    }
    return fractions;
  }

  #passCrossings(before: Dwells): Dwells {
    const fractions = new Map<string, number[]>();
    for (const { id, from, to } of this.#index.crossing(
      [this.#fromLon, this.#fromLat],
      [this.#toLon, this.#toLat],
    )) {
      addInterval(fractions, id, from, to);
    }
    return this.#passEach(fractions, before);
  }

  /** Zones that the step meets, in the order of their first interval, then zones that it does not meet any more. */
  #passEach(fractions: Map<string, number[]>, before: Dwells): Dwells {
    for (const id of before?.keys() ?? []) if (!fractions.has(id)) fractions.set(id, []);
    let dwells = before;
    for (const [id, list] of fractions) dwells = this.#through(dwells, id, list);
    return dwells;
  }

  #passGap(before: Dwells): Dwells {
    const inside = new Set(this.#idsAt(this.#toLon, this.#toLat));
    const times = [this.startTime, this.endTime] as const;
    const { parkedMeters } = this.#rules;
    // A unit with a frozen position is not known to have stood there.
    const isNear =
      inside.size > 0 &&
      before !== null &&
      this.#blind !== FROZEN &&
      this.#stepMeters(parkedMeters) <= parkedMeters;
    let dwells = before;
    for (const id of new Set([...(before?.keys() ?? []), ...inside])) {
      const dwell = dwells?.get(id) ?? null;
      const wasInside = dwell !== null && dwell.exit === null;
      const next = !inside.has(id) ? 'outside' : isNear && wasInside ? 'parked' : 'inside';
      dwells = kept(dwells, id, acrossGap(dwell, id, times, next, this.#rules, this.#sink));
    }
    return dwells;
  }

  /** Metres of the step, for a comparison with `limit`. */
  #stepMeters(limit: number): number {
    return decidedDistance(this.#fromLon, this.#fromLat, this.#toLon, this.#toLat, limit);
  }
}

function addInterval(fractions: Map<string, number[]>, id: string, from: number, to: number): void {
  const list = fractions.get(id);
  if (list) list.push(from, to);
  else fractions.set(id, [from, to]);
}

/** `dwells` with the dwell in one zone replaced, or removed for null. */
export function kept(dwells: Dwells, id: string, dwell: Dwell | null): Dwells {
  if (dwell) return (dwells ?? new Map<string, Dwell>()).set(id, dwell);
  if (dwells?.delete(id) && dwells.size === 0) return null;
  return dwells;
}
