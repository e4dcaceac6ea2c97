/** One unit of a `VisitTracker`: its fixes and its dwells, in memory and as plain JSON. */

import type { SafeRegion } from '../zones/index/index.js';
import { copyOfIntake, emptyIntake, type Intake } from './fixIntake.js';
import { intakeFromJson, intakeToJson } from './intakeToJson.js';
import type { StateReader } from './stateReader.js';
import { type Dwell, takeBackRepeats } from './visitMachine.js';
import type { VisitRules } from './visitRules.js';
import type { Dwells } from './visitStepper.js';

export interface VisitUnit extends Intake {
  readonly id: string;
  dwells: Dwells;
  /** `edits` of the index when the dwells were last compared with their zones. Not part of snapshots. */
  comparedEdits: number;
  /** Safe region around the unit: saves queries and changes no answer. Not part of snapshots. */
  around: SafeRegion | null;
}

export function newUnit(id: string, watermark: number): VisitUnit {
  return { id, ...emptyIntake(watermark), dwells: null, comparedEdits: -1, around: null };
}

/** An independent copy. */
export function copyOfUnit(unit: VisitUnit): VisitUnit {
  return {
    ...copyOfIntake(unit),
    dwells: unit.dwells && new Map([...unit.dwells].map(([id, dwell]) => [id, { ...dwell }])),
    around: null,
  };
}

/** Takes back the last fixes at one place, which were frozen, from the dwells. */
export function takeBackFixes({ dwells, placeTime, repeats }: VisitUnit, rules: VisitRules): void {
  for (const dwell of dwells?.values() ?? []) takeBackRepeats(dwell, placeTime, repeats, rules);
}

export function unitToJson(unit: VisitUnit): object {
  const dwells = [...(unit.dwells?.values() ?? [])].map(dwellToJson);
  return { id: unit.id, ...intakeToJson(unit), stays: dwells };
}

export function unitFromJson(reader: StateReader): VisitUnit {
  const dwells = reader.children('stays').map(dwellFromJson);
  return {
    id: reader.text('id'),
    ...intakeFromJson(reader),
    dwells: dwells.length > 0 ? new Map(dwells.map((dwell) => [dwell.zoneId, dwell])) : null,
    comparedEdits: -1,
    around: null,
  };
}

function dwellToJson(dwell: Dwell): object {
  const { zoneId, enter, enterBounds, confirmed, exit, leftAt, lastInside } = dwell;
  const { fixCount, isEnterEmitted, lost, zoneShape } = dwell;
  const [from, to] = exit?.bounds ?? [];
  return {
    zoneId,
    enter,
    enterAfter: enterBounds[0],
    enterBefore: enterBounds[1],
    confirmed,
    exit: exit && { time: exit.time, after: from, before: to },
    leftAt,
    lastInside,
    fixCount,
    told: isEnterEmitted,
    lost,
    zoneShape,
  };
}

function dwellFromJson(reader: StateReader): Dwell {
  const exit = reader.childOrNull('exit');
  return {
    zoneId: reader.text('zoneId'),
    enter: reader.time('enter'),
    enterBounds: [reader.timeOr('enterAfter', null), reader.time('enterBefore')],
    confirmed: reader.boolean('confirmed'),
    exit: exit && { time: exit.time('time'), bounds: [exit.time('after'), exit.time('before')] },
    leftAt: reader.timeOr('leftAt', null),
    lastInside: reader.timeOr('lastInside', null),
    fixCount: reader.count('fixCount'),
    isEnterEmitted: reader.boolean('told'),
    lost: reader.boolean('lost'),
    zoneShape: reader.text('zoneShape'),
  };
}
