/** Judges and describes the columns of a table: the kind of its rows, missing or rival columns, and cells beyond the header. */

import { describe } from '../../core/errors.js';
import type { RoleColumns } from './cellTime.js';
import { type ColumnFact, candidates } from './columnFacts.js';
import { plainWord } from './headerFacts.js';
import type { OpenTable } from './openTable.js';
import { isPointText } from './positionForm.js';
import type { TableRow } from './splitRows.js';
import {
  asks,
  type Notes,
  type TableColumn,
  type TableForm,
  type TableHints,
  type TableKind,
  type TableRole,
} from './tableDescription.js';
import type { ReadyTable, TableDraft } from './tableDraft.js';

const FREE_TEXT =
  /address|адрес|annotation|comment|коммент|описание|описанье|adresse|direccion|dirección|indirizzo|adres/i;
/** Confidence below which the encoding is asked. */
const LEAST_CONFIDENCE = 0.2;
/** Forms of which only numbers are read, so that their encoding is of no matter. */
const NUMBERS_ONLY: ReadonlySet<TableForm> = new Set(['nmea', 'plt', 'wln']);

/** Kind of the rows: by the caller, else by the roles of the columns. */
export function kindOf(draft: TableDraft): TableKind {
  const { known, header } = draft;
  if (known.kind !== undefined && known.kind !== 'unknown') return known.kind;
  if (header.length === 0 && known.kind === undefined) return 'unknown';
  return kindOfColumns(draft);
}

/** Asks if the caller expects zones where the table has fixes, or fixes where it has zones. */
export function askKind(draft: TableDraft): void {
  const { known, columns, notes, header, time } = draft;
  if (known.kind !== 'zones' && known.kind !== 'fixes') return;
  const seems = kindOfColumns(draft);
  if (seems === known.kind || seems === 'unknown') return;
  if (seems === 'fixes' && !seemFixes(draft)) return;
  const names = (list: readonly (number | undefined)[]): string =>
    list.flatMap((index) => (index === undefined ? [] : [JSON.stringify(header[index])])).join(', ');
  const first = (role: TableRole): number | undefined => candidates(columns, role)[0]?.index;
  const evidence =
    seems === 'fixes'
      ? `it has positions with times and is a table of fixes: ${names([time.at.time ?? time.at.date, first('unit'), first('speed')])}`
      : `it has no times and is a table of zones: ${names([first('name') ?? first('id'), first('radius'), first('wkt')])}`;
  notes.ask('table-kind', `expected a table of ${known.kind}, received another: ${evidence}`, '');
}

/** Columns that zones do not have. */
const ONLY_FIXES: readonly TableRole[] = ['speed', 'course', 'satellites', 'ignition', 'mileage'];
/** Columns that fixes do not have. */
const ONLY_ZONES: readonly TableRole[] = ['radius', 'width', 'vertexOrder', 'wkt'];

/** Whether rows of positions with times are certainly fixes, not zones with their time of creation. */
function seemFixes({ columns, rows }: TableDraft): boolean {
  const first = (role: TableRole): number | undefined => candidates(columns, role)[0]?.index;
  if (ONLY_ZONES.some((role) => first(role) !== undefined)) return false;
  if (ONLY_FIXES.some((role) => first(role) !== undefined)) return true;
  const unit = first('unit');
  if (unit !== undefined) return new Set(rows.map(({ cells }) => cells[unit])).size < rows.length;
  return first('name') === undefined && first('id') === undefined;
}

/** Whether the rows are named places with a radius or a width, without a unit or a speed: their times are times of creation. */
export function isZoneList(has: (role: TableRole) => boolean): boolean {
  return (
    (has('radius') || has('width')) && (has('name') || has('id')) && !ONLY_FIXES.some(has) && !has('unit')
  );
}

function kindOfColumns({ columns, time, rows, vertices }: TableDraft): TableKind {
  if (vertices !== null) return 'zones';
  const has = (role: TableRole): boolean => candidates(columns, role).length > 0;
  const hasPlace = (has('lat') && has('lon')) || has('position');
  const wkt = candidates(columns, 'wkt')[0];
  const shapes = wkt === undefined ? [] : rows.map(({ cells }) => cells[wkt.index] ?? '');
  const filled = shapes.filter((text) => text.trim() !== '');
  const isPoints = filled.length > 0 && filled.every(isPointText);
  if (time.isFound && (hasPlace || isPoints)) return isZoneList(has) ? 'zones' : 'fixes';
  if (wkt !== undefined) return 'zones';
  if (!hasPlace) return 'unknown';
  // Positions without times are places. But if a column belongs to vehicles, their time is missing; and unnamed places with a time that
  // cannot be read may be fixes.
  const isTimed = (['time', 'date', 'clock'] as const).some((role) =>
    candidates(columns, role).some(({ index }) =>
      rows.some(({ cells }) => (cells[index] ?? '').trim() !== ''),
    ),
  );
  const isUnnamed = !has('name') && !has('radius') && !has('width');
  return has('unit') || ONLY_FIXES.some(has) || (isTimed && isUnnamed) ? 'unknown' : 'zones';
}

/** Asks about columns named by the caller that the header lacks. */
export function askMissing(header: readonly string[], hints: TableHints, notes: Notes): void {
  const own = new Set(header.map(plainWord));
  for (const column of hints.columns ?? []) {
    if (
      typeof column === 'string' ||
      column.name === undefined ||
      column.role === undefined ||
      column.role === null
    )
      continue;
    if (own.has(plainWord(column.name))) continue;
    notes.ask(
      'columns-unknown',
      `expected a column ${JSON.stringify(column.name)}, received ${header.slice(0, 30).join(', ')}`,
      '',
    );
  }
}

/** Asks for the columns, because no header was found. */
export function askColumns({ parts, notes, known, columns, rows, open, time }: TableDraft): void {
  if (known.kind === 'zones') return;
  if (rows.length === 0 && (open.leftOut.size > 0 || open.notes.length > 0)) {
    notes.ask('columns-unknown', 'expected fixes, received none: all that was found is left out', '');
    return;
  }
  const at = (['time', 'date', 'clock'] as const).flatMap((role) => candidates(columns, role))[0];
  const hasPlace = candidates(columns, 'lat').length > 0 || candidates(columns, 'position').length > 0;
  const cell = rows.find(({ cells }) => (cells[at?.index ?? -1] ?? '').trim() !== '')?.cells[at?.index ?? -1];
  if (at !== undefined && cell !== undefined && hasPlace && !time.isFound) {
    const text = `the times of ${JSON.stringify(at.name)} are in no known form: ${describe(cell)}`;
    notes.ask('time-format-unknown', text, '');
    return;
  }
  const shown = parts.firstRows.map(({ cells }) => cells.slice(0, 12).join(' | ')).join(' // ');
  notes.ask(
    'columns-unknown',
    `expected a header with columns of a time and a position, received ${describe(shown)}`,
    '--columns unit,time,lat,lon,speed',
  );
}

/** Reports two columns with words of one role. Returns whether it asks which one to read. */
export function sayRival(
  role: TableRole,
  first: ColumnFact,
  second: ColumnFact,
  rows: readonly TableRow[],
  notes: Notes,
): boolean {
  const same = rows.every(({ cells }) => cells[first.index] === cells[second.index]);
  if (same) return false;
  const names = `${JSON.stringify(first.name)} and ${JSON.stringify(second.name)}`;
  if (role === 'lat' || role === 'lon' || role === 'unit') {
    notes.ask(
      'columns-unknown',
      `expected one column for ${role}, received ${names}`,
      `--${role}-column ${JSON.stringify(first.name)}`,
    );
    return true;
  }
  notes.say(`${role} is ${JSON.stringify(first.name)}, not ${JSON.stringify(second.name)}`);
  return false;
}

/**
 * Rows with more cells than the header have free text without quotes, or numbers cut at a decimal comma. Returns the first cell of free
 * text; null for none.
 */
export function extraCells({ rows, header, open, notes }: TableDraft, at: RoleColumns): number | null {
  if (open.form !== 'delimited' || header.length === 0) return null;
  const longer = rows.filter(({ cells }) => cells.slice(header.length).some((cell) => cell.trim() !== ''));
  if (longer.length === 0) return null;
  const needed = [at.time, at.date, at.clock, at.lat, at.lon, at.position].filter(
    (index) => index !== undefined,
  );
  const text = header.findIndex((name, i) => FREE_TEXT.test(name) && needed.every((index) => index < i));
  if (text >= 0) {
    const most = Math.max(...longer.map(({ cells }) => cells.length - header.length));
    notes.say(
      `${longer.length} rows have up to ${most} cells more than the header; only the cells before ${JSON.stringify(header[text])} are read in them`,
    );
    return text;
  }
  if (longer.length > rows.length / 2) {
    notes.ask(
      'cells-more-than-header',
      `${longer.length} rows have more cells than the ${header.length} of the header, as numbers cut at a decimal comma; save the table with another delimiter`,
      '',
    );
  }
  return null;
}

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
