/** Opens the bytes of a table: its form, encoding and rows. */

import { WayzoneError } from '../../core/errors.js';
import type { PlainRecord } from '../common/foreignFields.js';
import { type FoundEncoding, findEncoding, isEncoding } from './findEncoding.js';
import { headerFacts } from './headerFacts.js';
import { flatRows, jsonTable } from './jsonTable.js';
import { isOsmAndRequest, nmeaTable, osmAndTable, pltTable, wlnTable } from './logTable.js';
import { DELIMITERS, firstRows, splitRows, type TableRow } from './splitRows.js';
import type { TableForm, TableHints } from './tableDescription.js';
import { isZip, readXlsx } from './xlsx/readXlsx.js';

export interface OpenTable {
  readonly form: TableForm;
  readonly encoding: FoundEncoding;
  /** A cell in the likeliest encodings; null if only one fits. */
  readonly readings: readonly (readonly [encoding: string, cell: string])[] | null;
  /** Lines with characters broken in UTF-8, the first ones. */
  readonly brokenLines: readonly number[];
  readonly delimiter: string | null;
  readonly sheet: string | null;
  readonly otherSheets: readonly string[];
  readonly rows: Iterable<TableRow>;
  /** Whether the first row is a header made by wayzone. */
  readonly hasOwnHeader: boolean;
  /** Number of rows or lines left out, by reason. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly notes: readonly string[];
  readonly timeZone: string | null;
  /** A datum other than WGS84 that the file names. */
  readonly datum: string | null;
  readonly lacksDates: boolean;
  readonly hasDateCells: boolean;
}

/** Number of characters in which the delimiter is searched. */
const HEAD_LENGTH = 65_536;
const HEAD_ROWS = 60;
const SEPARATOR_LINE = /^\ufeff?"?sep=([^"\r\n])"?(?:\r\n|\n|\r)/i;

/** Opens text or bytes. Throws `option-value` for an unknown label, the errors of `readXlsx`. */
export function openTable(input: string | Uint8Array, hints: TableHints, maxBytes: number): OpenTable {
  if (typeof input !== 'string' && isZip(input)) {
    const { sheet, others, rows, hasDates } = readXlsx(input, hints.sheet ?? null, maxBytes);
    return { ...PLAIN, form: 'xlsx', sheet, otherSheets: others, rows, hasDateCells: hasDates };
  }
  const encoding = tableEncodingOf(input, hints);
  const text = typeof input === 'string' ? input : decoded(input, encoding.encoding);
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  const table = { ...openText(plain, hints), encoding };
  if (typeof input === 'string') return table;
  if (encoding.isBroken === true) return { ...table, brokenLines: linesOf(plain, '\ufffd') };
  return { ...table, readings: readingsOf(input, encoding) };
}

/** Vietnamese letters of windows-1258 are followed by their tones: each pair becomes one letter, as elsewhere. */
function decoded(bytes: Uint8Array, encoding: string): string {
  const decoder = new TextDecoder(encoding);
  const text = decoder.decode(bytes);
  return decoder.encoding === 'windows-1258' ? text.normalize('NFC') : text;
}

/** Largest number of lines named. */
const MOST_LINES = 20;

function linesOf(text: string, character: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (
    let at = text.indexOf(character);
    at >= 0 && lines.length < MOST_LINES;
    at = text.indexOf(character, at + 1)
  ) {
    line += text.slice(from, at).split('\n').length - 1;
    from = at;
    if (lines.at(-1) !== line) lines.push(line);
  }
  return lines;
}

/** The first cell with characters beyond ASCII, in the found encoding and in the second likeliest. */
function readingsOf(bytes: Uint8Array, { encoding, second }: FoundEncoding): OpenTable['readings'] {
  if (second === undefined) return null;
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const isEnd = (byte: number): boolean =>
    byte === 0x0a || byte === 0x0d || byte === 0x2c || byte === 0x3b || byte === 9;
  let from = first;
  while (from > 0 && !isEnd(bytes[from - 1]!)) from--;
  // Second bytes of wide characters cannot be delimiters: they are at least 0x40.
  const length = bytes.subarray(first).findIndex(isEnd);
  const cell = bytes.subarray(from, length < 0 ? bytes.length : first + length).subarray(0, MOST_BYTES_SHOWN);
  return [encoding, second].map((label) => [label, decoded(cell, label)] as const);
}

/** Size of a cell shown in a question, bytes. */
const MOST_BYTES_SHOWN = 60;

/** The table of the records found by a reader. */
export function tableOfRecords(records: readonly PlainRecord[]): OpenTable {
  return { ...PLAIN, form: 'json', rows: flatRows(records), hasOwnHeader: true };
}

const PLAIN = {
  encoding: { encoding: 'utf-8', confidence: 1 },
  readings: null,
  brokenLines: [],
  delimiter: null,
  sheet: null,
  otherSheets: [],
  hasOwnHeader: false,
  leftOut: new Map<string, number>(),
  notes: [],
  timeZone: null,
  datum: null,
  lacksDates: false,
  hasDateCells: false,
} as const;

function tableEncodingOf(input: string | Uint8Array, { encoding }: TableHints): FoundEncoding {
  if (encoding !== undefined && encoding !== null) {
    if (!isEncoding(encoding)) {
      throw new WayzoneError(
        'option-value',
        'encoding',
        `expected a label of the Encoding Standard, received ${JSON.stringify(encoding)}`,
      );
    }
    return { encoding, confidence: 1 };
  }
  return typeof input === 'string' ? PLAIN.encoding : findEncoding(input);
}

function openText(text: string, hints: TableHints): OpenTable {
  const start = text.slice(0, 400).trimStart();
  if (start.startsWith('{') || start.startsWith('[')) {
    const table = jsonTable(text);
    if (table !== null)
      return { ...PLAIN, form: 'json', rows: table.rows, notes: table.left, hasOwnHeader: true };
  }
  const log = logOf(start, text);
  if (log !== null) return log;
  const named = SEPARATOR_LINE.exec(text);
  const whole = named === null ? text : text.slice(named[0].length);
  const inner = unquotedRows(whole);
  const body = inner ?? whole;
  const delimiter = hints.delimiter ?? named?.[1] ?? delimiterOf(body);
  const firstLine = named === null ? 1 : 2;
  const rows = { [Symbol.iterator]: () => splitRows(body, delimiter, firstLine) };
  const notes = inner === null ? [] : ['each row is one quoted cell, which holds a row'];
  return { ...PLAIN, form: 'delimited', delimiter, rows, notes };
}

/** The rows inside the quoted cells of a table whose rows are each one quoted cell, as after quoting twice; null for other tables. */
function unquotedRows(text: string): string | null {
  if (!text.startsWith('"')) return null;
  const head = firstRows(text.slice(0, HEAD_LENGTH), ',', HEAD_ROWS + 1);
  if (text.length > HEAD_LENGTH) head.pop();
  if (head.length < 2 || !head.every(isQuotedRow)) return null;
  const lines: string[] = [];
  for (const { cells, line } of splitRows(text, ',')) {
    // Empty lines keep the line numbers.
    while (lines.length < line - 1) lines.push('');
    lines.push(cells[0] ?? '');
  }
  return lines.join('\n');
}

/** Whether a row is one quoted cell containing a delimiter, perhaps followed by empty cells. */
export function isQuotedRow({ cells, quoted }: TableRow): boolean {
  const [first = '', ...rest] = cells;
  return (quoted & 1) === 1 && /[;,\t|]/.test(first) && rest.every((cell) => cell === '');
}

const LOGS = { wln: wlnTable, plt: pltTable, nmea: nmeaTable, osmand: osmAndTable } as const;

function logOf(start: string, text: string): OpenTable | null {
  const form = /^REG;\d/.test(start)
    ? 'wln'
    : /^(?:OziExplorer|Geolife trajectory)/i.test(start)
      ? 'plt'
      : /\$[A-Z]{2}(?:RMC|GGA),/.test(text.slice(0, 4000))
        ? 'nmea'
        : isOsmAndRequest(start.slice(0, start.search(/[\r\n]|$/)))
          ? 'osmand'
          : null;
  if (form === null) return null;
  const table = LOGS[form](text);
  const { rows, leftOut, timeZone = null, datum = null, lacksDates = false } = table;
  return { ...PLAIN, form, rows, leftOut, timeZone, datum, lacksDates, hasOwnHeader: true };
}

/** The delimiter with which most header words are known and most rows have as many cells as the header. */
function delimiterOf(text: string): string {
  const head = text.slice(0, HEAD_LENGTH);
  let best: string = ',';
  let most = -1;
  // The comma is tried last, because it is also a decimal mark.
  for (const delimiter of [...DELIMITERS.slice(1), DELIMITERS[0]]) {
    const rows = firstRows(head, delimiter, HEAD_ROWS);
    // The last row may be cut off.
    if (head.length < text.length) rows.pop();
    const known = Math.max(0, ...rows.slice(0, 30).map(knownWords));
    const widths = rows.map(({ cells }) => cells.length).filter((width) => width > 1);
    const usual = mode(widths);
    const same = rows.length === 0 ? 0 : widths.filter((width) => width === usual).length / rows.length;
    // Without known words, the number of rows of equal length decides.
    const score = known * (0.5 + same) + (usual > 1 ? 0.4 * same : 0);
    if (score > most) {
      most = score;
      best = delimiter;
    }
  }
  return best;
}

function mode(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** Number of cells of a row that are known header words. */
export function knownWords({ cells }: TableRow): number {
  return cells
    .slice(0, 200)
    .filter((cell) => headerFacts(cell).length > 0 || headerFacts(cell, true).length > 0).length;
}
