/** Finds the times in which a unit exceeds its limit, step by step. The batch and the stream feed it the same steps. */

import { UNKNOWN } from '../fixReader.js';
import type { LastZones } from '../ledger/stepZones.js';
import { greatestOn, onStep } from '../meter/greatestSpeed.js';
import { addPart, type OpenSpeeding, type Speeding, speedingOf, speedingSoFar } from './speeding.js';
import { type LimitedStep, type SpeedLimits, UNLIMITED } from './speedLimits.js';

/** A step that is not a gap. */
export interface SpeedStep extends LimitedStep {
  /** Speeds at its ends; between them the speed changes evenly. */
  readonly startKph: number;
  readonly endKph: number;
  /** Metres that it counts. */
  readonly meters: number;
  /** The unit's own limit, -1: none. */
  readonly unitKph: number;
}

export interface SpeedingRules {
  readonly toleranceKph: number;
  readonly minMs: number;
}

/** Receives events in order of time. An event that is too short is not reported. */
export interface SpeedingSink {
  begin(speeding: Speeding): void;
  end(speeding: Speeding): void;
}

export class SpeedingMachine {
  /** Whether a beginning or end was reported since the caller asked last. */
  hasReported: boolean = false;
  readonly #limits: SpeedLimits;
  readonly #sink: SpeedingSink;
  /** Settings of the unit whose step comes next. */
  rules: SpeedingRules;

  constructor(limits: SpeedLimits, rules: SpeedingRules, sink: SpeedingSink) {
    this.#limits = limits;
    this.rules = rules;
    this.#sink = sink;
  }

  /** Whether a step between two speeds exceeds no limit, whatever the zones: the event under way then ends. */
  isBelow(startKph: number, endKph: number, unitKph: number): boolean {
    const most = greatestOn(startKph, endKph, 0, 1);
    return most === UNKNOWN || most <= this.#limits.least(unitKph) + this.rules.toleranceKph;
  }

  /** The event under way after a step. */
  step(before: OpenSpeeding | null, step: SpeedStep, last: LastZones): OpenSpeeding | null {
    if (this.isBelow(step.startKph, step.endKph, step.unitKph)) return this.close(before);
    const limits = this.#limits;
    limits.divide(step, last, step.unitKph);
    let open = before;
    for (let k = 0; k < limits.count; k++) {
      const limit = limits.limits[k]!;
      open =
        limit === UNLIMITED
          ? this.close(open)
          : this.#piece(open, step, limits.bounds[k]!, limits.bounds[k + 1]!, limit, limits.zoneIds[k]!);
    }
    if (open !== null && !open.isBegun) this.#begin(open, speedingSoFar(open));
    return open;
  }

  /** Ends the run at its last fix. */
  endRun(open: OpenSpeeding | null, end: 'gap' | 'track'): null {
    if (open !== null) this.#finish(open, open.reachesEnd && open.isAboveAtEnd ? end : 'below');
    return null;
  }

  /** The event after a piece of one limit, from fraction `from` to `to`. */
  #piece(
    before: OpenSpeeding | null,
    step: SpeedStep,
    from: number,
    to: number,
    limitKph: number,
    zoneId: string | null,
  ): OpenSpeeding | null {
    const threshold = limitKph + this.rules.toleranceKph;
    const { startKph, endKph, startTime, milliseconds } = step;
    const [a, b] = [onStep(startKph, endKph, from), onStep(startKph, endKph, to)];
    if (!(a > threshold || b > threshold)) return this.close(before);
    const crossing = Math.min(to, Math.max(from, (threshold - startKph) / (endKph - startKph)));
    const low = a >= threshold ? from : crossing;
    const high = b >= threshold ? to : crossing;
    let open = low === from ? before : this.close(before);
    open ??= { parts: [], reachesEnd: false, isAboveAtEnd: false, isBegun: false };
    const [lowMs, highMs] = [Math.round(low * milliseconds), Math.round(high * milliseconds)];
    addPart(open, {
      from: startTime + lowMs,
      to: startTime + highMs,
      limitKph,
      zoneId,
      maxKph: greatestOn(startKph, endKph, low, high),
      distanceMeters: (step.meters * (highMs - lowMs)) / milliseconds,
    });
    open.reachesEnd = high === to;
    open.isAboveAtEnd = b > threshold;
    return open.reachesEnd ? open : this.close(open);
  }

  /** Ends the event where the speed is not above the limit. */
  close(open: OpenSpeeding | null): null {
    if (open !== null) this.#finish(open, 'below');
    return null;
  }

  #finish(open: OpenSpeeding, end: Speeding['end']): void {
    const speeding = speedingOf(open, end);
    if (!this.#begin(open, speeding)) return;
    this.hasReported = true;
    this.#sink.end(speeding!);
  }

  /** Reports the beginning of an event that is long enough. */
  #begin(open: OpenSpeeding, speeding: Speeding | null): boolean {
    if (speeding === null || speeding.to - speeding.from < this.rules.minMs) return false;
    if (!open.isBegun) {
      this.hasReported = true;
      this.#sink.begin(speeding);
    }
    open.isBegun = true;
    return true;
  }
}
