/** Reads the fixes and times of a run's unit. Fixes in order are read once; after a late fix, those later than it are read again. */

import { BEFORE_ALL, FixIntake, takeOverReading } from '../../tracks/fixIntake.js';
import type { CleanFix } from '../../tracks/fixReader.js';
import { afterRunFault, otherUnitFault } from '../../tracks/rejection.js';
import type { StreamRules } from '../../tracks/streamOptions.js';
import { takeBackRepeats } from '../../tracks/visitMachine.js';
import type { JournalRules } from '../seen/journalRules.js';
import type { RunUnit } from '../seen/runUnit.js';
import type { TripRun } from '../seen/tripRun.js';
import { handedOn, inChargeAt } from '../terms/readChanges.js';
import { copyOfFollowed, type Followed, lastTimeOf, type RunChanges } from './amendments.js';
import { applyFix } from './applyFix.js';

/** The least number of fixes between two savepoints: a copy must cost less than reading them. */
const SAVEPOINT_FIXES = 64;

export class TripStream {
  readonly #intake: FixIntake<RunUnit>;
  /** The state after some of the fixes before the watermark. Its unit receives the messages, and the other fixes wait in it. */
  #base: Followed;
  /** The state after all fixes; `null`: to be made anew, or none wait. */
  #ahead: Followed | null = null;
  /** A copy of a state ahead, which becomes the base once the watermark has passed it. */
  #savepoint: Followed | null = null;
  /** Fixes that the state ahead has read since the savepoint, or since it was made from the base. */
  #readSince = 0;
  /** The state that reads at present. */
  #reader: Followed;

  /** `by`: the changes of the run so far; `run`: the run before them. */
  constructor(
    state: Followed,
    rules: StreamRules,
    { visitRules }: JournalRules,
    run: TripRun,
    by: () => RunChanges,
  ) {
    this.#base = state;
    this.#reader = state;
    this.#intake = new FixIntake<RunUnit>(rules, {
      apply: (_, fix, blind) => applyFix(this.#reader, fix, blind, by()),
      takeBack: (unit) => {
        for (const dwell of unit.dwells) takeBackRepeats(dwell, unit.placeTime, unit.repeats, visitRules);
        this.#reader.journal.takeBack();
      },
      faultOf: (message, time) => {
        const changed = by();
        const end = lastTimeOf(run, changed);
        if (time > end) return { reason: 'time-implausible', fault: afterRunFault(time, end) };
        const { unitId: given } = message as { readonly unitId?: unknown };
        if (given === undefined || given === null) return null;
        const inCharge = inChargeAt(changed.handOvers, time, run.unitId);
        return given === inCharge
          ? null
          : { reason: 'other-unit', fault: otherUnitFault(time, given, inCharge) };
      },
      changesUnit: (released, time) =>
        handedOn(by().handOvers, released === BEFORE_ALL ? undefined : released, time) !== null,
      waits: (_, fix) => this.#wait(fix),
    });
  }

  /** Takes a message that was received at `receivedAt`; -Infinity: unknown. */
  push(message: unknown, receivedAt: number): void {
    this.#reader = this.#base;
    this.#intake.push(this.#base.unit, message, receivedAt);
    this.#keepUp();
  }

  /** Advances the clock of the unit. */
  advance(time: number): void {
    this.#reader = this.#base;
    this.#intake.advance(this.#base.unit, time);
    this.#keepUp();
  }

  /** The unit with its counts of messages and its fix far ahead. Its readings lag behind. */
  get received(): RunUnit {
    return this.#base.unit;
  }

  /** The state after the fixes before the watermark; the others wait in its unit. */
  settled(): Followed {
    this.#reader = this.#base;
    this.#intake.releaseWaiting(this.#base.unit);
    const { unit, predictions } = this.#base;
    // The state ahead has reported the errors of these fixes.
    if (this.#ahead !== null) predictions?.dropFailure();
    if (this.#savepoint !== null && this.#savepoint.unit.released <= unit.released) this.#savepoint = null;
    if (unit.pending === null) this.#ahead = null;
    return this.#base;
  }

  /** The state with the fixes that wait, as if the unit's track ended here. */
  latest(): Followed {
    const { pending } = this.#base.unit;
    if (pending === null) return this.#base;
    if (this.#ahead === null) {
      const start = this.#savepoint ?? this.#base;
      this.#ahead = copyOfFollowed(start);
      this.#readSince = 0;
      for (const fix of pending.inOrder())
        if (fix.time > start.unit.released) this.#readAhead(this.#ahead, fix);
      this.check();
    }
    return this.#ahead;
  }

  /** Throws the error of `predict` at the fixes since the last call. */
  check(): void {
    this.#base.predictions?.check();
    this.#ahead?.predictions?.check();
  }

  /** Call this before the changes of the run change: the fixes before the watermark are read with those so far, the others anew. */
  beforeChange(): void {
    this.settled();
    this.#ahead = null;
    this.#savepoint = null;
  }

  #wait(fix: CleanFix): void {
    if (this.#ahead !== null && fix.time > this.#ahead.unit.released) {
      this.#readAhead(this.#ahead, fix);
      return;
    }
    // It precedes a fix that was read, or replaces one.
    this.#ahead = null;
    if (this.#savepoint !== null && fix.time <= this.#savepoint.unit.released) this.#savepoint = null;
  }

  #readAhead(ahead: Followed, fix: CleanFix): void {
    this.#reader = ahead;
    this.#intake.read(ahead.unit, fix);
    this.#readSince++;
    const { visits, holes } = ahead.journal;
    if (this.#savepoint === null && this.#readSince >= SAVEPOINT_FIXES + visits.length + holes.length) {
      this.#savepoint = copyOfFollowed(ahead);
      this.#readSince = 0;
    }
  }

  /** Lets the base follow the watermark: from a savepoint, or fix by fix where no state is ahead. */
  #keepUp(): void {
    const { unit } = this.#base;
    const savepoint = this.#savepoint;
    if (savepoint !== null && savepoint.unit.released < unit.watermark) {
      takeOverReading(unit, savepoint.unit);
      this.#base = { unit, journal: savepoint.journal, predictions: savepoint.predictions };
      this.#savepoint = null;
    }
    if (this.#ahead === null && this.#savepoint === null) this.settled();
  }
}
