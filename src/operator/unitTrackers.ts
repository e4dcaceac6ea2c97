/** Visits, hours, movement and speeding of many units, in memory: all of an operator but the runs of trips. */

import type { Fix } from '../core/fix.js';
import { readOption } from '../core/options.js';
import type { UnitSettings } from '../core/trackSettings.js';
import { visitsInOrder } from '../tracks/findVisits.js';
import { REFERENCE_MS } from '../tracks/speeding/judgeSpeeds.js';
import { type PlainUnit, UnitStream } from '../tracks/stream/unitStream.js';
import { readStreamRules } from '../tracks/streamOptions.js';
import type { Visit } from '../tracks/visit.js';
import { OpenVisits, type VisitState } from '../tracks/visitAnalysis.js';
import { VISIT_OPTIONS } from '../tracks/visitRules.js';
import { describedHours, reviseHours } from './hoursEvents.js';
import { afterAnchor, describedMovement, reviseMovement } from './movementEvents.js';
import type { OperatorOptions } from './operatorOptions.js';
import type { OperatorPlaces } from './operatorPlaces.js';
import { eventsOfPart, type PartEvent } from './partOf.js';
import {
  firstDemand,
  type KnownHistory,
  type RebuildSpan,
  rebuildSpan,
  type SpanScope,
} from './rebuildSpan.js';
import { describedSpeeding, reviseSpeeding, speedingFrom } from './speedingEvents.js';
import { type TrackedEvent, type TrackedPart, type UnitAnalyses, unitAnalyses } from './unitAnalyses.js';
import type { UnitEvents } from './unitOutput.js';
import { describedVisits, reviseVisits } from './visitEvents.js';

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
  #analyses: UnitAnalyses;
  readonly #stream: UnitStream;
  /** The earliest late fix that no rebuild has taken, by unit. */
  readonly #lateFrom = new Map<string, number>();

  /** `clock`: the last time; -Infinity before the first. */
  constructor(places: OperatorPlaces, options: OperatorOptions, clock: number) {
    this.#options = options;
    this.#places = places;
    const maxGapSeconds = readOption(
      VISIT_OPTIONS.maxGapSeconds,
      options.maxGapSeconds,
      'options.maxGapSeconds',
    );
    // A speed is decided by the gaps before and after it and by a reference before them.
    this.#evidenceMs = 2 * maxGapSeconds * 1000 + REFERENCE_MS;
    this.#analyses = unitAnalyses(places, options);
    this.#stream = new UnitStream(this.#analyses.all, readStreamRules(options));
    if (Number.isFinite(clock)) this.#stream.advance(clock);
  }

  get clock(): number {
    return this.#stream.clock;
  }

  has(unitId: string): boolean {
    return this.#stream.get(unitId) !== null;
  }

  /** The unit's settings from its next fix on. Errors: those of `MovementTracker.configure` and `SpeedingTracker.configure`. */
  configure(unitId: string, settings: UnitSettings | null): void {
    this.#stream.configure(unitId, settings);
  }

  push(unitId: string, fix: Fix, receivedAt: number | undefined): TrackedEvent[] {
    const late = this.lateCount(unitId);
    this.#stream.push(unitId, fix, receivedAt ?? null);
    if (this.lateCount(unitId) > late) this.demand(unitId, Math.round(fix.time));
    return this.#analyses.take();
  }

  /** The events of each unit, in order of their ids: a stream keeps the order of arrival, which a restart cannot reproduce. */
  advance(time: number): TrackedEvent[] {
    this.#stream.advance(time);
    return this.#analyses
      .take()
      .sort(({ event: a }, { event: b }) => (a.unitId < b.unitId ? -1 : a.unitId > b.unitId ? 1 : 0));
  }

  compareZones(unitId: string): TrackedEvent[] {
    const unit = this.#stream.get(unitId);
    if (unit !== null) this.#analyses.visits.compareZones(unit.states['visits'] as VisitState, unit);
    return this.#analyses.take();
  }

  /** Goes on over other places. */
  exchange(places: OperatorPlaces): void {
    this.#places = places;
    this.#analyses = unitAnalyses(places, this.#options, this.#analyses.movement);
    this.#stream.exchange(this.#analyses.all);
  }

  /** Epoch milliseconds; -Infinity before the unit's first fix. */
  watermark(unitId: string): number {
    return this.#stream.watermark(unitId);
  }

  wakeAt(unitId: string): number | null {
    return this.#stream.wakeAt(unitId);
  }

  openVisits(unitId: string): Visit[] {
    const { visitRun, visits } = this.#analyses;
    const ahead = new OpenVisits(visitRun, visits);
    this.#stream.lookAhead(unitId, ahead);
    return visitsInOrder([...ahead.take()], visitRun.index);
  }

  /** Whether no fix of the unit waits for the lateness. */
  isSettled(unitId: string): boolean {
    return this.#stream.counts(unitId).pending === this.#stream.suspects(unitId);
  }

  /** The unit as plain JSON; `null` if it is unknown. */
  state(unitId: string): PlainUnit | null {
    const unit = this.#stream.get(unitId);
    return unit === null ? null : this.#stream.plain(unit);
  }

  /** Takes over a unit that nobody else holds. A part without a state begins with the next fix, by the unit's settings. */
  adopt(unit: PlainUnit, lateFrom: number | null): void {
    this.#stream.adopt(unit);
    if (lateFrom !== null) this.#lateFrom.set(unit.id, lateFrom);
  }

  forget(unitId: string): void {
    this.#stream.forget(unitId);
    this.#lateFrom.delete(unitId);
  }

  /** Number of late fixes of the unit so far. */
  lateCount(unitId: string): number {
    return this.#stream.get(unitId)?.intake.late ?? 0;
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
   * Computes the unit again, and returns what turns the emitted events into those of the history. Pauses after each 1,000 fixes. The unit changes only at
   * its end.
   */
  *rebuild(
    unitId: string,
    span: RebuildSpan,
    history: TrackedHistory,
  ): Generator<void, TrackedEvent[], void> {
    const { start, anchor, emitted } = span;
    const fresh = new UnitTrackers(this.#places, this.#options, Number.NEGATIVE_INFINITY);
    const known = this.#stream.get(unitId);
    if (known !== null) fresh.#stream.openLike(known);
    const present: PartEvent[] = [];
    let count = 0;
    for (const fix of history.fixes) {
      if (Math.round(fix.time) < start) continue;
      for (const { event } of fresh.push(unitId, fix, history.receivedAt)) present.push(event);
      if (++count % SLICE_FIXES === 0) yield;
    }
    const { clock } = this.#stream;
    if (Number.isFinite(clock)) for (const { event } of fresh.advance(clock)) present.push(event);
    const lateFrom = this.#lateFrom.get(unitId) ?? Number.NEGATIVE_INFINITY;
    this.forget(unitId);
    const rebuilt = fresh.state(unitId);
    if (rebuilt !== null) this.#stream.adopt(rebuilt);
    return this.#changes(unitId, { start, lateFrom, anchor }, emitted, present);
  }

  #scope(unitId: string, runsFrom: number): SpanScope {
    const lateFrom = this.#lateFrom.get(unitId) ?? Number.NEGATIVE_INFINITY;
    return { lateFrom, runsFrom, open: this.openVisits(unitId), evidenceMs: this.#evidenceMs };
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
