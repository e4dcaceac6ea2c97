/** The journal of a unit for a trip: its visits, its holes and the places of its fixes. */

import type { Position } from '../core/geometry.js';
import type { CleanFix } from '../tracks/fixReader.js';
import type { Visit } from '../tracks/visit.js';
import { atEnd, type Dwell, type VisitSink } from '../tracks/visitMachine.js';
import { VisitStepper } from '../tracks/visitStepper.js';
import type { VisitUnit } from '../tracks/visitUnit.js';
import type { ZoneIndex } from '../zones/zoneIndex.js';
import type { Hole } from './holes.js';
import { type Parked, ParkedWatch, type StopRules } from './parkedWatch.js';
import { type HoleRules, isGap, type Place, placeAt, type Sighted, stepKind } from './stepKind.js';
import type { TripPlan } from './tripPlan.js';

export interface JournalRules extends HoleRules, StopRules {
  readonly index: ZoneIndex;
  readonly window: TripPlan['window'];
  /** Whether the places within the window are stored, for the distance. */
  readonly keepsWay: boolean;
}

/** A visit, and whether its fixes show a stop. */
export interface WatchedVisit {
  readonly visit: Visit;
  readonly parked: Parked;
}

/** The state of a stay when the unit left the zone. It is an exit only if the unit stays away. */
export interface HeldWatch {
  readonly watch: ParkedWatch;
  readonly exitTime: number;
  /** The place where the unit left, if seen. */
  readonly exit: Place | null;
}

export class TripJournal implements VisitSink {
  /** The visits that ended. */
  readonly visits: WatchedVisit[] = [];
  /** Holes between two fixes, the second of which is in the window or after it. */
  readonly holes: Hole[] = [];
  /** The zones of the fixes after gaps. */
  readonly arrivals: { readonly time: number; readonly zoneId: string }[] = [];
  /** The fixes of the window, with the one before and the one after it. */
  readonly way: Place[] = [];
  /** The watches of the current dwells, by zone. */
  readonly watches: Map<string, ParkedWatch> = new Map<string, ParkedWatch>();
  /** Stays that the unit may have left, by zone. */
  readonly held: Map<string, HeldWatch> = new Map<string, HeldWatch>();
  first: Place | null = null;
  last: Sighted | null = null;
  hasFixInWindow = false;
  readonly #rules: JournalRules;
  readonly #stepper: VisitStepper;
  #fix: Sighted | null = null;
  #isHidden = false;
  #isSeen = true;

  constructor(rules: JournalRules) {
    this.#rules = rules;
    this.#stepper = new VisitStepper(rules.index, rules.visitRules, this);
  }

  /** An empty journal that continues this one. */
  fork(): TripJournal {
    const fork = new TripJournal(this.#rules);
    for (const [zoneId, watch] of this.watches) fork.watches.set(zoneId, watch.fork());
    for (const [zoneId, held] of this.held) fork.held.set(zoneId, { ...held, watch: held.watch.fork() });
    fork.first = this.first;
    fork.last = this.last;
    fork.hasFixInWindow = this.hasFixInWindow;
    return fork;
  }

  /** A stay of a snapshot. */
  resume(enter: number, state: ReturnType<ParkedWatch['state']>): ParkedWatch {
    return ParkedWatch.resume(enter, this.#rules, state);
  }

  end(visit: Visit, dwell: Dwell): void {
    const watch = this.watches.get(visit.zoneId);
    const known = watch?.enter === dwell.enter ? watch : this.#watchOf(visit.enter, visit.enterBounds[1]);
    const { last } = this;
    const held = this.held.get(visit.zoneId);
    const isLeft = visit.end === 'left';
    if (held?.watch.enter === dwell.enter && (!isLeft || visit.exit === held.exitTime)) {
      // The time outside before the exit was confirmed is not part of the dwell.
      const parked = held.watch.parked((isLeft ? held.exit : null) ?? undefined);
      this.visits.push({ visit, parked });
      return;
    }
    // The exit place is known only if the dwell ends within this step.
    const isHere = isLeft && this.#isSeen && last !== null && visit.exitBounds?.[0] === last.time;
    this.visits.push({ visit, parked: known.parked(isHere ? this.#placeAt(visit.exit!) : undefined) });
  }

  /** Processes the next fix of the unit, before the unit applies it. */
  apply(unit: VisitUnit, fix: CleanFix, blind: number): void {
    const { time, lon, lat, mileageMeters, mileageDeltaMeters } = fix;
    const place: Sighted = { time, lon, lat, mileageMeters, mileageDeltaMeters };
    const { last } = this;
    const { window } = this.#rules;
    this.#fix = place;
    this.hasFixInWindow ||= time >= window.from && time < window.to;
    if (unit.applied === 0 || last === null) {
      this.first = place;
      unit.dwells = this.#stepper.start(time, lon, lat);
    } else {
      this.#noteStep(last, place);
      unit.around ??= this.#stepper.safeRegion();
      this.#stepper.from(unit, unit.around);
      unit.dwells = this.#stepper.to(fix, unit.dwells, blind);
    }
    this.#watch(unit, place);
    if (this.#rules.keepsWay) this.#noteWay(unit, place);
    this.last = place;
  }

  /** The open visits, as if the track ended here. */
  openVisits(unit: VisitUnit): WatchedVisit[] {
    const open: WatchedVisit[] = [];
    for (const dwell of unit.dwells?.values() ?? []) {
      const visit = atEnd(dwell);
      const watch = this.watches.get(dwell.zoneId);
      if (visit !== null && watch !== undefined) open.push({ visit, parked: watch.parked() });
    }
    return open;
  }

  #watch({ dwells }: VisitUnit, place: Place): void {
    for (const zoneId of this.watches.keys()) {
      if (dwells?.has(zoneId)) continue;
      this.watches.delete(zoneId);
      this.held.delete(zoneId);
    }
    if (dwells === null) return;
    for (const { zoneId, enter, enterBounds, exit } of dwells.values()) {
      let watch = this.watches.get(zoneId);
      if (watch?.enter !== enter) {
        watch = this.#watchOf(enter, enterBounds[1]);
        this.watches.set(zoneId, watch);
        this.held.delete(zoneId);
        if (!this.#isSeen || enter === place.time) continue;
      }
      if (exit === null) this.held.delete(zoneId);
      else if (this.held.get(zoneId)?.exitTime !== exit.time) {
        const isHere = this.#isSeen && exit.bounds[0] === this.last?.time;
        const left = isHere ? this.#placeAt(exit.time) : null;
        this.held.set(zoneId, { watch: watch.fork(), exitTime: exit.time, exit: left });
      }
      watch.to(place, this.#isHidden);
    }
  }

  /** Begins a stay at the entry into its zone on this step, or at the current fix if the entry was not seen. */
  #watchOf(enter: number, seenAt: number): ParkedWatch {
    return ParkedWatch.begin(enter, this.#placeAt(this.#isSeen ? enter : seenAt), this.#rules);
  }

  #placeAt(time: number): Place {
    const fix = this.#fix!;
    return this.last === null || time >= fix.time ? fix : placeAt(this.last, fix, time);
  }

  #noteStep(last: Sighted, fix: Sighted): void {
    const { index, visitRules, window } = this.#rules;
    const kind = stepKind(last, fix, this.#rules);
    this.#isHidden = kind === 'hole';
    this.#isSeen = kind === 'seen';
    if (kind !== 'seen' && fix.time > window.from) {
      this.holes.push({
        from: last.time,
        to: fix.time,
        start: positionOf(last),
        end: positionOf(fix),
        isSleep: kind === 'sleep',
      });
    }
    if (kind === 'seen' && fix.time - last.time <= visitRules.maxGapMs) return;
    if (!isGap(last, fix, visitRules)) return;
    for (const zoneId of index.at([fix.lon, fix.lat])) this.arrivals.push({ time: fix.time, zoneId });
  }

  #noteWay(unit: VisitUnit, { time, lon, lat }: Place): void {
    const { from, to } = this.#rules.window;
    if (time <= from) this.way.length = 0;
    if (unit.applied === 0 || unit.time < to) this.way.push({ time, lon, lat });
  }
}

export function positionOf({ lon, lat }: Place): Position {
  return [lon, lat];
}
