/** One unit of a `SpeedingTracker`, in memory and as plain JSON. */

import { copyOfIntake, emptyIntake, type Intake } from '../fixIntake.js';
import { intakeFromJson, intakeToJson } from '../intakeToJson.js';
import { type LastZones, noLastZones } from '../ledger/stepZones.js';
import type { MeterSettings } from '../meter/meterSettings.js';
import { type MeterState, meterStateFromJson, meterStateToJson, noMeterState } from '../meter/stepMeter.js';
import type { StateReader } from '../stateReader.js';
import type { JsonOptions } from '../streamOptions.js';
import type { OpenSpeeding, SpeedingPart } from './speeding.js';

/** A fix of the current run between gaps, with the step to it. */
export interface SpeedFix {
  readonly time: number;
  readonly lon: number;
  readonly lat: number;
  /** As reported, from its judgement on -1 where it is contradicted. */
  speedKph: number;
  /** Whether the positions before do not support the speed: then those after decide. */
  readonly isDoubted: boolean;
  /** Whether `speedKph` counts as it is. */
  isJudged: boolean;
  /** The unit's own limit from this fix on, -1: none. */
  readonly unitKph: number;
  /** Metres of the step to the fix, and its distance by position over time. */
  readonly meters: number;
  readonly evenKph: number;
  /** Whether the unit slept before the fix: no speed was seen in that time. */
  readonly isAfterSleep: boolean;
}

/** What the fixes of a unit say about its speed. */
export interface Driving {
  meter: MeterState;
  /** The last fixes of the run: those of the last 10 s, the latest one before, and all that wait for evidence. */
  fixes: SpeedFix[];
  /** How many of `fixes` are judged, and their steps evaluated. */
  judgedCount: number;
  open: OpenSpeeding | null;
}

export interface SpeedingUnit extends Intake, Driving {
  readonly id: string;
  /** The unit's own settings; null: those of the tracker. */
  settings: MeterSettings | null;
  /** Limits that came with fixes that are not applied yet, by time; -1: none. */
  readonly given: Map<number, number>;
  /** `Driving` at the first of the fixes at the last one's place, as long as no event was emitted since; null if there is only one. */
  atPlace: Driving | null;
  /** Not part of snapshots. */
  last: LastZones;
}

export function newSpeedingUnit(id: string, watermark: number): SpeedingUnit {
  return Object.assign(emptyIntake(watermark), {
    id,
    settings: null,
    given: new Map(),
    meter: noMeterState(),
    fixes: [],
    judgedCount: 0,
    open: null,
    atPlace: null,
    last: noLastZones(),
  });
}

/** An independent copy. */
export function copyOfSpeedingUnit(unit: SpeedingUnit): SpeedingUnit {
  return {
    ...copyOfIntake(unit),
    given: new Map(unit.given),
    ...copyOfDriving(unit),
    atPlace: unit.atPlace && copyOfDriving(unit.atPlace),
    last: noLastZones(),
  };
}

export function copyOfDriving({ meter, fixes, judgedCount, open }: Driving): Driving {
  return {
    meter: { ...meter },
    fixes: fixes.map((fix) => ({ ...fix })),
    judgedCount,
    open: open && { ...open, parts: [...open.parts] },
  };
}

export function speedingUnitToJson(
  unit: SpeedingUnit,
  settingsToJson: (settings: MeterSettings) => JsonOptions,
): object {
  return {
    id: unit.id,
    ...intakeToJson(unit),
    settings: unit.settings && settingsToJson(unit.settings),
    given: [...unit.given].map(([time, limitKph]) => ({ time, limitKph: numberToJson(limitKph) })),
    driving: drivingToJson(unit),
    atPlace: unit.atPlace && drivingToJson(unit.atPlace),
  };
}

function drivingToJson({ meter, fixes, judgedCount, open }: Driving): object {
  return {
    meter: meterStateToJson(meter),
    fixes: fixes.map(speedFixToJson),
    judgedCount,
    open: open && {
      parts: open.parts.map((part) => ({ ...part, limitKph: numberToJson(part.limitKph) })),
      reachesEnd: open.reachesEnd,
      isAboveAtEnd: open.isAboveAtEnd,
      isBegun: open.isBegun,
    },
  };
}

export function speedingUnitFromJson(
  reader: StateReader,
  settingsFromJson: (settings: JsonOptions) => MeterSettings,
): SpeedingUnit {
  const settings = reader.childOrNull('settings');
  const atPlace = reader.childOrNull('atPlace');
  return {
    id: reader.text('id'),
    ...intakeFromJson(reader),
    settings: settings && settingsFromJson(settings.scalars()),
    given: new Map(reader.children('given').map((one) => [one.time('time'), limitFromJson(one)])),
    ...drivingFromJson(reader.child('driving')),
    atPlace: atPlace && drivingFromJson(atPlace),
    last: noLastZones(),
  };
}

function drivingFromJson(reader: StateReader): Driving {
  const open = reader.childOrNull('open');
  const fixes = reader.children('fixes').map(speedFixFromJson);
  return {
    meter: meterStateFromJson(reader.child('meter')),
    fixes,
    judgedCount: Math.min(reader.count('judgedCount'), fixes.length),
    open: open && {
      parts: open.children('parts').map(partFromJson),
      reachesEnd: open.boolean('reachesEnd'),
      isAboveAtEnd: open.boolean('isAboveAtEnd'),
      isBegun: open.boolean('isBegun'),
    },
  };
}

function speedFixToJson(fix: SpeedFix): object {
  const { time, lon, lat, speedKph, isDoubted, isJudged, unitKph, meters, evenKph, isAfterSleep } = fix;
  const limitKph = numberToJson(unitKph);
  return {
    time,
    lon,
    lat,
    speedKph,
    isDoubted,
    isJudged,
    limitKph,
    meters,
    evenKph,
    ...(isAfterSleep && { isAfterSleep }),
  };
}

function speedFixFromJson(reader: StateReader): SpeedFix {
  return {
    time: reader.time('time'),
    lon: reader.lon('lon'),
    lat: reader.lat('lat'),
    speedKph: reader.number('speedKph'),
    isDoubted: reader.boolean('isDoubted'),
    isJudged: reader.boolean('isJudged'),
    unitKph: limitFromJson(reader),
    meters: reader.number('meters'),
    evenKph: reader.number('evenKph'),
    isAfterSleep: reader.flag('isAfterSleep'),
  };
}

function partFromJson(reader: StateReader): SpeedingPart {
  return {
    from: reader.time('from'),
    to: reader.time('to'),
    limitKph: limitFromJson(reader),
    zoneId: reader.textOrNull('zoneId'),
    maxKph: reader.number('maxKph'),
    distanceMeters: reader.number('distanceMeters'),
  };
}

/** JSON has no `Infinity`, which is a limit too. */
function numberToJson(value: number): number | null {
  return value === Number.POSITIVE_INFINITY ? null : value;
}

function limitFromJson(reader: StateReader): number {
  return reader.numberOr('limitKph', Number.POSITIVE_INFINITY);
}

/** Whether a fix of this time waits in the intake. */
export function waits({ ahead, pending, suspects }: SpeedingUnit, time: number): boolean {
  if (ahead?.time === time || pending?.at(time) !== undefined) return true;
  return suspects?.toArray().some((fix) => fix.time === time) ?? false;
}
