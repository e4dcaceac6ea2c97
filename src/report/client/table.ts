/** A table with sort buttons in its head and a filter above it; its rows are drawn in pages. */

import type { CsvCell } from '../../interchange/csv/toCsv.js';
import type { ReportWords } from '../reportWordsEnglish.js';
import type { PageColumn } from './column.js';
import { type RowFilter, rowPages, tableFilter } from './rowPages.js';
import { csvOf, xlsxOf } from './savedTable.js';
import { element, SHOWN, save } from './shared/dom.js';
import { compare, fill } from './shared/formats.js';
import { onPrint } from './shared/inSlices.js';

export interface TableOptions<T> {
  /** Name of the rows, in the plural. */
  readonly what: string;
  readonly columns: readonly PageColumn<T>[];
  readonly rows: readonly T[];
  readonly filters?: readonly RowFilter<T>[];
  /** Called on a click on a row. */
  readonly open?: (i: number) => void;
  /** First cell of the row of totals; absent: no such row. */
  readonly total?: string;
  /** Text shown instead of an empty table. */
  readonly empty: string;
}

export interface Table {
  /** Shows the row even if it is filtered out, and scrolls to it. */
  readonly reveal: (i: number) => HTMLTableRowElement | null;
  /** Indices of the rows that pass the filter, in their order; null if no filter is set. */
  readonly filtered: () => readonly number[] | null;
  /** Calls `act` after each change of the filter. */
  readonly onFilter: (act: () => void) => void;
  /** Removes the filter. */
  readonly clear: () => void;
}

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function makeTable<T>(host: HTMLElement, words: ReportWords, options: TableOptions<T>): Table {
  const { what, columns, rows, filters = [], empty } = options;
  let order = rows.map((_, i) => i);
  let sorted: Sorted<T> | null = null;
  let isStale = true;
  const foot = element('tfoot');
  const acts: (() => void)[] = [];
  const panel = host.closest<HTMLElement>('[role=tabpanel]');
  const text = (row: T): string => columns.map((own) => own.text(row)).join(' ');
  const filter = tableFilter(words, { what, rows, filters, text }, restart);
  const pages = rowPages(
    words,
    rows.length,
    () => order,
    (i) => rowOf(options, i),
  );
  const heads = sortHeads(columns, (by) => {
    sorted = by;
    restart();
  });

  function restart(): void {
    order = filter.kept();
    if (sorted !== null) {
      const { value, isDown } = sorted;
      order.sort((a, b) => compare(value(rows[a]!), value(rows[b]!), isDown) || a - b);
    }
    isStale = true;
    drawShown();
    for (const act of acts) act();
  }
  /** Draws the rows if the panel is visible; those of a hidden panel are drawn when it is chosen. */
  function drawShown(): void {
    if (!isStale || panel?.hidden === true) return;
    isStale = false;
    drawTotal(foot, options, order);
    pages.restart();
  }

  // On paper there is no button for more rows.
  onPrint(() => {
    if (!host.hidden && host.closest('[hidden]') === null) pages.drawAll();
  });
  panel?.addEventListener(SHOWN, () => {
    drawShown();
    filter.prepare();
  });
  const saves = saveButtons(words, what, columns, () => order.map((i) => rows[i]!));
  const tools = [...filter.fields, pages.count, ...(rows.length > 0 ? [saves] : [])];
  host.append(element('div', { className: 'tools' }, ...tools));
  if (rows.length === 0) host.append(element('div', { className: 'empty', textContent: empty }));
  else {
    const head = element('thead', {}, element('tr', {}, ...heads));
    const table = element('table', {}, head, pages.body, foot);
    table.setAttribute('aria-label', what);
    host.append(pages.earlier, element('div', { className: 'scroll' }, table), pages.more);
  }
  restart();
  if (panel?.hidden === false) filter.prepare();
  return {
    reveal(i) {
      drawShown();
      if (!order.includes(i)) filter.clear();
      const place = order.indexOf(i);
      if (place < 0) return null;
      const row = pages.show(place);
      row.scrollIntoView({ block: 'nearest' });
      return row;
    },
    filtered: () => (filter.isSet() ? order : null),
    onFilter: (act) => void acts.push(act),
    clear: filter.clear,
  };
}

interface Sorted<T> {
  readonly value: PageColumn<T>['value'];
  readonly isDown: boolean;
}

/** The heads of the columns. The first click on a head sorts ascending, the second descending. */
function sortHeads<T>(
  columns: readonly PageColumn<T>[],
  sort: (by: Sorted<T>) => void,
): readonly HTMLTableCellElement[] {
  let sortedBy: PageColumn<T> | null = null;
  let isDown = false;
  const heads = columns.map((own) => {
    const button = element('button', { type: 'button', textContent: own.title });
    const head = element('th', { className: own.kind, scope: 'col' }, button);
    button.addEventListener('click', () => {
      isDown = sortedBy === own ? !isDown : false;
      sortedBy = own;
      for (const other of heads) other.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
      sort({ value: own.value, isDown });
    });
    return head;
  });
  return heads;
}

function rowOf<T>(options: TableOptions<T>, i: number): HTMLTableRowElement {
  const { columns, open } = options;
  const row = element('tr', {}, ...columns.map((own, c) => cellOf(options, own, c, i)));
  if (open !== undefined) {
    row.className = 'click';
    row.addEventListener('click', () => {
      open(i);
      row.classList.add('hit');
    });
  }
  return row;
}

function cellOf<T>(
  { columns, rows, open }: TableOptions<T>,
  own: PageColumn<T>,
  c: number,
  i: number,
): HTMLTableCellElement {
  const row = rows[i]!;
  const cell = titled(element('td', { className: own.kind }), own);
  if (own.draw !== undefined) cell.append(own.draw(row, i));
  else if (c === 0 && open !== undefined) {
    // Several rows may have the same first cell; the label of the button also contains the cells that distinguish them.
    const button = element('button', { className: 'find', type: 'button', textContent: own.text(row) });
    const name = columns
      .map((other) => other.text(row))
      .filter(Boolean)
      .slice(0, 3);
    if (name.length > 1) button.setAttribute('aria-label', name.join(', '));
    cell.append(button);
  } else cell.textContent = own.text(row);
  return cell;
}

/** Adds the column's title to a cell: on a phone the cells of a row are below each other, each with its title. */
function titled<T>(cell: HTMLTableCellElement, { title }: PageColumn<T>): HTMLTableCellElement {
  cell.dataset['title'] = title;
  return cell;
}

function drawTotal<T>(
  foot: HTMLElement,
  { columns, rows, total }: TableOptions<T>,
  order: readonly number[],
): void {
  if (total === undefined) return;
  const shown = order.map((i) => rows[i]!);
  const cells = columns.map((own, c) => {
    const textContent = c === 0 ? total : (own.total?.(shown) ?? '');
    return titled(element('td', { className: own.kind, textContent }), own);
  });
  foot.replaceChildren(element('tr', {}, ...cells));
}

/** Buttons that save the rows, as CSV and as a workbook. */
function saveButtons<T>(
  words: ReportWords,
  what: string,
  columns: readonly PageColumn<T>[],
  rows: () => readonly T[],
): HTMLElement {
  const heads = columns.map(({ title, savedTitle, kind }) => ({
    title: savedTitle ?? title,
    isTime: kind === 'time',
  }));
  const cells = (): CsvCell[][] => rows().map((row) => columns.map((own) => savedCell(own, row)));
  const saveButton = (form: 'CSV' | 'XLSX'): HTMLElement => {
    const button = element('button', { type: 'button', textContent: form });
    button.setAttribute('aria-label', fill(words.download, { what, form }));
    button.addEventListener('click', () => {
      if (form === 'CSV') save(`${what}.csv`, csvOf(heads, cells(), words.language), 'text/csv');
      else save(`${what}.xlsx`, xlsxOf(heads, cells()), WORKBOOK);
    });
    return button;
  };
  return element('span', { className: 'save' }, saveButton('CSV'), saveButton('XLSX'));
}

/** The value of a cell in a saved file: a number, a time in epoch milliseconds, or else the shown text. */
function savedCell<T>(own: PageColumn<T>, row: T): CsvCell {
  if (own.saved !== undefined) return own.saved(row);
  const value = own.value(row);
  return own.kind === 'num' && typeof value === 'number' ? value : own.text(row);
}
