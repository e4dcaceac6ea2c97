/** The messages of one unit: what a keyed operator of a stream takes. */

import type { UnitSettings } from '../core/trackSettings.js';
import type { TripFix } from '../trips/tripFix.js';
import type { UnitOutput } from './unitOutput.js';

/** Fixes in the order of their arrival. One message of many fixes and many messages of one give the same outputs. */
export interface FixesInput {
  /** Always `fixes`. */
  readonly kind: 'fixes';
  /**
   * As they were received. One with the `unitId` of another unit counts for the runs alone that this unit has taken over (`chargesOf`).
   */
  readonly fixes: readonly TripFix[];
  /** When the log received them, epoch milliseconds. Without it `maxAheadSeconds` applies. */
  readonly receivedAt?: number | undefined;
}

/** The clock: no fix that arrives from now on is older than `time` less the lateness. */
export interface TimeInput {
  /** Always `time`. */
  readonly kind: 'time';
  /** Epoch milliseconds. A time before the last one changes nothing. */
  readonly time: number;
}

/** An edit of what belongs to the unit, and the place in its stream from which the message's `zonesVersion` applies. */
export interface EditInput {
  /** Always `edit`. */
  readonly kind: 'edit';
  /** The unit's settings of the trip detector and its speed limit from its next fix on; `null`: the defaults. Absent: as they are. */
  readonly settings?: UnitSettings | null | undefined;
}

/** The unit's history: the answer to `rebuild` of a step. */
export interface RebuildInput {
  /** Always `rebuild`. */
  readonly kind: 'rebuild';
  /** `of` of the demand that it answers. Default `all`. */
  readonly of?: RebuildDemand['of'] | undefined;
  /** `from` of the demand that it answers, or an earlier time; `null`: everything that is kept, also where nothing is older. Default `null`. */
  readonly from?: number | null | undefined;
  /**
   * All fixes of the unit from `from` on, in any order; those of messages that were not applied may be among them. And, each with its `unitId`, those of
   * units that took over its runs, while they are in charge (`chargesOf`).
   */
  readonly fixes: readonly TripFix[];
  /** When the log received the last of the fixes, epoch milliseconds. Without it `maxAheadSeconds` applies. */
  readonly receivedAt?: number | undefined;
  /** All outputs of the unit so far whose `lastTimeOf` is at least `from`, in any order. */
  readonly outputs: readonly UnitOutput[];
}

/** What a message holds. */
export type UnitInput = FixesInput | TimeInput | EditInput | RebuildInput;

/** A message of one unit. Plain JSON. */
export interface UnitMessage {
  /** The key of the stream. */
  readonly unitId: string;
  /**
   * The version of the company's zones and trips when the message was written to the log, a whole number. The state keeps the greatest, so that
   * a replay sees the same zones.
   */
  readonly zonesVersion: number;
  /** Fixes, a time, an edit, or the history. */
  readonly input: UnitInput;
}

/** History that the unit needs: send it as a `rebuild` message, at any later time. Demands of many late fixes are one. */
export interface RebuildDemand {
  /** `all`: a fix was late. `trips`: a trip or its route was added or edited whose fixes have passed. */
  readonly of: 'all' | 'trips';
  /** The first fix that is needed, epoch milliseconds; `null`: all that are kept. */
  readonly from: number | null;
}
