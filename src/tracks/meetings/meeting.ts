/** A meeting of two units, and the options that decide what counts as one. */

import { inputError } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import { type OptionTable, OWN, valuesOf } from '../../core/options.js';
import { checkRunOptions } from '../checkRunOptions.js';

/** A time that two units spent near each other. */
export interface Meeting {
  /** Time at which the units came within `meters`, or were first both seen there, epoch ms. */
  readonly from: number;
  /** Last time at which the units were within `meters`, epoch ms. */
  readonly to: number;
  /** Their least distance. */
  readonly minMeters: number;
  /** First time at which the units were nearest, epoch ms. */
  readonly minTime: number;
  /** `apart`: the units parted. `gap`: one of the units was no longer seen. `track`: a track ended. */
  readonly end: 'apart' | 'gap' | 'track';
}

/** Options of `findMeetings`. */
export interface MeetingOptions {
  /** Units at most this far apart are together. */
  readonly meters: number;
  /** Distance beyond `meters` that ends a meeting, metres. Default 0. */
  readonly exitBufferMeters?: number | undefined;
  /** Shorter meetings are left out (≥). Default 0. */
  readonly minSeconds?: number | undefined;
  /** A longer step is a gap. Default 3600; `Infinity`: never. */
  readonly maxGapSeconds?: number | undefined;
  /** A step over a longer distance is a gap. Default `Infinity`. */
  readonly maxGapMeters?: number | undefined;
  /** A long step between fixes at most this far apart is not a gap: the unit stood. Default 200. */
  readonly parkedMeters?: number | undefined;
}

export const MEETING_OPTIONS: OptionTable<MeetingOptions, 'meters'> = {
  meters: OWN,
  exitBufferMeters: { default: 0 },
  minSeconds: { default: 0 },
  maxGapSeconds: { default: 3600 },
  maxGapMeters: { default: Number.POSITIVE_INFINITY },
  parkedMeters: { default: 200 },
};

export interface MeetingRules {
  readonly meters: number;
  readonly apartMeters: number;
  readonly minMs: number;
  readonly maxGapMs: number;
  readonly maxGapMeters: number;
  readonly parkedMeters: number;
}

/** Errors: `option-type`, `option-unknown`, `option-value`. */
export function readMeetingRules(options: unknown, table: object): MeetingRules {
  checkRunOptions(options ?? {}, table as typeof MEETING_OPTIONS);
  const values = valuesOf(options ?? undefined, MEETING_OPTIONS);
  const meters = guarded('options.meters', () => {
    const { meters: given } = values;
    if (typeof given === 'number' && given >= 0 && given < Number.POSITIVE_INFINITY) return given;
    throw inputError('option-value', 'options.meters', 'a distance in metres', given);
  });
  return {
    meters,
    apartMeters: meters + values.exitBufferMeters,
    minMs: values.minSeconds * 1000,
    maxGapMs: values.maxGapSeconds * 1000,
    maxGapMeters: values.maxGapMeters,
    parkedMeters: values.parkedMeters,
  };
}
