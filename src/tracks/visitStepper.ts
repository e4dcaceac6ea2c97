/** Applies one step of a unit, from fix to fix, to every zone that the unit is in or that the step meets. */

import type { TimedPosition } from '../core/fix.js';
import { decidedDistance } from '../geodesy/distanceMeters.js';
import { type IndexInternals, internalsOf, type SegmentIntervals } from '../zones/index/index.js';
import { isGapStep, SEEN } from './blindStep.js';
import { grownMeters, type MileageBefore, type MileageGrown } from './fixFilter.js';
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

const NONE: readonly number[] = [];
const ALL: readonly number[] = [0, 1];
/** Up to this many intervals and dwells of a step are matched without a map. */
const FEW = 32;

/** Drives the state machine of visits. One object serves all steps, so that a step that meets no zone allocates almost nothing. */
export class VisitStepper implements Segment {
  startTime: number = 0;
  endTime: number = 0;
  readonly #index: ZoneIndexLike;
  readonly #internals: IndexInternals | null;
  readonly #segments: SegmentIntervals | undefined;
  readonly #rules: VisitRules;
  readonly #sink: VisitSink;
  #fromLon = 0;
  #fromLat = 0;
  #toLon = 0;
  #toLat = 0;
  #accuracyMeters = 0;
  #grownMeters = 0;
  #blind: number = SEEN;

  constructor(index: ZoneIndexLike, rules: VisitRules, sink: VisitSink) {
    this.#index = index;
    this.#internals = internalsOf(index);
    this.#segments = this.#internals?.segments;
    this.#rules = rules;
    this.#sink = sink;
  }

  /** The dwells at the first fix. */
  start({ time, lon, lat }: TimedPosition): Dwell[] {
    return [...new Set(this.#idsAt(lon, lat))].map((id) => atStart(id, time, this.#rules));
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
      const id = this.#internals!.idOf(segments.zones[i]!);
      if (segments.starts[i] === 0) ids.push(id);
    }
    return ids;
  }

  /**
   * Applies the step from fix to fix to the dwells of a unit, at most one of a zone, in place. Visits that end go to the sink. An accuracy of 0 or less
   * is unknown. `blind` is the step's entry of `Track.blind`.
   */
  step(
    from: TimedPosition & MileageBefore,
    to: TimedPosition & MileageGrown & { readonly accuracyMeters: number },
    blind: number,
    dwells: Dwell[],
  ): void {
    this.startTime = from.time;
    this.#fromLon = from.lon;
    this.#fromLat = from.lat;
    this.endTime = to.time;
    this.#toLon = to.lon;
    this.#toLat = to.lat;
    this.#accuracyMeters = to.accuracyMeters;
    this.#grownMeters = grownMeters(from, to);
    this.#blind = blind;
    if (this.#isGap()) this.#passGap(dwells);
    else this.#passSegment(dwells);
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
    const zone = (this.#internals ?? this.#index).prepared?.(zoneId);
    return !zone || zone.signedDistanceMeters(this.#toLon, this.#toLat) > allowance;
  }

  #isGap(): boolean {
    const { maxGapMs, maxGapMeters } = this.#rules;
    if (isGapStep(this.endTime - this.startTime, this.#fromLon, this.#toLon, maxGapMs, this.#blind))
      return true;
    return maxGapMeters < Number.POSITIVE_INFINITY && this.#stepMeters(maxGapMeters) > maxGapMeters;
  }

  #passSegment(dwells: Dwell[]): void {
    // A step of length 0 crosses no border, and the index need not be asked.
    if (this.#fromLon === this.#toLon && this.#fromLat === this.#toLat)
      this.#throughAll(dwells, ({ exit }) => (exit ? NONE : ALL));
    else if (this.#segments === undefined) this.#passCrossings(dwells);
    else this.#passFound(this.#segments, dwells);
  }

  /** Applies the step to dwells of a list, each with its intervals; null: not to this one. */
  #throughAll(dwells: Dwell[], fractionsOf: (dwell: Dwell) => readonly number[] | null): void {
    for (let i = 0; i < dwells.length; ) {
      const dwell = dwells[i]!;
      const fractions = fractionsOf(dwell);
      const isLeft = fractions !== null && this.#through(dwell, dwell.zoneId, fractions) === null;
      if (isLeft) dwells.splice(i, 1);
      else i++;
    }
  }

  /** The dwell in a zone after the step. It is the same object, changed, while the unit stays. */
  #through(dwell: Dwell | null, zoneId: string, fractions: readonly number[]): Dwell | null {
    return throughSegment(dwell, zoneId, this, fractions, this.#rules, this.#sink);
  }

  #passFound(segments: SegmentIntervals, dwells: Dwell[]): void {
    const count = segments.from(this.#fromLon, this.#fromLat, this.#toLon, this.#toLat).find();
    if (count === 0 && dwells.length === 0) return;
    if (count > FEW || dwells.length > FEW) {
      this.#passEach(this.#fractionsOf(segments, count), dwells);
      return;
    }
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
      this.#throughZone(dwells, this.#internals!.idOf(zone), fractions);
    }
    // Then the zones in which the step has no interval.
    this.#throughAll(dwells, ({ zoneId }) => (this.#isFound(zoneId, count) ? null : NONE));
  }

  #throughZone(dwells: Dwell[], zoneId: string, fractions: readonly number[]): void {
    let i = 0;
    while (i < dwells.length && dwells[i]!.zoneId !== zoneId) i++;
    const dwell = this.#through(dwells[i] ?? null, zoneId, fractions);
    if (dwell !== null) dwells[i] = dwell;
    else if (i < dwells.length) dwells.splice(i, 1);
  }

  #isFound(id: string, count: number): boolean {
    const { zones } = this.#segments!;
    for (let i = 0; i < count; i++) if (this.#internals!.idOf(zones[i]!) === id) return true;
    return false;
  }

  /** The intervals by zone. With many zones a map costs less than the search for equal zones. */
  #fractionsOf({ zones, starts, stops }: SegmentIntervals, count: number): Map<string, number[]> {
    const fractions = new Map<string, number[]>();
    for (let i = 0; i < count; i++) {
      addInterval(fractions, this.#internals!.idOf(zones[i]!), starts[i]!, stops[i]!);
    }
    return fractions;
  }

  #passCrossings(dwells: Dwell[]): void {
    const fractions = new Map<string, number[]>();
    for (const { id, from, to } of this.#index.crossing(
      [this.#fromLon, this.#fromLat],
      [this.#toLon, this.#toLat],
    )) {
      addInterval(fractions, id, from, to);
    }
    this.#passEach(fractions, dwells);
  }

  /** Zones that the step meets, in the order of their first interval, then zones that it does not meet any more. */
  #passEach(fractions: Map<string, number[]>, dwells: Dwell[]): void {
    const byZone = new Map(dwells.map((dwell) => [dwell.zoneId, dwell]));
    for (const id of byZone.keys()) if (!fractions.has(id)) fractions.set(id, []);
    for (const [id, list] of fractions) keep(byZone, id, this.#through(byZone.get(id) ?? null, id, list));
    refill(dwells, byZone);
  }

  #passGap(dwells: Dwell[]): void {
    const inside = new Set(this.#idsAt(this.#toLon, this.#toLat));
    const times = [this.startTime, this.endTime] as const;
    const { parkedMeters } = this.#rules;
    const isNear =
      inside.size > 0 &&
      dwells.length > 0 &&
      this.#grownMeters <= parkedMeters &&
      this.#stepMeters(parkedMeters) <= parkedMeters;
    const byZone = new Map(dwells.map((dwell) => [dwell.zoneId, dwell]));
    for (const id of new Set([...byZone.keys(), ...inside])) {
      const dwell = byZone.get(id) ?? null;
      const wasInside = dwell !== null && dwell.exit === null;
      const next = !inside.has(id) ? 'outside' : isNear && wasInside ? 'parked' : 'inside';
      keep(byZone, id, acrossGap(dwell, id, times, next, this.#rules, this.#sink));
    }
    refill(dwells, byZone);
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

function keep(dwells: Map<string, Dwell>, zoneId: string, dwell: Dwell | null): void {
  if (dwell === null) dwells.delete(zoneId);
  else dwells.set(zoneId, dwell);
}

function refill(dwells: Dwell[], byZone: ReadonlyMap<string, Dwell>): void {
  dwells.length = 0;
  for (const dwell of byZone.values()) dwells.push(dwell);
}
