/** The state of measured visits, in memory and as plain JSON. */

import { UNKNOWN } from '../fixReader.js';
import type { Sums } from '../meter/measure.js';
import { type MeterState, meterStateFromJson, meterStateToJson, noMeterState } from '../meter/stepMeter.js';
import type { StateReader } from '../stateReader.js';

/** The unit's meter, and the last exit of each zone that it visited. */
export interface UnitLedger {
  readonly meter: MeterState;
  /** Speed of the step to the last fix, -1 in a gap. */
  leadKph: number;
  readonly lastExits: Map<string, number>;
}

/** What is known of a dwell. The sums are replaced, never changed, so that copies of a dwell may share them. */
export interface DwellLedger {
  /** From `enter` to the last fix. */
  readonly sums: Sums;
  /** Speed at the moment of `enter`, -1 if it is not known: of a visit without duration. */
  readonly enterKph: number;
  /** From `enter` to when the visit may have ended: its exit so far, and its last fix inside. */
  readonly marks: readonly Mark[];
}

export interface Mark {
  readonly time: number;
  readonly sums: Sums;
}

export function newUnitLedger(): UnitLedger {
  return { meter: noMeterState(), leadKph: UNKNOWN, lastExits: new Map() };
}

export function copyOfUnitLedger({ meter, leadKph, lastExits }: UnitLedger): UnitLedger {
  return { meter: { ...meter }, leadKph, lastExits: new Map(lastExits) };
}

export function unitLedgerToJson({ meter, leadKph, lastExits }: UnitLedger): object {
  return {
    meter: meterStateToJson(meter),
    leadKph,
    lastExits: [...lastExits].map(([zoneId, exit]) => ({ zoneId, exit })),
  };
}

export function unitLedgerFromJson(reader: StateReader): UnitLedger {
  const exits = reader.children('lastExits').map((one) => [one.text('zoneId'), one.time('exit')] as const);
  return {
    meter: meterStateFromJson(reader.child('meter')),
    leadKph: reader.number('leadKph'),
    lastExits: new Map(exits),
  };
}

export function dwellLedgerToJson({ sums, enterKph, marks }: DwellLedger): object {
  return {
    sums: { ...sums },
    enterKph,
    marks: marks.map((mark) => ({ time: mark.time, sums: { ...mark.sums } })),
  };
}

export function dwellLedgerFromJson(reader: StateReader): DwellLedger {
  const marks = reader
    .children('marks')
    .map((mark) => ({ time: mark.time('time'), sums: sumsFromJson(mark.child('sums')) }));
  return { sums: sumsFromJson(reader.child('sums')), enterKph: reader.number('enterKph'), marks };
}

function sumsFromJson(reader: StateReader): Sums {
  return {
    movingMs: reader.number('movingMs'),
    idlingMs: reader.number('idlingMs'),
    parkedMs: reader.number('parkedMs'),
    meters: reader.number('meters'),
    gapMeters: reader.number('gapMeters'),
    maxKph: reader.number('maxKph'),
  };
}
