/** Writes a table as a workbook of one sheet (ECMA-376, Office Open XML) for spreadsheet programs. */

import fflate from '#lazy/fflate';
import { DAY_MS } from '../../core/durations.js';
import { WayzoneError } from '../../core/errors.js';
import { zipTime } from '../common/zipTime.js';
import type { ParquetColumnType } from '../parquet/toParquet.js';
import { xmlText } from '../xml/xmlText.js';

/** Largest number of rows of a sheet, with the header. */
const MOST_ROWS = 1_048_576;
const MOST_TEXT = 32_767;
/** Days from the epoch of spreadsheets (1899-12-30) to 1970-01-01. */
const EPOCH_DAYS = 25_569;
/** Indices of the styles in the list `cellXfs`. */
const HEADER_STYLE = 1;
const TIME_STYLE = 2;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/**
 * Times (epoch milliseconds) become dates in UTC, numbers stay numbers, texts are never formulas. The header is frozen and has filters. Cells beyond
 * 32,767 characters are cut, as spreadsheet programs do. Memory: the whole table.
 *
 * Throws `limit-rows` for more than 1,048,575 rows.
 */
export function toXlsx(
  columns: Readonly<Record<string, ParquetColumnType>>,
  rows: readonly (readonly unknown[])[],
): Uint8Array {
  if (rows.length >= MOST_ROWS) {
    const message = `expected at most ${MOST_ROWS - 1} rows, which a sheet can hold, received ${rows.length}`;
    throw new WayzoneError('limit-rows', 'rows', message);
  }
  const names = Object.keys(columns);
  const types = Object.values(columns);
  const last = `${columnName(names.length - 1)}${rows.length + 1}`;
  const lines = [
    rowXml(
      1,
      names.map((name, k) => textCell(`${columnName(k)}1`, name, HEADER_STYLE)),
    ),
    ...rows.map((row, i) =>
      rowXml(
        i + 2,
        types.map((type, k) => cellXml(`${columnName(k)}${i + 2}`, row[k], type)),
      ),
    ),
  ];
  const widths = types.map((type, k) => {
    const width = type === 'time' ? 19 : Math.min(40, Math.max(10, names[k]!.length + 2));
    return `<col min="${k + 1}" max="${k + 1}" width="${width}" customWidth="1"/>`;
  });
  const sheet = `${HEAD}<worksheet xmlns="${MAIN}"><dimension ref="A1:${last}"/><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${lines.join('')}</sheetData><autoFilter ref="A1:${last}"/></worksheet>`;
  const encoder = new TextEncoder();
  const files = Object.fromEntries(
    [...WORKBOOK_PARTS, ['xl/worksheets/sheet1.xml', sheet] as const].map(([name, text]) => [
      name,
      encoder.encode(text),
    ]),
  );
  return fflate().zipSync(files, { mtime: zipTime() });
}

const WORKBOOK_PARTS: readonly (readonly [name: string, text: string])[] = [
  [
    '[Content_Types].xml',
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    'xl/styles.xml',
    `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  ],
];

function rowXml(number: number, cells: readonly string[]): string {
  return `<row r="${number}">${cells.join('')}</row>`;
}

function cellXml(place: string, cell: unknown, type: ParquetColumnType): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`;
  if (typeof cell !== 'number') return textCell(place, String(cell as string), 0);
  if (!Number.isFinite(cell)) return '';
  if (type !== 'time') return `<c r="${place}"><v>${cell}</v></c>`;
  return `<c r="${place}" s="${TIME_STYLE}"><v>${cell / DAY_MS + EPOCH_DAYS}</v></c>`;
}

function textCell(place: string, text: string, style: number): string {
  const own = text.slice(0, MOST_TEXT);
  const styled = style === 0 ? '' : ` s="${style}"`;
  return `<c r="${place}"${styled} t="inlineStr"><is><t xml:space="preserve">${xmlText(own)}</t></is></c>`;
}

/** Name of a column: A, B, … Z, AA, … */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}
