/** Messages of one unit: the input of a keyed operator. */

import type { UnitSettings } from '../core/trackSettings.js';
import type { TripFix } from '../trips/seen/runUnit.js';
import type { UnitOutput } from './unitOutput.js';

/** Fixes in the order of their arrival. They may be split into messages in any way: the outputs are the same. */
export interface FixesInput {
  /** Always `fixes`. */
  readonly kind: 'fixes';
  /**
   * Fixes as received. A fix with the `unitId` of another unit counts only for the runs that the other unit has taken over from this unit
   * (`chargesOf`).
   */
  readonly fixes: readonly TripFix[];
  /** Time at which the log received the fixes, epoch milliseconds. Without it `maxAheadSeconds` applies. */
  readonly receivedAt?: number | undefined;
}

/** The clock. A fix that arrives after this message is late if it is older than `time` minus the lateness. */
export interface TimeInput {
  /** Always `time`. */
  readonly kind: 'time';
  /** Time of the clock, epoch milliseconds. A time before the last clock message changes nothing. */
  readonly time: number;
}

/** An edit of the unit's data. From this message on, its `zonesVersion` applies. */
export interface EditInput {
  /** Always `edit`. */
  readonly kind: 'edit';
  /** The unit's trip-detector settings and speed limit from its next fix on. `null`: the defaults. Absent: no change. */
  readonly settings?: UnitSettings | null | undefined;
}

/** The history that `rebuild` of a step demanded. */
export interface RebuildInput {
  /** Always `rebuild`. */
  readonly kind: 'rebuild';
  /** `of` of the demand. Default `all`. */
  readonly of?: RebuildDemand['of'] | undefined;
  /** `from` of the demand, or an earlier time; `null`: the whole stored history. Default `null`. */
  readonly from?: number | null | undefined;
  /**
   * All fixes of the unit from `from` on, in any order, also with fixes of later messages. If other units took over its runs, also their fixes
   * while they are in charge (`chargesOf`), each with its `unitId`.
   */
  readonly fixes: readonly TripFix[];
  /** Time at which the log received the last of the fixes, epoch milliseconds. Without it `maxAheadSeconds` applies. */
  readonly receivedAt?: number | undefined;
  /** All outputs of the unit so far whose `lastTimeOf` is at least `from`, in any order. */
  readonly outputs: readonly UnitOutput[];
}

/** The content of a message. */
export type UnitInput = FixesInput | TimeInput | EditInput | RebuildInput;

/** A message of one unit. Plain JSON. */
export interface UnitMessage {
  /** Id of the unit, the key of the stream. */
  readonly unitId: string;
  /**
   * Version of the company's zones and trips when the message was logged, a whole number. The state keeps the greatest version, so that a replay
   * uses the same zones.
   */
  readonly zonesVersion: number;
  /** Fixes, a time, an edit, or the history. */
  readonly input: UnitInput;
}

/** A demand for the unit's history. Send the history as a `rebuild` message at any later time. Several late fixes share one demand. */
export interface RebuildDemand {
  /** `all`: a fix was late. `trips`: a trip or its route was added or edited after fixes of its run had passed. */
  readonly of: 'all' | 'trips';
  /** Time of the first needed fix, epoch milliseconds; `null`: the whole stored history. */
  readonly from: number | null;
}
