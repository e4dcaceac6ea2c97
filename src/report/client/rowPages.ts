/** The rows of a table, drawn in pages: a browser lays out 150 rows at once in a tenth of a second. */

import type { ReportWords } from '../reportWords.js';
import { element } from './dom.js';
import { fill } from './formats.js';

/** Rows that are drawn at first, and by a button. */
const FIRST_ROWS = 50;
const PAGE_ROWS = 150;

export interface RowPages {
  readonly body: HTMLTableSectionElement;
  /** The button above the rows for those before them. */
  readonly earlier: HTMLButtonElement;
  /** The button below the rows for those after them. */
  readonly more: HTMLButtonElement;
  /** The number of rows, as text. */
  readonly count: HTMLElement;
  /** Draws the first page of the present order. */
  readonly restart: () => void;
  /** Draws all rows. */
  readonly drawAll: () => void;
  /** The row at a place of the order, on its page. */
  readonly show: (place: number) => HTMLTableRowElement;
}

/** `order` gives the shown ones of `all` rows; `rowOf` draws one. */
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
  /** Indices in the order of the first drawn row and of the one after the last. */
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
