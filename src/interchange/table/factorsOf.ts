/** Finds the units of speeds and lengths. */

import type { RoleColumns } from './cellTime.js';
import type { TableRole } from './tableDescription.js';
import type { TableDraft } from './tableDraft.js';
import { numberAndWord } from './tableNumber.js';
import { factorOf, unitIn } from './unitWords.js';

/** Whether a cell is a number with a unit of speed. */
export function isSpeedWithUnit(text: string): boolean {
  const found = numberAndWord(text);
  return found !== null && found.word !== '' && unitIn(found.word, 'speed') !== null;
}

const LENGTH_ROLES: readonly TableRole[] = ['altitude', 'accuracy', 'mileage', 'mileageDelta'];

/** Factors to km/h and metres, by the units of the headers, the profile and the caller. */
export function factorsOf(
  { columns, known }: TableDraft,
  at: RoleColumns,
  isFixes: boolean,
): Partial<Record<TableRole, number | null>> {
  if (!isFixes) return {};
  const factors: Partial<Record<TableRole, number | null>> = {};
  const unitOf = (role: TableRole): string | null =>
    columns.find(({ index }) => index === at[role])?.unit ?? null;
  const speedUnit = unitOf('speed') ?? known.speedUnit ?? null;
  if (at.speed !== undefined && speedUnit !== null) factors.speed = factorOf(speedUnit, 'speed');
  for (const role of LENGTH_ROLES) {
    if (at[role] === undefined) continue;
    const isMileage = role === 'mileage' || role === 'mileageDelta';
    const unit = unitOf(role) ?? (isMileage ? (known.mileageUnit ?? null) : 'm');
    factors[role] = unit === null ? null : factorOf(unit, 'length');
  }
  return factors;
}
