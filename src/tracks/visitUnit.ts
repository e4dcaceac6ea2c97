/** One unit of a `VisitTracker`: its messages and its stays, in memory and as plain JSON. */

import type { SafeRegion } from '../zones/index/segments/safeRegion.js';
import { emptyIntake, type Intake } from './fixIntake.js';
import { intakeFromJson, intakeToJson } from './intakeToJson.js';
import type { StateReader } from './stateReader.js';
import type { Stay } from './visitMachine.js';
import type { Stays } from './visitStepper.js';

export interface VisitUnit extends Intake {
  readonly id: string;
  stays: Stays;
  /** The index's edits when its stays were last compared with their zones; in no snapshot. */
  comparedEdits: number;
  /** What is known of the index around it: nothing that decides, and in no snapshot. */
  around: SafeRegion | null;
}

export function newUnit(id: string, watermark: number): VisitUnit {
  return { id, ...emptyIntake(watermark), stays: null, comparedEdits: -1, around: null };
}

/** A copy that goes its own way. */
export function copyOfUnit(unit: VisitUnit): VisitUnit {
  return {
    ...unit,
    pending: unit.pending && [...unit.pending],
    rejected: unit.rejected && { ...unit.rejected },
    stays: unit.stays && new Map([...unit.stays].map(([id, stay]) => [id, { ...stay }])),
    around: null,
  };
}

export function unitToJson(unit: VisitUnit): object {
  const stays = [...(unit.stays?.values() ?? [])].map(stayToJson);
  return { id: unit.id, ...intakeToJson(unit), stays };
}

export function unitFromJson(reader: StateReader): VisitUnit {
  const stays = reader.children('stays').map(stayFromJson);
  return {
    id: reader.text('id'),
    ...intakeFromJson(reader),
    stays: stays.length > 0 ? new Map(stays.map((stay) => [stay.zoneId, stay])) : null,
    comparedEdits: -1,
    around: null,
  };
}

function stayToJson(stay: Stay): object {
  const { zoneId, enter, enterBounds, confirmed, exit, left, lastInside } = stay;
  const { fixCount, told, lost, zoneShape } = stay;
  const [from, to] = exit?.bounds ?? [];
  return {
    zoneId,
    enter,
    enterAfter: enterBounds[0],
    enterBefore: enterBounds[1],
    confirmed,
    exit: exit && { time: exit.time, after: from, before: to },
    left,
    lastInside,
    fixCount,
    told,
    lost,
    zoneShape,
  };
}

function stayFromJson(reader: StateReader): Stay {
  const exit = reader.childOrNull('exit');
  return {
    zoneId: reader.text('zoneId'),
    enter: reader.time('enter'),
    enterBounds: [reader.timeOr('enterAfter', null), reader.time('enterBefore')],
    confirmed: reader.boolean('confirmed'),
    exit: exit && { time: exit.time('time'), bounds: [exit.time('after'), exit.time('before')] },
    left: reader.boolean('left'),
    lastInside: reader.timeOr('lastInside', null),
    fixCount: reader.count('fixCount'),
    told: reader.boolean('told'),
    lost: reader.boolean('lost'),
    zoneShape: reader.text('zoneShape'),
  };
}
