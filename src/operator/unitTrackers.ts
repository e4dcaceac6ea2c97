/** Visits, opening hours, movement and speeding of many units in memory: an operator without the runs of trips. */

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
import {
  firstDemand,
  type KnownHistory,
  type RebuildSpan,
  rebuildSpan,
  type SpanScope,
} from './lastTimeOf.js';
import type { OperatorOptions, OperatorPlaces } from './operatorOptions.js';
import { type TrackedEvent, type TrackedPart, type UnitAnalyses, unitAnalyses } from './unitAnalyses.js';
import {
  afterAnchor,
  describedHours,
  describedMovement,
  describedSpeeding,
  describedVisits,
  reviseHours,
  reviseMovement,
  reviseSpeeding,
  reviseVisits,
  speedingFrom,
} from './unitEvents.js';
import { eventsOfPart, type PartEvent, type UnitEvents } from './unitOutput.js';

/** The history from which a unit is computed again. */
export interface TrackedHistory extends KnownHistory {
  /** Fixes by time; at one time, the preferred fix first. */
  readonly fixes: readonly Fix[];
  /** Time at which the log received the last fix, epoch milliseconds, if known. */
  readonly receivedAt: number | undefined;
}

/** Number of fixes between two yields of a rebuild, about a millisecond of work. */
const SLICE_FIXES = 32;

export class UnitTrackers {
  readonly #options: OperatorOptions;
  readonly #evidenceMs: number;
  #places: OperatorPlaces;
  #analyses: UnitAnalyses;
  readonly #stream: UnitStream;
  /** By unit: time of the earliest late fix that no rebuild has included, epoch milliseconds. */
  readonly #lateFrom = new Map<string, number>();
  /** By unit: its own clock, epoch milliseconds, where `advance` has raised it alone. */
  readonly #clocks = new Map<string, number>();

  /** `clock`: the last time input, epoch milliseconds; -Infinity before the first. */
  constructor(places: OperatorPlaces, options: OperatorOptions, clock: number) {
    this.#options = options;
    this.#places = places;
    const maxGapSeconds = readOption(
      VISIT_OPTIONS.maxGapSeconds,
      options.maxGapSeconds,
      'options.maxGapSeconds',
    );
    // A speed depends on the gaps before and after it, and on a reference before them.
    this.#evidenceMs = 2 * maxGapSeconds * 1000 + REFERENCE_MS;
    this.#analyses = unitAnalyses(places, options);
    this.#stream = new UnitStream(this.#analyses.all, readStreamRules(options));
    if (Number.isFinite(clock)) this.#stream.advance(clock);
  }

  /** The clock of all units, epoch milliseconds; -Infinity before the first `advance`. */
  get clock(): number {
    return this.#stream.clock;
  }

  /** The clock of a unit: its own, or that of all units if it is later. */
  clockOf(unitId: string): number {
    return Math.max(this.#stream.clock, this.#clocks.get(unitId) ?? Number.NEGATIVE_INFINITY);
  }

  has(unitId: string): boolean {
    return this.#stream.get(unitId) !== null;
  }

  /** Sets the unit's settings from its next fix on. Errors: those of `MovementTracker.configure` and `SpeedingTracker.configure`. */
  configure(unitId: string, settings: UnitSettings | null): void {
    this.#stream.configure(unitId, settings);
  }

  push(unitId: string, fix: Fix, receivedAt: number | undefined): TrackedEvent[] {
    const late = this.lateCount(unitId);
    this.#stream.push(unitId, fix, receivedAt ?? null);
    if (this.lateCount(unitId) > late) this.demand(unitId, Math.round(fix.time));
    return this.#analyses.take();
  }

  /** The events of all units, sorted by unit id: the stream's own order is that of arrival, which a restart cannot reproduce. */
  advance(time: number): TrackedEvent[] {
    this.#stream.advance(time);
    return this.#analyses
      .take()
      .sort(({ event: a }, { event: b }) => (a.unitId < b.unitId ? -1 : a.unitId > b.unitId ? 1 : 0));
  }

  /** Raises the clock of one unit that is followed. */
  advanceUnit(unitId: string, time: number): TrackedEvent[] {
    if (!this.has(unitId)) return [];
    const clock = Math.max(this.clockOf(unitId), time);
    this.#clocks.set(unitId, clock);
    this.#stream.advanceUnit(unitId, clock);
    return this.#analyses.take();
  }

  compareZones(unitId: string): TrackedEvent[] {
    const unit = this.#stream.get(unitId);
    if (unit !== null) this.#analyses.visits.compareZones(unit.states['visits'] as VisitState, unit);
    return this.#analyses.take();
  }

  /** Replaces the places. */
  exchange(places: OperatorPlaces): void {
    this.#places = places;
    this.#analyses = unitAnalyses(places, this.#options, this.#analyses.movement);
    this.#stream.exchange(this.#analyses.all);
  }

  /** The unit's watermark, epoch milliseconds; -Infinity before its first fix. */
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

  /** Takes over a unit that no other code holds, with its clock. A part without a state begins with the next fix, by the unit's settings. */
  adopt(unit: PlainUnit, lateFrom: number | null, clock: number | null): void {
    this.#stream.adopt(unit);
    if (clock !== null && clock > this.#stream.clock) this.#clocks.set(unit.id, clock);
    if (lateFrom !== null) this.#lateFrom.set(unit.id, lateFrom);
  }

  forget(unitId: string): void {
    this.#stream.forget(unitId);
    this.#lateFrom.delete(unitId);
    this.#clocks.delete(unitId);
  }

  /** Number of late fixes of the unit so far. */
  lateCount(unitId: string): number {
    return this.#stream.get(unitId)?.intake.late ?? 0;
  }

  /** Time of the earliest late fix that no rebuild of the unit has included, epoch milliseconds; `null`: no such fix. */
  lateFrom(unitId: string): number | null {
    return this.#lateFrom.get(unitId) ?? null;
  }

  /** Demands a rebuild of the fixes from `time` on (epoch milliseconds), as a late fix does. */
  demand(unitId: string, time: number): void {
    this.#lateFrom.set(unitId, Math.min(this.#lateFrom.get(unitId) ?? time, time));
  }

  /** Start of the history that a rebuild needs, epoch milliseconds; `null`: the unit's first fix. */
  demandFrom(unitId: string, runsFrom: number = Number.POSITIVE_INFINITY): number | null {
    return firstDemand(this.#scope(unitId, runsFrom));
  }

  /** The span of a rebuild, or the start of the history if more is needed. */
  span(
    unitId: string,
    known: KnownHistory,
    runsFrom: number = Number.POSITIVE_INFINITY,
  ): RebuildSpan | { readonly demand: number | null } {
    return rebuildSpan(this.#scope(unitId, runsFrom), known);
  }

  /**
   * Computes the unit again, and returns the events that turn the emitted events into those of the history. Yields after each 32 fixes. The
   * unit changes only at the end.
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
    const clock = this.clockOf(unitId);
    if (Number.isFinite(clock)) for (const { event } of fresh.advance(clock)) present.push(event);
    const lateFrom = this.#lateFrom.get(unitId) ?? Number.NEGATIVE_INFINITY;
    this.forget(unitId);
    const rebuilt = fresh.state(unitId);
    if (rebuilt !== null) this.adopt(rebuilt, null, Number.isFinite(clock) ? clock : null);
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
