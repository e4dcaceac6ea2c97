/** Visits, hours, movement and speeding of many units, in memory: all of an operator but the runs of trips. */

import type { Fix } from '../core/fix.js';
import { readOption } from '../core/options.js';
import type { UnitSettings } from '../core/trackSettings.js';
import { REFERENCE_MS } from '../tracks/speeding/judgeSpeeds.js';
import { StateReader } from '../tracks/stateReader.js';
import type { Visit } from '../tracks/visit.js';
import { VISIT_OPTIONS } from '../tracks/visitRules.js';
import { describedHours, reviseHours } from './hoursEvents.js';
import { afterAnchor, describedMovement, reviseMovement } from './movementEvents.js';
import { movementPart } from './movementPart.js';
import type { OperatorOptions } from './operatorOptions.js';
import type { OperatorPlaces } from './operatorPlaces.js';
import { eventsOfPart, type PartEvent } from './partOf.js';
import type { PartTracker, TrackedPart } from './partTracker.js';
import {
  firstDemand,
  type KnownHistory,
  type RebuildSpan,
  rebuildSpan,
  type SpanScope,
} from './rebuildSpan.js';
import { describedSpeeding, reviseSpeeding, speedingFrom } from './speedingEvents.js';
import { type SpeedingTrackerPart, speedingPart } from './speedingTrackerPart.js';
import type { UnitEvents } from './unitOutput.js';
import { describedVisits, reviseVisits } from './visitEvents.js';
import { type VisitTrackerPart, visitPart } from './visitTrackerPart.js';

/** An event with the name of its part. */
export type TrackedEvent = {
  readonly [Part in TrackedPart]: { readonly of: Part; readonly event: UnitEvents[Part] };
}[TrackedPart];

/** The states of the parts of a unit. */
export type TrackedStates = Partial<Record<TrackedPart, object>>;

/** What a rebuild computes from. */
export interface TrackedHistory extends KnownHistory {
  /** In order of time; of one time, the preferred one first. */
  readonly fixes: readonly Fix[];
  /** When the log received the last of them, if it is known. */
  readonly receivedAt: number | undefined;
}

/** Fixes that a rebuild takes between two pauses, some milliseconds. */
const SLICE_FIXES = 1000;

export class UnitTrackers {
  readonly #options: OperatorOptions;
  readonly #evidenceMs: number;
  #places: OperatorPlaces;
  #visits: VisitTrackerPart;
  readonly #movement: PartTracker<'movement'>;
  #speeding: SpeedingTrackerPart;
  #clock: number;
  /** The number of late fixes so far, by unit. */
  readonly #lateCounts = new Map<string, number>();
  /** The earliest late fix that no rebuild has taken, by unit. */
  readonly #lateFrom = new Map<string, number>();
  readonly #settings = new Map<string, UnitSettings>();
  readonly #units = new Set<string>();

  /** `clock`: the last time; -Infinity before the first. */
  constructor(places: OperatorPlaces, options: OperatorOptions, clock: number) {
    this.#options = options;
    this.#places = places;
    this.#clock = clock;
    const maxGapSeconds = readOption(
      VISIT_OPTIONS.maxGapSeconds,
      options.maxGapSeconds,
      'options.maxGapSeconds',
    );
    // A speed is decided by the gaps before and after it and by a reference before them.
    this.#evidenceMs = 2 * maxGapSeconds * 1000 + REFERENCE_MS;
    const scope = { places, options, clock };
    this.#visits = visitPart(scope);
    this.#movement = movementPart(scope);
    this.#speeding = speedingPart(scope);
  }

  get clock(): number {
    return this.#clock;
  }

  has(unitId: string): boolean {
    return this.#units.has(unitId);
  }

  /** The unit's settings from its next fix on. Errors: those of `MovementTracker.configure` and `SpeedingTracker.configure`. */
  configure(unitId: string, settings: UnitSettings | null): void {
    for (const part of this.#all()) part.configure(unitId, settings);
    this.#units.add(unitId);
    if (settings === null) this.#settings.delete(unitId);
    else this.#settings.set(unitId, settings);
  }

  settings(unitId: string): UnitSettings | null {
    return this.#settings.get(unitId) ?? null;
  }

  push(unitId: string, fix: Fix, receivedAt: number | undefined): TrackedEvent[] {
    this.#units.add(unitId);
    const events: TrackedEvent[] = [];
    for (const event of this.#visits.push(unitId, fix, receivedAt)) events.push({ of: 'visits', event });
    const late = this.#visits.late(unitId);
    if (late > (this.#lateCounts.get(unitId) ?? 0)) {
      this.#lateCounts.set(unitId, late);
      this.demand(unitId, Math.round(fix.time));
      return events;
    }
    for (const event of this.#movement.push(unitId, fix, receivedAt)) events.push({ of: 'movement', event });
    for (const event of this.#speeding.push(unitId, fix, receivedAt)) events.push({ of: 'speeding', event });
    return events;
  }

  /** The events of each unit, in order of their ids: trackers keep the order of arrival, which a restart cannot reproduce. */
  advance(time: number): TrackedEvent[] {
    this.#clock = Math.max(this.#clock, time);
    const events = this.#all().flatMap((part) => tracked(part.name, part.advance(time)));
    return events.sort(({ event: a }, { event: b }) =>
      a.unitId < b.unitId ? -1 : a.unitId > b.unitId ? 1 : 0,
    );
  }

  compareZones(unitId: string): TrackedEvent[] {
    return tracked('visits', this.#visits.compareZones(unitId));
  }

  /** Goes on over other places. */
  exchange(places: OperatorPlaces): void {
    this.#places = places;
    this.#visits = this.#visits.over(places);
    this.#speeding = this.#speeding.over(places);
  }

  watermark(unitId: string): number {
    return this.#visits.watermark(unitId);
  }

  wakeAt(unitId: string): number | null {
    const times = this.#all().flatMap((part) => part.wakeAt(unitId) ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  openVisits(unitId: string): Visit[] {
    return this.#visits.openVisits(unitId);
  }

  /** Whether no fix of the unit waits for the lateness. */
  isSettled(unitId: string): boolean {
    return this.#visits.isSettled(unitId);
  }

  state(unitId: string): TrackedStates {
    const states: TrackedStates = {};
    for (const part of this.#all()) {
      const state = part.state(unitId);
      if (state !== null) states[part.name] = state;
    }
    return states;
  }

  /** Takes over a unit. A part without a state begins with the next fix, by the unit's settings. */
  adopt(
    unitId: string,
    parts: Readonly<Partial<Record<TrackedPart, StateReader>>>,
    { settings, lateFrom }: { readonly settings: UnitSettings | null; readonly lateFrom: number | null },
  ): void {
    for (const part of this.#all()) {
      const stored = parts[part.name];
      if (stored !== undefined) part.adopt(unitId, stored);
      else if (settings !== null) part.configure(unitId, settings);
    }
    this.#units.add(unitId);
    this.#lateCounts.set(unitId, this.#visits.late(unitId));
    if (settings !== null) this.#settings.set(unitId, settings);
    if (lateFrom !== null) this.#lateFrom.set(unitId, lateFrom);
  }

  forget(unitId: string): void {
    for (const part of this.#all()) part.forget(unitId);
    for (const one of [this.#lateCounts, this.#lateFrom, this.#settings, this.#units]) one.delete(unitId);
  }

  /** Number of late fixes of the unit so far. */
  lateCount(unitId: string): number {
    return this.#lateCounts.get(unitId) ?? 0;
  }

  /** The earliest late fix of the unit that no rebuild has taken; `null`: none. */
  lateFrom(unitId: string): number | null {
    return this.#lateFrom.get(unitId) ?? null;
  }

  /** Asks for a rebuild from `time` on, as a late fix does. */
  demand(unitId: string, time: number): void {
    this.#lateFrom.set(unitId, Math.min(this.#lateFrom.get(unitId) ?? time, time));
  }

  /** Where the history for a rebuild must begin; `null`: at the first fix. */
  demandFrom(unitId: string, runsFrom: number = Number.POSITIVE_INFINITY): number | null {
    return firstDemand(this.#scope(unitId, runsFrom));
  }

  /** The span of a rebuild, or where the history must begin instead. */
  span(
    unitId: string,
    known: KnownHistory,
    runsFrom: number = Number.POSITIVE_INFINITY,
  ): RebuildSpan | { readonly demand: number | null } {
    return rebuildSpan(this.#scope(unitId, runsFrom), known);
  }

  /**
   * Computes the unit again, and returns what turns the emitted events into those of the history. Pauses after each 1,000 fixes. The trackers change only at
   * its end.
   */
  *rebuild(
    unitId: string,
    span: RebuildSpan,
    history: TrackedHistory,
  ): Generator<void, TrackedEvent[], void> {
    const { start, anchor, emitted } = span;
    const fresh = new UnitTrackers(this.#places, this.#options, Number.NEGATIVE_INFINITY);
    const settings = this.settings(unitId);
    if (settings !== null) fresh.configure(unitId, settings);
    if (this.#speeding.isFollowed(unitId)) fresh.#speeding.follow(unitId);
    const present: PartEvent[] = [];
    let count = 0;
    for (const fix of history.fixes) {
      if (Math.round(fix.time) < start) continue;
      for (const { event } of fresh.push(unitId, fix, history.receivedAt)) present.push(event);
      if (++count % SLICE_FIXES === 0) yield;
    }
    if (Number.isFinite(this.#clock)) for (const { event } of fresh.advance(this.#clock)) present.push(event);
    const lateFrom = this.#lateFrom.get(unitId) ?? Number.NEGATIVE_INFINITY;
    this.#replace(unitId, fresh);
    return this.#changes(unitId, { start, lateFrom, anchor }, emitted, present);
  }

  /** The parts, in the order of their events at one moment. */
  #all(): readonly PartTracker<TrackedPart>[] {
    return [this.#visits, this.#movement, this.#speeding];
  }

  #scope(unitId: string, runsFrom: number): SpanScope {
    const lateFrom = this.#lateFrom.get(unitId) ?? Number.NEGATIVE_INFINITY;
    return { lateFrom, runsFrom, open: this.#visits.openVisits(unitId), evidenceMs: this.#evidenceMs };
  }

  /** The unit as the fresh trackers know it, without a late fix. */
  #replace(unitId: string, fresh: UnitTrackers): void {
    for (const part of this.#all()) part.forget(unitId);
    const states = fresh.state(unitId);
    for (const part of this.#all()) {
      const state = states[part.name];
      if (state !== undefined) part.adopt(unitId, new StateReader(state, 'state'));
    }
    if (fresh.#speeding.isFollowed(unitId)) this.#speeding.follow(unitId);
    this.#units.add(unitId);
    this.#lateCounts.set(unitId, this.#visits.late(unitId));
    this.#lateFrom.delete(unitId);
  }

  #changes(
    unitId: string,
    { start, lateFrom, anchor }: Pick<RebuildSpan, 'start' | 'anchor'> & { readonly lateFrom: number },
    emitted: readonly PartEvent[],
    present: readonly PartEvent[],
  ): TrackedEvent[] {
    const both = <Item>(items: (events: readonly PartEvent[]) => Item[]): readonly [Item[], Item[]] => [
      items(emitted),
      items(present),
    ];
    const of = eventsOfPart;
    const visits = both((events) => describedVisits(of('visits', events)));
    const hours = both((events) => describedHours(of('visits', events)).filter(({ time }) => time >= start));
    const movement = both((events) => afterAnchor(describedMovement(of('movement', events)), anchor));
    const speeding = both((events) =>
      speedingFrom(describedSpeeding(of('speeding', events)), lateFrom, this.#evidenceMs),
    );
    return [
      ...tracked('visits', reviseVisits(unitId, ...visits)),
      ...tracked('visits', reviseHours(unitId, ...hours)),
      ...tracked('movement', reviseMovement(unitId, ...movement)),
      ...tracked('speeding', reviseSpeeding(unitId, ...speeding)),
    ];
  }
}

function tracked<Part extends TrackedPart>(of: Part, events: readonly UnitEvents[Part][]): TrackedEvent[] {
  return events.map((event) => ({ of, event }) as unknown as TrackedEvent);
}
