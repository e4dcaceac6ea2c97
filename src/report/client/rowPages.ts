/** The rows of a table: selected by a search field and choices above it, and drawn in pages. A browser lays out 150 rows in a tenth of a second. */

import type { ReportWords } from '../reportWordsEnglish.js';
import { element } from './shared/dom.js';
import { fill } from './shared/formats.js';

/** Number of rows drawn at first, and number added by each button. */
const FIRST_ROWS = 50;
const PAGE_ROWS = 150;

export interface RowPages {
  readonly body: HTMLTableSectionElement;
  /** Button above the rows that draws earlier ones. */
  readonly earlier: HTMLButtonElement;
  /** Button below the rows that draws later ones. */
  readonly more: HTMLButtonElement;
  /** The number of rows, as text. */
  readonly count: HTMLElement;
  /** Draws the first page of the order. */
  readonly restart: () => void;
  /** Draws all rows. */
  readonly drawAll: () => void;
  /** Draws the page that contains index `place` of the order, and returns its row. */
  readonly show: (place: number) => HTMLTableRowElement;
}

/** `all`: number of rows. `order()`: numbers of the shown rows, in order. `rowOf`: draws a row. */
export function rowPages(
  words: ReportWords,
  all: number,
  order: () => readonly number[],
  rowOf: (i: number) => HTMLTableRowElement,
): RowPages {
  const body = element('tbody');
  const earlier = element('button', { className: 'more', type: 'button' });
  const more = element('button', { className: 'more', type: 'button' });
  const count = element('span', { className: 'note' });
  count.setAttribute('role', 'status');
  const drawn = new Map<number, HTMLTableRowElement>();
  /** Drawn range of the order: index of the first drawn row, and index after the last. */
  let [from, to] = [0, 0];

  const draw = (i: number): HTMLTableRowElement => {
    const row = rowOf(i);
    drawn.set(i, row);
    return row;
  };
  const showRest = (): void => {
    const shown = order().length;
    earlier.hidden = from === 0;
    earlier.textContent = fill(words.showEarlier, { count: from });
    more.hidden = to >= shown;
    more.textContent = fill(words.showMore, { count: shown - to });
    count.textContent = fill(words.countOf, { count: shown, all });
  };
  const drawMore = (most: number): void => {
    const end = Math.min(to + most, order().length);
    for (; to < end; to++) body.append(draw(order()[to]!));
    showRest();
  };
  const drawEarlier = (): void => {
    const start = Math.max(0, from - PAGE_ROWS);
    body.prepend(...order().slice(start, from).map(draw));
    from = start;
    showRest();
  };
  const drawFrom = (place: number): void => {
    body.replaceChildren();
    drawn.clear();
    from = place;
    to = place;
    drawMore(FIRST_ROWS);
  };

  earlier.addEventListener('click', drawEarlier);
  more.addEventListener('click', () => drawMore(PAGE_ROWS));
  return {
    body,
    earlier,
    more,
    count,
    restart: () => drawFrom(0),
    drawAll() {
      while (from > 0) drawEarlier();
      drawMore(order().length);
    },
    show(place) {
      if (place < from || place >= to) drawFrom(Math.floor(place / FIRST_ROWS) * FIRST_ROWS);
      return drawn.get(order()[place]!)!;
    },
  };
}

/** A choice among the values of the rows. */
export interface RowFilter<T> {
  readonly label: string;
  readonly value: (row: T) => string;
  /** The shown text of a value. */
  readonly text?: (value: string) => string;
}

interface TableFilterOptions<T> {
  /** Name of the rows, in the plural. */
  readonly what: string;
  readonly rows: readonly T[];
  readonly filters: readonly RowFilter<T>[];
  /** The text that the search compares. */
  readonly text: (row: T) => string;
}

interface TableFilter {
  /** The search field, then the choices. */
  readonly fields: readonly HTMLElement[];
  /** Whether a word or a choice is set. */
  readonly isSet: () => boolean;
  /** Removes words and choices, and calls `onChange`. */
  readonly clear: () => void;
  /** Indices of the rows that pass the filter, ascending. */
  readonly kept: () => number[];
  /** Prepares the texts for the search, while the page is idle. */
  readonly prepare: () => void;
}

/** `onChange` is called when the user changes a field. */
export function tableFilter<T>(
  words: ReportWords,
  { what, rows, filters, text }: TableFilterOptions<T>,
  onChange: () => void,
): TableFilter {
  const texts: string[] = [];
  const textOf = (i: number): string => {
    texts[i] ??= text(rows[i]!).toLowerCase();
    return texts[i];
  };
  const search = element('input', { type: 'search', placeholder: words.filter });
  search.setAttribute('aria-label', fill(words.filterOf, { what }));
  search.addEventListener('input', onChange);
  const choices = filters.map((filter) => {
    const select = choiceOf(words, rows, filter);
    select.addEventListener('change', onChange);
    return { select, value: filter.value };
  });
  const prepareFrom = (start: number): void => {
    globalThis.requestIdleCallback?.((deadline) => {
      let i = start;
      while (i < rows.length && deadline.timeRemaining() > 1) textOf(i++);
      if (i < rows.length) prepareFrom(i);
    });
  };
  return {
    fields: [search, ...choices.map(({ select }) => select)],
    isSet: () => search.value.trim() !== '' || choices.some(({ select }) => select.value !== ''),
    clear() {
      search.value = '';
      for (const { select } of choices) select.value = '';
      onChange();
    },
    kept() {
      const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = choices.filter(({ select }) => select.value !== '');
      const isKept = (row: T, i: number): boolean =>
        chosen.every(({ select, value }) => value(row) === select.value) &&
        wanted.every((word) => textOf(i).includes(word));
      return rows.flatMap((row, i) => (isKept(row, i) ? [i] : []));
    },
    prepare: () => prepareFrom(0),
  };
}

function choiceOf<T>(
  words: ReportWords,
  rows: readonly T[],
  { label, value, text = (shown) => shown }: RowFilter<T>,
): HTMLSelectElement {
  const all = element('option', { value: '', textContent: fill(words.allOf, { what: label }) });
  const select = element('select', {}, all);
  select.setAttribute('aria-label', label);
  for (const option of [...new Set(rows.map(value))].sort()) {
    select.append(element('option', { value: option, textContent: text(option) }));
  }
  return select;
}
