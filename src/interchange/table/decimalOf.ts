/** Finds how a table writes numbers: its decimal mark, and the units of speeds and lengths. */

import type { RoleColumns } from './cellTime.js';
import type { ColumnFact } from './columnFacts.js';
import type { OpenTable } from './openTable.js';
import type { TableRow } from './splitRows.js';
import type { Notes, TableRole } from './tableDescription.js';
import type { TableDraft } from './tableDraft.js';
import { numberAndWord } from './tableNumber.js';
import { factorOf, unitIn } from './unitWords.js';

const NUMBER_ROLES: readonly TableRole[] = ['lat', 'lon', 'speed', 'radius', 'altitude', 'mileage'];
const LENGTH_ROLES: readonly TableRole[] = ['altitude', 'accuracy', 'mileage', 'mileageDelta'];

/** Decimal mark of the number columns. */
export function decimalOf(
  columns: readonly ColumnFact[],
  rows: readonly TableRow[],
  open: OpenTable,
  notes: Notes,
): '.' | ',' {
  let commas = 0;
  let points = 0;
  const own = columns.filter(({ facts, given }) =>
    NUMBER_ROLES.some((role) => given === role || facts.some((fact) => fact.role === role)),
  );
  const sure = own.filter(({ facts }) =>
    facts.some(({ role }) => role === 'lat' || role === 'lon' || role === 'radius'),
  );
  for (const { index } of sure.length > 0 ? sure : own) {
    for (const { cells } of rows) {
      const cell = cells[index] ?? '';
      if (/\d,\d/.test(cell) && !/\d\.\d/.test(cell)) commas++;
      else if (/\d\.\d/.test(cell)) points++;
    }
  }
  if (commas === 0 || commas <= points) {
    if (points > 0 || commas > 0) return '.';
    const others = own.some(({ index }) =>
      rows.some(({ cells }) => /^\s*[+-]?\d+,\d{1,2}\s*$/.test(cells[index] ?? '')),
    );
    return others ? ',' : '.';
  }
  if (open.form === 'delimited') notes.say('decimal comma', '--decimal');
  return ',';
}

/** Whether a cell is a number with a unit of speed. */
export function isSpeedWithUnit(text: string): boolean {
  const found = numberAndWord(text);
  return found !== null && found.word !== '' && unitIn(found.word, 'speed') !== null;
}

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
