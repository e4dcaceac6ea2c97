/** One unit of a `VisitTracker`: its fixes and its dwells, in memory and as plain JSON. */

import { copyOfIntake, emptyIntake, type Intake } from './fixIntake.js';
import { intakeFromJson, intakeToJson } from './intakeToJson.js';
import {
  copyOfUnitLedger,
  dwellLedgerFromJson,
  dwellLedgerToJson,
  newUnitLedger,
  type UnitLedger,
  unitLedgerFromJson,
  unitLedgerToJson,
} from './ledger/unitLedger.js';
import { takeBackMeasured } from './ledger/visitLedger.js';
import type { StateReader } from './stateReader.js';
import { type Dwell, takeBackRepeats } from './visitMachine.js';
import type { VisitRules } from './visitRules.js';
import type { Dwells } from './visitStepper.js';

export interface VisitUnit extends Intake {
  readonly id: string;
  dwells: Dwells;
  /** `edits` of the index when the dwells were last compared with their zones. Not part of snapshots. */
  comparedEdits: number;
  /** Null if visits are not measured. */
  ledger: UnitLedger | null;
}

export function newUnit(id: string, watermark: number, isMeasured: boolean = false): VisitUnit {
  const ledger = isMeasured ? newUnitLedger() : null;
  return Object.assign(emptyIntake(watermark), { id, dwells: null, comparedEdits: -1, ledger });
}

/** An independent copy. */
export function copyOfUnit(unit: VisitUnit): VisitUnit {
  return {
    ...copyOfIntake(unit),
    dwells: unit.dwells && new Map([...unit.dwells].map(([id, dwell]) => [id, { ...dwell }])),
    ledger: unit.ledger && copyOfUnitLedger(unit.ledger),
  };
}

/** Takes back the last fixes at one place, which were frozen, from the dwells. */
export function takeBackFixes(unit: VisitUnit, rules: VisitRules): void {
  const { dwells, placeTime, repeats, ledger } = unit;
  if (ledger !== null) takeBackMeasured(ledger, dwells?.values() ?? []);
  for (const dwell of dwells?.values() ?? []) takeBackRepeats(dwell, placeTime, repeats, rules);
}

export function unitToJson(unit: VisitUnit): object {
  const dwells = [...(unit.dwells?.values() ?? [])].map(dwellToJson);
  return {
    id: unit.id,
    ...intakeToJson(unit),
    stays: dwells,
    // Left out without it, so that older snapshots stay valid.
    ...(unit.ledger && { ledger: unitLedgerToJson(unit.ledger) }),
  };
}

export function unitFromJson(reader: StateReader): VisitUnit {
  const dwells = reader.children('stays').map(dwellFromJson);
  const ledger = reader.childIfAny('ledger');
  return {
    id: reader.text('id'),
    ...intakeFromJson(reader),
    dwells: dwells.length > 0 ? new Map(dwells.map((dwell) => [dwell.zoneId, dwell])) : null,
    comparedEdits: -1,
    ledger: ledger && unitLedgerFromJson(ledger),
  };
}

function dwellToJson(dwell: Dwell): object {
  const { zoneId, enter, enterBounds, confirmed, exit, leftAt, lastInside } = dwell;
  const { fixCount, isEnterEmitted, lost, zoneShape, ledger, hoursTold } = dwell;
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
    ...(ledger && { ledger: dwellLedgerToJson(ledger) }),
    // Left out without hours, so that older snapshots stay valid.
    ...(hoursTold !== null && { hoursTold }),
  };
}

function dwellFromJson(reader: StateReader): Dwell {
  const exit = reader.childOrNull('exit');
  const ledger = reader.childIfAny('ledger');
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
    ledger: ledger && dwellLedgerFromJson(ledger),
    hoursTold: reader.numberIfAny('hoursTold', null),
  };
}
