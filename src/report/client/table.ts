/** A table with sort buttons in its head and a filter; its rows are drawn in pages. */

import type { CsvCell } from '../../interchange/csv/toCsv.js';
import type { ReportWords } from '../reportWords.js';
import type { Clock } from './clock.js';
import { element } from './dom.js';
import { compare, duration, fill, type Sortable } from './formats.js';
import { onPrint } from './onPrint.js';
import { save } from './save.js';
import { csvOf, xlsxOf } from './savedTable.js';
import { SHOWN } from './tabs.js';

export interface Column<T> {
  readonly title: string;
  /** The class of its cells. */
  readonly kind: string;
  readonly value: (row: T) => Sortable;
  readonly text: (row: T) => string;
  /** Its cell in a downloaded file; absent: its text, or its number. */
  readonly saved?: (row: T) => CsvCell;
  /** Its title there; absent: the same. */
  readonly savedTitle?: string;
  /** Replaces the text. */
  readonly draw?: (row: T, i: number) => Node;
}

export interface TableOptions<T> {
  /** The name of its rows, in the plural. */
  readonly what: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly filters?: readonly {
    readonly label: string;
    readonly value: (row: T) => string;
    /** How a value is shown. */
    readonly text?: (value: string) => string;
  }[];
  /** What a click on a row does. */
  readonly open?: (i: number) => void;
  /** The cells of a last row, from the rows that the filters leave. */
  readonly total?: (rows: readonly T[]) => readonly string[];
  /** Text shown instead of an empty table. */
  readonly empty: string;
}

export interface Table {
  /** Shows the row even if it is filtered out, and scrolls to it. */
  readonly reveal: (i: number) => HTMLTableRowElement | null;
  /** The rows that the filter leaves, in their order; null: there is no filter. */
  readonly filtered: () => readonly number[] | null;
  /** Calls `act` after each change of the filter. */
  readonly onFilter: (act: () => void) => void;
  /** Removes the filter. */
  readonly clear: () => void;
}

/** Rows that are drawn at first, and by a button: a browser lays out 150 rows at once in a tenth of a second. */
const FIRST_ROWS = 50;
const PAGE_ROWS = 150;
const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A column that sorts by `value` and shows its `text`. */
export function column<T, Value extends Sortable = Sortable>(
  title: string,
  kind: string,
  value: (row: T) => Value,
  text: (value: Value, row: T) => string = (shown) => String(shown ?? ''),
): Column<T> {
  return { title, kind, value, text: (row) => text(value(row), row) };
}

/** A column of times, which files have as the page's wall clock shows them. */
export function pageTimeColumn<T>(
  clock: Clock,
  title: string,
  value: (row: T) => number | null,
  text: (time: number | null, row: T) => string = clock.text,
): Column<T> {
  return {
    ...column<T, number | null>(title, 'time', value, text),
    saved(row) {
      const time = value(row);
      return time === null ? null : clock.wall(time);
    },
  };
}

/** A column of milliseconds: `h:mm:ss` on the page, seconds in files. */
export function durationColumn<T>(
  words: ReportWords,
  title: string,
  milliseconds: (row: T) => number | null,
): Column<T> {
  return {
    ...column<T, number | null>(title, 'num', milliseconds, duration),
    saved(row) {
      const value = milliseconds(row);
      return value === null ? null : value / 1000;
    },
    savedTitle: fill(words.secondsOf, { what: title }),
  };
}

/** A column of numbers that are shown, and saved, as `amount` makes them of its values. */
export function amountColumn<T>(
  title: string,
  value: (row: T) => number | null,
  amount: (value: number) => number,
  text: (value: number | null, digits: number) => string,
  digits: number,
): Column<T> {
  const own = (row: T): number | null => {
    const given = value(row);
    return given === null ? null : amount(given);
  };
  return {
    ...column<T, number | null>(title, 'num', own, (shown) => text(shown, digits)),
    saved(row) {
      const shown = own(row);
      return shown === null ? null : Number(shown.toFixed(digits));
    },
  };
}

export function makeTable<T>(
  host: HTMLElement,
  words: ReportWords,
  { what, columns, rows, filters = [], open, total, empty }: TableOptions<T>,
): Table {
  let order = rows.map((_, i) => i);
  let sortedBy: Column<T> | null = null;
  let isDown = false;
  /** Indices in `order` of the first drawn row and of the one after the last. */
  let [from, to] = [0, 0];
  const texts: string[] = [];
  const body = element('tbody');
  const foot = element('tfoot');
  const drawn = new Map<number, HTMLTableRowElement>();
  const acts: (() => void)[] = [];
  const panel = host.closest<HTMLElement>('[role=tabpanel]');
  let isStale = true;
  const earlier = element('button', { className: 'more', type: 'button' });
  const more = element('button', { className: 'more', type: 'button' });
  const count = element('span', { className: 'note' });
  count.setAttribute('role', 'status');
  const search = element('input', { type: 'search', placeholder: words.filter });
  search.setAttribute('aria-label', fill(words.filterOf, { what }));
  const selects = filters.map(({ label, value, text = (shown) => shown }) => {
    const all = element('option', { value: '', textContent: fill(words.allOf, { what: label }) });
    const select = element('select', {}, all);
    select.setAttribute('aria-label', label);
    for (const option of [...new Set(rows.map(value))].sort()) {
      select.append(element('option', { value: option, textContent: text(option) }));
    }
    select.addEventListener('change', restart);
    return { select, value };
  });
  const heads = columns.map((own) => {
    const button = element('button', { type: 'button', textContent: own.title });
    const head = element('th', { className: own.kind, scope: 'col' }, button);
    button.addEventListener('click', () => {
      isDown = sortedBy === own ? !isDown : false;
      sortedBy = own;
      for (const other of heads) other.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
      restart();
    });
    return head;
  });

  function textOf(i: number): string {
    texts[i] ??= columns
      .map((own) => own.text(rows[i]!))
      .join(' ')
      .toLowerCase();
    return texts[i];
  }
  /** What the search compares is made while the page rests. */
  function prepare(start: number): void {
    globalThis.requestIdleCallback?.((deadline) => {
      let i = start;
      while (i < rows.length && deadline.timeRemaining() > 1) textOf(i++);
      if (i < rows.length) prepare(i);
    });
  }
  const isFiltered = (): boolean =>
    search.value.trim() !== '' || selects.some(({ select }) => select.value !== '');
  function clear(): void {
    search.value = '';
    for (const { select } of selects) select.value = '';
    restart();
  }
  function restart(): void {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    order = rows
      .map((_, i) => i)
      .filter((i) => {
        const row = rows[i]!;
        if (selects.some(({ select, value }) => select.value !== '' && value(row) !== select.value))
          return false;
        if (wanted.length === 0) return true;
        return wanted.every((word) => textOf(i).includes(word));
      });
    if (sortedBy !== null) {
      const { value } = sortedBy;
      order.sort((a, b) => compare(value(rows[a]!), value(rows[b]!), isDown) || a - b);
    }
    isStale = true;
    drawShown();
    for (const act of acts) act();
  }
  /** The rows of a hidden panel are drawn when it is chosen. */
  function drawShown(): void {
    if (!isStale || panel?.hidden === true) return;
    isStale = false;
    drawTotal();
    drawFrom(0);
  }
  function drawTotal(): void {
    if (total === undefined) return;
    const cells = total(order.map((i) => rows[i]!)).map((textContent, c) =>
      titled(element('td', { className: columns[c]!.kind, textContent }), c),
    );
    foot.replaceChildren(element('tr', {}, ...cells));
  }
  /** Draws one page of rows. */
  function drawFrom(place: number): void {
    body.replaceChildren();
    drawn.clear();
    from = place;
    to = place;
    drawMore(FIRST_ROWS);
  }
  function drawMore(count: number): void {
    const end = Math.min(to + count, order.length);
    for (; to < end; to++) body.append(rowOf(order[to]!));
    showRest();
  }
  function drawEarlier(): void {
    const start = Math.max(0, from - PAGE_ROWS);
    body.prepend(...order.slice(start, from).map(rowOf));
    from = start;
    showRest();
  }
  function showRest(): void {
    earlier.hidden = from === 0;
    earlier.textContent = fill(words.showEarlier, { count: from });
    more.hidden = to >= order.length;
    more.textContent = fill(words.showMore, { count: order.length - to });
    count.textContent = fill(words.countOf, { count: order.length, all: rows.length });
  }
  function rowOf(i: number): HTMLTableRowElement {
    const row = element('tr', {}, ...columns.map((own, c) => cellOf(own, c, i)));
    drawn.set(i, row);
    if (open !== undefined) {
      row.className = 'click';
      row.addEventListener('click', () => {
        open(i);
        row.classList.add('hit');
      });
    }
    return row;
  }
  function cellOf(own: Column<T>, c: number, i: number): HTMLTableCellElement {
    const row = rows[i]!;
    const cell = titled(element('td', { className: own.kind }), c);
    if (own.draw !== undefined) cell.append(own.draw(row, i));
    else if (c === 0 && open !== undefined) {
      // Several rows may have the same first cell, so the name of the button includes what distinguishes them.
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

  /** A phone shows a row's cells one after another, with their titles. */
  function titled(cell: HTMLTableCellElement, c: number): HTMLTableCellElement {
    cell.dataset['title'] = columns[c]!.title;
    return cell;
  }
  function savedRows(): CsvCell[][] {
    return order.map((i) => columns.map((own) => savedCell(own, rows[i]!)));
  }
  const saveButton = (form: 'CSV' | 'XLSX'): HTMLElement => {
    const button = element('button', { type: 'button', textContent: form });
    button.setAttribute('aria-label', fill(words.download, { what, form }));
    button.addEventListener('click', () => {
      const heads = columns.map(({ title, savedTitle, kind }) => ({
        title: savedTitle ?? title,
        isTime: kind === 'time',
      }));
      if (form === 'CSV') save(`${what}.csv`, csvOf(heads, savedRows(), words.language), 'text/csv');
      else save(`${what}.xlsx`, xlsxOf(heads, savedRows()), WORKBOOK);
    });
    return button;
  };

  // Paper has no button for more rows.
  onPrint(() => {
    if (host.hidden || host.closest('[hidden]') !== null) return;
    while (from > 0) drawEarlier();
    drawMore(order.length);
  });
  panel?.addEventListener(SHOWN, () => {
    drawShown();
    prepare(0);
  });
  search.addEventListener('input', restart);
  earlier.addEventListener('click', drawEarlier);
  more.addEventListener('click', () => drawMore(PAGE_ROWS));
  const saves = element('span', { className: 'save' }, saveButton('CSV'), saveButton('XLSX'));
  host.append(
    element(
      'div',
      { className: 'tools' },
      search,
      ...selects.map(({ select }) => select),
      count,
      ...(rows.length > 0 ? [saves] : []),
    ),
  );
  if (rows.length === 0) host.append(element('div', { className: 'empty', textContent: empty }));
  else {
    const table = element('table', {}, element('thead', {}, element('tr', {}, ...heads)), body, foot);
    table.setAttribute('aria-label', what);
    host.append(earlier, element('div', { className: 'scroll' }, table), more);
  }
  restart();
  if (panel?.hidden === false) prepare(0);
  return {
    reveal(i) {
      drawShown();
      if (!order.includes(i)) clear();
      const place = order.indexOf(i);
      if (place < 0) return null;
      if (place < from || place >= to) drawFrom(Math.floor(place / FIRST_ROWS) * FIRST_ROWS);
      const row = drawn.get(i)!;
      row.scrollIntoView({ block: 'nearest' });
      return row;
    },
    filtered: () => (isFiltered() ? order : null),
    onFilter: (act) => void acts.push(act),
    clear,
  };
}

/** Numbers stay numbers, times are epoch milliseconds, all else is what the page shows. */
function savedCell<T>(own: Column<T>, row: T): CsvCell {
  if (own.saved !== undefined) return own.saved(row);
  const value = own.value(row);
  return own.kind === 'num' && typeof value === 'number' ? value : own.text(row);
}
