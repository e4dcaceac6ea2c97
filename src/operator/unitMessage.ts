/** Messages of one unit: the input of a keyed operator. */

import type { UnitSettings } from '../core/trackSettings.js';
import type { TripFix } from '../trips/seen/tripFix.js';
import type { UnitOutput } from './unitOutput.js';

/** Fixes in the order of their arrival. They may be split into messages in any way: the outputs are the same. */
export interface FixesInput {
  /** Always `fixes`. */
  readonly kind: 'fixes';
  /**
   * Fixes as received. A fix with the `unitId` of another unit counts only for the runs of this unit which that unit has taken over
   * (`chargesOf`).
   */
  readonly fixes: readonly TripFix[];
  /** Time at which the log received the fixes, epoch milliseconds. Without it `maxAheadSeconds` applies. */
  readonly receivedAt?: number | undefined;
}

/** The clock: a fix that arrives after it and is older than `time` less the lateness is late. */
export interface TimeInput {
  /** Always `time`. */
  readonly kind: 'time';
  /** Epoch milliseconds. A time before the last one changes nothing. */
  readonly time: number;
}

/** An edit of the unit's data. From this message on, its `zonesVersion` applies. */
export interface EditInput {
  /** Always `edit`. */
  readonly kind: 'edit';
  /** The unit's trip-detector settings and speed limit from its next fix on; `null`: the defaults. If absent, they stay. */
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
   * All fixes of the unit from `from` on, in any order; fixes of messages not yet applied may be among them. Also the fixes of units that
   * took over its runs, each with its `unitId`, for the time in which they are in charge (`chargesOf`).
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
   * Version of the company's zones and trips at the time when the message was logged, a whole number. The state keeps the greatest, so that
   * a replay uses the same zones.
   */
  readonly zonesVersion: number;
  /** Fixes, a time, an edit, or the history. */
  readonly input: UnitInput;
}

/** A demand for the unit's history: send it as a `rebuild` message at any later time. Several late fixes share one demand. */
export interface RebuildDemand {
  /** `all`: a fix was late. `trips`: a trip or its route was added or edited after fixes of its run had passed. */
  readonly of: 'all' | 'trips';
  /** Time of the first needed fix, epoch milliseconds; `null`: the whole stored history. */
  readonly from: number | null;
}
