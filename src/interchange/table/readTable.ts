/** Reads a described table into a builder. */

import { describe } from '../../core/errors.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { warnOfOtherColumns } from '../csv/csvOptions.js';
import { type OpenTable, openTable } from './openTable.js';
import { readyTable } from './readyTable.js';
import type { TableRow } from './splitRows.js';
import type { TableHints, TableNote } from './tableDescription.js';
import type { ReadyTable } from './tableDraft.js';
import { TableFixes } from './tableFixes.js';
import { TableZones } from './tableZones.js';

/** Reads the rows. Questions become errors, assumptions one warning. Throws the errors of `openTable`, `tz-unknown` and `limit-…`. */
export function readTable(
  input: string | Uint8Array,
  hints: TableHints,
  builder: ForeignBuilder,
  idPrefix: string,
): void {
  readOpenTable(openTable(input, hints, builder.limits.maxBytes), hints, builder, idPrefix);
}

/** `readTable` for an opened table. */
export function readOpenTable(
  open: OpenTable,
  hints: TableHints,
  builder: ForeignBuilder,
  idPrefix: string,
): void {
  const table = readyTable(open, hints);
  reportNotes(table, builder);
  for (const line of open.brokenLines) {
    const message = 'expected UTF-8, received a broken character, which is read as \ufffd';
    builder.issues.warning('encoding', '', message, line);
  }
  if (open.datum !== null && builder.crs === null) {
    const message = `expected the datum WGS84, received ${describe(open.datum)}; positions are read as WGS84, and may be off by some hundred metres; say it: --crs`;
    builder.issues.warning('crs-datum', 'crs', message);
  }
  if (table.parts.header !== null) warnOfQuotes([table.parts.header], builder);
  for (const { rows } of table.parts.sections) warnOfQuotes(rows, builder);
  builder.acceptsFarUnits = true;
  if (!table.isReadable) return;
  if (table.description.kind === 'zones') new TableZones(table, builder, hints, idPrefix).read();
  else {
    warnOfOthers(table, builder);
    new TableFixes(table, builder).read();
  }
}

function warnOfQuotes(rows: readonly TableRow[], { issues }: ForeignBuilder): void {
  for (const { flaw, line } of rows) {
    if (flaw !== undefined) issues.warning('csv-syntax', '', `expected ${flaw}`, line);
  }
}

/**
 * Examines a table without a common unit column. `described`: a column or a line names the units. `torn`: the rows cannot be of one unit,
 * which is reported. Throws as `readTable`.
 */
export function unitsOf(
  input: string | Uint8Array,
  hints: TableHints,
  builder: ForeignBuilder,
): 'described' | 'torn' | 'one' {
  const { description, at, parts } = readyTable(openTable(input, hints, builder.limits.maxBytes), hints);
  if (at.unit !== undefined || parts.sections.some(({ unit }) => unit !== null)) return 'described';
  const found = description.questions.find(
    ({ code }) => code === 'unit-column-unknown' || code === 'unit-missing',
  );
  if (found === undefined) return 'one';
  builder.issues.error(
    found.code === 'unit-missing' ? 'unit-missing' : 'unit-column-unknown',
    'unit',
    `${found.message}; say it: ${found.flag}`,
  );
  return 'torn';
}

function reportNotes({ description, parts }: ReadyTable, { issues }: ForeignBuilder): void {
  const { questions, assumptions } = description;
  for (const { code, message, flag } of questions) {
    if (code === 'table-assumed') continue;
    issues.error(code, FIELDS[code] ?? '', flag === '' ? message : `${message}; say it: ${flag}`);
  }
  if (assumptions.length > 0)
    issues.warning('table-assumed', '', `assumed: ${assumptions.map(({ message }) => message).join('; ')}`);
  for (const { line, rows } of parts.otherTables) {
    issues.error(
      'columns-unknown',
      '',
      `expected the header of line ${parts.header?.line ?? 1} again, received another; its ${rows} rows are not read`,
      line,
    );
  }
}

const FIELDS: Partial<Readonly<Record<TableNote['code'], string>>> = {
  'speed-unit': 'speedUnit',
  'time-zone-missing': 'timeZone',
  'date-order-unknown': 'dateOrder',
  'encoding-unknown': 'encoding',
  'radius-unit-unknown': 'radiusUnit',
  'mileage-unit': 'mileageUnit',
};

function warnOfOthers({ description, parts }: ReadyTable, { issues }: ForeignBuilder): void {
  if (description.form === 'wln' || description.form === 'nmea' || description.form === 'plt') return;
  const others = description.columns
    .filter(({ role, name }) => role === null && name.trim() !== '')
    .map(({ name }) => JSON.stringify(name));
  warnOfOtherColumns(others, issues, parts.header?.line ?? 1);
}
