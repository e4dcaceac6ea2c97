/** Finds the header of a table, lines above it, a row of units below it, rows of totals, and further headers. */

import { headerFacts, plainWord } from './headerFacts.js';
import { TOTAL_WORDS, UNIT_LABELS } from './headerWords.js';
import { knownWords, type OpenTable } from './openTable.js';
import type { TableRow } from './splitRows.js';
import type { TableHints } from './tableDescription.js';
import { isUnitWord } from './unitWords.js';

/** Rows under one header. */
export interface TableSection {
  readonly rows: readonly TableRow[];
  /** Unit id in a line above the header; null for none. */
  readonly unit: string | null;
}

export interface TableParts {
  /** The header; null if no row is one. */
  readonly header: TableRow | null;
  /** Whether the columns are named by the caller, because the file has no header. */
  readonly isHeaderless: boolean;
  /** Units in the row below the header. */
  readonly units: readonly string[];
  readonly sections: readonly TableSection[];
  /** Number of lines above the first header. */
  readonly titleLines: number;
  readonly totals: number;
  /** Lines of further headers with other columns, and the number of their rows, which are not read. */
  readonly otherTables: readonly { readonly line: number; readonly rows: number }[];
  /** The first rows, to be shown if there is no header. */
  readonly firstRows: readonly TableRow[];
}

const HEADER_ROWS = 30;

/** Whether every hinted name is a cell of the row. */
function hasNames(row: TableRow, names: readonly string[]): boolean {
  const own = new Set(row.cells.map(plainWord));
  return names.every((name) => own.has(plainWord(name)));
}

export function tableParts(open: OpenTable, hints: TableHints): TableParts {
  const rows = [...open.rows];
  const named = hints.columns ?? [];
  const given = named.filter((column): column is string => typeof column === 'string');
  if (given.length > 0 && given.length === named.length) return headerless(rows, given);
  const at = open.hasOwnHeader ? 0 : headerAt(rows, hints);
  if (at < 0) {
    return { ...NOTHING, sections: [{ rows, unit: null }], firstRows: rows.slice(0, 3) };
  }
  const header = open.hasOwnHeader ? rows[at]! : wholeHeader(rows[at]!, rows[at - 1]);
  const units = open.hasOwnHeader ? null : unitsRow(rows[at + 1], header);
  const body = rows.slice(at + (units === null ? 1 : 2));
  const cut = cutSections(body, header, titleUnit(rows.slice(0, at)));
  return {
    header,
    isHeaderless: false,
    units: units ?? [],
    titleLines: at,
    firstRows: rows.slice(0, 3),
    ...cut,
  };
}

/** A header of two lines: empty cells get the words of the line above that stand over one column. */
function wholeHeader(header: TableRow, above: TableRow | undefined): TableRow {
  if (above === undefined || above.cells.filter((cell) => cell.trim() !== '').length < 2) return header;
  const isWhole = header.cells.every(
    (cell, i) => cell.trim() !== '' || headerFacts(above.cells[i] ?? '').length === 0,
  );
  if (isWhole) return header;
  return {
    ...header,
    cells: header.cells.map((cell, i) => (cell.trim() === '' ? (above.cells[i] ?? '') : cell)),
  };
}

const NOTHING: Omit<TableParts, 'sections' | 'firstRows'> = {
  header: null,
  isHeaderless: false,
  units: [],
  titleLines: 0,
  totals: 0,
  otherTables: [],
};

function headerless(rows: readonly TableRow[], names: readonly string[]): TableParts {
  const isHeader = rows[0] !== undefined && knownWords(rows[0]) >= 2 && !hasNumber(rows[0]);
  const body = isHeader ? rows.slice(1) : rows;
  return {
    ...NOTHING,
    header: { cells: names, line: isHeader ? 1 : 0, quoted: 0 },
    isHeaderless: !isHeader,
    sections: [{ rows: body, unit: null }],
    firstRows: rows.slice(0, 3),
  };
}

function hasNumber({ cells }: TableRow): boolean {
  return cells.some((cell) => /^\s*[+-]?\d+(?:[.,]\d+)?\s*$/.test(cell));
}

/** Index of the row, among the first rows, with the most known words, at least two; -1 for none. */
function headerAt(rows: readonly TableRow[], hints: TableHints): number {
  const names = (hints.columns ?? []).flatMap((column) =>
    typeof column === 'string' || column.name === undefined ? [] : [column.name],
  );
  let best = -1;
  let most = 1;
  for (const [i, row] of rows.slice(0, HEADER_ROWS).entries()) {
    if (hasNumber(row)) continue;
    const isNamed = names.length > 0 && hasNames(row, names);
    const count = distinctRoles(wholeHeader(row, rows[i - 1])) + (isNamed ? 2 * names.length : 0);
    if (count > most) {
      most = count;
      best = i;
    }
  }
  return best;
}

function distinctRoles({ cells }: TableRow): number {
  const roles = new Set<string>();
  for (const cell of cells.slice(0, 300)) {
    const [fact] = headerFacts(cell).concat(headerFacts(cell, true));
    if (fact !== undefined) roles.add(fact.role);
  }
  return roles.size;
}

/** Units in the row below the header, by column; null if it is not a row of units. */
function unitsRow(row: TableRow | undefined, header: TableRow): string[] | null {
  if (row === undefined || row.cells.length > header.cells.length) return null;
  let units = 0;
  const texts = row.cells.map((cell) => {
    const bare = cell.trim().replace(/^[([{]|[)\]}]$/g, '');
    if (isUnitWord(bare)) units++;
    return bare;
  });
  const isOnlyWords = texts.every((text) => text === '' || isUnitWord(text) || !/\d/.test(text));
  return units >= 1 && isOnlyWords && units >= texts.filter((text) => text !== '').length / 2 ? texts : null;
}

/** Unit id in the nearest line above the header: `Объект: А123ВС52`, or label and value in two cells. */
function titleUnit(lines: readonly TableRow[]): string | null {
  for (const { cells } of [...lines].reverse()) {
    const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const [first = '', second] = filled;
    const at = first.indexOf(':');
    if (at > 0 && UNIT_LABELS.has(plainWord(first.slice(0, at)))) {
      const value = first.slice(at + 1).trim();
      if (value !== '') return value;
    }
    if (second !== undefined && filled.length === 2 && UNIT_LABELS.has(plainWord(first))) return second;
  }
  return null;
}

function isTotal({ cells }: TableRow): boolean {
  const first =
    cells
      .find((cell) => cell.trim() !== '')
      ?.trim()
      .toLowerCase() ?? '';
  return TOTAL_WORDS.some(
    (word) => first === word || (first.startsWith(word) && !/[\p{L}\p{N}]/u.test(first.charAt(word.length))),
  );
}

function cutSections(
  body: readonly TableRow[],
  header: TableRow,
  unit: string | null,
): Pick<TableParts, 'sections' | 'totals' | 'otherTables'> {
  const sections: TableSection[] = [];
  const otherTables: { line: number; rows: number }[] = [];
  const headerText = header.cells.join('\u0000');
  const width = header.cells.length;
  let totals = 0;
  let rows: TableRow[] = [];
  let own = unit;
  let other: { line: number; rows: number } | null = null;
  for (const row of body) {
    if (isTotal(row)) {
      totals++;
      continue;
    }
    const isSame = row.cells.join('\u0000') === headerText;
    const isOther = !isSame && width > 1 && !hasNumber(row) && distinctRoles(row) >= 3 && hasPlace(row);
    if (isSame || isOther) {
      const title = titleRows(rows);
      sections.push({ rows: rows.slice(0, rows.length - title.length), unit: own });
      own = titleUnit(title) ?? soleText(title) ?? own;
      rows = [];
      other = isOther ? { line: row.line, rows: 0 } : null;
      if (other !== null) otherTables.push(other);
    } else if (other !== null) other.rows++;
    else rows.push(row);
  }
  sections.push({ rows, unit: own });
  return { sections: sections.filter((section) => section.rows.length > 0), totals, otherTables };
}

/** Whether the cells contain words for a position, as in the header of another table. */
function hasPlace({ cells }: TableRow): boolean {
  return cells.some((cell) =>
    headerFacts(cell).some(({ role }) => role === 'lat' || role === 'position' || role === 'wkt'),
  );
}

/** The last rows, each with at most two filled cells: titles of the next table. */
function titleRows(rows: readonly TableRow[]): TableRow[] {
  let from = rows.length;
  while (
    from > 0 &&
    rows.length - from < 10 &&
    rows[from - 1]!.cells.filter((cell) => cell.trim() !== '').length <= 2
  )
    from--;
  return rows.slice(from);
}

function soleText(title: readonly TableRow[]): string | null {
  const filled = (title.at(-1)?.cells ?? []).map((cell) => cell.trim()).filter((cell) => cell !== '');
  return filled.length === 1 && filled[0]!.length <= 60 ? filled[0]! : null;
}
