/** The state of measured visits, in memory and as plain JSON. */

import { UNKNOWN } from '../fixReader.js';
import type { Sums } from '../meter/measure.js';
import { type MeterState, meterStateFromJson, meterStateToJson, noMeterState } from '../meter/stepMeter.js';
import type { StateReader } from '../stateReader.js';

/** The unit's meter, and the last exit of each zone that it visited. */
export interface UnitLedger {
  meter: MeterState;
  /** Speed of the step to the last fix, -1 in a gap. */
  leadKph: number;
  readonly lastExits: Map<string, number>;
  /** The first two at the first of the fixes at the last one's place; null if there is only one. */
  atPlace: { readonly meter: MeterState; readonly leadKph: number } | null;
}

/** What is known of a dwell. The sums are replaced, never changed, so that copies of a dwell may share them. */
export interface DwellLedger {
  /** From `enter` to the last fix. */
  readonly sums: Sums;
  /** Speed at the moment of `enter`, -1 if it is not known: of a visit without duration. */
  readonly enterKph: number;
  /** From `enter` to when the visit may have ended: its exit so far, and its last fix inside. */
  readonly marks: readonly Mark[];
  /** The same at the first of the fixes at the last one's place; null if there is only one. */
  readonly atPlace: DwellLedger | null;
}

export interface Mark {
  readonly time: number;
  readonly sums: Sums;
}

export function newUnitLedger(): UnitLedger {
  return { meter: noMeterState(), leadKph: UNKNOWN, lastExits: new Map(), atPlace: null };
}

export function copyOfUnitLedger({ meter, leadKph, lastExits, atPlace }: UnitLedger): UnitLedger {
  return { meter: { ...meter }, leadKph, lastExits: new Map(lastExits), atPlace };
}

export function unitLedgerToJson({ meter, leadKph, lastExits, atPlace }: UnitLedger): object {
  return {
    meter: meterStateToJson(meter),
    leadKph,
    lastExits: [...lastExits].map(([zoneId, exit]) => ({ zoneId, exit })),
    atPlace: atPlace && { meter: meterStateToJson(atPlace.meter), leadKph: atPlace.leadKph },
  };
}

export function unitLedgerFromJson(reader: StateReader): UnitLedger {
  const atPlace = reader.childOrNull('atPlace');
  const exits = reader.children('lastExits').map((one) => [one.text('zoneId'), one.time('exit')] as const);
  return {
    meter: meterStateFromJson(reader.child('meter')),
    leadKph: reader.number('leadKph'),
    lastExits: new Map(exits),
    atPlace: atPlace && {
      meter: meterStateFromJson(atPlace.child('meter')),
      leadKph: atPlace.number('leadKph'),
    },
  };
}

export function dwellLedgerToJson({ sums, enterKph, marks, atPlace }: DwellLedger): object {
  return {
    sums: { ...sums },
    enterKph,
    marks: marks.map((mark) => ({ time: mark.time, sums: { ...mark.sums } })),
    atPlace: atPlace && dwellLedgerToJson(atPlace),
  };
}

export function dwellLedgerFromJson(reader: StateReader): DwellLedger {
  const atPlace = reader.childOrNull('atPlace');
  const marks = reader.children('marks').map((mark) => ({
    time: mark.time('time'),
    sums: sumsFromJson(mark.child('sums')),
  }));
  return {
    sums: sumsFromJson(reader.child('sums')),
    enterKph: reader.number('enterKph'),
    marks,
    atPlace: atPlace && dwellLedgerFromJson(atPlace),
  };
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
