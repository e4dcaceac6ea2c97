/** Reads the rows of a sheet of an XLSX workbook (ECMA-376). Dates are wall times without a zone; of formulas the stored values are read. */

import { describe, WayzoneError } from '../../../core/errors.js';
import { IssueList } from '../../common/issueList.js';
import { inflateEntry, readZipDirectory, type ZipEntry } from '../../kmz/readZipDirectory.js';
import { attribute, type XmlElement } from '../../xml/xmlFeed.js';
import type { TableRow } from '../splitRows.js';
import { CellStyles, eachElement, localAttribute, type SheetEntry, serialText } from './cellStyles.js';

/** Limits of the file format, and of cells in memory. */
const MAX_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;
const MAX_CELLS = 30_000_000;
const MAX_ENTRIES = 10_000;

export interface XlsxTable {
  readonly sheet: string;
  /** Names of the other sheets. */
  readonly others: readonly string[];
  readonly rows: readonly TableRow[];
  /** Whether any cell is a date. */
  readonly hasDates: boolean;
}

/** Whether bytes begin as a ZIP file. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}

/**
 * The rows of the named sheet, or of the first visible sheet with rows. Absent cells are empty.
 *
 * Throws `xlsx-corrupt`, `xlsx-unsupported`, `limit-inflated`, `limit-features`; `option-value` for a sheet that the workbook lacks.
 */
export function readXlsx(bytes: Uint8Array, sheetName: string | null, maxBytes: number): XlsxTable {
  const book = new Book(bytes, maxBytes);
  const { sheets, is1904, targets } = book.workbook();
  const named = sheetName === null ? undefined : sheets.find(({ name }) => name === sheetName);
  if (sheetName !== null && named === undefined) {
    const names = sheets.map(({ name }) => JSON.stringify(name)).join(', ');
    throw new WayzoneError(
      'option-value',
      'sheet',
      `expected one of ${names}, received ${JSON.stringify(sheetName)}`,
    );
  }
  const texts = book.sharedTexts();
  const styles = book.styles();
  const visible = named === undefined ? sheets.filter(({ isHidden }) => !isHidden) : [named];
  let first: XlsxTable | null = null;
  for (const { name, relation } of visible) {
    const path = targets.get(relation);
    if (path === undefined) continue;
    const { rows, hasDates } = book.rows(path, texts, styles, is1904);
    const others = sheets.filter((sheet) => sheet.name !== name).map((sheet) => sheet.name);
    const table = { sheet: name, others, rows, hasDates };
    first ??= table;
    if (rows.length > 1) return table;
  }
  if (first === null) throw new WayzoneError('xlsx-corrupt', '', 'expected a sheet, received none');
  return first;
}

class Book {
  readonly #bytes: Uint8Array;
  readonly #maxBytes: number;
  readonly #entries: ReadonlyMap<string, ZipEntry>;

  constructor(bytes: Uint8Array, maxBytes: number) {
    this.#bytes = bytes;
    this.#maxBytes = maxBytes;
    try {
      const entries = readZipDirectory(bytes, MAX_ENTRIES, new IssueList(1));
      this.#entries = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      const code =
        error.code === 'kmz-unsupported'
          ? 'xlsx-unsupported'
          : error.code === 'kmz-corrupt'
            ? 'xlsx-corrupt'
            : error.code;
      throw new WayzoneError(code, error.field, error.message, { cause: error });
    }
  }

  workbook(): {
    readonly sheets: readonly SheetEntry[];
    readonly is1904: boolean;
    readonly targets: ReadonlyMap<string, string>;
  } {
    const sheets: SheetEntry[] = [];
    let is1904 = false;
    this.#each('xl/workbook.xml', true, (element) => {
      if (element.name === 'sheet') {
        const relation = localAttribute(element, 'id') ?? '';
        const isHidden = (attribute(element, 'state') ?? 'visible') !== 'visible';
        sheets.push({ name: attribute(element, 'name') ?? '', relation, isHidden });
      } else if (element.name === 'workbookPr') {
        is1904 = ['1', 'true', 'on'].includes(attribute(element, 'date1904') ?? '');
      }
    });
    const targets = new Map<string, string>();
    this.#each('xl/_rels/workbook.xml.rels', true, (element) => {
      if (element.name !== 'Relationship') return;
      const target = attribute(element, 'Target') ?? '';
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
      targets.set(attribute(element, 'Id') ?? '', path.replace('/./', '/'));
    });
    return { sheets, is1904, targets };
  }

  sharedTexts(): string[] {
    const texts: string[] = [];
    let parts = '';
    this.#each('xl/sharedStrings.xml', false, (element) => {
      if (element.name === 't' && !isPhonetic(element)) parts += element.text;
      else if (element.name === 'si') {
        texts.push(unescaped(parts));
        parts = '';
      }
    });
    return texts;
  }

  styles(): CellStyles {
    const styles = new CellStyles();
    this.#each('xl/styles.xml', false, (element) => styles.take(element));
    return styles;
  }

  rows(
    path: string,
    texts: readonly string[],
    styles: CellStyles,
    is1904: boolean,
  ): { readonly rows: TableRow[]; readonly hasDates: boolean } {
    const rows: TableRow[] = [];
    let cells: string[] = [];
    let value = '';
    let column = -1;
    let line = 0;
    let count = 0;
    let hasDates = false;
    const open = (element: XmlElement): void => {
      if (element.name === 'row' && element.parent?.name === 'sheetData') {
        cells = [];
        column = -1;
        line = Number(attribute(element, 'r') ?? line + 1);
      } else if (element.name === 'c') {
        value = '';
        column = columnOf(attribute(element, 'r')) ?? column + 1;
        if (column >= MAX_COLUMNS)
          throw new WayzoneError(
            'xlsx-corrupt',
            path,
            `expected at most ${MAX_COLUMNS} columns, received more`,
          );
      }
    };
    const close = (element: XmlElement): void => {
      const { name } = element;
      if (name === 'v' || (name === 't' && !isPhonetic(element))) value += element.text;
      else if (name === 'c') {
        if (++count > MAX_CELLS)
          throw new WayzoneError(
            'limit-features',
            path,
            `expected at most ${MAX_CELLS} cells, received more`,
          );
        const text = cellText(element, value, texts, styles, is1904);
        if (text.isDate) hasDates = true;
        if (text.value === '') return;
        while (cells.length < column) cells.push('');
        cells[column] = text.value;
      } else if (name === 'row' && element.parent?.name === 'sheetData') {
        if (rows.length >= MAX_ROWS)
          throw new WayzoneError('limit-features', path, `expected at most ${MAX_ROWS} rows, received more`);
        if (cells.some((cell) => cell.trim() !== ''))
          rows.push({ cells, line: Number.isInteger(line) ? line : 0, quoted: 0 });
      }
    };
    this.#each(path, true, close, open);
    return { rows, hasDates };
  }

  /** Calls `close` for each element of an entry. Only a `needed` entry must exist. */
  #each(
    path: string,
    needed: boolean,
    close: (element: XmlElement) => void,
    open?: (element: XmlElement) => void,
  ): void {
    const entry = this.#entries.get(path.toLowerCase());
    if (entry === undefined) {
      if (needed) throw new WayzoneError('xlsx-corrupt', path, `expected the entry ${path}, received none`);
      return;
    }
    const decoder = new TextDecoder();
    eachElement(
      (take) => {
        inflateEntry(this.#bytes, entry, this.#maxBytes, (chunk) =>
          take(decoder.decode(chunk, { stream: true })),
        );
        take(decoder.decode());
      },
      path,
      close,
      open,
    );
  }
}

function isPhonetic(element: XmlElement): boolean {
  return element.parent?.name === 'rPh';
}

/** The text with escapes such as `_x000D_` decoded, which XML texts of workbooks use (§22.9.2.19). */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Column number, from 0, of a reference (`C5`); null if there is none. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d+$/i.exec(reference ?? '')?.[1];
  if (letters === undefined) return null;
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}

/** The shared text of a cell. An index without a text is an error, not an empty cell. */
function sharedText(value: string, texts: readonly string[]): string {
  const found = /^\s*\d{1,9}\s*$/.test(value) ? texts[Number(value)] : undefined;
  if (found !== undefined) return found;
  throw new WayzoneError(
    'xlsx-corrupt',
    'xl/sharedStrings.xml',
    `expected the number of one of ${texts.length} shared texts, received ${describe(value)}`,
  );
}

function cellText(
  cell: XmlElement,
  value: string,
  texts: readonly string[],
  styles: CellStyles,
  is1904: boolean,
): { readonly value: string; readonly isDate: boolean } {
  const type = attribute(cell, 't') ?? 'n';
  const text = (plain: string): { value: string; isDate: boolean } => ({ value: plain, isDate: false });
  if (type === 's') return text(value.trim() === '' ? '' : sharedText(value, texts));
  if (type === 'inlineStr' || type === 'str') return text(unescaped(value));
  if (type === 'b') return text(value.trim() === '1' ? 'true' : 'false');
  if (type === 'e') return text('');
  if (type === 'd') return { value: value.replace('T', ' ').replace(/Z$/, ''), isDate: true };
  if (value.trim() === '') return text('');
  const number = Number(value);
  if (!Number.isFinite(number)) return text(value);
  const style = styles.of(Number(attribute(cell, 's') ?? 0));
  if (style !== null) {
    const date = serialText(number, is1904, style === 'time');
    if (date !== null) return { value: date, isDate: true };
  }
  return text(plainDigits(number));
}

/** Digits of a number, without an exponent. An integer that has lost digits keeps its exponent, by which the reader of units knows it. */
function plainDigits(value: number): string {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toExponential(9);
  const text = String(value);
  return text.includes('e')
    ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    : text;
}
