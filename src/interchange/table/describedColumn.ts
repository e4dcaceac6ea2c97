/** Describes a column of a table. */

import type { ColumnFact } from './columnFacts.js';
import { asks, type Notes } from './notes.js';
import type { OpenTable } from './openTable.js';
import type { TableColumn, TableForm, TableHints, TableKind, TableRole } from './tableDescription.js';
import type { ReadyTable, TableDraft } from './tableDraft.js';

/** Confidence below which the encoding is asked. */
const LEAST_CONFIDENCE = 0.2;

/** Forms of which only numbers are read, so that their encoding is of no matter. */
const NUMBERS_ONLY: ReadonlySet<TableForm> = new Set(['nmea', 'plt', 'wln']);

/** A column as `describeTable` returns it. */
export function describedColumn(
  column: ColumnFact,
  { rows, time, known, notes }: TableDraft,
  base: Pick<ReadyTable, 'at' | 'place' | 'vertexOrder'>,
  kind: TableKind,
  contested: ReadonlySet<TableRole>,
): TableColumn {
  const role =
    (Object.entries(base.at) as [TableRole, number][]).find(([, index]) => index === column.index)?.[0] ??
    null;
  const isContested = role !== null && contested.has(role);
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
  const isAsked = asks(notes, isTime ? 'time-format-unknown' : 'coordinate-form-unknown');
  const placeFormat = role === 'position' ? base.place.axisOrder : base.place.form;
  const vertexFormat = role === 'vertices' ? base.vertexOrder : column.givenFormat;
  const format = isTime ? time.format : isPlace ? placeFormat : vertexFormat;
  return {
    name: column.name,
    role: isContested ? null : role,
    unit: role === null || isTime || isPlace ? null : (column.unit ?? answeredUnit(role, known)),
    format: (isTime || isPlace) && isAsked ? null : format,
    confidence: isContested ? 0 : confidence,
    examples,
  };
}

/** Unit given by the caller for a column whose header has none. */
function answeredUnit(role: TableRole, { speedUnit, mileageUnit, radiusUnit }: TableHints): string | null {
  if (role === 'speed') return speedUnit ?? null;
  if (role === 'radius') return radiusUnit ?? null;
  return role === 'mileage' || role === 'mileageDelta' ? (mileageUnit ?? null) : null;
}

/** Texts of a cell in the encodings that fit. */
function readingsText({ readings }: OpenTable): string {
  if (readings === null) return '';
  const shown = readings.map(([label, cell]) => `${JSON.stringify(cell)} in ${label}`);
  return `: a cell is ${shown.join(', ')}`;
}

/** Asks for the encoding if the letters do not show it. */
export function sayForm(open: OpenTable, hints: TableHints, notes: Notes): void {
  const { encoding } = open.encoding;
  if (!NUMBERS_ONLY.has(open.form) && encoding !== 'utf-8' && (hints.encoding ?? null) === null) {
    if (open.encoding.confidence < LEAST_CONFIDENCE) {
      notes.ask(
        'encoding-unknown',
        `the bytes are not UTF-8, and their letters do not show the encoding; the likeliest is ${encoding}${readingsText(open)}`,
        `--encoding ${encoding}`,
      );
    } else notes.say(`encoding ${encoding}`, '--encoding');
  }
  if (open.sheet !== null) {
    const others =
      open.otherSheets.length === 0
        ? ''
        : `, not ${open.otherSheets
            .slice(0, 10)
            .map((name) => JSON.stringify(name))
            .join(', ')}`;
    notes.say(`sheet ${open.sheet}${others}`, '--sheet');
  }
  if (open.hasDateCells) notes.say('times are date cells');
  for (const note of open.notes) notes.say(note);
  for (const [reason, count] of open.leftOut)
    notes.say(`${count} ${count === 1 ? 'line is' : 'lines are'} left out: ${reason}`);
}
