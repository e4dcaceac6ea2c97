/** Describes a column of a table. */

import type { ColumnFact } from './columnFacts.js';
import type { TableColumn, TableKind, TableRole } from './tableDescription.js';
import type { Draft, ReadyTable } from './tableDraft.js';

/** A column as `describeTable` returns it. */
export function describedColumn(
  column: ColumnFact,
  { rows, time }: Draft,
  base: Pick<ReadyTable, 'at' | 'place'>,
  kind: TableKind,
): TableColumn {
  const role =
    (Object.entries(base.at) as [TableRole, number][]).find(([, index]) => index === column.index)?.[0] ??
    null;
  const isTime = role === 'time' || role === 'date' || role === 'clock';
  const isPlace =
    role === 'lat' || role === 'lon' || role === 'position' || (role === 'wkt' && kind === 'fixes');
  const examples: string[] = [];
  for (const { cells } of rows) {
    const cell = (cells[column.index] ?? '').trim();
    if (cell !== '' && examples.push(cell.slice(0, 60)) >= 3) break;
  }
  const fact = column.facts.find((own) => own.role === role);
  const confidence =
    role === null
      ? 0
      : column.isByCaller || column.given === role
        ? 1
        : fact === undefined
          ? 0.5
          : fact.isCommon
            ? 0.95
            : 0.8;
  return {
    name: column.name,
    role,
    unit: role === null ? null : isTime || isPlace ? null : column.unit,
    format: isTime
      ? time.format
      : isPlace
        ? role === 'position'
          ? base.place.axisOrder
          : base.place.form
        : column.givenFormat,
    confidence,
    examples,
  };
}
