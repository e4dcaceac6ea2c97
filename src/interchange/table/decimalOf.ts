/** Finds the decimal mark of a table. */

import type { ColumnFact } from './columnFacts.js';
import type { Notes } from './notes.js';
import type { OpenTable } from './openTable.js';
import type { TableRow } from './splitRows.js';
import type { TableRole } from './tableDescription.js';

const NUMBER_ROLES: readonly TableRole[] = ['lat', 'lon', 'speed', 'radius', 'altitude', 'mileage'];

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
