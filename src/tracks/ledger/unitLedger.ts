/** The state of measured visits. Plain JSON. */

import { UNKNOWN } from '../fixReader.js';
import type { Sums } from '../meter/measure.js';
import { type MeterState, noMeterState } from '../meter/stepMeter.js';

/** The unit's meter, and the last exit of each zone that it visited. */
export interface UnitLedger {
  meter: MeterState;
  /** Speed of the step to the last fix, -1 in a gap. */
  leadKph: number;
  /** By zone, in order of ids. */
  readonly lastExits: LastExit[];
  /** The first two at the first of the fixes at the last one's place; null if there is only one. */
  atPlace: { readonly meter: MeterState; readonly leadKph: number } | null;
}

export interface LastExit {
  readonly zoneId: string;
  time: number;
}

/** State of a dwell. The sums are replaced, never changed, so that copies of a dwell may share them. */
export interface DwellLedger {
  /** From `enter` to the last fix. */
  readonly sums: Sums;
  /** Speed at the moment of `enter`, -1 if it is not known: of a visit without duration. */
  readonly enterKph: number;
  /** From `enter` to when the visit may have ended: its exit so far, and its last fix inside. */
  readonly marks: readonly LedgerMark[];
  /** The same at the first of the fixes at the last one's place; null if there is only one. */
  readonly atPlace: DwellLedger | null;
}

export interface LedgerMark {
  readonly time: number;
  readonly sums: Sums;
}

export function newUnitLedger(): UnitLedger {
  return { meter: noMeterState(), leadKph: UNKNOWN, lastExits: [], atPlace: null };
}
