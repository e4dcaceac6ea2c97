/** Applies the next fix of a unit to its visits, and measures them. */

import type { BlindCode } from './blindStep.js';
import type { CleanFix } from './fixReader.js';
import type { VisitLedger } from './ledger/visitLedger.js';
import type { VisitStepper } from './visitStepper.js';
import type { VisitUnit } from './visitUnit.js';

/** `ledger`: null if visits are not measured. */
export function stepVisits(
  stepper: VisitStepper,
  ledger: VisitLedger | null,
  unit: VisitUnit,
  fix: CleanFix,
  blind: BlindCode,
): void {
  if (unit.ledger) ledger?.begin(unit.ledger, fix, blind);
  if (unit.applied === 0) {
    unit.dwells = stepper.start(fix.time, fix.lon, fix.lat);
  } else {
    stepper.from(unit);
    unit.dwells = stepper.to(fix, unit.dwells, blind);
  }
  if (unit.dwells !== null) ledger?.end(unit.dwells.values());
}
