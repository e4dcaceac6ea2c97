/** The way of a unit along a route as an analysis, and its events. */

import type { Analysis, Step, UnitView } from '../stream/analysis.js';
import type { Deviation } from './deviationWalk.js';
import { newRun, type RouteReport, type RouteRun, type RouteRunState, type Turn } from './routeRun.js';

/** News of a run. All but `turned` are final. */
export interface RouteEvent {
  /**
   * `deviated`: an absence from the corridor counts by `minSeconds` and `exitBufferMeters`. `returned`: the absence is over, by a return or a
   * gap. `turned`: a backward leg begins. `revised`: withdraws the `turned` of this time, because later fixes changed the place of the unit.
   */
  readonly type: 'deviated' | 'returned' | 'turned' | 'revised';
  /** Epoch milliseconds: the beginning of the absence, its end, or the fix at which the unit turned. */
  readonly time: number;
  /** The absence: so far for `deviated`, complete for `returned`, else `null`. */
  readonly deviation: Deviation | null;
  /** Metres along the route for `turned` and `revised`, else `null`. */
  readonly alongMeters: number | null;
}

/** Turns are emitted before they are certain only while at most this many fixes are ambiguous. */
const MAX_AMBIGUOUS = 64;

export class RouteAnalysis implements Analysis<RouteRunState, RouteEvent> {
  readonly name = 'route';
  readonly #run: RouteRun;
  #events: RouteEvent[] = [];

  constructor(run: RouteRun) {
    this.#run = run;
  }

  start(): RouteRunState {
    return newRun();
  }

  step(run: RouteRunState, { to: { time, lon, lat }, blind }: Step): void {
    const certain: Turn[] = [];
    this.#run.add(run, time, lon, lat, blind, {
      decided: () => {},
      turned: (time, alongMeters) => certain.push({ time, alongMeters }),
      deviation: (deviation) => this.#endDeviation(run, deviation),
    });
    if (!run.isTold) {
      const deviation = this.#run.walk.absenceUntil(run.absence, run.time);
      if (deviation !== null) {
        run.isTold = true;
        this.#emit('deviated', deviation.from, deviation, null);
      }
    }
    this.#compareTurns(run, certain);
  }

  takeBack(run: RouteRunState, { intake }: UnitView): void {
    this.#run.takeBack(run, intake.placeTime);
  }

  /** In order of time. */
  take(): readonly RouteEvent[] {
    const events = this.#events;
    this.#events = [];
    return events.sort((a, b) => a.time - b.time);
  }

  #endDeviation(run: RouteRunState, deviation: Deviation): void {
    if (!run.isTold) this.#emit('deviated', deviation.from, deviation, null);
    run.isTold = false;
    run.deviations.push(deviation);
    this.#emit('returned', deviation.to, deviation, null);
  }

  /** Emits new turns, and revises turns that do not hold. */
  #compareTurns(run: RouteRunState, certain: readonly Turn[]): void {
    const isIn = (turns: readonly Turn[], turn: Turn): boolean =>
      turns.some(({ time, alongMeters }) => time === turn.time && alongMeters === turn.alongMeters);
    const emitted = run.turns;
    const isShort = run.lattice.layers.length <= MAX_AMBIGUOUS;
    const ahead = isShort ? this.#run.turnsAhead(run) : emitted.filter((turn) => !isIn(certain, turn));
    for (const turn of emitted) {
      if (!isIn(certain, turn) && !isIn(ahead, turn))
        this.#emit('revised', turn.time, null, turn.alongMeters);
    }
    for (const turn of [...certain, ...ahead]) {
      if (!isIn(emitted, turn)) this.#emit('turned', turn.time, null, turn.alongMeters);
    }
    run.turns = ahead;
  }

  #emit(
    type: RouteEvent['type'],
    time: number,
    deviation: Deviation | null,
    alongMeters: number | null,
  ): void {
    this.#events.push({ type, time, deviation, alongMeters });
  }
}

/** Takes the rest of a run without its events, and reports it. */
export class RouteEnd implements Analysis<RouteRunState, RouteReport> {
  readonly name = 'route';
  readonly #run: RouteRun;
  readonly #reports: RouteReport[] = [];

  constructor(run: RouteRun) {
    this.#run = run;
  }

  start(): RouteRunState {
    return newRun();
  }

  step(run: RouteRunState, { to: { time, lon, lat }, blind }: Step): void {
    this.#run.add(run, time, lon, lat, blind, {
      decided: () => {},
      turned: () => {},
      deviation: (deviation) => run.deviations.push(deviation),
    });
  }

  takeBack(run: RouteRunState, { intake }: UnitView): void {
    this.#run.takeBack(run, intake.placeTime);
  }

  finish(run: RouteRunState): void {
    this.#reports.push(this.#run.report(run));
  }

  take(): readonly RouteReport[] {
    return this.#reports;
  }
}
