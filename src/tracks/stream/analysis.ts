/** The seat of an analysis: what follows a unit from one good fix to the next, in a stream or over a track. */

import type { TimedPosition } from '../../core/fix.js';
import type { BlindCode } from '../blindStep.js';
import type { MileageBefore } from '../fixFilter.js';
import type { Intake } from '../fixIntake.js';
import type { CleanFix } from '../fixReader.js';
import type { JsonOptions } from '../streamOptions.js';

/** A step of a unit. One object serves all steps: an analysis does not keep it, nor its fixes. */
export interface Step {
  /** The last good fix; null at the first fix of the track. */
  readonly from: (TimedPosition & MileageBefore) | null;
  /** The fix at the end of the step. */
  readonly to: CleanFix;
  /** Why the unit was not seen on the way. */
  readonly blind: BlindCode;
}

/** The unit of a step, as it was before the fix. Read only. */
export interface UnitView {
  readonly id: string;
  /** The unit's own settings, as `readSettings` of the analyses gave them; null: those of the tracker. Replaced, never changed. */
  readonly settings: JsonOptions | null;
  readonly intake: Readonly<Intake>;
}

/**
 * One analysis of many units. It keeps nothing of a unit but its state, which is plain JSON: finite numbers, texts, booleans, null, lists and plain objects.
 * `step` changes the state in place; a snapshot is a clone of it. Values derived from rules, settings or an index may be cached in the analysis where they
 * change no answer.
 */
export interface Analysis<State extends object = object, Event = unknown> {
  /** The key of its state in a unit. */
  readonly name: string;
  /** The state before the first fix. */
  start(): State;
  /** Takes the next good fix. Fixes come in order of time, one for each time, once the watermark has passed them. */
  step(state: State, step: Step, unit: UnitView): void;
  /**
   * Takes back the last `intake.repeats` fixes, which repeat the place of the one at `intake.placeTime` to the bit: they were frozen. Emitted events
   * stand. The next call is `step`, with a blind step.
   */
  takeBack(state: State, unit: UnitView): void;
  /** The watermark rose: no fix before it will come, but suspects of a jam may still be believed. Default: time alone gives nothing. */
  advance?(state: State, unit: UnitView): void;
  /** Emits what the end of the track gives. The state is not used any more. Default: nothing. */
  finish?(state: State, unit: UnitView): void;
  /** The least watermark at which `advance` may emit an event; Infinity, the default: none. */
  wakeAt?(state: State, unit: UnitView): number;
  /** The values of a unit's own settings that it uses. Errors: `settings-type`, `setting-value`. Default: none. */
  readSettings?(settings: unknown): JsonOptions;
  /** Whether a unit without a state gets one at its next fix. Default: it gets one when it begins. */
  begins?(unit: UnitView): boolean;
  /** The events since the last call. Each is final. */
  take(): readonly Event[];
}
