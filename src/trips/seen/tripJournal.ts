/** The journal of a unit for a trip: its visits with the evidence of stops, its holes, and its way. */

import type { TimedPosition } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { blindWord, SEEN } from '../../tracks/blindStep.js';
import type { CleanFix } from '../../tracks/fixReader.js';
import type { Visit } from '../../tracks/visit.js';
import { atEnd, type Dwell, type VisitSink } from '../../tracks/visitMachine.js';
import { VisitStepper } from '../../tracks/visitStepper.js';
import type { Hole, TimeRange } from './holes.js';
import type { JournalRules, WatchedVisit } from './journalRules.js';
import { hasRest, newRestFinder, type RestFinder, type RestMarks, type Rests } from './restFinder.js';
import type { RunUnit } from './runUnit.js';
import type { Settlement } from './settlement.js';
import { isGap, type Next, Odometer, type Sighted, stepKind } from './stepKind.js';
import type { TripRun } from './tripRun.js';
import { seenSpan } from './tripStay.js';
import { dwellsSinceAmended, movedTo, type NextStep, sinceAmended, type ZoneMoves } from './zoneMoves.js';
import { reportsMotion, type Step, ZoneWatch } from './zoneWatch.js';

/** The state of a journal at a fix, as far as later fixes at the same place change it. */
export interface Placed {
  readonly last: Sighted;
  readonly watches: ReadonlyMap<string, ZoneWatch>;
  readonly holes: number;
  readonly hasFixInWindow: boolean;
  readonly hasMotion: boolean;
  readonly rests: RestMarks;
}

/** A visit under way. */
interface OpenVisit extends WatchedVisit {
  /** Time of its last fix in the zone; `null` before the first one. */
  readonly lastInside: number | null;
}

export class TripJournal implements VisitSink {
  /** The visits that ended. */
  readonly visits: WatchedVisit[] = [];
  /** Holes between two fixes whose second fix is in the window or after it. */
  readonly holes: Hole[] = [];
  /** By zone: watches of current visits, and of zones that the unit left and is still near. */
  readonly watches: Map<string, ZoneWatch> = new Map<string, ZoneWatch>();
  odometer: Odometer;
  /** Where the unit stood. */
  rests: RestFinder;
  /** The settlements of the amendments so far. */
  readonly settlements: Settlement[] = [];
  /** The run as amended so far, without excuses. */
  run: TripRun;
  /** Raised by everything that may change the events of a report, except time. */
  version = 0;
  /** Number of cancellations that came when the run was over. */
  cancelsPassed = 0;
  /** Whether the next cancellation ended the run. */
  isClosed = false;
  /** The step after the last fix, as known when the run was cancelled; `null` before that. */
  closedNext: Next | null = null;
  first: TimedPosition | null = null;
  last: Sighted | null = null;
  hasFixInWindow = false;
  /** Whether the unit in charge has reported a speed at which it moves, so that a speed of 0 is evidence (T18). */
  hasMotion = false;
  /** The state at the first of the successive fixes at one place; `null` while there is only one. */
  placed: Placed | null = null;
  rules: JournalRules;
  #stepper: VisitStepper;
  /** The amendment on the step that is being applied. */
  #amended: ZoneMoves | null = null;
  #fix: Sighted | null = null;
  #step: Step | null = null;
  /** The zones whose current visit is confirmed. */
  #confirmed = new Set<string>();
  /** The zones in whose current visit the unit rested long enough, or may have. */
  #rested = new Map<string, keyof Rests>();

  constructor(rules: JournalRules, run: TripRun) {
    this.rules = rules;
    this.run = run;
    this.odometer = new Odometer(rules.wayTimes);
    this.rests = newRestFinder(rules);
    this.#stepper = new VisitStepper(rules.index, rules.visitRules, this);
  }

  /** An independent copy. */
  copy(): TripJournal {
    const fork = new TripJournal(this.rules, this.run);
    fork.settlements.push(...this.settlements);
    fork.cancelsPassed = this.cancelsPassed;
    fork.visits.push(...this.visits);
    fork.holes.push(...this.holes);
    fork.version = this.version;
    fork.isClosed = this.isClosed;
    fork.closedNext = this.closedNext;
    fork.#step = this.#step;
    for (const [zoneId, watch] of this.watches) fork.watches.set(zoneId, watch.fork());
    fork.odometer.resume(this.odometer);
    fork.rests = this.rests.copy();
    fork.#rested = new Map(this.#rested);
    fork.first = this.first;
    fork.last = this.last;
    fork.hasFixInWindow = this.hasFixInWindow;
    fork.hasMotion = this.hasMotion;
    fork.placed = this.placed;
    return fork;
  }

  /** Takes back the fixes after the first one at the last place: they were frozen (V5). */
  takeBack(): void {
    const { placed } = this;
    if (placed === null) return;
    this.version++;
    this.last = placed.last;
    this.hasFixInWindow = placed.hasFixInWindow;
    this.hasMotion = placed.hasMotion;
    this.holes.length = placed.holes;
    this.odometer.time = placed.last.time;
    this.rests.back(placed.rests);
    this.#rested.clear();
    this.watches.clear();
    for (const [zoneId, watch] of placed.watches) this.watches.set(zoneId, watch.fork());
    this.placed = null;
  }

  #notePlace(last: Sighted, { lon, lat }: TimedPosition): void {
    if (last.lon !== lon || last.lat !== lat) this.placed = null;
    else if (this.placed === null) {
      this.placed = {
        last,
        watches: new Map([...this.watches].map(([zoneId, watch]) => [zoneId, watch.fork()])),
        holes: this.holes.length,
        hasFixInWindow: this.hasFixInWindow,
        hasMotion: this.hasMotion,
        rests: this.rests.marks(),
      };
    }
  }

  end(seen: Visit): void {
    const visit = this.#amended === null ? seen : sinceAmended(seen, this.#amended);
    this.#rested.delete(seen.zoneId);
    if (visit === null) return;
    const { zoneId, exit } = visit;
    const watch = this.#watchOf(zoneId);
    if (watch.state.enter !== visit.enter) this.#begin(watch, visit.enter);
    const isHere = visit.exitBounds?.[0] === this.last?.time;
    if (isHere && watch.state.exit !== exit) this.#leave(watch, exit!);
    const { state } = watch;
    this.odometer.mark(exit!, state.exit === exit ? state.exitMeters : state.insideMeters);
    this.version++;
    this.visits.push({ visit, evidence: watch.end(this.#fix!, isHere ? this.#step : null) });
  }

  /** Processes the next fix of the unit, before the unit applies it. `blind`: the entry of `Track.blind` of the step to it. */
  apply(unit: RunUnit, fix: CleanFix, blind: number): void {
    const { time, lon, lat, speedKph, ignition, mileageMeters, mileageDeltaMeters } = fix;
    const place: Sighted = { time, lon, lat, speedKph, ignition, mileageMeters, mileageDeltaMeters };
    const { last } = this;
    const { window } = this.rules;
    this.#fix = place;
    if (last !== null) this.#notePlace(last, place);
    const isInWindow = time >= window.from && time < window.to;
    // The step after a hole is the first one that does not end the report in it.
    if (last === null || (isInWindow && !this.hasFixInWindow) || this.#step?.kind !== 'seen') this.version++;
    this.hasFixInWindow ||= isInWindow;
    this.#noteMotion(place);
    if (last === null) {
      this.#step = null;
      this.first = place;
      this.odometer.to(null, place, false);
      unit.dwells = this.#stepper.start(fix);
    } else {
      const isGapStep = blind !== SEEN || isGap(last, place, this.rules.visitRules);
      this.odometer.to(last, place, isGapStep);
      this.#noteStep(last, place, blind);
      this.#stepper.step(unit, fix, blind, unit.dwells);
      if (this.#amended !== null) unit.dwells = dwellsSinceAmended(unit.dwells, this.#amended);
    }
    this.#amended = null;
    this.#watch(unit, place);
    this.#noteRests(unit, this.rests.to(place, this.#step === null || this.#step.kind === 'hole'));
    this.last = place;
  }

  /**
   * Applies an amendment after the last fix (T49b): visits, dwells and watches move to the new zones. `next`: the step to the next fix,
   * where it is known.
   */
  amend(unit: RunUnit, moves: ZoneMoves, rules: JournalRules, next: NextStep | null): void {
    const moved = movedTo(this, unit, moves, rules, next);
    this.version++;
    this.visits.splice(0, this.visits.length, ...moved.visits);
    this.watches.clear();
    for (const [zoneId, watch] of moved.watches) this.watches.set(zoneId, watch);
    if (this.placed !== null) this.placed = { ...this.placed, watches: moved.watchesOf(this.placed.watches) };
    unit.dwells = moved.dwells;
    this.#rested.clear();
    this.#confirmed = new Set(moved.dwells.flatMap((dwell) => (dwell.confirmed ? [dwell.zoneId] : [])));
    this.rezone(rules);
    if (this.last !== null) {
      // The step to the next fix, where it is seen, tells more.
      this.odometer.mark(moves.at, this.odometer.meters);
      const { from, to } = rules.window;
      this.hasFixInWindow ||= this.last.time >= from && this.last.time < to;
    }
    this.#amended = { ...moves, carried: new Set(moved.dwells.map(({ zoneId }) => zoneId)) };
  }

  /** Goes on with other zones and another window. */
  rezone(rules: JournalRules): void {
    const odometer = new Odometer(rules.wayTimes);
    odometer.resume(this.odometer);
    this.odometer = odometer;
    this.rules = rules;
    this.#stepper = new VisitStepper(rules.index, rules.visitRules, this);
  }

  /** Ends the visits of the unit at a time at which another takes over (T50). */
  handOver(unit: RunUnit, at: number): void {
    const { last } = this;
    if (last === null) return;
    for (const dwell of unit.dwells) {
      const { zoneId, enter, enterBounds, fixCount, confirmed } = dwell;
      const watch = this.watches.get(zoneId);
      if (!confirmed || watch === undefined) continue;
      const visit: Visit = {
        zoneId,
        seen: fixCount > 0 ? 'inside' : 'crossed',
        end: 'handed-over',
        enter,
        exit: at,
        enterBounds,
        exitBounds: [last.time, at],
        fixCount,
      };
      this.visits.push({ visit, evidence: watch.handOver(at, last) });
    }
    this.visits.splice(0, this.visits.length, ...this.visits.map((own) => driftKnown(own, this.hasMotion)));
    this.hasMotion = false;
    this.rests.close();
    this.#rested.clear();
    this.version++;
    unit.dwells = [];
    this.watches.clear();
    this.#confirmed.clear();
    this.placed = null;
    this.#amended = null;
  }

  /**
   * Processes the first fix of the unit that took over. `handed`: the first and the last hand-over on the step, on which no unit is known to
   * have moved. A visit that was handed over at the last one goes on if the fix is in the zone.
   */
  takeOver(unit: RunUnit, { time, lon, lat, ...fix }: CleanFix, handed: TimeRange): void {
    const { speedKph, ignition, mileageMeters, mileageDeltaMeters } = fix;
    const place: Sighted = { time, lon, lat, speedKph, ignition, mileageMeters, mileageDeltaMeters };
    const last = this.last!;
    const { window, holeMs } = this.rules;
    this.#fix = place;
    this.#step = null;
    this.version++;
    this.hasFixInWindow ||= time >= window.from && time < window.to;
    this.#noteMotion(place);
    this.odometer.to(last, place, true);
    if (time - last.time > holeMs) {
      const [start, end] = [positionOf(last), positionOf(place)];
      this.holes.push({ from: last.time, to: time, start, end, reason: 'gap', handed });
    }
    const since = handed[1];
    const handedIn = new Set(
      this.visits.flatMap(({ visit }) =>
        visit.end === 'handed-over' && visit.exit === since ? [visit.zoneId] : [],
      ),
    );
    unit.dwells = this.#stepper.start(place).map((dwell) => ({
      ...dwell,
      enter: handedIn.has(dwell.zoneId) ? since : time,
      enterBounds: [since, time],
    }));
    this.#watch(unit, place);
    this.rests.to(place, true);
    for (const watch of this.watches.values()) watch.takeOver(since, place);
    this.last = place;
  }

  /** The open visits, as if the track ended here. */
  openVisits(unit: RunUnit): OpenVisit[] {
    const open: OpenVisit[] = [];
    for (const dwell of unit.dwells) {
      const visit = atEnd(dwell);
      const watch = this.watches.get(dwell.zoneId);
      if (visit !== null && watch !== undefined)
        open.push({ visit, evidence: watch.evidence(), lastInside: dwell.lastInside });
    }
    return open;
  }

  #noteMotion(place: Sighted): void {
    if (this.hasMotion || !reportsMotion(place)) return;
    this.hasMotion = true;
    this.version++;
  }

  #watch({ dwells }: RunUnit, place: TimedPosition): void {
    const isInZone = dwells.some(({ lastInside }) => lastInside === place.time);
    for (const [zoneId, watch] of this.watches) {
      if (dwells.some((dwell) => dwell.zoneId === zoneId)) continue;
      watch.to(this.#fix!, this.#step, false, isInZone, 0);
      // A dwell that was dropped unconfirmed is not a visit.
      if (watch.state.enter !== null || !watch.matters) this.watches.delete(zoneId);
    }
    for (const dwell of dwells) {
      const watch = this.#watchOf(dwell.zoneId);
      if (watch.state.enter !== dwell.enter) this.#begin(watch, dwell.enter);
      const { exit } = dwell;
      if (exit !== null && watch.state.exit !== exit.time) this.#leave(watch, exit.time);
      const isInside = dwell.lastInside === place.time;
      const isNews = watch.to(this.#fix!, this.#step, isInside, isInZone, this.odometer.meters);
      if (isNews) this.version++;
      if (this.#confirmed.has(dwell.zoneId) === dwell.confirmed) continue;
      this.version++;
      if (dwell.confirmed) this.#confirmed.add(dwell.zoneId);
      else this.#confirmed.delete(dwell.zoneId);
    }
  }

  #watchOf(zoneId: string): ZoneWatch {
    let watch = this.watches.get(zoneId);
    if (watch === undefined) {
      watch = new ZoneWatch(this.rules);
      this.watches.set(zoneId, watch);
    }
    return watch;
  }

  #begin(watch: ZoneWatch, enter: number): void {
    this.version++;
    watch.begin(enter, this.#step === null || this.#step.kind === 'hole');
    this.odometer.mark(enter);
  }

  /** Notes a crossing outward. It bears on a report only when the visit ends. */
  #leave(watch: ZoneWatch, time: number): void {
    if (this.#step !== null) watch.leave(time, this.odometer.at(time));
  }

  /** Notes in which visits the unit rested long enough, or may have. `isNews`: a rest is new, or goes on after a while, and may bear on earlier visits. */
  #noteRests({ dwells }: RunUnit, isNews: boolean): void {
    const { serviceMs } = this.rules;
    if (isNews) {
      const { since } = this.rests;
      if (since === null || this.visits.some(({ visit }) => visit.exit! > since)) this.version++;
      this.rests.keep(([from, to]) => this.#isWithin(from, to, dwells));
    }
    for (const dwell of dwells) {
      // Rests and visits only grow.
      const known = this.#rested.get(dwell.zoneId);
      if (known === 'seen') continue;
      const visit = atEnd(dwell);
      if (visit === null) continue;
      const span = [seenSpan(visit, dwell.lastInside, serviceMs)];
      const { seen, possible } = this.rests.rests;
      const isSeen = hasRest(seen, span, serviceMs);
      if (isSeen || (known === undefined && hasRest(possible, span, serviceMs))) {
        this.#rested.set(dwell.zoneId, isSeen ? 'seen' : 'possible');
        this.version++;
        // With an earlier visit it may be a stay that has rested for long enough.
      } else if (dwell.lastInside === this.#fix!.time && this.#hasEarlier(dwell.zoneId)) this.version++;
    }
  }

  /** Whether a visit has time in common with a span. */
  #isWithin(from: number, to: number, dwells: readonly Dwell[]): boolean {
    return (
      dwells.some(({ enter }) => enter < to) ||
      this.visits.some(({ visit }) => visit.enter < to && visit.exit! > from)
    );
  }

  /** Whether a visit of a zone ended while a rest under way lasted. */
  #hasEarlier(zoneId: string): boolean {
    const { since } = this.rests;
    return since !== null && this.visits.some(({ visit }) => visit.zoneId === zoneId && visit.exit! > since);
  }

  #noteStep(last: Sighted, fix: Sighted, blind: number): void {
    const kind = stepKind(last, fix, blind !== SEEN, this.rules);
    this.#step = { from: last, kind };
    if (kind !== 'seen') this.version++;
    if (kind !== 'seen') {
      this.holes.push({
        from: last.time,
        to: fix.time,
        start: positionOf(last),
        end: positionOf(fix),
        reason: kind === 'sleep' ? null : (blindWord(blind) ?? 'gap'),
      });
      // An assumed activation is at the end of a hole.
      this.odometer.mark(fix.time);
    }
  }
}

/** A visit with a drift at a reported speed of about 0. Such a speed proves nothing for a unit that reports no other one (T18). */
export function driftKnown<Own extends WatchedVisit>(own: Own, hasMotion: boolean): Own {
  const { evidence } = own;
  return evidence.drift !== 'standing' || hasMotion
    ? own
    : { ...own, evidence: { ...evidence, drift: null } };
}

/** One array for a place, by which distances are remembered. */
const POSITIONS = new WeakMap<TimedPosition, Position>();

export function positionOf(place: TimedPosition): Position {
  let position = POSITIONS.get(place);
  if (position === undefined) {
    position = [place.lon, place.lat];
    POSITIONS.set(place, position);
  }
  return position;
}
