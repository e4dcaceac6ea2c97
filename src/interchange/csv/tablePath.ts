/**
 * Decides how a table is read: by the reader of bytes if it is plain (UTF-8, common headers, ISO times with a zone, decimal degrees), else
 * by its description. Both give the same fixes for plain tables (`test/interchange/tablePath.test.ts`).
 */

import { IssueList } from '../common/issueList.js';
import { parseTime, plainNumber } from '../common/parseTime.js';
import { hasHeaders, PROFILES } from '../table/columnFacts.js';
import { findEncoding } from '../table/findEncoding.js';
import { headerFacts, plainWord } from '../table/headerFacts.js';
import { isZoneList } from '../table/kindOf.js';
import { isOsmAndRequest } from '../table/logTable.js';
import { isQuotedRow, knownWords } from '../table/openTable.js';
import { dmsDegrees, isPairList } from '../table/positionForm.js';
import { DELIMITERS, firstRows, type TableRow, usualDelimiter } from '../table/splitRows.js';
import { tableNumber } from '../table/tableNumber.js';
import { dotNetTime, isRounded, numberTime } from '../table/timeJudge.js';
import { clockParts, hasZeroDay, timeParts } from '../table/timeParts.js';
import { isZip } from '../table/xlsx/readXlsx.js';
import { type CsvColumns, type CsvOptions, findColumns, hasTimeColumn } from './csvOptions.js';
import { WIRE_COLUMN } from './zoneCells.js';
import { wktColumn } from './zoneRows.js';

/** Number of first bytes that decide. */
export const PATH_BYTES = 65_536;
/** Largest number of bytes beyond ASCII that are damage, not letters of another encoding. */
const MOST_BROKEN = 2;
/** Number of first rows that decide. */
const PATH_ROWS = 100;

/**
 * Way of reading. `plain`: by the reader of bytes. `described`: by its description, as a whole. `units`: by the reader of bytes, unless all
 * rows together show that they are not of one unit; a file too long for that test is read as `plain`.
 */
export type TablePath = 'plain' | 'described' | 'units';

/** Hints that a plain table does not need. */
const UNNEEDED_HINTS: ReadonlySet<string> = new Set([
  'timeZone',
  'dateOrder',
  'date',
  'mileageUnit',
  'radiusUnit',
  'fileName',
  'unitId',
]);

/** Path of a table by its first bytes. `isWhole`: no bytes follow. */
export function tablePath(head: string | Uint8Array, isWhole: boolean, options: CsvOptions): TablePath {
  if (
    Object.entries(options.table ?? {}).some(
      ([name, value]) => value !== undefined && value !== null && !UNNEEDED_HINTS.has(name),
    )
  )
    return 'described';
  if (typeof head !== 'string' && isZip(head)) return 'described';
  const text = textOf(head, isWhole);
  if (text === null) return 'described';
  if (text === '') return 'plain';
  return textPath(text, options);
}

/** Text of the first bytes; null if they are neither UTF-8 nor UTF-16, which only the described path can read. */
function textOf(head: string | Uint8Array, isWhole: boolean): string | null {
  if (typeof head === 'string') return withoutMark(head.slice(0, PATH_BYTES));
  const bytes = head.subarray(0, PATH_BYTES);
  const [a = 0, b = 0] = bytes;
  if ((a === 0xff && b === 0xfe) || (b === 0 && bytes.length > 1))
    return withoutMark(new TextDecoder('utf-16le').decode(bytes));
  if ((a === 0xfe && b === 0xff) || (a === 0 && bytes.length > 1))
    return withoutMark(new TextDecoder('utf-16be').decode(bytes));
  try {
    const isEnd = isWhole && bytes.length === head.length;
    return withoutMark(new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isEnd }));
  } catch {
    // A few broken characters in a file of ASCII or UTF-8 are errors of these characters.
    const few = bytes.filter((byte) => byte > 0x7f).length <= MOST_BROKEN;
    return few || findEncoding(bytes).encoding === 'utf-8'
      ? withoutMark(new TextDecoder().decode(bytes))
      : null;
  }
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function textPath(text: string, options: CsvOptions): TablePath {
  const start = text.slice(0, 400).trimStart();
  if (/^(?:\{\s*"|\[\s*\{|REG;\d|OziExplorer|Geolife trajectory)/i.test(start)) return 'described';
  if (/\$[A-Z]{2}(?:RMC|GGA),/.test(text.slice(0, 4000))) return 'described';
  if (isOsmAndRequest(start.slice(0, start.search(/[\r\n]|$/)))) return 'described';
  const named = /^"?sep=([^"\r\n])"?(?:\r\n|\n|\r)/i.exec(text);
  const body = named === null ? text : text.slice(named[0].length);
  const firstLine = /^[^\r\n]*/.exec(body)?.[0] ?? '';
  const delimiter = options.delimiter ?? named?.[1] ?? usualDelimiter(firstLine);
  if (delimiter.length !== 1) return 'plain';
  const rows = firstRows(body, delimiter, PATH_ROWS + 1);
  if (text.length >= PATH_BYTES && rows.length <= PATH_ROWS) rows.pop();
  const [header, ...data] = rows;
  if (header === undefined) return 'plain';
  if (data.length > 0 && rows.every(isQuotedRow)) return 'described';
  // Some lines end with CR LF, others with LF. The reader of bytes expects the first kind throughout.
  const isMixed = body.includes('\r\n') && /[^\r]\n/.test(body) && !body.includes('"');
  if (isMixed && knownWords(header) >= 2) return 'described';
  return rowsPath(header, data, body, options);
}

function rowsPath(header: TableRow, data: readonly TableRow[], body: string, options: CsvOptions): TablePath {
  const { columns = {}, as, wktColumn: chosen, speedUnit } = options;
  const wkt = wktColumn(header.cells, chosen);
  // A table written by `toZoneCsv` may have attributes of any name.
  if (as !== 'fixes' && wkt >= 0 && header.cells.includes(WIRE_COLUMN)) return 'plain';
  const isTimed = hasTimeColumn(header.cells, columns);
  if (as !== 'fixes' && !isTimed && data.some(({ cells }) => cells.some(isPairList))) return 'described';
  if (as === 'zones' || (as === undefined && wkt >= 0 && !isTimed)) {
    if (wkt < 0 && data.length > 0) return knowsRows(body) ? 'described' : 'plain';
    // Rows of points with times are fixes, even if the words of the header are in another language.
    if (
      as === undefined &&
      header.cells.some((name) => headerFacts(name).some(({ role }) => role === 'time' || role === 'date'))
    )
      return 'described';
    const hasCircle = data.some(({ cells }) => /^\s*CIRCLE\s*\(/i.test(cells[wkt] ?? ''));
    return hasCircle ? 'described' : 'plain';
  }
  const facts = header.cells.flatMap((name) => headerFacts(name).slice(0, 1));
  if (as === undefined && isZoneList((role) => facts.some((fact) => fact.role === role))) return 'described';
  const issues = new IssueList(20);
  const found = findColumns(header.cells, columns, speedUnit, issues, 1);
  if (found === null) {
    // Two columns for one quantity are reported as an error, which is clear enough.
    if (
      data.length === 0 ||
      issues.toArray().every(({ message }) => message.startsWith('expected one column'))
    )
      return 'plain';
    // A column named by the caller is missing from a known header.
    const names = Object.values(columns).filter((name) => name !== undefined);
    const own = new Set(header.cells.map(plainWord));
    if (names.some((name) => !own.has(plainWord(name))) && knownWords(header) >= 2) return 'plain';
    return knowsRows(body) || isHeaderless(header) ? 'described' : 'plain';
  }
  if (data.length === 0) return 'plain';
  const { at } = found;
  const isUsed = options.timeFormat === undefined && options.timeZoneOffsetMinutes === undefined;
  if (
    at.speed >= 0 &&
    found.kphPerUnit === null &&
    data.some(({ cells }) => /\d\s*\p{L}/u.test(cells[at.speed] ?? ''))
  )
    return 'described';
  if (isUsed && found.others.some((name) => isFurther(name, at))) return 'described';
  if (isUsed && found.others.length > 0 && hasHemispheres(header, data)) return 'described';
  if (at.unit >= 0 && data.some(({ cells }) => isRounded(cells[at.unit] ?? ''))) return 'described';
  if (data.some((row) => isSecondHeader(row, header))) return 'described';
  // Without another column there is no day beside these times.
  if (isUsed && found.others.length > 0 && data.every(({ cells }) => isClockOnly(cells[at.time] ?? '')))
    return 'described';
  const plain = data.filter((row) => isPlainRow(row, header, at, options)).length;
  const cut = data.filter(({ cells }) =>
    cells.slice(header.cells.length).some((cell) => cell.trim() !== ''),
  ).length;
  if (cut > data.length / 2) return 'described';
  const others = data.filter((row) => isOtherRow(row, at, options)).length;
  if (plain < data.length / 2 && others >= data.length / 2) return 'described';
  const isOfProgram = PROFILES.some(
    ({ headers }) => headers !== undefined && hasHeaders(header.cells, headers),
  );
  if (isUsed && isOfProgram) return 'described';
  return at.unit < 0 && options.unitId === undefined ? 'units' : 'plain';
}

/** Quantities whose columns a description finds by more words than the reader of bytes. */
const FURTHER_QUANTITIES = [
  'unit',
  'speed',
  'course',
  'accuracy',
  'satellites',
  'ignition',
  'valid',
  'mileage',
  'altitude',
] as const;
/** Quantities of these whose unit must be in the header. */
const WITH_UNIT: ReadonlySet<string> = new Set(['mileage', 'altitude']);

/** Whether a column that the reader of bytes would leave out belongs to a fix. */
function isFurther(name: string, at: At): boolean {
  const [fact] = headerFacts(name);
  if (fact === undefined) return false;
  return FURTHER_QUANTITIES.some(
    (role) => role === fact.role && at[role] < 0 && (!WITH_UNIT.has(role) || fact.unit !== null),
  );
}

/** Whether the hemispheres of latitudes and longitudes are in columns of their own. */
function hasHemispheres({ cells: names }: TableRow, data: readonly TableRow[]): boolean {
  const holds = (pattern: RegExp): boolean =>
    names.some((_, i) => data.length > 0 && data.every(({ cells }) => pattern.test((cells[i] ?? '').trim())));
  return holds(/^[NS]$/i) && holds(/^[EW]$/i);
}

type At = CsvColumns['at'];

function isPlainRow({ cells }: TableRow, header: TableRow, at: At, options: CsvOptions): boolean {
  const time = cells[at.time] ?? '';
  const { timeFormat = 'iso', timeZoneOffsetMinutes: offset } = options;
  const parsed = timeFormat === 'iso' ? parseTime(time, offset ?? null) : plainNumber(time);
  if (parsed === null || cells.length > header.cells.length) return false;
  const [lat, lon] = [plainNumber(cells[at.lat] ?? ''), plainNumber(cells[at.lon] ?? '')];
  return (
    lat !== null &&
    lon !== null &&
    (options.crs !== undefined || (Math.abs(lat) <= 90 && Math.abs(lon) <= 540))
  );
}

/** Whether a row is the header of another file that was appended. */
function isSecondHeader(row: TableRow, header: TableRow): boolean {
  const words = new Set(header.cells.map(plainWord));
  const known = row.cells.filter((cell) => cell !== '' && words.has(plainWord(cell))).length;
  return known >= 3 && known > row.cells.length / 2;
}

/** Whether a row is of another dialect: its time or position has a form that only a description reads. */
function isOtherRow({ cells }: TableRow, at: At, options: CsvOptions): boolean {
  const time = (cells[at.time] ?? '').trim();
  const lat = (cells[at.lat] ?? '').trim();
  const lon = (cells[at.lon] ?? '').trim();
  if (time === '' || lat === '' || lon === '') return false;
  const isFormGiven = options.timeFormat !== undefined && options.timeFormat !== 'iso';
  const isOtherTime =
    !isFormGiven && parseTime(time, options.timeZoneOffsetMinutes ?? null) === null && isTime(time);
  const [y, x] = [plainNumber(lat), plainNumber(lon)];
  const isOtherPlace = (y === null || x === null) && isPlace(lat) && isPlace(lon);
  const isBeyond = options.crs === undefined && y !== null && x !== null && Math.abs(y) > 90;
  return isOtherTime || isOtherPlace || isBeyond;
}

/** Whether a cell is a time of day of six digits, or one after a day such as 1899-12-30: its day is in another column. */
function isClockOnly(text: string): boolean {
  return hasZeroDay(text) || (/^\s*\d{6}(?:\.\d+)?\s*$/.test(text) && clockParts(text, NO_MONTHS) !== null);
}

const NO_MONTHS: ReadonlyMap<string, number> = new Map();

/** Whether a cell that is not an ISO time is a time of another form. A broken ISO time is an error of its row. */
function isTime(text: string): boolean {
  if (/\d:\d\d/.test(text) && !/^\d{4}-?\d\d-?\d\dT/.test(text))
    return timeParts(text, NO_MONTHS) !== null || /\p{L}{3}/u.test(text);
  if (timeParts(text, NO_MONTHS) !== null || dotNetTime(text) !== null) return true;
  const value = tableNumber(text, ',');
  return value !== null && numberTime(value) !== null;
}

function isPlace(text: string): boolean {
  return tableNumber(text, ',') !== null || dmsDegrees(text) !== null;
}

/** Whether one of the first rows, cut at any usual delimiter, has two known titles. If so, it is the header of a table to be described. */
function knowsRows(body: string): boolean {
  const head = body.slice(0, 16_384);
  return DELIMITERS.some((delimiter) => firstRows(head, delimiter, 30).some((row) => knownWords(row) >= 2));
}

/** Whether the first row has numbers. If so, it is not a header. */
function isHeaderless({ cells }: TableRow): boolean {
  return (
    cells.length >= 3 && cells.filter((cell) => plainNumber(cell.replace(',', '.')) !== null).length >= 2
  );
}
